import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../src/platform/config/load.ts";
import { OwnerClaim } from "../src/platform/identity/claim.ts";
import { bothWays, type Sql, WriterFixture } from "./support/writer-fixture.ts";

/*
 * An attacker removes (or changes) a row of the database while the owner revokes it, and restores it afterwards. Or
 * plants a trigger that keeps the row, or the old wrapping of a key.
 */

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

type Stored = Record<string, string | number | Uint8Array | null>;

/** Removes rows. @returns a function that restores them */
function withhold(table: string, where: string): () => void {
  let rows: Stored[] = [];
  s.attack((sql) => {
    rows = sql(`SELECT * FROM ${table} WHERE ${where}`) as Stored[];
    sql(`DELETE FROM ${table} WHERE ${where}`);
  });
  expect(rows.length).toBeGreaterThan(0);
  return () =>
    s.attack((sql) => {
      for (const row of rows) put(sql, table, row);
    });
}

function put(sql: Sql, table: string, row: Stored): void {
  const columns = Object.keys(row);
  sql(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
    ...columns.map((column) => row[column]!),
  );
}

const session = (user_id: string) =>
  s.h.platform.sessions.create({ user_id, method: "password", address: "192.0.2.1", user_agent: "test" });

describe("a row that is hidden while it is revoked does not count afterwards", () => {
  bothWays(
    "a session, while all sessions are ended",
    () => s.restart(),
    (settle) => {
      const stolen = session(s.h.user.id);
      const back = withhold("sessions", "true");
      s.h.platform.sessions.revokeOthers(s.h.user.id, null);
      back();
      settle();
      expect(s.h.platform.sessions.find(stolen.token)).toBeNull();
    },
  );

  bothWays(
    "an API key, revoked by its id",
    () => s.restart(),
    async (settle) => {
      const made = s.h.newKey();
      const back = withhold("api_keys", `id = '${made.id}'`);
      expect(s.h.platform.keys.revoke(made.id)).toBe(true);
      back();
      settle();
      expect(await s.statusWith(made.secret)).toBe(401);
    },
  );

  bothWays(
    "an API key, changed and changed back around its revocation",
    () => s.restart(),
    async (settle) => {
      const made = s.h.newKey();
      s.attack((sql) => sql("UPDATE api_keys SET hint = 'zzzz' || hint WHERE id = ?", made.id));
      expect(s.h.platform.keys.revoke(made.id)).toBe(true);
      s.attack((sql) => sql("UPDATE api_keys SET hint = substr(hint, 5) WHERE id = ?", made.id));
      settle();
      expect(await s.statusWith(made.secret)).toBe(401);
    },
  );

  bothWays(
    "an invitation, while it is withdrawn",
    () => s.restart(),
    (settle) => {
      const bo = s.h.newUser("bo@example.org").id;
      const { token } = s.h.platform.invitations.create(bo);
      const back = withhold("invitations", "true");
      s.h.platform.invitations.withdraw(bo);
      back();
      settle();
      expect(s.h.platform.invitations.open(token)).toBeNull();
    },
  );

  bothWays(
    "an organization key and a membership, while the team is removed",
    () => s.restart(),
    (settle) => {
      const { teams, keys, grants } = s.h.platform;
      const team = teams.create("Sales");
      teams.invite(team.id, s.h.user.id);
      teams.accept(team.id, s.h.user.id);
      const made = keys.create({
        user_id: s.h.user.id,
        name: "org",
        scopes: ["mail:read"],
        test: false,
        team_id: team.id,
      });
      const key = withhold("api_keys", `team_id = '${team.id}'`);
      const member = withhold("team_members", "true");
      teams.remove(team.id);
      member();
      key();
      expect(grants.differences().map(({ table }) => table)).toEqual(
        expect.arrayContaining(["api_keys", "team_members"]),
      );
      settle();
      expect(s.h.platform.teams.has(team.id, s.h.user.id)).toBe(false);
      expect(s.h.platform.keys.find(made.secret)).toBeNull();
    },
  );
});

