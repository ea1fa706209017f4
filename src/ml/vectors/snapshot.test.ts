import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { BinaryCodes, wordsOf } from "./binary-codes.ts";
import { Snapshots } from "./snapshot.ts";

let s: Scratch;
beforeAll(() => {
  s = scratchPlatform();
});
afterAll(() => s.close());

test("the codes of 600,000 messages are read back unchanged", () => {
  const dimensions = 512;
  const numbers = Int32Array.from({ length: 600_000 }, (_, i) => 2 * i + 1);
  const codes = new Int32Array(numbers.length * wordsOf(dimensions));
  for (let i = 0; i < codes.length; i += 4_093) codes[i] = Math.imul(i, 2_654_435_761);
  const snapshots = new Snapshots(s.platform);
  snapshots.save(s.user.id, "m@1", {
    codes: BinaryCodes.from(dimensions, numbers, codes),
    last: 7,
    losses: 3,
    looked_at: 9,
  });
  const found = snapshots.load(s.user.id, "m@1");
  expect([found?.last, found?.losses, found?.looked_at, found?.codes.size]).toEqual([7, 3, 9, numbers.length]);
  const { buffer, byteOffset, byteLength } = found!.codes.codes;
  expect(Buffer.from(buffer, byteOffset, byteLength).equals(Buffer.from(codes.buffer))).toBe(true);
  expect(found!.codes.numbers.every((number, i) => number === numbers[i])).toBe(true);
});

test("a file that a killed process left incomplete is deleted at the next snapshot", () => {
  const folder = join(s.data_dir, "vectors");
  writeFileSync(join(folder, `${s.user.id}.bin.boot_1`), "half a snapshot");
  const codes = new BinaryCodes(4);
  codes.set(1, Int8Array.of(1, 2, 3, 4));
  new Snapshots(s.platform).save(s.user.id, "m@1", { codes, last: 1, losses: 0, looked_at: 1 });
  expect(readdirSync(folder)).toEqual([`${s.user.id}.bin`]);
});
