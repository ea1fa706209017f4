import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ApiError } from "../../kernel/errors.ts";
import { openBytes, SealBroken, sealedVersion } from "../sealing/box.ts";
import type { Sealer } from "../sealing/sealer.ts";

/*
 * A sealed file: "PRF1" | length of the sealed file key (2 bytes, big endian) | sealed file key | frames.
 *
 * Every file has its own random key, sealed with its owner's data key and bound to the file's name. A frame is a sealed
 * value (box.ts) of 64 KiB; the last frame may be shorter. Its associated data is its number and whether it is the
 * last. A frame that is changed, moved, repeated, taken from another file or cut off therefore does not open, and any
 * part can be read without the rest. Only an empty file has an empty frame.
 */
export const FRAME_BYTES = 64 * 1024;
const FRAME_OVERHEAD = 29;
const SEALED_FRAME_BYTES = FRAME_BYTES + FRAME_OVERHEAD;
export const MAGIC = Buffer.from("PRF1");
/** Longer than any sealed key, so that a corrupt length does not cause a long read. */
const LONGEST_SEALED_KEY = 256;
export const MORE = 0;
export const LAST = 1;

/** A file has at most two paths over its lifetime: while written and complete, or kept and in the cache. */
const OPEN_ROUNDS = 3;

/**
 * Thrown when the file was removed after it was found: with its message, or for lack of space. A second request shows
 * which.
 */
export class BlobGone extends ApiError {
  constructor() {
    super("provider_unavailable", "The file was removed while it was being read. Try again.");
  }
}

/** The key source of a sealed file, and which file it must be. */
export interface SealedName {
  sealer: Sealer;
  /** The file's permanent name, `kind:id`. A file that was renamed to another's name does not open. */
  context: string;
}

/** Progress of a file that is read while it is written. */
export interface Growth {
  /** Plain bytes in whole frames on disk. */
  readonly written: number;
  /** The file's size, once it is complete. */
  readonly size: number | null;
  /** Resolves when either changes. @throws what made the writer give up */
  changed(): Promise<void>;
}

/** A sealed file opened for reading any part of it. */
export class SealedFile {
  private constructor(
    private readonly handle: FileHandle,
    private readonly key: Uint8Array,
    private readonly headerBytes: number,
  ) {}

  /** Opens the first of the paths that exists. @throws SealBroken; BlobGone if none exists */
  static async open(paths: readonly string[], { sealer, context }: SealedName): Promise<SealedFile> {
    const handle = await openFirst(paths);
    try {
      const fixed = await readAt(handle, 0, MAGIC.length + 2);
      const length = keyLength(fixed);
      const sealedKey = await readAt(handle, fixed.length, length);
      return new SealedFile(handle, sealer.openRaw(keyContext(context), sealedKey), fixed.length + length);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Returns the plain size of the complete file and verifies that nothing was cut off. @throws SealBroken */
  async size(): Promise<number> {
    const { frames, lastBytes } = framesIn((await this.handle.stat()).size - this.headerBytes);
    await this.#frame(frames - 1, lastBytes, LAST);
    return (frames - 1) * FRAME_BYTES + lastBytes;
  }

  /**
   * Returns the plain bytes of one frame.
   * @param size of the whole file; null while it is being written and the frame is known not to be the last
   */
  frame(index: number, size: number | null): Promise<Uint8Array> {
    const last = size === null ? null : lastFrame(size);
    if (index === last) return this.#frame(index, size! - index * FRAME_BYTES, LAST);
    return this.#frame(index, FRAME_BYTES, MORE);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async #frame(index: number, bytes: number, kind: typeof MORE | typeof LAST): Promise<Uint8Array> {
    const at = this.headerBytes + index * SEALED_FRAME_BYTES;
    return openFrame(this.key, index, kind, await readAt(this.handle, at, bytes + FRAME_OVERHEAD));
  }
}

/**
 * Reads a complete sealed file at once. Synchronous: use it in a worker thread. @throws SealBroken; the system's error
 */
export function readWhole(path: string, { sealer, context }: SealedName): Uint8Array {
  const fd = openSync(path, "r");
  try {
    const fixed = readNow(fd, 0, MAGIC.length + 2);
    const length = keyLength(fixed);
    const key = sealer.openRaw(keyContext(context), readNow(fd, fixed.length, length));
    const headerBytes = fixed.length + length;
    const { frames, lastBytes } = framesIn(fstatSync(fd).size - headerBytes);
    const whole = new Uint8Array((frames - 1) * FRAME_BYTES + lastBytes);
    const buffer = Buffer.allocUnsafe(SEALED_FRAME_BYTES);
    for (let index = 0; index < frames; index++) {
      const last = index === frames - 1;
      const bytes = last ? lastBytes : FRAME_BYTES;
      const sealed = readNow(fd, headerBytes + index * SEALED_FRAME_BYTES, bytes + FRAME_OVERHEAD, buffer);
      whole.set(openFrame(key, index, last ? LAST : MORE, sealed), index * FRAME_BYTES);
    }
    return whole;
  } finally {
    closeSync(fd);
  }
}

export interface SealedRange {
  /** Possible paths: a file that is being written is renamed when it is complete. */
  paths: readonly string[];
  name: SealedName;
  start: number;
  /** Exclusive. */
  end: number;
  growth: Growth;
  /** Called once when the stream has ended for any reason; `cancelled`: its reader cancelled it. */
  closed?: (cancelled: boolean) => void;
  /** Called before the stream fails because the file is damaged. */
  broken?: () => void;
}

/**
 * Returns bytes [start, end) of a sealed file as a stream. It reads at most one frame ahead of its reader, and waits
 * for the writer if the file is still growing. It fails with SealBroken if the file is damaged or ends before `end`.
 */
export function readSealed({
  paths,
  name,
  start,
  end,
  growth,
  closed,
  broken,
}: SealedRange): ReadableStream<Uint8Array> {
  let file: SealedFile | null = null;
  let at = start;
  let over = false;
  const release = async () => {
    const held = file;
    file = null;
    await held?.close();
  };
  const finish = (cancelled: boolean) => {
    if (!over) closed?.(cancelled);
    over = true;
    return release();
  };
  const next = async (): Promise<Uint8Array | null> => {
    const index = Math.floor(at / FRAME_BYTES);
    while (growth.size === null && growth.written < (index + 1) * FRAME_BYTES && !over) await growth.changed();
    if (over) return null;
    if (growth.size !== null && growth.size < end) throw new SealBroken("A sealed file is shorter than announced.");
    file ??= await SealedFile.open(paths, name);
    const plain = await file.frame(index, growth.size);
    const offset = index * FRAME_BYTES;
    return plain.subarray(at - offset, Math.min(plain.length, end - offset));
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = at < end ? await next() : null;
          // The stream was cancelled, perhaps while the file was being opened.
          if (over) return await release();
          if (bytes) controller.enqueue(bytes);
          at += bytes?.length ?? 0;
          if (at < end) return;
          controller.close();
          await finish(false);
        } catch (error) {
          if (over) return await release();
          await finish(false);
          if (error instanceof SealBroken) broken?.();
          throw error;
        }
      },
      cancel: () => finish(true),
    },
    { highWaterMark: 1 },
  );
}

