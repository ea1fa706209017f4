import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type BackupFixture, createBackupFixture } from "../../test/support/backup-fixture.ts";
import { readChain } from "./chain.ts";

setDefaultTimeout(120_000);

/** A damaged byte makes at most two chunks suspicious. */
const SUSPICIOUS_BYTES = 2 * (64 * 1024 + 16);

let fixture: BackupFixture;
let good: Buffer;
beforeAll(async () => {
  fixture = await createBackupFixture(25);
  const blob = join(fixture.scratch.data_dir, "blobs/messages/large");
  mkdirSync(dirname(blob), { recursive: true });
  writeFileSync(blob, crypto.getRandomValues(new Uint8Array(400_000)));
  const { sql } = fixture.scratch.platform.db;
  sql.run("CREATE TABLE zz_letters (n INTEGER PRIMARY KEY, letter BLOB NOT NULL) STRICT");
  for (let n = 0; n < 100; n++) sql.run("INSERT INTO zz_letters (letter) VALUES (randomblob(5000))");
  await fixture.backup("good.age");
  good = readFileSync(fixture.path("good.age"));
});
afterAll(() => fixture.close());

/** Returns the message of the error that verifying these bytes causes. */
async function complaint(bytes: Uint8Array): Promise<string> {
  const path = fixture.path("bad.age");
  writeFileSync(path, bytes);
  try {
    await readChain(path, [], [fixture.secret], {});
    return "nothing was noticed";
  } catch (error) {
    return (error as Error).message;
  }
}

function flipped(bit: number): Uint8Array {
  const bytes = new Uint8Array(good);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes;
}

const headerBytes = () => good.indexOf("\n", good.indexOf("\n--- ") + 1) + 1;

describe("a flipped bit", () => {
  test("is noticed anywhere, and the place is named", async () => {
    expect(await complaint(good)).toBe("nothing was noticed");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: good.length * 8 - 1 }), async (bit) => {
        const words = await complaint(flipped(bit));
        const at = bit >> 3;
        const range = /is damaged between bytes (\d+) and (\d+): in (.+), or right after it\.$/.exec(words);
        if (at < headerBytes()) return expect(words).toMatch(/header|beginning/);
        const [from, to] = [Number(range?.[1]), Number(range?.[2])];
        expect({ words, holds: from <= at && at < to, near: to - from <= SUSPICIOUS_BYTES + 1_000 }).toEqual({
          words: expect.stringContaining("bad.age"),
          holds: true,
          near: true,
        });
      }),
      { numRuns: 60 },
    );
  });

  test("is noticed throughout the header", async () => {
    for (let bit = 0; bit < headerBytes() * 8; bit += 7) {
      expect(await complaint(flipped(bit))).toMatch(/header|beginning/);
    }
  });

  test("in a file is reported with the file's name, and in rows with their table", async () => {
    expect(await complaint(flipped(200_000 * 8))).toContain("in the file blobs/messages/large");
    expect(await complaint(flipped((good.length - 250_000) * 8))).toMatch(/in part \d+ of table zz_letters/);
  });
});

test("a file that is truncated or has extra bytes at its end is noticed", async () => {
  for (const length of [0, 10, 300, 70_000, good.length - 70_000, good.length - 16, good.length - 1]) {
    expect(await complaint(good.subarray(0, length))).toMatch(/damaged|not complete/);
  }
  expect(await complaint(Buffer.concat([good, Buffer.from([0])]))).toContain("is damaged");
  expect(await complaint(Buffer.concat([good, good.subarray(-65_552)]))).toContain("is damaged");
});

test("swapped chunks are noticed", async () => {
  const start = headerBytes() + 16;
  const chunk = (i: number) => good.subarray(start + i * 65_552, start + (i + 1) * 65_552);
  const swapped = Buffer.concat([good.subarray(0, start), chunk(1), chunk(0), good.subarray(start + 2 * 65_552)]);
  expect(swapped.length).toBe(good.length);
  expect(await complaint(swapped)).toContain("is damaged between bytes");
});
