import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { UserError } from "../../kernel/errors.ts";
import { isServed, lockInstance } from "./lock.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-lock-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Starts a process that takes the lock, prints "held" or the error, and then sleeps. */
function anotherProcess() {
  const code = `
    const { lockInstance } = await import(process.argv[1]);
    try { lockInstance(process.argv[2]); console.log("held"); } catch (error) { console.log(error.message); process.exit(1); }
    setInterval(() => {}, 60_000);`;
  const child = Bun.spawn([process.execPath, "-e", code, join(import.meta.dir, "lock.ts"), dir], { stdout: "pipe" });
  const reader = child.stdout.getReader();
  return { child, said: () => reader.read().then(({ value }) => new TextDecoder().decode(value).trim()) };
}

test("one process at a time holds the lock, and release frees it and can be repeated", () => {
  const lock = lockInstance(dir);
  expect(() => lockInstance(dir)).toThrow(UserError);
  expect(() => lockInstance(dir)).toThrow("already serving this data folder");
  lock.release();
  lock.release();
  lockInstance(dir).release();
});

test("another process is refused, and killing the holder frees the lock", async () => {
  const lock = lockInstance(dir);
  const refused = anotherProcess();
  expect(await refused.said()).toContain("already");
  await refused.child.exited;
  lock.release();

  const holder = anotherProcess();
  try {
    expect(await holder.said()).toBe("held");
    expect(() => lockInstance(dir)).toThrow("already");
  } finally {
    holder.child.kill("SIGKILL");
    await holder.child.exited;
  }
  const next = await eventually(() => lockInstance(dir));
  next.release();
}, 15_000);

test("checking whether a folder is served reports it, and does not take the lock", () => {
  expect(isServed(dir)).toBe(false);
  const lock = lockInstance(dir);
  expect(isServed(dir)).toBe(true);
  expect(isServed(dir)).toBe(true);
  expect(() => lockInstance(dir)).toThrow("already");
  lock.release();
  expect(isServed(dir)).toBe(false);
});

test("a server can start while other processes check the lock", async () => {
  lockInstance(dir).release();
  const code = `
    const { isServed } = await import(process.argv[1]);
    console.log("looking");
    for (;;) isServed(process.argv[2]);`;
  const checkers = [1, 2].map(() =>
    Bun.spawn([process.execPath, "-e", code, join(import.meta.dir, "lock.ts"), dir], { stdout: "pipe" }),
  );
  try {
    await Promise.all(checkers.map(({ stdout }) => stdout.getReader().read()));
    for (let i = 0; i < 200; i++) lockInstance(dir).release();
  } finally {
    for (const checker of checkers) checker.kill("SIGKILL");
    await Promise.all(checkers.map(({ exited }) => exited));
  }
}, 60_000);

test.each([
  ["nothing", (path: string) => writeFileSync(path, "")],
  ["noise", (path: string) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(5_000)))],
  ["a few letters", (path: string) => writeFileSync(path, "pid 4711\n")],
  ["a folder", (path: string) => mkdirSync(path)],
  [
    "half a database",
    (path: string) => {
      const db = new Database(path);
      db.run("CREATE TABLE t (x)");
      db.run("INSERT INTO t VALUES (zeroblob(20000))");
      db.close();
      truncateSync(path, 6_000);
    },
  ],
  [
    "a database that keeps a log",
    (path: string) => {
      const db = new Database(path);
      db.run("PRAGMA journal_mode = WAL");
      db.run("CREATE TABLE t (x)");
      db.close();
    },
  ],
])("%s in place of the lock prevents no start, and still only one process starts", async (_what, damage) => {
  mkdirSync(join(dir, "run"));
  damage(join(dir, "run", "instance.lock"));
  expect(isServed(dir)).toBe(false);
  const lock = lockInstance(dir);
  expect(isServed(dir)).toBe(true);
  expect(() => lockInstance(dir)).toThrow("already");
  const other = anotherProcess();
  expect(await other.said()).toContain("already");
  await other.child.exited;
  lock.release();
  lockInstance(dir).release();
});

test("damage to a held lock does not let another process start", async () => {
  const holder = anotherProcess();
  try {
    expect(await holder.said()).toBe("held");
    writeFileSync(join(dir, "run", "instance.lock"), "noise ".repeat(2_000));
    expect(isServed(dir)).toBe(true);
    expect(() => lockInstance(dir)).toThrow("already");
  } finally {
    holder.child.kill("SIGKILL");
    await holder.child.exited;
  }
  expect(isServed(dir)).toBe(false);
  lockInstance(dir).release();
}, 15_000);

test("an unusable lock is reported with its path", () => {
  mkdirSync(join(dir, "run", "instance.lock", "something"), { recursive: true });
  expect(isServed(dir)).toBe(false);
  expect(() => lockInstance(dir)).toThrow(UserError);
  expect(() => lockInstance(dir)).toThrow("instance.lock");
  rmSync(join(dir, "run"), { recursive: true });
  writeFileSync(join(dir, "run"), "");
  expect(isServed(dir)).toBe(false);
  expect(() => lockInstance(dir)).toThrow(expect.objectContaining({ code: "EEXIST" }));
});
