import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BackupFixture, createBackupFixture, deliverWithText } from "../../test/support/backup-fixture.ts";
import { readIndex } from "../../test/support/index-content.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { loadConfig } from "../platform/config/load.ts";
import { openPlatform } from "../platform/platform.ts";
import { deriveKey, newSalt } from "../platform/sealing/master-key.ts";
import { newRecoveryKey } from "../platform/sealing/recovery-key.ts";
import { readChain } from "./chain.ts";
import type { Secret } from "./envelope.ts";
import { makeBackup } from "./make.ts";

setDefaultTimeout(60_000);

let fixture: BackupFixture;
let blob: string;
beforeAll(async () => {
  fixture = await createBackupFixture(40);
  const { scratch, mailbox, seeded } = fixture;
  // The index has a segment, a deleted message in it, and a pending one.
  await mailbox.fullText.maintain(scratch.user.id, { rest: async () => {}, flush: true });
  scratch.platform.db.sql.run("DELETE FROM messages WHERE n = (SELECT max(n) FROM messages)");
  deliverWithText(scratch, mailbox, seeded, 39);
  blob = join(fixture.scratch.data_dir, "blobs/messages/ab/cd/ef.01");
  mkdirSync(dirname(blob), { recursive: true });
  writeFileSync(blob, crypto.getRandomValues(new Uint8Array(300_000)));
  writeFileSync(join(fixture.scratch.data_dir, "postroom.toml"), 'log.level = "warn"\n');
  for (const folder of ["cache", "vectors", "run", "upgrades"]) {
    mkdirSync(join(fixture.scratch.data_dir, folder), { recursive: true });
    writeFileSync(join(fixture.scratch.data_dir, folder, "made-again"), "x");
  }
});
afterAll(() => fixture.close());

/** Returns the rows of all tables, including the shadow tables of virtual ones. */
function contents(path: string): Record<string, unknown[][]> {
  const sql = new Database(path, { safeIntegers: true });
  const names = sql
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema'",
    )
    .all()
    .map(({ name }) => name);
  const all = Object.fromEntries(names.sort().map((name) => [name, sql.query(`SELECT * FROM "${name}"`).values()]));
  sql.close();
  return all;
}

const rowsOf = (into: string) => contents(join(fixture.path(into), "postroom.db"));
const present = () => contents(join(fixture.scratch.data_dir, "postroom.db"));
const objects = (path: string) => {
  const sql = new Database(path);
  const found = sql
    .query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .values();
  sql.close();
  return found;
};

