import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BackupFixture, createBackupFixture, deliverWithWords } from "../../test/support/backup-fixture.ts";
import { readIndex } from "../../test/support/index-content.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { loadConfig } from "../platform/config/load.ts";
import { openPlatform } from "../platform/platform.ts";
import { derive, newSalt } from "../platform/sealing/master-key.ts";
import { newRecoveryKey } from "../platform/sealing/recovery-key.ts";
import { readChain } from "./chain.ts";
import type { Secret } from "./envelope.ts";
import { makeBackup } from "./make.ts";

setDefaultTimeout(60_000);

let scene: BackupFixture;
let blob: string;
beforeAll(async () => {
  scene = await createBackupFixture(40);
  const { scratch, mailbox, seeded } = scene;
  // An index with a segment, a deleted message in it, and one that is pending.
  await mailbox.fullText.maintain(scratch.user.id, { rest: async () => {}, flush: true });
  scratch.platform.db.sql.run("DELETE FROM messages WHERE n = (SELECT max(n) FROM messages)");
  deliverWithWords(scratch, mailbox, seeded, 39);
  blob = join(scene.scratch.data_dir, "blobs/messages/ab/cd/ef.01");
  mkdirSync(dirname(blob), { recursive: true });
  writeFileSync(blob, crypto.getRandomValues(new Uint8Array(300_000)));
  writeFileSync(join(scene.scratch.data_dir, "postroom.toml"), 'log.level = "warn"\n');
  for (const folder of ["cache", "vectors", "run", "upgrades"]) {
    mkdirSync(join(scene.scratch.data_dir, folder), { recursive: true });
    writeFileSync(join(scene.scratch.data_dir, folder, "made-again"), "x");
  }
});
afterAll(() => scene.close());

/** Rows of all tables, shadows of virtual ones included. */
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

const rowsOf = (into: string) => contents(join(scene.path(into), "postroom.db"));
const present = () => contents(join(scene.scratch.data_dir, "postroom.db"));
const objects = (path: string) => {
  const sql = new Database(path);
  const found = sql
    .query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .values();
  sql.close();
  return found;
};

