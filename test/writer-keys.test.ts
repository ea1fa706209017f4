import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { grantFindings } from "../src/features/diagnostics/grants.ts";
import { bothWays, sha256, WriterFixture } from "./support/writer-fixture.ts";

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

const warnings = () => s.h.log.filter((line) => line.includes("changed outside Postroom"));

/** Checks that the row is refused, that the log and doctor report it, and that everything else still works. */
async function expectRefused(key: string, legit = s.h.key): Promise<void> {
  expect(await s.statusWith(key)).toBe(401);
  expect(await s.statusWith(legit)).toBe(200);
  expect(s.found()).toContain("FAULT");
}

const FOREIGN = `service_live_${"a".repeat(43)}`;

describe("API keys", () => {
  bothWays(
    "a forged hash is refused",
    () => s.restart(),
    async (settle) => {
      const legit = s.h.key;
      const victim = s.h.newKey();
      s.attack((sql) => sql("UPDATE api_keys SET hash = ? WHERE id = ?", sha256(FOREIGN), victim.id));
      settle();
      await expectRefused(FOREIGN, legit);
      expect(await s.statusWith(victim.secret)).toBe(401);
    },
  );

  bothWays(
    "a key with another hash is refused",
    () => s.restart(),
    async (settle) => {
      const legit = s.h.key;
      const mine = s.h.newKey({ scopes: ["mail:read"] });
      s.attack((sql) => {
        sql("UPDATE api_keys SET hash = randomblob(32) WHERE id = ?", mine.id);
        sql(
          `INSERT INTO api_keys SELECT 'key_copy', user_id, (SELECT hash FROM api_keys WHERE id <> ?1 LIMIT 1), label, hint, scopes,
           account_id, created_at, expires_at, revoked_at, last_used_at, team_id, tools_only FROM api_keys WHERE id = ?1 AND false`,
          mine.id,
        );
      });
      settle();
      await expectRefused(mine.secret, legit);
    },
  );

  const WIDER: [string, string][] = [
    ["scopes", `UPDATE api_keys SET scopes = '["mail:read","mail:send"]' WHERE id = ?`],
    ["expiry", "UPDATE api_keys SET expires_at = NULL WHERE id = ?"],
    ["mailbox", "UPDATE api_keys SET account_id = NULL WHERE id = ?"],
    ["time of creation, which limits its sends", "UPDATE api_keys SET created_at = 0 WHERE id = ?"],
    ["owner", "UPDATE api_keys SET user_id = (SELECT min(id) FROM users WHERE sandbox_of IS NULL) WHERE id = ?"],
    ["limit to the tool server", "UPDATE api_keys SET tools_only = 1 - tools_only WHERE id = ?"],
    ["team", "UPDATE api_keys SET team_id = 'tem_x' WHERE id = ?"],
    [
      "networks, with another key's label",
      "UPDATE api_keys SET label = (SELECT label FROM api_keys ORDER BY id LIMIT 1) WHERE id = ?",
    ],
  ];
  for (const [what, statement] of WIDER) {
    bothWays(
      `a key with a changed column is refused: ${what}`,
      () => s.restart(),
      async (settle) => {
        const legit = s.h.key;
        const bo = s.h.newUser("bo@example.org");
        const expires_at = s.h.clock.now() + 86_400_000;
        const made = s.h.newKey({
          user_id: bo.id,
          scopes: ["mail:read"],
          expires_at,
          account_id: "acc_x",
          ip_allow: ["192.0.2.7"],
        });
        s.attack((sql) => sql(statement, made.id));
        settle();
        await expectRefused(made.secret, legit);
        expect(warnings().length).toBeGreaterThan(0);
      },
    );
  }

  bothWays(
    "a revoked key stays revoked if its column or its whole row is restored",
    () => s.restart(),
    async (settle) => {
      const legit = s.h.key;
      const first = s.h.newKey();
      const second = s.h.newKey();
      let before: Record<string, string | number | Uint8Array | null> = {};
      s.attack((sql) => {
        before = sql("SELECT * FROM api_keys WHERE id = ?", second.id)[0] as typeof before;
      });
      s.h.platform.keys.revoke(first.id);
      s.h.platform.keys.revoke(second.id);
      s.attack((sql) => {
        sql("UPDATE api_keys SET revoked_at = NULL WHERE id = ?", first.id);
        sql("DELETE FROM api_keys WHERE id = ?", second.id);
        const columns = Object.keys(before);
        sql(
          `INSERT INTO api_keys (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
          ...Object.values(before),
        );
      });
      settle();
      await expectRefused(first.secret, legit);
      await expectRefused(second.secret, legit);
    },
  );

  test("an earlier register that is restored with its row while the server runs is not accepted", async () => {
    const made = s.h.newKey();
    const kept: Record<string, never>[] = [];
    s.attack((sql) => kept.push(...(sql("SELECT stamp, register FROM grants") as never[])));
    s.h.platform.keys.revoke(made.id);
    await Promise.resolve();
    s.attack((sql) => {
      sql("UPDATE api_keys SET revoked_at = NULL WHERE id = ?", made.id);
      sql("UPDATE grants SET stamp = ?, register = ?", kept[0]!.stamp!, kept[0]!.register!);
    });
    expect(await s.statusWith(made.secret)).toBe(401);
    expect(await s.statusWith(s.h.key)).toBe(200);
    expect(s.h.log.some((line) => line.includes("replaced with an older copy"))).toBe(true);
  });

  test("a trigger that widens a key during its creation gains nothing, and no later change accepts its row", async () => {
    s.attack((sql) =>
      sql(
        `CREATE TRIGGER planted AFTER INSERT ON api_keys BEGIN UPDATE api_keys SET scopes = '["*"]' WHERE id = NEW.id; END`,
      ),
    );
    expect(() => s.h.newKey({ scopes: ["mail:read"] })).toThrow();
    s.attack((sql) => sql("DROP TRIGGER planted"));
    s.h.newKey();
    expect(s.h.platform.grants.differences().map(({ what }) => what)).not.toContain("missing");
    expect(s.h.platform.keys.list([s.h.user.id]).every(({ scopes }) => !scopes.includes("*" as never))).toBe(true);
  });

  test("without the register, no grant counts until the owner accepts the rows, and no data is lost", async () => {
    const legit = s.h.key;
    s.attack((sql) => {
      sql("UPDATE api_keys SET hash = ?", sha256(FOREIGN));
      sql("DELETE FROM grants");
    });
    // The running server still has the register in memory.
    expect(await s.statusWith(FOREIGN)).toBe(401);
    s.h.close();
    const platform = s.open();
    expect(platform.keys.find(FOREIGN)).toBeNull();
    expect(platform.users.list()).toEqual([]);
    expect(grantFindings(platform)).toMatchObject([{ result: "FAULT", detail: expect.stringContaining("missing") }]);
    s.attack((sql) => sql("UPDATE api_keys SET hash = ?", platform.grants.lookup("api-key", legit)));
    platform.grants.acceptAll();
    platform.close();
    s.start();
    expect(await s.statusWith(legit)).toBe(200);
  });
});

test("checking a key takes microseconds", () => {
  const { keys } = s.h.platform;
  for (let i = 0; i < 2_000; i++) keys.find(s.h.key);
  const began = performance.now();
  for (let i = 0; i < 5_000; i++) keys.find(s.h.key);
  const eachUs = ((performance.now() - began) / 5_000) * 1_000;
  console.info(`a key is found and checked in ${eachUs.toFixed(1)} µs`);
  expect(eachUs).toBeLessThan(500);
});