describe("a planted trigger", () => {
  test("cannot keep a deleted session valid", () => {
    const stolen = session(s.h.user.id);
    s.attack((sql) => sql("CREATE TRIGGER keep BEFORE DELETE ON sessions BEGIN SELECT raise(IGNORE); END"));
    s.h.platform.sessions.revokeOthers(s.h.user.id, null);
    expect(s.h.platform.sessions.find(stolen.token)).toBeNull();
  });

  test("cannot keep the keys and members of a removed team valid", () => {
    const { teams, keys } = s.h.platform;
    const team = teams.create("Sales");
    teams.invite(team.id, s.h.user.id);
    teams.accept(team.id, s.h.user.id);
    const made = keys.create({
      user_id: s.h.user.id,
      name: "org",
      scopes: ["mail:read"],
      test: false,
      team_id: team.id,
    });
    s.attack((sql) => {
      sql("CREATE TRIGGER keep_team BEFORE DELETE ON teams BEGIN SELECT raise(IGNORE); END");
      sql("CREATE TRIGGER keep_keys BEFORE DELETE ON api_keys BEGIN SELECT raise(IGNORE); END");
      sql("CREATE TRIGGER keep_members BEFORE DELETE ON team_members BEGIN SELECT raise(IGNORE); END");
    });
    teams.remove(team.id);
    expect(s.h.platform.teams.get(team.id)).toBeNull();
    expect(s.h.platform.teams.has(team.id, s.h.user.id)).toBe(false);
    expect(keys.find(made.secret)).toBeNull();
  });

  test("that keeps old wrapped data keys makes a rotation fail before the old key is discarded", () => {
    s.attack((sql) => sql("CREATE TRIGGER keep BEFORE UPDATE ON data_keys BEGIN SELECT raise(IGNORE); END"));
    expect(() => s.h.platform.keyring.rotate(new Uint8Array(32).fill(7))).toThrow("data key");
    s.restart();
    expect(s.found()).toContain("keep");
  });

  test("is reported by doctor", () => {
    expect(s.found()).not.toContain("FAULT");
    s.attack((sql) => sql("CREATE TRIGGER planted AFTER INSERT ON messages BEGIN SELECT 1; END"));
    s.attack((sql) => sql("CREATE VIEW planted_view AS SELECT * FROM users"));
    expect(s.found()).toMatch(/FAULT .*planted.*planted_view/);
  });
});

describe("a configuration file that someone put into the data folder", () => {
  const TEXT = '[http]\nforward_auth_header = "Remote-Email"\n';

  test("is detected in a subfolder and through a link, too", () => {
    mkdirSync(join(s.dir, "sub"));
    const file = join(s.dir, "sub", "p.toml");
    writeFileSync(file, TEXT);
    const link = `${s.dir}.toml`;
    symlinkSync(file, link);
    try {
      for (const path of [file, link]) {
        expect(loadConfig({ data_dir: s.dir, file: path, env: {} }).beside?.keys).toEqual(["http.forward_auth_header"]);
      }
    } finally {
      rmSync(link);
    }
  });
});

test("a data folder without its system key is refused, not initialized again", () => {
  s.h.close();
  s.attack((sql) => {
    sql("DELETE FROM data_keys WHERE user_id = '_system'");
    sql("DELETE FROM grants");
  });
  let error = "";
  try {
    s.open().close();
  } catch (cause) {
    error = String(cause);
  }
  s = new WriterFixture();
  expect(error).toContain("Restore a backup");
});

test("the installation stays claimed if the register is missing", () => {
  const claim = () => new OwnerClaim(s.h.platform.grants, s.h.clock);
  expect(claim().claim()).toBe(true);
  s.h.close();
  s.attack((sql) => sql("DELETE FROM grants"));
  const platform = s.open();
  expect(new OwnerClaim(platform.grants, s.h.clock).isClaimed).toBe(true);
  platform.close();
  s = new WriterFixture();
});

test("doctor does not report the triggers of an earlier version's index as planted", () => {
  const table = `words_${s.h.user.id}`;
  s.attack((sql) => {
    sql(`CREATE TABLE ${table} (x)`);
    sql(
      `CREATE TRIGGER IF NOT EXISTS ${table}_gone AFTER DELETE ON messages WHEN OLD.user_id = '${s.h.user.id}'
       BEGIN DELETE FROM ${table} WHERE rowid = OLD.n; END`,
    );
  });
  expect(s.found()).not.toContain("FAULT");
});
