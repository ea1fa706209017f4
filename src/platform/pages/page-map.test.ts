import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPage, PageMap } from "./page-map.ts";

const PAGE = 512;
const now = async () => {};

function mapOf(contents: readonly Uint8Array[], order = contents.map((_, i) => i)): PageMap {
  const map = new PageMap(PAGE);
  map.resize(contents.length);
  for (const i of order) map.update(i + 1, contents[i]!);
  return map;
}

const contents = Array.from({ length: 3_000 }, () => randomBytes(PAGE));

test("the state depends on the content and the number of each page, and on nothing else", () => {
  const map = mapOf(contents);
  expect(map.state).toMatch(/^[0-9a-f]{32}$/);
  expect(mapOf(contents, contents.map((_, i) => i).reverse()).state).toBe(map.state);
  const swapped = [contents[1]!, contents[0]!, ...contents.slice(2)];
  const states = [map.state, mapOf(swapped).state, mapOf(contents.slice(0, -1)).state, mapOf([]).state];
  expect(new Set(states).size).toBe(4);

  // Changes that are undone leave no trace.
  map.update(5, contents[6]!);
  expect(map.state).not.toBe(states[0]!);
  map.update(5, contents[4]!);
  map.resize(contents.length + 2);
  map.update(contents.length + 1, contents[0]!);
  map.resize(contents.length);
  expect(map.state).toBe(states[0]!);
});

test("pages beyond the end have no content, also after the map grew again", () => {
  const map = mapOf(contents);
  expect(map.matches(2, contents[1]!)).toBe(true);
  expect(map.matches(2, contents[2]!)).toBe(false);
  map.resize(1);
  map.resize(2);
  expect([map.get(1), map.get(2), map.get(3)]).toEqual([hashPage(contents[0]!), 0n, 0n]);
  expect(() => map.update(3, contents[0]!)).toThrow(RangeError);
  expect(() => map.update(0, contents[0]!)).toThrow(RangeError);
});

test("the bytes of a map restore it, and damaged bytes do not", () => {
  const map = mapOf(contents);
  map.resize(contents.length + 3);
  const bytes = map.bytes();
  const restored = PageMap.from(bytes)!;
  expect([restored.state, restored.pageCount, restored.pageSize]).toEqual([map.state, map.pageCount, PAGE]);
  expect(restored.get(17)).toBe(map.get(17));
  for (const position of [0, 9, 20, 28, 40, bytes.length - 1]) {
    const damaged = bytes.slice();
    damaged[position]! ^= 4;
    expect(PageMap.from(damaged)).toBeNull();
  }
  for (const length of [0, 7, 8, 31, 32, bytes.length - 8, bytes.length - 1])
    expect(PageMap.from(bytes.subarray(0, length))).toBeNull();
});

test("the map of a file equals the map of its pages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-map-"));
  try {
    const path = join(folder, "pages");
    // More than what is read at once.
    const pages = Array.from({ length: 8_200 }, (_, i) => contents[i % contents.length]!);
    writeFileSync(path, Buffer.concat(pages));
    expect((await PageMap.ofFile(path, PAGE, now)).state).toBe(mapOf(pages).state);
    truncateSync(path, 8_200 * PAGE - 1);
    await expect(PageMap.ofFile(path, PAGE, now)).rejects.toThrow("not a multiple of 512 bytes");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
