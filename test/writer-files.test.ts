import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupKeys } from "../src/backup/keys.ts";
import { makeBackup } from "../src/backup/make.ts";
import { restoreBackup } from "../src/backup/restore.ts";
import { CalendarFeed } from "../src/features/calendar/feed.ts";
import { keyFindings } from "../src/features/diagnostics/folder.ts";
import { grantFindings } from "../src/features/diagnostics/grants.ts";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { MIGRATION_NAMES, MIGRATIONS } from "../src/platform/db/migrate.ts";
import { openBytes, sealBytes } from "../src/platform/sealing/box.ts";
import { findMasterKey } from "../src/platform/sealing/master-key.ts";
import { moveMasterKey } from "../src/platform/sealing/move-key.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../src/platform/sealing/recovery-key.ts";
import { checkInvariants } from "./invariants/check.ts";
import { bothWays, sha256, WriterFixture } from "./support/writer-fixture.ts";

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

const SERVER = { host: "imap.home.example", port: 993, security: "tls" } as const;
const FOREIGN = `service_live_${"a".repeat(43)}`;

/** Returns the wrapped system key as versions before the register wrote it. */
function olderSystemKey(master: Uint8Array, sql: Database): Uint8Array {
  const context = "data_keys.wrapped:_system:1";
  const row = sql.query<{ wrapped: Uint8Array }, []>("SELECT wrapped FROM data_keys WHERE user_id = '_system'").get()!;
  return sealBytes(master, 1, context, openBytes(master, `${context}:grants`, row.wrapped));
}

describe("rows that redirect secrets", () => {
  bothWays(
    "an earlier mail server or a removed read-only flag makes a mailbox unusable",
    () => s.restart(),
    (settle) => {
      const { accounts } = createMailbox(s.h.platform);
      const connection = { imap: { ...SERVER, host: "old.example" }, smtp: null, username: "a", password: "b" };
      const { id } = accounts.add({
        user_id: s.h.user.id,
        provider: "imap",
        email: "a@b.test",
        connection,
        read_only: true,
      });
      const other = accounts.add({
        user_id: s.h.user.id,
        provider: "imap",
        email: "c@b.test",
        connection,
        read_only: true,
      });
      let old: Uint8Array = new Uint8Array();
      s.attack((sql) => {
        old = (sql("SELECT connection FROM accounts WHERE id = ?", id) as { connection: Uint8Array }[])[0]!.connection;
      });
      accounts.setConnection(accounts.get(id)!, { ...connection, imap: SERVER });
      s.attack((sql) => {
        sql("UPDATE accounts SET connection = ? WHERE id = ?", old, id);
        sql("UPDATE accounts SET read_only = 0 WHERE id = ?", other.id);
      });
      settle();
      const after = createMailbox(s.h.platform).accounts;
      expect([after.get(id), after.connection({ id, user_id: s.h.user.id }), after.get(other.id)]).toEqual([
        null,
        null,
        null,
      ]);
      expect(s.found()).toContain("accounts");
    },
  );

  bothWays(
    "a calendar feed cannot be read with a forged address",
    () => s.restart(),
    (settle) => {
      const feed = () => new CalendarFeed(s.h.platform, { within: () => [] } as never);
      const token = feed().path(s.h.user.id).split("=")[1]!;
      expect(feed().read(token)).not.toBeNull();
      s.attack((sql) => sql("UPDATE calendar_feeds SET token_hash = ?", sha256("foreign")));
      settle();
      for (const each of ["foreign", token]) expect(feed().read(each)).toBeNull();
    },
  );
});

describe("the recovery key", () => {
  const file = () => join(s.dir, "keys", "recovery.json");
  const refused = async () => {
    expect(() => backupKeys(s.h.platform)).toThrow("keys/recovery.json was changed outside Postroom");
    await expect(moveMasterKey(s.h.platform, { kind: "outside", path: join(tmpdir(), "never.key") })).rejects.toThrow(
      "changed outside Postroom",
    );
    expect(keyFindings(s.h.platform, "given")).toContainEqual(
      expect.objectContaining({ check: "key backup", result: "FAULT" }),
    );
  };

  bothWays(
    "a replaced public half is refused, so it gets no backup and no master key",
    () => s.restart(),
    async (settle) => {
      const own = await newRecoveryKey();
      await adoptRecoveryKey(s.h.platform, own.recipient);
      expect(backupKeys(s.h.platform).readers.recovery).toBe(own.recipient);
      const foreign = await newRecoveryKey();
      const text = readFileSync(file(), "utf8");
      writeFileSync(file(), text.replace(own.recipient, foreign.recipient));
      settle();
      await refused();
      // Without the HMACs it looks like a file of an older version.
      const { macs: _, ...rest } = JSON.parse(text);
      writeFileSync(file(), JSON.stringify({ ...rest, recipient: foreign.recipient }));
      settle();
      await refused();
      writeFileSync(file(), text);
      expect(backupKeys(s.h.platform).readers.recovery).toBe(own.recipient);
    },
  );

  bothWays(
    "a file of an earlier recovery key is refused, and so is a missing file",
    () => s.restart(),
    async (settle) => {
      await adoptRecoveryKey(s.h.platform, (await newRecoveryKey()).recipient);
      const earlier = readFileSync(file(), "utf8");
      await adoptRecoveryKey(s.h.platform, (await newRecoveryKey()).recipient);
      writeFileSync(file(), earlier);
      settle();
      await refused();
      rmSync(file());
      settle();
      expect(() => backupKeys(s.h.platform)).toThrow("keys/recovery.json is missing");
    },
  );

  bothWays(
    "a forged file is refused if there was none before",
    () => s.restart(),
    async (settle) => {
      writeFileSync(file(), JSON.stringify({ recipient: (await newRecoveryKey()).recipient, master_keys: [] }));
      settle();
      await refused();
    },
  );
});

