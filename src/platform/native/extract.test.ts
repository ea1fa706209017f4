import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EmbeddedLibrary } from "./embedded.ts";
import { extractLibrary } from "./extract.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-extract-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a library of two files, which are in a folder instead of the executable. */
function library(entry: string, other: string): EmbeddedLibrary {
  const carry = (name: string, content: string) => {
    const path = join(folder, `embedded-${name}`);
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

test("a later start keeps intact files and rewrites damaged, truncated and missing ones", async () => {
  const embedded = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", embedded);
  const other = join(dirname(entry), "libother.so.1");
  const before = inode(entry);
  for (const damage of [() => writeFileSync(other, "twx"), () => writeFileSync(other, ""), () => rmSync(other)]) {
    damage();
    expect(await extractLibrary(folder, "usearch", "1.0.0", embedded)).toBe(entry);
    expect(readFileSync(other, "utf8")).toBe("two");
    expect(inode(entry)).toBe(before);
  }
});

test("a damaged file is replaced, not overwritten, so a process that has it open keeps its contents", async () => {
  const embedded = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", embedded);
  writeFileSync(entry, "damaged");
  const before = inode(entry);
  await extractLibrary(folder, "usearch", "1.0.0", embedded);
  expect(inode(entry)).not.toBe(before);
});

test("a folder that other users can access is made private again", async () => {
  const embedded = library("one", "two");
  const entry = await extractLibrary(folder, "usearch", "1.0.0", embedded);
  chmodSync(dirname(entry), 0o777);
  await extractLibrary(folder, "usearch", "1.0.0", embedded);
  expect(mode(dirname(entry))).toBe(0o700);
});

test("another build of the same library replaces the old one and leaves other libraries alone", async () => {
  const first = await extractLibrary(folder, "usearch", "1.0.0", library("one", "two"));
  const neighbor = await extractLibrary(folder, "onnxruntime", "1.0.0", library("one", "two"));
  const second = await extractLibrary(folder, "usearch", "1.0.0", library("changed", "two"));
  expect(second).not.toBe(first);
  expect(readdirSync(join(folder, "native")).length).toBe(2);
  expect(readFileSync(neighbor, "utf8")).toBe("one");
});

test("concurrent starts share one complete copy", async () => {
  const embedded = library("one".repeat(100_000), "two".repeat(100_000));
  const entries = await Promise.all(
    Array.from({ length: 8 }, () => extractLibrary(folder, "usearch", "1.0.0", embedded)),
  );
  expect(new Set(entries).size).toBe(1);
  expect(readdirSync(dirname(entries[0]!)).sort()).toEqual(["entry.node", "libother.so.1"]);
});

test("contents that differ from the build are refused, and nothing is left behind", async () => {
  const embedded = library("one", "two");
  writeFileSync(embedded.files[1]!.path, "something else");
  await expect(extractLibrary(folder, "usearch", "1.0.0", embedded)).rejects.toThrow("was not written completely");
  const [made] = readdirSync(join(folder, "native"));
  expect(readdirSync(join(folder, "native", made!))).toEqual(["entry.node"]);
});
