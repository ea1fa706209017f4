import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { yieldToEventLoop } from "../process/yielding.ts";
import { overwriteFreePages } from "./free-pages.ts";

let s: Scratch;
let deleted: Buffer[];
beforeEach(() => {
  s = scratchPlatform();
  const { sql } = s.platform.db;
  sql.run("CREATE TABLE pages (n INTEGER PRIMARY KEY, value BLOB)");
  deleted = Array.from({ length: 200 }, () => randomBytes(5_000));
  for (const value of deleted) sql.query("INSERT INTO pages (value) VALUES (?)").run(value);
  sql.run("DELETE FROM pages");
});
afterEach(() => s.close());

const now = async () => {};
const left = () => {
  const files = ["postroom.db", "postroom.db-wal"].map((name) => readFileSync(join(s.data_dir, name)));
  return deleted.filter((value) => files.some((bytes) => bytes.includes(value.subarray(0, 40)))).length;
};
const tables = () => s.platform.db.sql.query("SELECT name FROM sqlite_schema WHERE name LIKE 'free_page%'").all();
const integrity = () => s.platform.db.sql.query("PRAGMA integrity_check").values();

test("no deleted rows are left in free pages and in the log", async () => {
  expect(left()).toBe(200);
  expect(await overwriteFreePages(s.platform, now)).toBe(true);
  expect([left(), tables(), integrity()]).toEqual([0, [], [["ok"]]]);
});

test("a call interrupted at any step is completed by the next one", async () => {
  for (const steps of [1, 3, 4]) {
    let step = 0;
    const interrupted = overwriteFreePages(s.platform, async () => {
      if (++step === steps) throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");
    expect(tables()).toHaveLength(1);
  }
  expect(await overwriteFreePages(s.platform, now)).toBe(true);
  expect([left(), tables(), integrity()]).toEqual([0, [], [["ok"]]]);
});

test("a reader of an earlier state keeps the log, but the pages are overwritten", async () => {
  const reader = s.another().db.sql;
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM pages").get();
  let ended = false;
  const call = overwriteFreePages(s.platform, now).finally(() => {
    ended = true;
  });
  while (!ended) {
    s.clock.advance(1_000);
    await yieldToEventLoop();
  }
  expect(await call).toBe(false);
  reader.run("COMMIT");
  expect(await overwriteFreePages(s.platform, now)).toBe(true);
  expect(left()).toBe(0);
});