describe("the upgrade from a version without a register", () => {
  /**
   * Converts the folder to that version: hashes are SHA-256, there is no register, and the system key does not record
   * one.
   */
  function makeOlder(secret: string): void {
    const { keyring } = s.h.platform;
    const system = keyring.system();
    expect(system).toBeDefined();
    const older = olderSystemKey(keyring.master, s.h.platform.db.sql);
    s.h.close();
    s.attack((sql) => {
      sql("UPDATE api_keys SET hash = ? WHERE id = (SELECT max(id) FROM api_keys)", sha256(secret));
      sql("UPDATE data_keys SET wrapped = ? WHERE user_id = '_system'", older);
      sql("DROP TABLE grants");
      sql("DELETE FROM migrations WHERE name = '0017_grants'");
    });
  }

  test("accepts keys without their plaintext, once, and reports it", async () => {
    const legit = s.h.key;
    makeOlder(legit);
    s.start();
    expect(await s.statusWith(legit)).toBe(200);
    expect(s.h.log.some((line) => line.includes("were adopted unchanged"))).toBe(true);
    expect(s.found()).toContain("advice Credentials were adopted from an older version");
    const { findings } = await checkInvariants(s.h.platform);
    expect(findings.filter(({ rule }) => rule === "grants")).toEqual([]);
    // A folder that looks like an older one is not adopted again.
    s.attack((sql) => sql("UPDATE api_keys SET hash = ? WHERE id = (SELECT min(id) FROM api_keys)", sha256(FOREIGN)));
    s.h.close();
    s.attack((sql) => {
      sql("DROP TABLE grants");
      sql("DELETE FROM migrations WHERE name = '0017_grants'");
    });
    const platform = s.open();
    expect([platform.keys.find(FOREIGN), platform.keys.find(legit)]).toEqual([null, null]);
    platform.grants.acceptAll();
    platform.close();
    s.start();
  });

  test("an upgrade that a crash interrupts is completed at the next start", async () => {
    const legit = s.h.key;
    makeOlder(legit);
    // Only the table was created before the crash.
    s.attack((sql) => {
      for (const statement of MIGRATIONS.find(({ name }) => name === "0017_grants")!
        .sql.split(";")
        .filter((part) => part.trim()))
        sql(statement);
      sql("INSERT INTO migrations (name) VALUES ('0017_grants')");
    });
    s.start();
    expect(await s.statusWith(legit)).toBe(200);
  });

  test("a backup from that version is upgraded at its first start after a restore", async () => {
    const legit = s.h.key;
    const { clock } = s.h;
    const { master } = s.h.platform.keyring;
    makeOlder(legit);
    const file = join(s.dir, "older.age");
    const keys = { master_key: "5a".repeat(32), source: "given", passphrase_json: null, recovery_json: null } as const;
    const readers = { master, salt: null, recovery: null };
    await makeBackup({ data_dir: s.dir, file, keys, readers, version: "0.1.0", clock });
    const data_dir = join(s.dir, "restored");
    const secrets = [{ kind: "master key", key: master } as const];
    await restoreBackup({ file, older: [], secrets, data_dir, migrations: MIGRATION_NAMES });
    const platform = s.open(data_dir);
    expect(platform.keys.find(legit)).not.toBeNull();
    expect(platform.grants.differences()).toEqual([]);
    platform.close();
    s.start();
  });
});

test("a rotation of the master key leaves every grant unchanged", async () => {
  const legit = s.h.key;
  const path = join(s.dir, "..", `${s.dir.split("/").at(-1)}.key`);
  await moveMasterKey(s.h.platform, { kind: "outside", path });
  expect(await s.statusWith(legit)).toBe(200);
  s.h.close();
  s.start(readFileSync(path, "utf8"));
  rmSync(path);
  expect(await s.statusWith(legit)).toBe(200);
  expect(s.found()).toStartWith("ok");
});

describe("postroom.toml in the data folder", () => {
  const write = () =>
    writeFileSync(
      join(s.dir, "postroom.toml"),
      '[http]\nhost = "evil.example"\nforward_auth_header = "Remote-Email"\ntrusted_proxies = ["0.0.0.0/0"]\nport = 9001\n[oidc]\nissuer = "https://evil.example"\n',
    );

  test("grants nothing when someone else put it there, until the owner accepts it", () => {
    write();
    s.h.close();
    const platform = s.open();
    const settings = () =>
      (["http.host", "http.forward_auth_header", "http.trusted_proxies", "oidc.issuer", "http.port"] as const).map(
        (key) => platform.config.get(key),
      );
    expect(settings()).toEqual(["127.0.0.1", "", [], "", 9001]);
    expect(grantFindings(platform)).toMatchObject([
      { result: "FAULT", detail: expect.stringContaining("postroom.toml") },
    ]);
    platform.grants.noteFile("postroom.toml", readFileSync(join(s.dir, "postroom.toml"), "utf8"));
    platform.close();
    const accepted = s.open();
    expect(accepted.config.get("http.forward_auth_header")).toBe("Remote-Email");
    accepted.close();
    s.start();
  });
});

test("a passphrase.json that was put into a new data folder does not weaken the passphrase", () => {
  const keys = join(s.dir, "new", "keys");
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, "passphrase.json"), JSON.stringify({ N: 2, r: 8, p: 1, salt: "aa".repeat(16) }));
  const settings = { given: "", passphrase: "correct horse" };
  expect(() => findMasterKey(join(s.dir, "new"), settings, null)).toThrow("too easy to guess");
});
