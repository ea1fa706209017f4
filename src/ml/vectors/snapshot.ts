import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { VectorMatrix } from "./matrix.ts";

/** A matrix, and up to which change of the database it goes. */
export interface Snapshot {
  matrix: VectorMatrix;
  last: number;
  losses: number;
}

const HEADER_INTS = 4;
const INT_BYTES = 4;

/**
 * A user's vectors as one sealed file, so that a start need not open each by itself. What is read is what an
 * authenticated decryption has just verified; anything else is as good as no file.
 */
export class Snapshots {
  constructor(private readonly platform: Platform) {}

  load(user_id: string, model: string): Snapshot | null {
    let sealed: Uint8Array;
    try {
      sealed = readFileSync(this.#path(user_id));
    } catch {
      return null;
    }
    try {
      const opened = this.platform.keyring.forUser(user_id).openRaw(contextOf(user_id, model), sealed);
      return read(opened.slice());
    } catch (error) {
      this.platform.log.info("a vector snapshot is of no use and is made anew", {
        user: user_id,
        ...errorFields(error),
      });
      return null;
    }
  }

  save(user_id: string, model: string, snapshot: Snapshot): void {
    const path = this.#path(user_id);
    const temporary = `${path}.${this.platform.boot_id}`;
    try {
      mkdirSync(join(this.platform.config.data_dir, "vectors"), { recursive: true, mode: 0o700 });
      const sealed = this.platform.keyring.forUser(user_id).sealRaw(contextOf(user_id, model), write(snapshot));
      writeFileSync(temporary, sealed, { mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      // It only makes starts faster.
      this.platform.log.warn("a vector snapshot could not be written", { user: user_id, ...errorFields(error) });
      rmSync(temporary, { force: true });
    }
  }

  /** Deletes the files of people who are gone. */
  sweep(): void {
    const { config, db } = this.platform;
    const folder = join(config.data_dir, "vectors");
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const user_id = name.split(".")[0]!;
      if (db.sql.query("SELECT 1 FROM users WHERE id = ?").get(user_id) === null) rmSync(join(folder, name));
    }
  }

  #path(user_id: string): string {
    return join(this.platform.config.data_dir, "vectors", `${user_id}.bin`);
  }
}

function contextOf(user_id: string, model: string): string {
  return `vectors.snapshot:${user_id}:${model}`;
}

/** Four numbers (dimensions, rows, last id, losses), the message numbers, the rows. */
function write({ matrix, last, losses }: Snapshot): Uint8Array {
  const { numbers, rows, dimensions } = matrix;
  const out = new Uint8Array(HEADER_INTS * INT_BYTES + numbers.byteLength + rows.byteLength);
  out.set(new Uint8Array(Int32Array.of(dimensions, numbers.length, last, losses).buffer));
  out.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), HEADER_INTS * INT_BYTES);
  out.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), HEADER_INTS * INT_BYTES + numbers.byteLength);
  return out;
}

function read(bytes: Uint8Array): Snapshot {
  const [dimensions, count, last, losses] = new Int32Array(bytes.buffer, 0, HEADER_INTS) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const at = HEADER_INTS * INT_BYTES;
  const numbers = new Int32Array(bytes.buffer, at, count);
  const rows = new Int8Array(bytes.buffer, at + count * INT_BYTES);
  if (rows.length !== count * dimensions) throw new Error("the snapshot is not as long as it says");
  return { matrix: VectorMatrix.from(dimensions, numbers, rows), last, losses };
}
