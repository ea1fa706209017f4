import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { startCheckpoints } from "./checkpoint.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

function write(pages: number): void {
  const { db } = scratch.platform;
  db.sql.run("CREATE TABLE IF NOT EXISTS filler (bytes BLOB)");
  db.write(() => {
    for (let i = 0; i < pages; i++) db.sql.run("INSERT INTO filler VALUES (randomblob(4000))");
  });
}

/** Returns the number of pages that are only in the log. */
function waiting(): number {
  const { log, checkpointed } = scratch.platform.db.sql
    .query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)")
    .get()!;
  return log - checkpointed;
}

test("a long log is moved into the database within a second, a short one is not", () => {
  const stop = startCheckpoints(scratch.another());
  write(500);
  scratch.clock.advance(1_000);
  expect(waiting()).toBeGreaterThan(500);
  write(2_000);
  expect(waiting()).toBeGreaterThan(2_500);
  scratch.clock.advance(1_000);
  expect(waiting()).toBe(0);
  stop();
  write(2_500);
  scratch.clock.advance(5_000);
  expect(waiting()).toBeGreaterThan(2_500);
});

test("an active reader does not block a checkpoint, nor a checkpoint a reader", () => {
  startCheckpoints(scratch.another());
  const { sql } = scratch.another().db;
  write(10);
  sql.run("BEGIN");
  const before = sql.query("SELECT count(*) AS c FROM filler").get();
  write(3_000);
  scratch.clock.advance(1_000);
  expect(sql.query("SELECT count(*) AS c FROM filler").get()).toEqual(before);
  sql.run("COMMIT");
  scratch.clock.advance(1_000);
  expect(waiting()).toBe(0);
  expect(scratch.log.filter((line) => line.includes("write-ahead"))).toEqual([]);
});
