import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FullDisk, fullDisk } from "../../../test/support/full-disk.ts";
import { ManualClock } from "../clock.ts";
import { yieldToEventLoop } from "../process/yielding.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Db, openDb } from "./open.ts";

let folder: string;
let db: Db;
let disk: FullDisk;
let clock: ManualClock;
let commits: GroupCommit;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "group-commit-"));
  db = openDb(join(folder, "test.db"), "full");
  db.sql.run("CREATE TABLE notes (n INTEGER PRIMARY KEY) STRICT");
  disk = fullDisk(db.sql);
  clock = new ManualClock(0);
  commits = new GroupCommit(db, clock);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const add = (n: number) => () => db.sql.query("INSERT INTO notes (n) VALUES (?)").run(n).changes;
const notes = () =>
  db.sql
    .query<{ n: number }, []>("SELECT n FROM notes ORDER BY rowid")
    .all()
    .map(({ n }) => n);

test("changes that are asked for together share one commit, in their order", async () => {
  disk.watch();
  const seen: number[][] = [];
  const reading = (n: number) => () => {
    add(n)();
    seen.push(notes());
    return n;
  };
  expect(await Promise.all([commits.write(reading(1)), commits.write(reading(2)), commits.write(reading(3))])).toEqual([
    1, 2, 3,
  ]);
  expect(seen).toEqual([[1], [1, 2], [1, 2, 3]]);
  expect(disk.asked).toBe(1);
});

test("a change that throws is undone alone", async () => {
  const failing = () => {
    add(2)();
    throw new Error("not this one");
  };
  const results = await Promise.allSettled([commits.write(add(1)), commits.write(failing), commits.write(add(3))]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((results[1] as PromiseRejectedResult).reason.message).toBe("not this one");
  expect(notes()).toEqual([1, 3]);
});

test("a full disk undoes and refuses all changes of the commit, and later ones are made", async () => {
  disk.watch(0, 1);
  const results = await Promise.allSettled([commits.write(add(1)), commits.write(add(2))]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(notes()).toEqual([]);
  expect(await Promise.all([commits.write(add(1)), commits.write(add(2))])).toEqual([1, 1]);
  expect(notes()).toEqual([1, 2]);
});

test("a change that is asked for in a change is made in the next commit", async () => {
  let inner: Promise<number> | null = null;
  await commits.write(() => {
    inner = commits.write(add(2));
    return add(1)();
  });
  expect(notes()).toEqual([1]);
  await inner!;
  expect(notes()).toEqual([1, 2]);
});

test("a patient change shares the commit of the next one, in its order", async () => {
  disk.watch();
  const patient = commits.write(add(1), { patient: true });
  await yieldToEventLoop();
  expect([notes(), disk.asked]).toEqual([[], 0]);
  expect(await Promise.all([patient, commits.write(add(2))])).toEqual([1, 1]);
  expect([notes(), disk.asked]).toEqual([[1, 2], 1]);
  clock.advance(1_000);
  expect(disk.asked).toBe(1);
});

test("patient changes wait for a few milliseconds from the first one on", async () => {
  disk.watch();
  const first = commits.write(add(1), { patient: true });
  clock.advance(4);
  const second = commits.write(add(2), { patient: true });
  expect(notes()).toEqual([]);
  clock.advance(1);
  expect(notes()).toEqual([1, 2]);
  expect([await first, await second, disk.asked]).toEqual([1, 1, 1]);
});

test("a change that is not patient never waits, whatever came before it", async () => {
  void commits.write(add(1), { patient: true });
  await commits.write(add(2));
  void commits.write(add(3), { patient: true });
  await commits.write(add(4));
  expect(notes()).toEqual([1, 2, 3, 4]);
});
