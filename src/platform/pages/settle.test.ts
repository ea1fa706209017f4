import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { dump, PageCopy } from "../../../test/support/page-copy.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { overwriteFreePages } from "../db/free-pages.ts";
import type { Db } from "../db/open.ts";
import { yieldToEventLoop } from "../process/yielding.ts";
import { PageTracker } from "./page-tracker.ts";

let s: Scratch;
let db: Db;
let path: string;
let tracker: PageTracker;
beforeEach(() => {
  s = scratchPlatform();
  db = s.platform.db;
  path = join(s.data_dir, "postroom.db");
  db.sql.run("CREATE TABLE filler (n INTEGER PRIMARY KEY, bytes BLOB)");
  tracker = PageTracker.open(path);
});
afterEach(() => {
  tracker.close();
  s.close();
});

function write(pages: number): void {
  db.write(() => {
    for (let i = 0; i < pages; i++) db.sql.run("INSERT INTO filler (bytes) VALUES (randomblob(4000))");
  });
}

const logBytes = () => statSync(`${path}-wal`).size;

/** Returns two numbers of the log that change when it restarts. */
function saltsOfLog(): string {
  const fd = openSync(`${path}-wal`, "r");
  const header = Buffer.alloc(32);
  readSync(fd, header);
  closeSync(fd);
  return header.toString("hex", 16, 24);
}

test("the log restarts after a pause of the writers", () => {
  write(1_500);
  tracker.advance();
  tracker.settle();
  expect(tracker.logFrames).toBeGreaterThan(1_500);
  write(1);
  tracker.advance();
  expect(tracker.logFrames).toBeLessThan(20);
  // A short log is left alone.
  tracker.settle();
  expect(tracker.logFrames).toBeLessThan(20);
});

test("the log restarts again and again while a writer never pauses, and the copy has all it wrote", async () => {
  const copy = new PageCopy(join(s.data_dir, "copy.db"), tracker);
  const child = Bun.spawn([process.execPath, "-e", WRITER, path], { stdout: "pipe" });
  try {
    await child.stdout.getReader().read();
    const deadline = performance.now() + 40_000;
    const logs = new Set<string>();
    while (logs.size < 4) {
      expect(performance.now()).toBeLessThan(deadline);
      await copy.follow();
      tracker.settle();
      logs.add(saltsOfLog());
    }
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  await copy.follow();
  expect(copy.gaps).toBe(1);
  expect(copy.query(dump)).toEqual(dump(db.sql));
}, 60_000);

/** Commits 40 pages at a time, without any pause. */
const WRITER = `
  const { Database } = require("bun:sqlite");
  const sql = new Database(process.argv[1]);
  sql.run("PRAGMA busy_timeout = 10000");
  sql.run("PRAGMA synchronous = NORMAL");
  console.log("started");
  for (;;) {
    sql.run("BEGIN IMMEDIATE");
    for (let i = 0; i < 40; i++) sql.run("INSERT INTO filler (bytes) VALUES (randomblob(4000))");
    sql.run("COMMIT");
  }`;

test("free pages are overwritten and the log is emptied while a tracker advances", async () => {
  write(200);
  tracker.advance();
  db.sql.run("DELETE FROM filler");
  // As the thread of the tracker does at the same time.
  let ended = false;
  const call = overwriteFreePages(s.platform, async () => {}).finally(() => {
    ended = true;
  });
  while (!ended) {
    tracker.advance();
    s.clock.advance(1_000);
    await yieldToEventLoop();
  }
  expect(await call).toBe(true);
  expect(logBytes()).toBe(0);
  write(1);
  expect(tracker.advance()).toEqual({ changed: true, gap: false });
});
