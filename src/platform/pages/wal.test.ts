import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { between, dice } from "../../../test/faults/campaign.ts";
import { SyntheticLog } from "../../../test/support/synthetic-log.ts";
import { DamagedLogError, Wal } from "./wal.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-wal-"));
  path = join(folder, "log");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Commit {
  pages: readonly number[];
  pageCount: number;
}

/** Reads what a log has. */
function readAll(wal: Wal, committed?: () => number) {
  const commits: Commit[] = [];
  const continuity = wal.read((pages, pageCount) => commits.push({ pages, pageCount }), committed);
  return { continuity, commits };
}

const content = (wal: Wal, page: number, size: number) => {
  const target = Buffer.alloc(size);
  return wal.readPage(page, target) ? target : null;
};

test("a log of SQLite has the pages of each transaction", () => {
  const database = join(folder, "db");
  const sql = new Database(database);
  sql.run("PRAGMA journal_mode = WAL");
  sql.run("PRAGMA wal_autocheckpoint = 0");
  sql.run("CREATE TABLE words (text TEXT)");
  const wal = new Wal(`${database}-wal`);
  expect(readAll(wal)).toMatchObject({ continuity: "lost", commits: [{ pages: [1, 2], pageCount: 2 }] });
  sql.run("INSERT INTO words VALUES ('mail')");
  expect(readAll(wal)).toEqual({ continuity: "continued", commits: [{ pages: [2], pageCount: 2 }] });
  expect(readAll(wal)).toEqual({ continuity: "continued", commits: [] });
  expect(content(wal, 2, 4096)?.includes("mail")).toBe(true);
  expect([wal.has(2), wal.has(3), content(wal, 3, 4096)]).toEqual([true, false, null]);

  sql.run("PRAGMA wal_checkpoint(RESTART)");
  expect(readAll(wal)).toEqual({ continuity: "continued", commits: [] });
  sql.run("INSERT INTO words VALUES ('post')");
  expect(wal.isUnchanged()).toBe(false);
  expect(readAll(wal)).toEqual({ continuity: "restarted", commits: [{ pages: [2], pageCount: 2 }] });
  expect(wal.isUnchanged()).toBe(true);
  sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(readAll(wal)).toEqual({ continuity: "restarted", commits: [] });
  expect([wal.frame, wal.pageCount, wal.has(2)]).toEqual([0, 0, false]);
  wal.close();
  sql.close(true);
});

test("torn and damaged logs end at the last transaction before the damage", () => {
  const random = dice(7);
  for (let round = 0; round < 200; round++) {
    const pageSize = 512 << between(random, 0, 3);
    const log = new SyntheticLog(pageSize, random() < 0.5, random);
    const commits: (Commit & { end: number })[] = [];
    for (let i = between(random, 0, 8); i > 0; i--) {
      const pages = Array.from({ length: between(random, 1, 12) }, () => between(random, 1, 30));
      const pageCount = between(random, 1, 40);
      log.append(pages, pageCount);
      commits.push({ pages, pageCount, end: log.bytes.length });
    }
    let bytes = Buffer.from(log.bytes);
    let valid = bytes.length;
    const harm = random();
    if (harm < 0.4) {
      valid = between(random, 0, bytes.length + 1);
      bytes = bytes.subarray(0, valid);
    } else if (harm < 0.8) {
      valid = between(random, 0, bytes.length);
      bytes[valid]! ^= 1 << between(random, 0, 8);
    } else {
      // The rest of an older log, a transaction without its end, or anything else.
      const older = new SyntheticLog(pageSize, random() < 0.5, random);
      older.append([1, 2, 3], 9);
      const unfinished = new SyntheticLog(pageSize, log.bigEndian, random, log);
      unfinished.append([1, 2, 3], 0);
      const rest = [older.bytes.subarray(32), unfinished.bytes.subarray(log.bytes.length), Buffer.alloc(9_000, 7)];
      bytes = Buffer.concat([bytes, rest[round % 3]!]);
    }
    writeFileSync(path, bytes);
    const wal = new Wal(path);
    const expected = commits.filter(({ end }) => end <= valid).map(({ pages, pageCount }) => ({ pages, pageCount }));
    expect({ round, ...readAll(wal) }).toEqual({ round, continuity: "lost", commits: valid < 32 ? [] : expected });
    for (const [page, found] of log.contentAt(wal.frame))
      expect(content(wal, page, pageSize)?.equals(found)).toBe(true);
    wal.close();
  }
});

