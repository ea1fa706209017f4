import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { between, dice } from "../../../test/faults/campaign.ts";
import { dump, PageCopy } from "../../../test/support/page-copy.ts";
import { createPagesDatabase } from "../../../test/support/page-writer.ts";
import { SyntheticLog } from "../../../test/support/synthetic-log.ts";
import { PageTracker } from "./page-tracker.ts";

let folder: string;
let path: string;
let sql: Database;
let tracker: PageTracker;
let copy: PageCopy;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-pages-"));
  path = join(folder, "postroom.db");
  createPagesDatabase(path);
  sql = new Database(path);
  sql.run("PRAGMA wal_autocheckpoint = 0");
  tracker = PageTracker.open(path);
  copy = new PageCopy(join(folder, "copy.db"), tracker);
});
afterEach(() => {
  tracker.close();
  sql.close(true);
  rmSync(folder, { recursive: true });
});

const insert = (text: string) => sql.run("INSERT INTO small (text) VALUES (?)", [text]);

/** Writes into the log, which has no locks. */
function writeLog(bytes: Uint8Array, position: number): void {
  const fd = openSync(`${path}-wal`, "r+");
  writeSync(fd, bytes, 0, bytes.length, position);
  closeSync(fd);
}

test("a transaction whose process died before it counted is not followed", async () => {
  insert("first");
  await copy.follow();
  // As a killed process leaves it: complete frames after those that SQLite counts.
  const log = readFileSync(`${path}-wal`);
  const dead = new SyntheticLog(tracker.pageSize, log[3] === 0x83, dice(3), { bytes: log });
  dead.append([2, 3, 4, 5, 6], 40);
  writeLog(dead.bytes.subarray(log.length), log.length);
  expect(tracker.advance()).toEqual({ changed: false, gap: false });
  // Overwrites the first of these frames only.
  insert("second");
  expect(tracker.advance()).toEqual({ changed: true, gap: false });
  copy.apply();
  expect(copy.query(dump)).toEqual(dump(sql));
});

test("a damaged log is reported until it begins again, and all changes are found then", async () => {
  await copy.follow();
  insert("first");
  // The checksum in the header of the last frame.
  writeLog(Buffer.from([1, 2, 3, 4]), readFileSync(`${path}-wal`).length - tracker.pageSize - 8);
  expect(() => tracker.advance()).toThrow("is damaged");
  expect(() => tracker.read([1])).toThrow("changed while its pages were read");
  insert("second");
  expect(() => tracker.advance()).toThrow("is damaged");
  // SQLite does not read checksums while it runs. No transaction is held that could prevent this:
  expect(sql.prepare("PRAGMA wal_checkpoint(TRUNCATE)").values()).toEqual([[0, 0, 0]]);
  insert("third");
  await copy.follow();
  expect(copy.gaps).toBe(2);
  expect(copy.query(dump)).toEqual(dump(sql));
});

test("writers in other processes are followed while they are killed", async () => {
  const random = dice(11);
  const start = () => {
    const seed = String(between(random, 0, 1_000_000));
    const script = join(import.meta.dir, "../../../test/support/page-writer.ts");
    return Bun.spawn([process.execPath, script, path, seed], { stderr: "inherit" });
  };
  const writers = [start(), start()];
  let transactions = 0;
  try {
    const deadline = performance.now() + 30_000;
    for (let kills = 0, round = 0; kills < 6 || transactions < 25; round++) {
      expect(performance.now()).toBeLessThan(deadline);
      await copy.follow();
      const now = await copy.verify();
      expect(now).toBeGreaterThanOrEqual(transactions);
      transactions = now;
      if (round % 3 === 0) tracker.settle();
      await Bun.sleep(between(random, 0, 30));
      expect(writers.map(({ exitCode }) => exitCode)).toEqual([null, null]);
      if (round % 4 !== 3) continue;
      const victim = kills++ % 2;
      writers[victim]!.kill("SIGKILL");
      await writers[victim]!.exited;
      writers[victim] = start();
    }
  } finally {
    for (const writer of writers) {
      writer.kill("SIGKILL");
      await writer.exited;
    }
  }
  await copy.follow();
  await copy.verify();
  expect(copy.query(dump)).toEqual(dump(sql));
  expect(copy.gaps).toBe(1);
}, 60_000);
