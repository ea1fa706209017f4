import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { systemClock } from "../clock.ts";
import { type Files, putFile, tagOf } from "./files.ts";
import { FolderFiles } from "./folder-files.ts";
import type { PutCondition, StoreFault } from "./store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (words: string) => Buffer.from(words);
const content = () => readFileSync(join(folder, "index"), "utf8");
/** Pauses pass at once. */
const quick: Clock = {
  now: () => 0,
  after(_delayMs, fn) {
    queueMicrotask(fn);
    return () => {};
  },
};
const put = (files: Files, words: string, condition: PutCondition, writers: string[] = []) =>
  putFile(files, { key: "index", bytes: text(words), condition, clock: quick, writers });
const etag = (words: string) => ({ etag: tagOf(text(words)) });

/** Files of a writer that pauses before its n-th change of a name. */
function pausing(n: number, pause: () => Promise<void>): Files {
  const files = new FolderFiles(folder);
  let moves = 0;
  const move = files.move.bind(files);
  files.move = async (from, to) => {
    if (++moves === n) await pause();
    return move(from, to);
  };
  return files;
}

test("a lock that a killed writer left is broken after a while", async () => {
  mkdirSync(join(folder, "index.lock"));
  writeFileSync(join(folder, "index.lock/0123456789ab"), "never written");
  await put(new FolderFiles(folder), "one", { absent: true });
  expect(content()).toBe("one");
  expect(readdirSync(folder)).toEqual(["index"]);
});

test("folders that killed writers left are removed after an hour", async () => {
  for (const [name, hours] of Object.entries({
    "index.0123456789ab.part": 2,
    "index.lock.0123456789ab.part": 2,
    "index.aaaaaaaaaaaa.part": 0.5,
    "other.0123456789ab.part": 2,
  })) {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, "0123456789ab"), "left");
    const at = new Date(systemClock.now() - hours * 3_600_000);
    utimesSync(path, at, at);
  }
  await put(new FolderFiles(folder), "one", { absent: true });
  expect(readdirSync(folder).sort()).toEqual(["index", "index.aaaaaaaaaaaa.part", "other.0123456789ab.part"]);
});

test("an empty lock is of a writer that is done", async () => {
  mkdirSync(join(folder, "index.lock"));
  await put(new FolderFiles(folder), "one", { absent: true });
  expect(readdirSync(folder)).toEqual(["index"]);
});

test("a writer that pauses with the lock until others break it does not overwrite what they wrote", async () => {
  await put(new FolderFiles(folder), "start", { absent: true });
  const others = async () => {
    await put(new FolderFiles(folder), "other", etag("start"));
  };
  const late = await put(pausing(2, others), "late", etag("start")).catch((error: StoreFault) => error);
  expect(late).toMatchObject({ reason: "conflict" });
  expect(content()).toBe("other");
  expect(readdirSync(folder)).toEqual(["index"]);
});

test("a writer whose lock was broken without a change tries again", async () => {
  await put(new FolderFiles(folder), "start", { absent: true });
  const others = async () => {
    const refused = await put(new FolderFiles(folder), "other", { absent: true }).catch((error: StoreFault) => error);
    expect(refused).toMatchObject({ reason: "conflict" });
  };
  await put(pausing(2, others), "late", etag("start"));
  expect(content()).toBe("late");
});

test("a writer that repeats an order after a lost answer takes its own lock, and counts its own content", async () => {
  const writers: string[] = [];
  const lost = () => Promise.reject(new Error("the connection broke"));
  await put(pausing(2, lost), "one", { absent: true }, writers).catch(() => {});
  // The broken connection could not remove the lock either.
  mkdirSync(join(folder, "index.lock"));
  writeFileSync(join(folder, "index.lock", writers[0]!), "one");
  await put(new FolderFiles(folder), "one", { absent: true }, writers);
  expect(content()).toBe("one");
  await put(new FolderFiles(folder), "one", { absent: true }, writers);
  expect(await put(new FolderFiles(folder), "two", { absent: true }).catch((e: StoreFault) => e)).toMatchObject({
    reason: "conflict",
  });
});

test("one writer at a time succeeds, however they interleave and pause", async () => {
  let seed = 5;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let value = "start";
  await put(new FolderFiles(folder), value, { absent: true });
  for (let round = 0; round < 30; round++) {
    const writers = Array.from({ length: 5 }, (_, i) => {
      const slow = async () => {
        for (let ticks = random() * 60; ticks > 0; ticks--) await new Promise((resolve) => setImmediate(resolve));
      };
      const words = `round ${round}, writer ${i}`;
      return put(pausing(1 + Math.floor(random() * 3), slow), words, etag(value)).then(() => words);
    });
    const done = (await Promise.allSettled(writers)).filter((outcome) => outcome.status === "fulfilled");
    expect(done.map((outcome) => outcome.value)).toEqual([content()]);
    value = content();
  }
});
