import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokensLeft, tokensOf, writeOldFolder } from "../../../test/attack/old-index.ts";
import { ScrubConnection } from "../../platform/db/scrub.ts";
import { dropLegacyIndex, hasLegacyIndex, legacyIndexRemains, removeLegacyIndex } from "./legacy.ts";

const USERS = ["usr_01kjpwd6m0ff77z1e5k47yt2er", "usr_01kjpwd6m0ff77z1e5k47yt2es"];

let dir: string;
let path: string;
let sql: Database;
let tokens: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-legacy-"));
  path = join(dir, "postroom.db");
});
afterEach(() => {
  sql.close();
  rmSync(dir, { recursive: true });
});

function open(): Database {
  const opened = new Database(path, { create: true, strict: true });
  for (const pragma of ["journal_mode = WAL", "secure_delete = FAST", "synchronous = OFF"])
    opened.run(`PRAGMA ${pragma}`);
  return opened;
}

/** Returns a generator of numbers from 0 to 1 that always yields the same sequence. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Fills a database like that of an earlier version: old indexes, and long values that were stored while FTS5 merged.
 */
function fill(): void {
  sql = open();
  const next = numbers(7);
  const base32 = "abcdefghijklmnopqrstuvwxyz234567";
  const token = () => Array.from({ length: 20 }, () => base32[Math.floor(next() * 32)]).join("");
  const words = Array.from({ length: 12_000 }, token);
  const sealed = (length: number) => Uint8Array.from({ length }, () => Math.floor(next() * 256));
  sql.run("CREATE TABLE messages (n INTEGER PRIMARY KEY, user_id TEXT NOT NULL) STRICT");
  sql.run("CREATE TABLE bodies (n INTEGER PRIMARY KEY, text BLOB NOT NULL, html BLOB) STRICT");
  sql.run(
    "CREATE TABLE variables (user_id TEXT, name BLOB, body BLOB, PRIMARY KEY (user_id, name)) STRICT, WITHOUT ROWID",
  );
  for (const user of USERS) {
    sql.run(
      `CREATE VIRTUAL TABLE words_${user} USING fts5(subject, body, content = '', contentless_delete = 1, tokenize = 'ascii', detail = full)`,
    );
    sql.run(
      `CREATE TRIGGER words_${user}_gone AFTER DELETE ON messages WHEN OLD.user_id = '${user}'
       BEGIN DELETE FROM words_${user} WHERE rowid = OLD.n; END`,
    );
  }
  for (let n = 1; n <= 700; n++) {
    const user = USERS[n % 2]!;
    sql
      .transaction(() => {
        const text = Array.from({ length: 90 }, () => words[Math.floor(words.length * next() ** 2)]).join(" ");
        sql.query("INSERT INTO messages VALUES (?, ?)").run(n, user);
        sql.query(`INSERT INTO words_${user} (rowid, subject, body) VALUES (?, ?, ?)`).run(n, token(), text);
        sql.query("INSERT INTO bodies VALUES (?, ?, ?)").run(n, sealed(4_100 + (n % 400)), n % 9 ? null : sealed(200));
        if (n % 5 === 0) sql.query("INSERT INTO variables VALUES (?, ?, ?)").run(user, sealed(20), sealed(1_100 + n));
        if (n % 7 === 0) sql.query("DELETE FROM messages WHERE n = ?").run(n - 3);
      })
      .immediate();
  }
  tokens = tokensOf(sql);
  // Merge everything, so that most earlier pages are free.
  for (const user of USERS) sql.run(`INSERT INTO words_${user} (words_${user}) VALUES ('optimize')`);
}

/** Everything except the index. */
const rest = () =>
  ["messages", "bodies", "variables"].map((table) => sql.query(`SELECT * FROM ${table} ORDER BY 1, 2`).values());
const platform = () => ({ config: { data_dir: dir }, db: { sql } }) as Parameters<typeof removeLegacyIndex>[0];
const isSound = () => sql.query("PRAGMA integrity_check").values().flat().join();

async function remove(): Promise<void> {
  for (let i = 0; i < 100; i++) if ((await removeLegacyIndex(platform())) === "done") return;
  throw new Error("The removal does not end.");
}

