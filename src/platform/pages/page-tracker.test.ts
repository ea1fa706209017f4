import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump, PageCopy } from "../../../test/support/page-copy.ts";
import { createPagesDatabase, PageWriter } from "../../../test/support/page-writer.ts";
import { PageMap } from "./page-map.ts";
import { LostSnapshotError, PageTracker } from "./page-tracker.ts";

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
  sql.run("PRAGMA synchronous = NORMAL");
  tracker = PageTracker.open(path);
  copy = new PageCopy(join(folder, "copy.db"), tracker);
});
afterEach(() => {
  tracker.close();
  sql.close(true);
  rmSync(folder, { recursive: true });
});

const now = async () => {};

function insert(rows: number, bytes = 3_000): void {
  sql.transaction(() => {
    for (let i = 0; i < rows; i++) sql.run(`INSERT INTO large (text) VALUES (randomblob(${bytes}))`);
  })();
}

const checkpoint = (mode: string) => sql.prepare(`PRAGMA wal_checkpoint(${mode})`).values()[0] as number[];

/** Reads the whole state of the tracker. */
function stateOf(each: PageTracker): string {
  const map = new PageMap(each.pageSize);
  const pages = Array.from({ length: each.pageCount }, (_, i) => i + 1);
  const content = each.read(pages);
  map.resize(each.pageCount);
  for (const page of pages) map.update(page, content.subarray((page - 1) * each.pageSize, page * each.pageSize));
  return map.state;
}

/** Follows, and expects the copy to equal the source, while no one writes. */
async function expectEqual(): Promise<void> {
  await copy.follow();
  expect(stateOf(tracker)).toBe(copy.map.state);
  expect(copy.query(dump)).toEqual(dump(sql));
  expect(copy.query((each) => each.query("PRAGMA integrity_check").values())).toEqual([["ok"]]);
}

describe("following a database", () => {
  test("the first call has a gap, and later ones only the pages that changed", async () => {
    expect(tracker.advance()).toEqual({ changed: true, gap: true });
    expect(tracker.advance()).toEqual({ changed: false, gap: false });
    expect(await tracker.compare(copy.map, now)).toBe(tracker.pageCount);
    copy.apply();
    insert(1);
    expect(tracker.advance()).toEqual({ changed: true, gap: false });
    expect(tracker.dirty.size).toBeLessThan(5);
    await expectEqual();
    expect(await tracker.compare(copy.map, now)).toBe(0);
  });

  for (const seed of [1, 2, 3]) {
    test(`the copy equals the source after each of many random changes (${seed})`, async () => {
      const writers = [new PageWriter(path, seed), new PageWriter(path, seed + 100)];
      for (let i = 0; i < 20; i++) {
        for (let steps = i % 4; steps >= 0; steps--) writers[(i + steps) % 2]!.step();
        if (i % 5 === 0) tracker.settle();
        await expectEqual();
      }
      expect(copy.gaps).toBe(1);
      for (const writer of writers) writer.close();
    }, 30_000);
  }

  test("rolled back transactions leave nothing, even if they were partly in the log", async () => {
    await expectEqual();
    sql.run("PRAGMA cache_size = 10");
    sql.run("BEGIN");
    for (let i = 0; i < 200; i++) sql.run("INSERT INTO large (text) VALUES (randomblob(3000))");
    expect(tracker.advance()).toEqual({ changed: false, gap: false });
    sql.run("ROLLBACK");
    expect(tracker.advance()).toEqual({ changed: false, gap: false });
    expect(tracker.dirty.size).toBe(0);
    insert(2);
    await expectEqual();
  });

  test("a database that becomes smaller and larger between two calls is followed", async () => {
    insert(400);
    await expectEqual();
    const before = tracker.pageCount;
    sql.run("DELETE FROM large");
    sql.run("VACUUM");
    expect(tracker.advance()).toEqual({ changed: true, gap: false });
    expect(tracker.pageCount).toBeLessThan(before / 10);
    expect(Math.max(...tracker.dirty)).toBeLessThanOrEqual(tracker.pageCount);
    await expectEqual();
    insert(300);
    sql.run("DELETE FROM large");
    sql.run("VACUUM");
    insert(200);
    await expectEqual();
    expect(copy.gaps).toBe(1);
  });

  test("checkpoints of every kind and restarts of the log hide no change", async () => {
    await expectEqual();
    for (let i = 0; i < 40; i++) {
      insert(1 + (i % 7));
      if (i % 3 === 0) tracker.advance();
      checkpoint(["PASSIVE", "FULL", "RESTART", "TRUNCATE"][i % 4]!);
      if (i % 5 === 0) checkpoint("TRUNCATE");
      if (i % 2 === 0) tracker.advance();
      insert(1);
      await expectEqual();
    }
    expect(copy.gaps).toBe(1);
  });
});

