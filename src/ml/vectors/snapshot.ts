import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readWhole, type SealedName, SealedWriter } from "../../platform/blobs/sealed-file.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { VectorMatrix } from "./matrix.ts";

/** A matrix, and the last change of the database that it includes. */
export interface Snapshot {
  matrix: VectorMatrix;
  last: number;
  losses: number;
  /** Number of messages that the model has processed. */
  looked_at: number;
}

const HEADER_INTS = 5;
const INT_BYTES = 4;

/**
 * Stores a user's vectors as one sealed file, so that a start need not decrypt each vector separately. Only bytes
 * verified by authenticated decryption are read; any other file is ignored.
 */
export class Snapshots {
  constructor(private readonly platform: Platform) {}

  load(user_id: string, model: string): Snapshot | null {
    const path = this.#path(user_id);
    if (!existsSync(path)) return null;
    try {
      return read(readWhole(path, this.#name(user_id, model)));
    } catch (error) {
      this.platform.log.info("a vector snapshot cannot be used and is rebuilt", {
        user: user_id,
        ...errorFields(error),
      });
      return null;
    }
  }

  save(user_id: string, model: string, snapshot: Snapshot): void {
    const path = this.#path(user_id);
    const temporary = `${path}.${this.platform.boot_id}`;
    let writer: SealedWriter | null = null;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // Deletes files of processes that were killed while writing. Only one process at a time uses this data folder.
      for (const name of readdirSync(dirname(path))) {
        if (name.startsWith(`${basename(path)}.`)) rmSync(join(dirname(path), name));
      }
      writer = new SealedWriter(temporary, this.#name(user_id, model));
      for (const part of partsOf(snapshot)) writer.write(part);
      writer.finish();
      renameSync(temporary, path);
    } catch (error) {
      // A snapshot only makes starts faster, so a failure is not fatal.
      this.platform.log.warn("a vector snapshot could not be written", { user: user_id, ...errorFields(error) });
      writer?.abandon();
      rmSync(temporary, { force: true });
    }
  }

  /** Deletes the files of removed users. */
  sweep(): void {
    const { config, db } = this.platform;
    const folder = join(config.data_dir, "vectors");
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const user_id = name.split(".")[0]!;
      if (db.sql.query("SELECT 1 FROM users WHERE id = ?").get(user_id) === null) rmSync(join(folder, name));
    }
  }

  #name(user_id: string, model: string): SealedName {
    return { sealer: this.platform.keyring.forUser(user_id), context: `vectors.snapshot:${user_id}:${model}` };
  }

  #path(user_id: string): string {
    return join(this.platform.config.data_dir, "vectors", `${user_id}.bin`);
  }
}

/**
 * Serializes a snapshot: five numbers (dimensions, rows, last id, losses, messages processed), the message numbers, and
 * the rows. The pieces are views of memory, because copying them would be slow.
 */
function partsOf({ matrix: { numbers, rows, dimensions }, last, losses, looked_at }: Snapshot): Uint8Array[] {
  const header = Int32Array.of(dimensions, numbers.length, last, losses, looked_at);
  return [header, numbers, rows].map(({ buffer, byteOffset, byteLength }) => {
    return new Uint8Array(buffer, byteOffset, byteLength);
  });
}

/** Parses the output of `partsOf`. The returned rows may share the buffer of `bytes`. */
function read(bytes: Uint8Array): Snapshot {
  const numbersAt = HEADER_INTS * INT_BYTES;
  const [dimensions, count, last, losses, looked_at] = ints(bytes, 0, HEADER_INTS) as unknown as HeaderInts;
  const rowsAt = numbersAt + count * INT_BYTES;
  if (bytes.length !== rowsAt + count * dimensions)
    throw new Error("the length of the snapshot does not match its header");
  const numbers = ints(bytes, numbersAt, count);
  // usearch copies rows that do not begin at the start of their buffer for each search. Copying them once avoids that.
  const own = bytes.byteOffset === 0 ? bytes : new Uint8Array(bytes);
  own.copyWithin(0, rowsAt);
  const rows = new Int8Array(own.buffer, 0, count * dimensions);
  return { matrix: VectorMatrix.from(dimensions, numbers, rows), last, losses, looked_at };
}

type HeaderInts = [dimensions: number, rows: number, last: number, losses: number, looked_at: number];

/** Reads `count` integers at byte offset `at`, which need not be a multiple of four. */
function ints(bytes: Uint8Array, at: number, count: number): Int32Array {
  return new Int32Array(new Uint8Array(bytes.subarray(at, at + count * INT_BYTES)).buffer);
}
