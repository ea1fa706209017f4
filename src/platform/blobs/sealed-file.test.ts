import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { SealBroken } from "../sealing/box.ts";
import { Sealer } from "../sealing/sealer.ts";
import { BlobGone, complete, FRAME_BYTES, type Growth, readSealed, readWhole, SealedFile } from "./sealed-file.ts";
import { SealedWriter } from "./sealed-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "sealed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sealer = new Sealer(new Map([[1, new Uint8Array(32).fill(7)]]));
const name = { sealer, context: "msg_1:att_1" };
const SEALED_FRAME = FRAME_BYTES + 29;

let count = 0;
const newPath = () => join(folder, `f${count++}`);

function pattern(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >> 8) * 7 + (i >> 16)) & 0xff;
  return bytes;
}

function write(plain: Uint8Array, piece = 10_000): string {
  const path = newPath();
  const writer = new SealedWriter(path, name);
  for (let at = 0; at < plain.length; at += piece) writer.write(plain.subarray(at, at + piece));
  expect(writer.finish()).toBe(plain.length);
  return path;
}

async function sizeOf(path: string, as = name): Promise<number> {
  const file = await SealedFile.open([path], as);
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}

async function read(path: string, start: number, end: number, growth: Growth): Promise<Uint8Array> {
  const stream = readSealed({ paths: [path], name, start, end, growth });
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads a file both as a stream and at once, and checks that both return or throw the same. */
async function readBoth(path: string, as = name): Promise<Uint8Array> {
  try {
    const size = await sizeOf(path, as);
    const streamed = await read(path, 0, size, complete(size));
    expect(Buffer.from(readWhole(path, as)).equals(streamed)).toBe(true);
    return streamed;
  } catch (error) {
    expect(() => readWhole(path, as)).toThrow(SealBroken);
    throw error;
  }
}

/** Frame boundaries and neighboring sizes, where mistakes are likely. */
const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3 * FRAME_BYTES }),
  fc.constantFrom(0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 2 * FRAME_BYTES, 2 * FRAME_BYTES + 1),
);

describe("a sealed file", () => {
  test("returns any range exactly as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 100_000 }), fc.nat(), fc.nat(), async (size, piece, a, b) => {
        const plain = pattern(size);
        const path = write(plain, piece);
        const [start, end] = [a % (size + 1), b % (size + 1)].sort((x, y) => x - y) as [number, number];
        expect(await sizeOf(path)).toBe(size);
        expect(Buffer.from(await readBoth(path)).equals(plain)).toBe(true);
        expect(Buffer.from(await read(path, start, end, complete(size))).equals(plain.subarray(start, end))).toBe(true);
        rmSync(path);
      }),
      { numRuns: 60 },
    );
  });

  test("fails to open or to read when any byte is changed", async () => {
    const path = write(pattern(FRAME_BYTES + 500));
    const sealed = readFileSync(path);
    const spots = fc.oneof(fc.nat({ max: sealed.length - 1 }), fc.nat({ max: 120 }));
    await fc.assert(
      fc.asyncProperty(spots, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const broken = Buffer.from(sealed);
        broken[at] = broken[at]! ^ flip;
        writeFileSync(path, broken);
        await expect(readBoth(path)).rejects.toThrow(SealBroken);
      }),
      { numRuns: 60 },
    );
  });

  test("fails when the first byte of a frame is changed", async () => {
    const path = write(pattern(500));
    const sealed = readFileSync(path);
    const frame = sealed.length - (500 + SEALED_FRAME - FRAME_BYTES);
    sealed[frame]! ^= 1;
    writeFileSync(path, sealed);
    await expect(readBoth(path)).rejects.toThrow(SealBroken);
  });

  test("fails when it is truncated anywhere, even between frames, and when bytes are appended", async () => {
    const path = write(pattern(3 * FRAME_BYTES));
    const sealed = readFileSync(path);
    const header = sealed.length - 3 * SEALED_FRAME;
    const cuts = [
      0,
      3,
      5,
      header - 1,
      header,
      header + 1,
      header + SEALED_FRAME,
      header + 2 * SEALED_FRAME,
      sealed.length - 1,
    ];
    for (const cut of cuts) {
      writeFileSync(path, sealed.subarray(0, cut));
      await expect(readBoth(path)).rejects.toThrow(SealBroken);
    }
    writeFileSync(path, Buffer.concat([sealed, sealed.subarray(header, header + SEALED_FRAME)]));
    await expect(readBoth(path)).rejects.toThrow(SealBroken);
  });

  test("fails when frames are swapped, repeated or taken from another file", async () => {
    const path = write(pattern(3 * FRAME_BYTES + 10));
    const other = readFileSync(write(pattern(3 * FRAME_BYTES + 10)));
    const sealed = readFileSync(path);
    const header = sealed.length - 3 * SEALED_FRAME - 39;
    const frame = (of: Buffer, index: number) =>
      of.subarray(header + index * SEALED_FRAME, header + (index + 1) * SEALED_FRAME);
    const head = sealed.subarray(0, header);
    const rest = sealed.subarray(header + 2 * SEALED_FRAME);
    const orders = [
      [frame(sealed, 1), frame(sealed, 0)],
      [frame(sealed, 0), frame(sealed, 0)],
      [frame(sealed, 0), frame(other, 1)],
    ];
    for (const frames of orders) {
      writeFileSync(path, Buffer.concat([head, ...frames, rest]));
      await expect(readBoth(path)).rejects.toThrow(SealBroken);
    }
  });

  test("opens only with its own name and key", async () => {
    const path = write(pattern(10));
    await expect(sizeOf(path, { sealer, context: "msg_1:att_2" })).rejects.toThrow(SealBroken);
    const stranger = new Sealer(new Map([[1, new Uint8Array(32).fill(8)]]));
    await expect(sizeOf(path, { sealer: stranger, context: name.context })).rejects.toThrow(SealBroken);
  });

  test("reveals nothing of its content on disk", () => {
    const path = write(new TextEncoder().encode("the secret word is swordfish ".repeat(100)));
    expect(readFileSync(path).includes("swordfish")).toBe(false);
  });
});