describe("the snapshot", () => {
  test("stays the same while others write, checkpoint and restart the log", async () => {
    insert(50);
    for (const mode of ["PASSIVE", "TRUNCATE"]) {
      await copy.follow();
      // The reader is in the log: it cannot restart.
      insert(10);
      checkpoint(mode);
      insert(10);
      expect(stateOf(tracker)).toBe(copy.map.state);

      // Everything is in the database file: the log restarts, and nothing can be moved from it.
      tracker.advance();
      checkpoint(mode);
      await copy.follow();
      insert(1);
      checkpoint(mode);
      sql.run("DELETE FROM large WHERE id % 2 = 0");
      checkpoint(mode);
      expect(stateOf(tracker)).toBe(copy.map.state);
    }
    await expectEqual();
    expect(copy.gaps).toBe(1);
  });

  test("only its pages can be read", () => {
    expect(() => tracker.read([tracker.pageCount + 1])).toThrow(RangeError);
    expect(() => tracker.read([0])).toThrow(RangeError);
    expect(tracker.read([])).toHaveLength(0);
    const [first, third] = [tracker.read([1]), tracker.read([3])];
    expect(tracker.read([3, 1, 3])).toEqual(Buffer.concat([third, first, third]));
    tracker.close();
    expect(() => tracker.read([1])).toThrow(LostSnapshotError);
  });
});

describe("comparing", () => {
  test("finds what differs, while writers continue and the tracker advances", async () => {
    insert(3_500);
    await expectEqual();
    // Changes that no tracker saw.
    tracker.close();
    sql.run("UPDATE large SET text = randomblob(3000) WHERE id % 500 = 0");
    tracker = PageTracker.open(path);
    copy = Object.assign(new PageCopy(copy.path, tracker), { map: copy.map });
    expect(tracker.advance().gap).toBe(true);
    let rests = 0;
    const different = await tracker.compare(copy.map, async () => {
      rests++;
      sql.run(`UPDATE large SET text = randomblob(3000) WHERE id IN (${rests}, ${3_500 - rests})`);
      checkpoint("PASSIVE");
    });
    expect([rests > 3, different > 6, different < 30]).toEqual([true, true, true]);
    expect(tracker.dirty.size).toBeLessThan(60);
    copy.apply();
    expect(stateOf(tracker)).toBe(copy.map.state);
    await expectEqual();
  });

  test("is necessary again if it fails", async () => {
    tracker.advance();
    const failed = tracker.compare(copy.map, async () => {
      throw new Error("stopped");
    });
    await expect(failed).rejects.toThrow("stopped");
    expect(tracker.advance()).toEqual({ changed: false, gap: true });
    await expect(tracker.compare(new PageMap(512), now)).rejects.toThrow("pages of 512 bytes");
  });
});

test("closing a tracker keeps the locks that other connections of the process have on the database", async () => {
  insert(1);
  tracker.advance();
  tracker.close();
  const closing = `
    const { Database } = require("bun:sqlite");
    const sql = new Database(process.argv[1]);
    sql.query("SELECT count(*) FROM small").get();
    sql.close(true);`;
  // The last connection to a database removes its log. Another process must see that this one has a connection.
  const child = Bun.spawn([process.execPath, "-e", closing, path]);
  expect(await child.exited).toBe(0);
  expect(existsSync(`${path}-wal`)).toBe(true);
  // The tracker itself has no connection left.
  sql.close(true);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a database without a write-ahead log is refused", () => {
  const other = join(folder, "other.db");
  new Database(other).run("CREATE TABLE t (n)");
  expect(() => PageTracker.open(other)).toThrow("no write-ahead log");
});