describe("removing the index of an earlier version", () => {
  test("leaves no token in the database or its log, and everything else unchanged", async () => {
    fill();
    const before = rest();
    expect(tokens.length).toBeGreaterThan(5_000);
    expect(tokensLeft(path, tokens)).toBeGreaterThan(tokens.length);
    expect(hasLegacyIndex({ sql })).toEqual(USERS);
    await remove();
    expect(tokensLeft(path, tokens)).toBe(0);
    expect(hasLegacyIndex({ sql })).toEqual([]);
    expect(legacyIndexRemains({ sql })).toBe(false);
    expect(sql.query("SELECT name FROM sqlite_schema WHERE name LIKE 'words%' OR name LIKE 'index%'").all()).toEqual(
      [],
    );
    expect(rest()).toEqual(before);
    expect(isSound()).toBe("ok");
    expect(await removeLegacyIndex(platform())).toBe("done");
  });

  test("needs each of its steps: without one of them, tokens are left", async () => {
    fill();
    sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const original = `${path}.original`;
    copyFileSync(path, original);
    for (const step of ["claimPages", "findSlack", "truncateLog"] as const) {
      sql.close();
      rmSync(`${path}-wal`, { force: true });
      rmSync(`${path}-shm`, { force: true });
      copyFileSync(original, path);
      sql = open();
      // An open connection keeps the log when the others close.
      sql.query("SELECT 1 FROM messages").get();
      const skipped = { claimPages: false, findSlack: null, truncateLog: true }[step];
      const spy = spyOn(ScrubConnection.prototype, step).mockImplementation(() => skipped as never);
      await remove();
      spy.mockRestore();
      expect([step, tokensLeft(path, tokens) > 0]).toEqual([step, true]);
    }
  });

  test("continues after a kill at any transaction", async () => {
    fill();
    const before = rest();
    const { write } = ScrubConnection.prototype;
    let kills = 0;
    for (let transactions = 1; ; transactions = (transactions % 4) + 1) {
      let left = transactions;
      const spy = spyOn(ScrubConnection.prototype, "write").mockImplementation(function (
        this: ScrubConnection,
        work: () => unknown,
      ) {
        return write.call(this, () => {
          work();
          if (--left === 0) throw new Error("killed");
        });
      } as never);
      const outcome = await removeLegacyIndex(platform()).catch((error: Error) => error.message);
      spy.mockRestore();
      if (outcome === "done") break;
      kills++;
      // When the first transaction of a run is killed, that run commits nothing.
      if (transactions === 1) expect(outcome).toBe("killed");
      expect(isSound()).toBe("ok");
    }
    expect(kills).toBeGreaterThan(20);
    expect(tokensLeft(path, tokens)).toBe(0);
    expect(rest()).toEqual(before);
  }, 60_000);

  test("is not complete while a connection reads an older state", async () => {
    fill();
    const reader = open();
    reader.run("BEGIN");
    const count = () => reader.query(`SELECT count(*) AS c FROM words_${USERS[0]}`).get();
    const before = count();
    for (let i = 0; i < 20; i++) expect(await removeLegacyIndex(platform())).toBe("again");
    expect(count()).toEqual(before);
    expect(hasLegacyIndex({ sql })).toEqual([]);
    expect(legacyIndexRemains({ sql })).toBe(true);
    expect(tokensLeft(path, tokens)).toBeGreaterThan(0);
    reader.run("COMMIT");
    reader.close();
    expect(await removeLegacyIndex(platform())).toBe("done");
    expect(tokensLeft(path, tokens)).toBe(0);
  });

  test("lets other connections write between transactions, and overwrites the pages that they free", async () => {
    fill();
    const other = open();
    let n = 10_000;
    const { write } = ScrubConnection.prototype;
    const spy = spyOn(ScrubConnection.prototype, "write").mockImplementation(function (
      this: ScrubConnection,
      work: () => unknown,
    ) {
      other.query("INSERT INTO bodies VALUES (?, ?, NULL)").run(n, new Uint8Array(9_000).fill(1));
      other.query("DELETE FROM bodies WHERE n = ?").run(n++ - 2);
      other.query("DELETE FROM messages WHERE n = ?").run(n - 10_000);
      return write.call(this, work);
    } as never);
    await remove();
    spy.mockRestore();
    other.close();
    expect(n).toBeGreaterThan(10_020);
    expect(tokensLeft(path, tokens)).toBe(0);
    expect(isSound()).toBe("ok");
  });

  test("for one user keeps the indexes of other users", async () => {
    fill();
    await dropLegacyIndex(platform(), USERS[0]!);
    expect(hasLegacyIndex({ sql })).toEqual([USERS[1]!]);
    expect(tokensOf(sql).length).toBeGreaterThan(1_000);
    await dropLegacyIndex(platform(), USERS[0]!);
    expect(isSound()).toBe("ok");
    await expect(dropLegacyIndex(platform(), "usr'; --")).rejects.toThrow("not the id of a user");
  });

  test("works on the database of version 0.1", async () => {
    await writeOldFolder(dir);
    sql = open();
    tokens = tokensOf(sql);
    expect(tokensLeft(path, tokens)).toBeGreaterThan(tokens.length / 2);
    await remove();
    expect(tokensLeft(path, tokens)).toBe(0);
    expect(isSound()).toBe("ok");
  });
});