describe("a backup", () => {
  test("restores every row, index, trigger and file, and nothing that is regenerated", async () => {
    const made = await fixture.backup("full.age");
    const restored = await fixture.restore("full.age", "full");
    expect({ rows: restored.rows, files: restored.files }).toEqual({ rows: made.rows, files: 2 });
    expect(rowsOf("full")).toEqual(present());
    expect(objects(join(fixture.path("full"), "postroom.db"))).toEqual(
      objects(join(fixture.scratch.data_dir, "postroom.db")),
    );
    expect(readdirSync(fixture.path("full")).sort()).toEqual(["blobs", "keys", "postroom.db", "postroom.toml"]);
    expect(readFileSync(join(fixture.path("full"), "blobs/messages/ab/cd/ef.01"))).toEqual(readFileSync(blob));
  });

  test("opens with its key after a restore, and its mail can be read and searched", async () => {
    const data_dir = fixture.path("full");
    const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: fixture.scratch.clock });
    const mailbox = createMailbox(platform);
    const { user } = fixture.scratch;
    expect(platform.users.get(user.id)?.email).toBe("ada@example.org");
    const [folder] = mailbox.folders.list({ id: fixture.seeded.account.id, user_id: user.id });
    expect(folder?.path).toBe("inbox");
    const indexed = readIndex(platform, user.id);
    expect(indexed.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
      platform.db.sql
        .query<{ n: number }, []>("SELECT n FROM messages ORDER BY n")
        .all()
        .map(({ n }) => n),
    );
    // Numbers of the index are never reused, because deletions refer to them by range.
    const last = (sql: Database) =>
      sql.query("SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'search_%' ORDER BY name").all();
    expect(last(platform.db.sql)).toEqual(last(fixture.scratch.platform.db.sql));
    expect(last(platform.db.sql).length).toBe(3);
    platform.close();
  });

  test("is consistent, even if mail arrives while it is created", async () => {
    const before = present();
    let delivered = 0;
    await fixture.backup("busy.age", {
      progress: () => {
        if (delivered < 20) deliverWithText(fixture.scratch, fixture.mailbox, fixture.seeded, 100 + delivered++);
      },
    });
    expect(delivered).toBe(20);
    await fixture.restore("busy.age", "busy");
    expect(rowsOf("busy")).toEqual(before);
  });

  test("reports progress that never decreases and ends at the total", async () => {
    const steps: { done: number; total: number }[] = [];
    await fixture.backup("steps.age", { progress: (step) => steps.push(step) });
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.every((step, i) => i === 0 || step.done >= steps[i - 1]!.done)).toBe(true);
    expect(steps.at(-1)!.done).toBe(steps.at(-1)!.total);
  });

  test("preserves values that are easily lost: large integers, empty and odd texts, empty blobs, reals", async () => {
    const { sql } = fixture.scratch.platform.db;
    sql.run("CREATE TABLE odd (a, b INTEGER, c TEXT, d BLOB, e REAL, f ANY) STRICT".replace("a,", "a ANY,"));
    const values = [1n << 62n, -(1n << 63n), "nul\0 and 🐌", Buffer.alloc(0), -0.5, 7n];
    sql.query("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?)").run(...values);
    sql.query("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?)").run(null, null, "", null, 1e300, Buffer.from([0, 255]));
    // SQLite updates its own table of last numbers while these tables are filled.
    for (const name of ["aa_counted", "zz_counted"]) {
      sql.run(`CREATE TABLE ${name} (n INTEGER PRIMARY KEY AUTOINCREMENT) STRICT`);
      sql.run(`INSERT INTO ${name} VALUES (7), (9)`);
      sql.run(`DELETE FROM ${name} WHERE n = 9`);
    }
    await fixture.backup("odd.age");
    await fixture.restore("odd.age", "odd");
    expect(rowsOf("odd")).toEqual(present());
    expect(rowsOf("odd").sqlite_sequence).toContainEqual(["zz_counted", 9n]);
    for (const name of ["odd", "aa_counted", "zz_counted"]) sql.run(`DROP TABLE ${name}`);
  });

  test("does not overwrite another file, and needs an existing folder", async () => {
    await expect(fixture.backup("full.age")).rejects.toThrow("full.age already exists. Choose another name.");
    await expect(fixture.backup("no/where.age")).rejects.toThrow("There is no folder");
  });

  test("that is stopped leaves nothing behind", async () => {
    const stop = new AbortController();
    const given_up = fixture.backup("stopped.age", { signal: stop.signal, progress: () => stop.abort() });
    await expect(given_up).rejects.toThrow();
    expect(readdirSync(fixture.path(".")).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  test("removes what a killed process left", async () => {
    writeFileSync(fixture.path("killed.age.999999.part"), "half");
    await fixture.backup("killed.age");
    expect(readdirSync(fixture.path(".")).filter((name) => name.startsWith("killed"))).toEqual(["killed.age"]);
  });
});

describe("an incremental backup", () => {
  test("contains what changed, and the chain restores everything", async () => {
    const { sql } = fixture.scratch.platform.db;
    const full = await fixture.backup("base.age");
    deliverWithText(fixture.scratch, fixture.mailbox, fixture.seeded, 500);
    sql.run("UPDATE messages SET unread = 1 - unread WHERE n % 7 = 0");
    const since = async (file: string) => ({
      manifest: (await readChain(fixture.path(file), [], [fixture.secret], {})).manifest,
      file: fixture.path(file),
    });
    const second = await fixture.backup("second.age", { since: await since("base.age") });
    expect(second.head.kind).toBe("incremental");
    expect(second.bytes).toBeLessThan(full.bytes / 2);
    sql.run("DELETE FROM bodies WHERE n % 5 = 0");
    writeFileSync(join(fixture.scratch.data_dir, "blobs/late"), "late");
    const third = await fixture.backup("third.age", { since: await since("second.age") });
    expect(third.head.chain.map(({ file }) => file)).toEqual(["base.age", "second.age"]);
    await fixture.restore("third.age", "third");
    expect(rowsOf("third")).toEqual(present());
    expect(existsSync(join(fixture.path("third"), "blobs/late"))).toBe(true);
    await fixture.restore("base.age", "base");
    expect(rowsOf("base").bodies).not.toEqual(present().bodies);
  });

  test("without its base names the file that it needs, and accepts it from another folder", async () => {
    mkdirSync(fixture.path("elsewhere"));
    for (const name of ["second.age", "third.age"]) {
      writeFileSync(fixture.path(`elsewhere/${name}`), readFileSync(fixture.path(name)));
    }
    await expect(fixture.restore("elsewhere/third.age", "alone")).rejects.toThrow(
      "is an incremental backup and needs base.age.",
    );
    expect(existsSync(fixture.path("alone"))).toBe(false);
    await fixture.restore("elsewhere/third.age", "together", { older: [fixture.path("base.age")] });
    expect(rowsOf("together")).toEqual(rowsOf("third"));
  });

  test("does not accept another backup of the same name as its base", async () => {
    writeFileSync(fixture.path("elsewhere/base.age"), readFileSync(fixture.path("full.age")));
    await expect(fixture.restore("elsewhere/third.age", "wrong")).rejects.toThrow("needs base.age");
  });
});

describe("opening a backup", () => {
  const proveWith = (name: string, secrets: Secret[]) => readChain(fixture.path(name), [], secrets, {});

  test("works with the recovery key and the master key, and with no other key", async () => {
    const { master } = fixture.scratch.platform.keyring;
    await proveWith("full.age", [{ kind: "master key", key: master }]);
    const stranger = await newRecoveryKey();
    await expect(proveWith("full.age", [{ kind: "recovery key", secret: stranger.secret }])).rejects.toThrow(
      "The recovery key does not open",
    );
    const other: Secret = { kind: "master key", key: new Uint8Array(32) };
    await expect(proveWith("full.age", [other])).rejects.toThrow("The master key does not open");
  });

  test("works with the passphrase on a machine that has only the file", async () => {
    const salt = newSalt();
    const master = deriveKey("correct horse", salt);
    const keys = { master_key: Buffer.from(master).toString("hex"), source: "passphrase" as const };
    await fixture.backup("words.age", {
      readers: { master, salt, recovery: null },
      keys: { ...keys, passphrase_json: salt, recovery_json: null },
    });
    await expect(proveWith("words.age", [{ kind: "passphrase", passphrase: "wrong horse" }])).rejects.toThrow(
      "The passphrase does not open",
    );
    const secrets: Secret[] = [{ kind: "passphrase", passphrase: "correct horse" }];
    expect((await fixture.restore("words.age", "words", { secrets })).custody).toBe("passphrase");
    expect(readFileSync(join(fixture.path("words"), "keys/passphrase.json"), "utf8")).toBe(salt);
    expect(existsSync(join(fixture.path("words"), "keys/master.key"))).toBe(false);
  });

  test("is necessary to see anything of the mail, the keys or the names", () => {
    const text = readFileSync(fixture.path("full.age")).toString("latin1");
    for (const word of ["Invoice", "ada@example.org", "postroom.toml", "messages", "master_key"]) {
      expect(text.includes(word)).toBe(false);
    }
  });
});

describe("a restore", () => {
  test("does not touch a folder that is not empty", async () => {
    mkdirSync(fixture.path("mine"));
    writeFileSync(fixture.path("mine/letter.txt"), "dear");
    await expect(fixture.restore("full.age", "mine")).rejects.toThrow("is not empty");
    expect(readdirSync(fixture.path("mine"))).toEqual(["letter.txt"]);
  });

  test("fills an empty folder, even if an earlier restore was killed there", async () => {
    mkdirSync(fixture.path("empty/restoring"), { recursive: true });
    writeFileSync(fixture.path("empty/restoring/postroom.db"), "half");
    await fixture.restore("full.age", "empty");
    // An earlier test opened "full", which registered its configuration file among the grants.
    expect({ ...rowsOf("empty"), grants: null }).toEqual({ ...rowsOf("full"), grants: null });
  });

  test("of a backup by a newer Postroom is refused", async () => {
    const { sql } = fixture.scratch.platform.db;
    sql.run("INSERT INTO migrations (name) VALUES ('9999_future')");
    await fixture.backup("future.age");
    sql.run("DELETE FROM migrations WHERE name = '9999_future'");
    await expect(fixture.restore("future.age", "future")).rejects.toThrow(
      "created by a newer version of Postroom (0.0.0, migration 9999",
    );
    expect(existsSync(fixture.path("future"))).toBe(false);
  });
});

/** A disk of one MiB, if this process may mount one. */
const small = mkdtempSync(join(tmpdir(), "postroom-small-disk-"));
const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small]).success;
if (!mounted) console.info("skipped: a full disk (this user may not mount one)");
afterAll(() => {
  if (mounted) Bun.spawnSync(["umount", small]);
  rmSync(small, { recursive: true });
});

describe.skipIf(!mounted)("a disk that is too small", () => {
  test("ends a backup with an error, and nothing is left on it", async () => {
    writeFileSync(join(small, "others"), new Uint8Array(600_000));
    const { data_dir, clock, platform } = fixture.scratch;
    const { master } = platform.keyring;
    const backup = makeBackup({
      data_dir,
      file: join(small, "a.age"),
      keys: { master_key: "", source: "file", passphrase_json: null, recovery_json: null },
      readers: { master, salt: null, recovery: null },
      version: "0.0.0",
      clock,
    });
    await expect(backup).rejects.toThrow(/The disk of .*a\.age is full/);
    expect(readdirSync(small)).toEqual(["others"]);
  });

  test("ends a restore with an error, and nothing is left on it", async () => {
    const { restoreBackup } = await import("./restore.ts");
    const restore = restoreBackup({
      file: fixture.path("full.age"),
      secrets: [fixture.secret],
      data_dir: join(small, "data"),
      migrations: fixture.scratch.platform.db.sql.query("SELECT name FROM migrations").values().flat() as string[],
    });
    await expect(restore).rejects.toThrow(/The disk of .* has too little space for this backup/);
    expect(readdirSync(small)).toEqual(["others"]);
  });
});