test("a file that cannot be started leaves neither a name on disk nor an open descriptor", () => {
  const path = newPath();
  const failing = {
    context: name.context,
    sealer: {
      sealRaw() {
        throw new Error("no space left on device");
      },
    } as unknown as Sealer,
  };
  const descriptors = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
  const before = descriptors();
  for (let i = 0; i < 5; i++) expect(() => new SealedWriter(path, failing)).toThrow("no space left");
  expect(existsSync(path)).toBe(false);
  expect(descriptors()).toBe(before);
});

test("a file that is created without blocking reads the same, and replaces none", async () => {
  const path = newPath();
  const writer = await SealedWriter.create(path, name);
  writer.write(pattern(2 * FRAME_BYTES + 5));
  await writer.finishDurably();
  expect(Buffer.from(await readBoth(path)).equals(pattern(2 * FRAME_BYTES + 5))).toBe(true);
  await expect(SealedWriter.create(path, name)).rejects.toThrow("EEXIST");
  expect(await sizeOf(path)).toBe(2 * FRAME_BYTES + 5);
});

/** A writer and a reader in one thread. */
class Growing implements Growth {
  size: number | null = null;
  #failed: Error | null = null;
  #wake: (() => void)[] = [];
  readonly path = newPath();
  readonly writer = new SealedWriter(this.path, name);

  get written(): number {
    return this.writer.written;
  }

  async changed(): Promise<void> {
    if (this.#failed) throw this.#failed;
    await new Promise<void>((resolve) => this.#wake.push(resolve));
    if (this.#failed) throw this.#failed;
  }

  write(bytes: Uint8Array): void {
    this.writer.write(bytes);
    this.#tell();
  }

  finish(): void {
    this.size = this.writer.finish();
    this.#tell();
  }

  fail(): void {
    this.writer.abandon();
    this.#failed = new Error("the line was cut");
    this.#tell();
  }

  #tell(): void {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}

describe("a file that is still being written", () => {
  const plain = pattern(3 * FRAME_BYTES + 123);

  test("is read up to its current end, then further", async () => {
    const growing = new Growing();
    const reader = readSealed({
      paths: [growing.path],
      name,
      start: 0,
      end: plain.length,
      growth: growing,
    }).getReader();
    growing.write(plain.subarray(0, FRAME_BYTES + 1));
    const first = await reader.read();
    expect(first.value!.length).toBe(FRAME_BYTES);
    const pieces = [first.value!];
    const rest = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        pieces.push(value);
      }
    })();
    growing.write(plain.subarray(FRAME_BYTES + 1));
    growing.finish();
    await rest;
    expect(Buffer.concat(pieces).equals(plain)).toBe(true);
  });

  test("serves a range in its middle before it is complete", async () => {
    const growing = new Growing();
    const range = read(growing.path, FRAME_BYTES + 5, FRAME_BYTES + 50, growing);
    growing.write(plain.subarray(0, 2 * FRAME_BYTES + 1));
    expect(Buffer.from(await range).equals(plain.subarray(FRAME_BYTES + 5, FRAME_BYTES + 50))).toBe(true);
    growing.writer.abandon();
  });

  test("fails its readers when the writer gives up, or ends earlier than announced", async () => {
    const cut = new Growing();
    const broken = read(cut.path, 0, plain.length, cut);
    cut.write(plain.subarray(0, 1000));
    cut.fail();
    await expect(broken).rejects.toThrow("the line was cut");
    const short = new Growing();
    const early = read(short.path, 0, plain.length, short);
    short.write(plain.subarray(0, 1000));
    short.finish();
    await expect(early).rejects.toThrow(SealBroken);
  });

  test("lets a waiting reader cancel, and reports it", async () => {
    const growing = new Growing();
    const ends: boolean[] = [];
    const closed = (cancelled: boolean) => void ends.push(cancelled);
    const stream = readSealed({ paths: [growing.path], name, start: 0, end: 10, growth: growing, closed });
    const reader = stream.getReader();
    void reader.read();
    await reader.cancel();
    growing.write(plain);
    growing.finish();
    expect(ends).toEqual([true]);
  });
});

/** Returns two paths of one file, which is renamed just before the second one is tried. */
function renamedBetween(from: string, to: string): string[] {
  const paths = [to, from];
  Object.defineProperty(paths, 1, {
    get: () => {
      if (existsSync(from)) renameSync(from, to);
      return from;
    },
  });
  return paths;
}

test("a file that is renamed between two attempts to open it is still read", async () => {
  const plain = pattern(FRAME_BYTES + 5);
  const paths = renamedBetween(write(plain), newPath());
  const stream = readSealed({ paths, name, start: 0, end: plain.length, growth: complete(plain.length) });
  expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(plain)).toBe(true);
});

test("a file that was removed before it was opened is gone, which is not a server error", async () => {
  const path = write(pattern(10));
  const stream = readSealed({ paths: [path], name, start: 0, end: 10, growth: complete(10) });
  rmSync(path);
  const error = await new Response(stream).arrayBuffer().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BlobGone);
  expect((error as BlobGone).code).toBe("provider_unavailable");
});
