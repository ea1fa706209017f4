import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { type Db, openDb } from "./open.ts";

let dir: string;
let db: Db;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-db-"));
  db = openDb(join(dir, "t.db"), "full");
  db.sql.run("CREATE TABLE t (n INTEGER)");
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

const add = (n: number, to: Db = db) => to.sql.query("INSERT INTO t VALUES (?)").run(n);
const all = (from: Db = db) => from.sql.query<{ n: number }, []>("SELECT n FROM t ORDER BY n").values().flat();

describe("a write", () => {
  test("is atomic and returns what the function returned", () => {
    const answer = db.write(() => {
      add(1);
      add(2);
      return "both";
    });
    expect([answer, all()]).toEqual(["both", [1, 2]]);
  });

  test("that throws changes nothing, and the next one works", () => {
    const attempt = () =>
      db.write(() => {
        add(1);
        throw new Error("no");
      });
    expect(attempt).toThrow("no");
    db.write(() => add(2));
    expect(all()).toEqual([2]);
  });

  test("inside another one joins it: both or neither", () => {
    const attempt = () =>
      db.write(() => {
        add(1);
        db.write(() => add(2));
        throw new Error("no");
      });
    expect(attempt).toThrow("no");
    expect(all()).toEqual([]);
    db.write(() => {
      add(3);
      db.write(() => add(4));
    });
    expect(all()).toEqual([3, 4]);
  });

  test("is invisible to others until it commits", () => {
    const other = openDb(join(dir, "t.db"), "normal");
    db.write(() => {
      add(1);
      expect(all(other)).toEqual([]);
    });
    expect(all(other)).toEqual([1]);
    other.close();
  });

  test("that would continue after its transaction is refused and undone", () => {
    expect(() => db.write(async () => add(1))).toThrow("synchronous");
    expect(all()).toEqual([]);
  });

  test("of two connections at once waits instead of failing", () => {
    const other = openDb(join(dir, "t.db"), "normal");
    other.sql.run("PRAGMA busy_timeout = 0");
    db.write(() => {
      add(1);
      expect(() => other.write(() => add(2, other))).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
    });
    other.write(() => add(2, other));
    expect(all()).toEqual([1, 2]);
    other.close();
  });
});

test("the requested durability is set", () => {
  const pragma = (of: Db, name: string) => of.sql.query(`PRAGMA ${name}`).values()[0]![0];
  const importing = openDb(join(dir, "t.db"), "normal");
  expect([pragma(db, "journal_mode"), pragma(db, "synchronous"), pragma(importing, "synchronous")]).toEqual([
    "wal",
    2,
    1,
  ]);
  expect([pragma(db, "foreign_keys"), pragma(db, "busy_timeout")]).toEqual([1, 10_000]);
  importing.close();
});

test.skipIf(!existsSync("/proc/self/fd"))("nothing stays open of a file that is not a database", () => {
  const path = join(dir, "text.db");
  writeFileSync(path, "This is text. ".repeat(500));
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let i = 0; i < 20; i++) expect(() => openDb(path, "full")).toThrow("file is not a database");
  expect(open()).toBeLessThan(before + 20);
});

describe("a write that does not wait", () => {
  test("happens when no one else writes", () => {
    expect(db.unlessBusy(() => add(1))).toBe(true);
    expect(all()).toEqual([1]);
  });

  test("is postponed without blocking while another connection writes", () => {
    const other = openDb(join(dir, "t.db"), "normal");
    other.write(() => {
      add(1, other);
      expect(db.unlessBusy(() => db.write(() => add(2)))).toBe(false);
    });
    expect(all()).toEqual([1]);
    expect(db.unlessBusy(() => db.writeLazily(() => add(2)))).toBe(true);
    expect(all()).toEqual([1, 2]);
    other.close();
  });

  test("reports every other failure", () => {
    expect(() => db.unlessBusy(() => void db.sql.run("INSERT INTO missing VALUES (1)"))).toThrow("no such table");
  });
});

describe("while another process writes continuously", () => {
  const GREEDY = `
    const { openDb } = await import(process.argv[1]);
    const db = openDb(process.argv[2], "normal");
    for (;;) {
      db.write(() => {
        db.sql.run("UPDATE greedy SET times = times + 1");
        Bun.sleepSync(5);
      });
      await Bun.sleep(0);
    }`;
  const times = (of: Db) => of.sql.query<{ times: number }, []>("SELECT times FROM greedy").get()!.times;

  test("a writer with priority waits for a transaction or two, not until it gives up", async () => {
    const path = join(dir, "t.db");
    db.sql.run("CREATE TABLE greedy AS SELECT 0 AS times");
    const first = openDb(path, "full", { writerPriority: "first" });
    const other = Bun.spawn([process.execPath, "-e", GREEDY, join(import.meta.dir, "open.ts"), path]);
    try {
      await eventually(() => times(first) > 0);
      const waited: number[] = [];
      for (let i = 0; i < 20; i++) {
        const before = times(first);
        waited.push(first.write(() => times(first)) - before);
        await Bun.sleep(10);
      }
      // On a busy machine this process may be suspended between its check and its request to write.
      expect(waited.sort((a, b) => a - b)[10]).toBeLessThanOrEqual(3);
      // The other writer continues.
      const now = times(first);
      await eventually(() => times(first) > now);
    } finally {
      other.kill(9);
      await other.exited;
      first.close();
    }
  });

  test("a stale or invalid announcement does not prevent writing", () => {
    for (const note of [[1, 0, 0, 0], [255, 255, 255, 255], [1], []]) {
      writeFileSync(join(dir, "run", "next-writer"), new Uint8Array(note));
      db.write(() => add(1));
      db.write(() => add(2));
    }
    const first = openDb(join(dir, "t.db"), "full", { writerPriority: "first" });
    first.write(() => add(3, first));
    db.write(() => add(4));
    first.close();
    expect(all()).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 4]);
  });

  test("after closing, a writer with priority writes nothing into a file that replaced its own", () => {
    const first = openDb(join(dir, "t.db"), "full", { writerPriority: "first" });
    first.close();
    const paths = [1, 2, 3, 4, 5, 6].map((n) => join(dir, `other-${n}`));
    const others = paths.map((path) => openSync(path, "w+"));
    expect(() => first.write(() => add(1, first))).toThrow();
    for (const other of others) closeSync(other);
    expect(paths.map((path) => statSync(path).size)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