test("reading a growing log in pieces gives the same as reading it once", () => {
  const random = dice(8);
  for (let round = 0; round < 12; round++) {
    const log = new SyntheticLog(1024, random() < 0.5, random);
    const whole: Commit[] = [];
    const pieces: Commit[] = [];
    const wal = new Wal(path);
    writeFileSync(path, log.bytes.subarray(0, 20));
    readAll(wal);
    for (let i = 0; i < 20; i++) {
      // More frames than are read at once.
      const pages = Array.from({ length: between(random, 1, i === 10 ? 400 : 9) }, () => between(random, 1, 300));
      log.append(pages, 300);
      whole.push({ pages, pageCount: 300 });
      const cut = random() < 0.5 ? log.bytes.length : between(random, 0, log.bytes.length);
      writeFileSync(path, log.bytes.subarray(0, Math.max(cut, wal.frame * 1048 + 32)));
      const { continuity, commits } = readAll(wal);
      expect(continuity).not.toBe("lost");
      pieces.push(...commits);
    }
    writeFileSync(path, log.bytes);
    pieces.push(...readAll(wal).commits);
    expect(pieces).toEqual(whole);
    for (const [page, found] of log.contentAt(wal.frame)) expect(content(wal, page, 1024)?.equals(found)).toBe(true);
    wal.close();
    rmSync(path);
  }
});

test("only frames that count as committed are read, and missing ones are reported", () => {
  const log = new SyntheticLog(512, false, dice(9));
  log.append([1, 2], 2);
  log.append([3], 3);
  writeFileSync(path, log.bytes);
  const wal = new Wal(path);
  expect(readAll(wal, () => 2)).toEqual({ continuity: "lost", commits: [{ pages: [1, 2], pageCount: 2 }] });
  expect(readAll(wal, () => 3)).toEqual({ continuity: "continued", commits: [{ pages: [3], pageCount: 3 }] });
  expect(() => readAll(wal, () => 4)).toThrow(DamagedLogError);
  // The next read begins again.
  expect(readAll(wal, () => 3)).toMatchObject({ continuity: "lost", commits: [{ pages: [1, 2] }, { pages: [3] }] });
  // SQLite counts the log as empty before it writes the first frame of the next one.
  expect(readAll(wal, () => 0)).toEqual({ continuity: "restarted", commits: [] });
  expect(readAll(wal, () => 0)).toEqual({ continuity: "continued", commits: [] });
  wal.close();
});

test("a log is lost if its frames changed, if it restarted several times, or if it is another file", () => {
  const random = dice(10);
  const log = new SyntheticLog(512, false, random);
  log.append([1, 2], 2);
  const before = Buffer.from(log.bytes);
  log.append([3], 3);
  writeFileSync(path, log.bytes);
  const wal = new Wal(path);
  readAll(wal);

  const replaced = new SyntheticLog(512, false, random, { bytes: before });
  replaced.append([4], 4);
  writeFileSync(path, replaced.bytes);
  expect(readAll(wal).continuity).toBe("lost");
  writeFileSync(path, before);
  expect(readAll(wal).continuity).toBe("lost");

  const next = new SyntheticLog(512, false, random, null, log.salt1 + 1);
  writeFileSync(path, next.bytes);
  expect(readAll(wal).continuity).toBe("restarted");
  const third = new SyntheticLog(512, false, random, null, log.salt1 + 3);
  writeFileSync(path, third.bytes);
  expect(readAll(wal).continuity).toBe("lost");

  copyFileSync(path, join(folder, "copy"));
  rmSync(path);
  expect(readAll(wal).continuity).toBe("lost");
  copyFileSync(join(folder, "copy"), path);
  expect(statSync(path).size).toBe(32);
  expect(["lost", "restarted"]).toContain(readAll(wal).continuity);
  wal.close();
});
