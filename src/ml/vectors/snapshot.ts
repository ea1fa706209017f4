import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readWhole, type SealedName } from "../../platform/blobs/sealed-file.ts";
import { SealedWriter } from "../../platform/blobs/sealed-writer.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { BinaryCodes, wordsOf } from "./binary-codes.ts";

/** Binary codes, and the last change of the database that they include. */
export interface Snapshot {
  codes: BinaryCodes;
  last: number;
  losses: number;
  /** Number of messages that the model has processed. */
  looked_at: number;
}

const HEADER_INTS = 5;
const INT_BYTES = 4;

/**
 * Stores the binary codes of a user's vectors as one sealed file, so that a start need not decrypt each vector. Only
 * bytes verified by authenticated decryption are read; any other file is ignored.
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
    return { sealer: this.platform.keyring.forUser(user_id), context: `vectors.codes:${user_id}:${model}` };
  }

  #path(user_id: string): string {
    return join(this.platform.config.data_dir, "vectors", `${user_id}.bin`);
  }
}

/**
 * Serializes a snapshot: five numbers (dimensions, rows, last id, losses, messages processed), the message numbers, and
 * the codes. The pieces are views of memory, because copying them would be slow.
 */
function partsOf({ codes: { numbers, codes, dimensions }, last, losses, looked_at }: Snapshot): Uint8Array[] {
  const header = Int32Array.of(dimensions, numbers.length, last, losses, looked_at);
  return [header, numbers, codes].map(({ buffer, byteOffset, byteLength }) => {
    return new Uint8Array(buffer, byteOffset, byteLength);
  });
}

/** Parses the output of `partsOf`. The snapshot shares the buffer of `bytes`, which must begin at a multiple of four. */
function read(bytes: Uint8Array): Snapshot {
  const ints = (from: number, count: number) =>
    new Int32Array(bytes.buffer, bytes.byteOffset + from * INT_BYTES, count);
  const [dimensions, count, last, losses, looked_at] = ints(0, HEADER_INTS) as unknown as Header;
  const words = count * wordsOf(dimensions);
  if (bytes.length !== INT_BYTES * (HEADER_INTS + count + words))
    throw new Error("the length of the snapshot does not match its header");
  const numbers = ints(HEADER_INTS, count);
  return { codes: BinaryCodes.from(dimensions, numbers, ints(HEADER_INTS + count, words)), last, losses, looked_at };
}

type Header = [dimensions: number, rows: number, last: number, losses: number, looked_at: number];
