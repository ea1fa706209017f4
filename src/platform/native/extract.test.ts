import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CarriedLibrary } from "./embedded.ts";
import { extractLibrary } from "./extract.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-extract-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A library of two files "in the executable", here a folder next to the cache. */
function library(entry: string, other: string): CarriedLibrary {
  const carry = (name: string, content: string) => {
    const path = join(folder, `carried-${name}`);
    writeFileSync(path, content);
    return { name, path, sha256: createHash("sha256").update(content).digest("hex") };
  };
  return { entry: "entry.node", files: [carry("entry.node", entry), carry("libother.so.1", other)] };
}

const mode = (path: string) => statSync(path).mode & 0o777;
const inode = (path: string) => statSync(path).ino;

test("the files are stored side by side under their own names, readable only by the owner", async () => {
  const cache = join(folder, "cache");
  const entry = await extractLibrary(cache, "usearch", "1.0.0", library("one", "two"));
  expect(readFileSync(entry, "utf8")).toBe("one");
  expect(readFileSync(join(dirname(entry), "libother.so.1"), "utf8")).toBe("two");
  expect(readdirSync(dirname(entry)).sort()).toEqual(["entry.node", "libother.so.1"]);
  expect(mode(dirname(entry))).toBe(0o700);
  expect(mode(join(cache, "native"))).toBe(0o700);
  expect(mode(entry)).toBe(0o600);
});

test("a later start keeps sound files and rewrites damaged, shortened and missing ones", async () => {
  const carried = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", carried);
  const other = join(dirname(entry), "libother.so.1");
  const before = inode(entry);
  for (const damage of [() => writeFileSync(other, "twx"), () => writeFileSync(other, ""), () => rmSync(other)]) {
    damage();
    expect(await extractLibrary(folder, "usearch", "1.0.0", carried)).toBe(entry);
    expect(readFileSync(other, "utf8")).toBe("two");
    expect(inode(entry)).toBe(before);
  }
});

test("a damaged file is replaced, not written over: a process that has it open keeps its old contents", async () => {
  const carried = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", carried);
  writeFileSync(entry, "damaged");
  const before = inode(entry);
  await extractLibrary(folder, "usearch", "1.0.0", carried);
  expect(inode(entry)).not.toBe(before);
});

test("a folder opened to others is closed again", async () => {
  const carried = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", carried);
  chmodSync(dirname(entry), 0o777);
  await extractLibrary(folder, "usearch", "1.0.0", carried);
  expect(mode(dirname(entry))).toBe(0o700);
});

test("another build of the same library takes the old one's place and leaves other libraries alone", async () => {
  const first = await extractLibrary(folder, "usearch", "1.0.0", library("one", "two"));
  const neighbour = await extractLibrary(folder, "onnxruntime", "1.0.0", library("one", "two"));
  const second = await extractLibrary(folder, "usearch", "1.0.0", library("changed", "two"));
  expect(second).not.toBe(first);
  expect(readdirSync(join(folder, "native")).length).toBe(2);
  expect(readFileSync(neighbour, "utf8")).toBe("one");
});

test("starts at the same moment agree on one whole copy", async () => {
  const carried = library("one".repeat(100_000), "two".repeat(100_000));
  const entries = await Promise.all(
    Array.from({ length: 8 }, () => extractLibrary(folder, "usearch", "1.0.0", carried)),
  );
  expect(new Set(entries).size).toBe(1);
  expect(readdirSync(dirname(entries[0]!)).sort()).toEqual(["entry.node", "libother.so.1"]);
});

test("contents that are not those of the build are refused and nothing is left behind", async () => {
  const carried = library("one", "two");
  writeFileSync(carried.files[1]!.path, "something else");
  await expect(extractLibrary(folder, "usearch", "1.0.0", carried)).rejects.toThrow("not written whole");
  const [made] = readdirSync(join(folder, "native"));
  expect(readdirSync(join(folder, "native", made!))).toEqual(["entry.node"]);
});