/** Returns the Growth of a complete file. */
export function complete(size: number): Growth {
  return { written: size, size, changed: () => Promise.reject(new Error("A complete file does not grow.")) };
}

function lastFrame(size: number): number {
  return Math.max(0, Math.ceil(size / FRAME_BYTES) - 1);
}

/**
 * Opens the first path that exists. A file that is renamed between two attempts is found in the next round.
 * @throws BlobGone
 */
async function openFirst(paths: readonly string[]): Promise<FileHandle> {
  for (let round = 0; round < OPEN_ROUNDS; round++) {
    for (const path of paths) {
      try {
        return await open(path, "r");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  }
  throw new BlobGone();
}

async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(buffer, at, bytes - at, position + at);
    if (bytesRead === 0) throw new SealBroken("A sealed file was cut off.");
    at += bytesRead;
  }
  return buffer;
}

/** Reads bytes synchronously. @param buffer the target, which may be longer than `bytes` @throws SealBroken */
function readNow(fd: number, position: number, bytes: number, buffer = Buffer.allocUnsafe(bytes)): Buffer {
  for (let at = 0; at < bytes; ) {
    const read = readSync(fd, buffer, at, bytes - at, position + at);
    if (read === 0) throw new SealBroken("A sealed file was cut off.");
    at += read;
  }
  return buffer.subarray(0, bytes);
}

/** Returns the length of the sealed file key that follows. @param fixed the fixed-size start of every sealed file */
function keyLength(fixed: Buffer): number {
  if (!fixed.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealBroken("This is not a sealed file.");
  const length = fixed.readUInt16BE(MAGIC.length);
  if (length > LONGEST_SEALED_KEY) throw new SealBroken("A sealed file has an implausible header.");
  return length;
}

/** Computes the frames of a complete file. @param payload bytes after its header @throws SealBroken */
function framesIn(payload: number): { frames: number; lastBytes: number } {
  const frames = Math.ceil(payload / SEALED_FRAME_BYTES);
  const lastBytes = payload - (frames - 1) * SEALED_FRAME_BYTES - FRAME_OVERHEAD;
  if (frames < 1 || lastBytes < (frames > 1 ? 1 : 0)) throw new SealBroken("A sealed file was cut off.");
  return { frames, lastBytes };
}

function openFrame(key: Uint8Array, index: number, kind: typeof MORE | typeof LAST, sealed: Uint8Array): Uint8Array {
  if (sealedVersion(sealed) !== kind) throw new SealBroken("A frame of a sealed file is of another kind.");
  return openBytes(key, frameContext(index, kind), sealed);
}

export function keyContext(context: string): string {
  return `file.key:${context}`;
}

export function frameContext(index: number, kind: typeof MORE | typeof LAST): string {
  return `file.frame:${index}:${kind === LAST ? "last" : "more"}`;
}