describe("a backup", () => {
  test("restores every row, index, trigger and file, and nothing that is made again", async () => {
    const made = await scene.backup("full.age");
    const restored = await scene.restore("full.age", "full");
    expect({ rows: restored.rows, files: restored.files }).toEqual({ rows: made.rows, files: 2 });
    expect(rowsOf("full")).toEqual(present());
    expect(objects(join(scene.path("full"), "postroom.db"))).toEqual(
      objects(join(scene.scratch.data_dir, "postroom.db")),
    );
    expect(readdirSync(scene.path("full")).sort()).toEqual(["blobs", "keys", "postroom.db", "postroom.toml"]);
    expect(readFileSync(join(scene.path("full"), "blobs/messages/ab/cd/ef.01"))).toEqual(readFileSync(blob));
  });

  test("opens with its key, and its mail is read and searched", async () => {
    const data_dir = scene.path("full");
    const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: scene.scratch.clock });
    const mailbox = createMailbox(platform);
    const { user } = scene.scratch;
    expect(platform.users.get(user.id)?.email).toBe("ada@example.org");
    const [folder] = mailbox.folders.list({ id: scene.seeded.account.id, user_id: user.id });
    expect(folder?.path).toBe("inbox");
    const indexed = readIndex(platform, user.id);
    expect(indexed.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
      platform.db.sql
        .query<{ n: number }, []>("SELECT n FROM messages ORDER BY n")
        .all()
        .map(({ n }) => n),
    );
    // Numbers of the index are never given twice: deletions say up to which they reach.
    const last = (sql: Database) =>
      sql.query("SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'search_%' ORDER BY name").all();
    expect(last(platform.db.sql)).toEqual(last(scene.scratch.platform.db.sql));
    expect(last(platform.db.sql).length).toBe(3);
    platform.close();
  });

  test("is of one moment, even if mail arrives while it is made", async () => {
    const before = present();
    let delivered = 0;
    await scene.backup("busy.age", {
      progress: () => {
        if (delivered < 20) deliverWithWords(scene.scratch, scene.mailbox, scene.seeded, 100 + delivered++);
      },
    });
    expect(delivered).toBe(20);
    await scene.restore("busy.age", "busy");
    expect(rowsOf("busy")).toEqual(before);
  });

  test("says how far it is, and ends at the end", async () => {
    const steps: { done: number; total: number }[] = [];
    await scene.backup("steps.age", { progress: (step) => steps.push(step) });
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.every((step, i) => i === 0 || step.done >= steps[i - 1]!.done)).toBe(true);
    expect(steps.at(-1)!.done).toBe(steps.at(-1)!.total);
  });

  test("holds values that are easily lost: large integers, empty and odd texts, empty blobs, reals", async () => {
    const { sql } = scene.scratch.platform.db;
    sql.run("CREATE TABLE odd (a, b INTEGER, c TEXT, d BLOB, e REAL, f ANY) STRICT".replace("a,", "a ANY,"));
    const values = [1n << 62n, -(1n << 63n), "nul\0 and 🐌", Buffer.alloc(0), -0.5, 7n];
    sql.query("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?)").run(...values);
    sql.query("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?)").run(null, null, "", null, 1e300, Buffer.from([0, 255]));
    // Their last numbers are in SQLite's own table, which SQLite also writes while they are filled.
    for (const name of ["aa_counted", "zz_counted"]) {
      sql.run(`CREATE TABLE ${name} (n INTEGER PRIMARY KEY AUTOINCREMENT) STRICT`);
      sql.run(`INSERT INTO ${name} VALUES (7), (9)`);
      sql.run(`DELETE FROM ${name} WHERE n = 9`);
    }
    await scene.backup("odd.age");
    await scene.restore("odd.age", "odd");
    expect(rowsOf("odd")).toEqual(present());
    expect(rowsOf("odd").sqlite_sequence).toContainEqual(["zz_counted", 9n]);
    for (const name of ["odd", "aa_counted", "zz_counted"]) sql.run(`DROP TABLE ${name}`);
  });

  test("is not written over another file, nor into a folder that is not there", async () => {
    await expect(scene.backup("full.age")).rejects.toThrow("full.age already exists. Choose another name.");
    await expect(scene.backup("no/where.age")).rejects.toThrow("There is no folder");
  });

  test("that is given up leaves nothing behind", async () => {
    const stop = new AbortController();
    const given_up = scene.backup("stopped.age", { signal: stop.signal, progress: () => stop.abort() });
    await expect(given_up).rejects.toThrow();
    expect(readdirSync(scene.path(".")).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  test("clears away what a killed one left", async () => {
    writeFileSync(scene.path("killed.age.999999.part"), "half");
    await scene.backup("killed.age");
    expect(readdirSync(scene.path(".")).filter((name) => name.startsWith("killed"))).toEqual(["killed.age"]);
  });
});

describe("an incremental backup", () => {
  test("holds what changed, and the chain restores all of it", async () => {
    const { sql } = scene.scratch.platform.db;
    const full = await scene.backup("base.age");
    deliverWithWords(scene.scratch, scene.mailbox, scene.seeded, 500);
    sql.run("UPDATE messages SET unread = 1 - unread WHERE n % 7 = 0");
    const since = async (file: string) => ({
      manifest: (await readChain(scene.path(file), [], [scene.secret], {})).manifest,
      file: scene.path(file),
    });
    const second = await scene.backup("second.age", { since: await since("base.age") });
    expect(second.head.kind).toBe("incremental");
    expect(second.bytes).toBeLessThan(full.bytes / 2);
    sql.run("DELETE FROM bodies WHERE n % 5 = 0");
    writeFileSync(join(scene.scratch.data_dir, "blobs/late"), "late");
    const third = await scene.backup("third.age", { since: await since("second.age") });
    expect(third.head.chain.map(({ file }) => file)).toEqual(["base.age", "second.age"]);
    await scene.restore("third.age", "third");
    expect(rowsOf("third")).toEqual(present());
    expect(existsSync(join(scene.path("third"), "blobs/late"))).toBe(true);
    await scene.restore("base.age", "base");
    expect(rowsOf("base").bodies).not.toEqual(present().bodies);
  });

  test("without its base says which file it needs, and takes it from elsewhere", async () => {
    mkdirSync(scene.path("elsewhere"));
    for (const name of ["second.age", "third.age"]) {
      writeFileSync(scene.path(`elsewhere/${name}`), readFileSync(scene.path(name)));
    }
    await expect(scene.restore("elsewhere/third.age", "alone")).rejects.toThrow(
      "is an incremental backup and needs base.age.",
    );
    expect(existsSync(scene.path("alone"))).toBe(false);
    await scene.restore("elsewhere/third.age", "together", { older: [scene.path("base.age")] });
    expect(rowsOf("together")).toEqual(rowsOf("third"));
  });

  test("does not take another backup of the same name for its base", async () => {
    writeFileSync(scene.path("elsewhere/base.age"), readFileSync(scene.path("full.age")));
    await expect(scene.restore("elsewhere/third.age", "wrong")).rejects.toThrow("needs base.age");
  });
});

describe("who opens it", () => {
  const proveWith = (name: string, secrets: Secret[]) => readChain(scene.path(name), [], secrets, {});

  test("the recovery key and the master key do, others do not", async () => {
    const { master } = scene.scratch.platform.keyring;
    await proveWith("full.age", [{ kind: "master key", key: master }]);
    const stranger = await newRecoveryKey();
    await expect(proveWith("full.age", [{ kind: "recovery key", secret: stranger.secret }])).rejects.toThrow(
      "The recovery key does not open",
    );
    const other: Secret = { kind: "master key", key: new Uint8Array(32) };
    await expect(proveWith("full.age", [other])).rejects.toThrow("The master key does not open");
  });

  test("the passphrase does, on a machine that has nothing but the file", async () => {
    const salt = newSalt();
    const master = derive("correct horse", salt);
    const keys = { master_key: Buffer.from(master).toString("hex"), source: "passphrase" as const };
    await scene.backup("words.age", {
      readers: { master, salt, recovery: null },
      keys: { ...keys, passphrase_json: salt, recovery_json: null },
    });
    await expect(proveWith("words.age", [{ kind: "passphrase", passphrase: "wrong horse" }])).rejects.toThrow(
      "The passphrase does not open",
    );
    const secrets: Secret[] = [{ kind: "passphrase", passphrase: "correct horse" }];
    expect((await scene.restore("words.age", "words", { secrets })).custody).toBe("passphrase");
    expect(readFileSync(join(scene.path("words"), "keys/passphrase.json"), "utf8")).toBe(salt);
    expect(existsSync(join(scene.path("words"), "keys/master.key"))).toBe(false);
  });

  test("contains nothing of the mail, the keys or the names in clear", () => {
    const text = readFileSync(scene.path("full.age")).toString("latin1");
    for (const word of ["Invoice", "ada@example.org", "postroom.toml", "messages", "master_key"]) {
      expect(text.includes(word)).toBe(false);
    }
  });
});

describe("a restore", () => {
  test("does not touch a folder that holds something", async () => {
    mkdirSync(scene.path("mine"));
    writeFileSync(scene.path("mine/letter.txt"), "dear");
    await expect(scene.restore("full.age", "mine")).rejects.toThrow("is not empty");
    expect(readdirSync(scene.path("mine"))).toEqual(["letter.txt"]);
  });

  test("fills an empty folder, also one where another was killed", async () => {
    mkdirSync(scene.path("empty/restoring"), { recursive: true });
    writeFileSync(scene.path("empty/restoring/postroom.db"), "half");
    await scene.restore("full.age", "empty");
    // "full" was opened since, which noted its configuration file in the register of grants.
    expect({ ...rowsOf("empty"), grants: null }).toEqual({ ...rowsOf("full"), grants: null });
  });

  test("of a newer Postroom's backup is refused", async () => {
    const { sql } = scene.scratch.platform.db;
    sql.run("INSERT INTO migrations (name) VALUES ('9999_future')");
    await scene.backup("future.age");
    sql.run("DELETE FROM migrations WHERE name = '9999_future'");
    await expect(scene.restore("future.age", "future")).rejects.toThrow(
      "created by a newer version of Postroom (0.0.0, migration 9999",
    );
    expect(existsSync(scene.path("future"))).toBe(false);
  });
});

/** A disk of one MiB, where we may mount one. */
const small = mkdtempSync(join(tmpdir(), "postroom-small-disk-"));
const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small]).success;
if (!mounted) console.info("A full disk is not tried: this user may not mount one.");
afterAll(() => {
  if (mounted) Bun.spawnSync(["umount", small]);
  rmSync(small, { recursive: true });
});

describe.skipIf(!mounted)("a disk that is too small", () => {
  test("is said, and nothing stays on it", async () => {
    writeFileSync(join(small, "others"), new Uint8Array(600_000));
    const { data_dir, clock, platform } = scene.scratch;
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

  test("of a restore, too", async () => {
    const { restoreBackup } = await import("./restore.ts");
    const restore = restoreBackup({
      file: scene.path("full.age"),
      secrets: [scene.secret],
      data_dir: join(small, "data"),
      migrations: scene.scratch.platform.db.sql.query("SELECT name FROM migrations").values().flat() as string[],
    });
    await expect(restore).rejects.toThrow(/The disk of .* has too little space for this backup/);
    expect(readdirSync(small)).toEqual(["others"]);
  });
});
