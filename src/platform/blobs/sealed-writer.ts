import { randomBytes } from "node:crypto";
import { closeSync, constants, fsync, fsyncSync, open, openSync, rmSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { sealBytes } from "../sealing/box.ts";
import { FRAME_BYTES, frameContext, keyContext, LAST, MAGIC, MORE, type SealedName } from "./sealed-file.ts";

const KEY_BYTES = 32;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const MODE = 0o600;

/** As `openSync` and `fsyncSync`, without blocking this thread. */
const openAside = promisify(open);
const syncAside = promisify(fsync);

/**
 * Writes a sealed file sequentially. Synchronous, but for `create` and `finishDurably`: use it in a worker thread, or for
 * short files.
 */
export class SealedWriter {
  readonly #fd: number;
  readonly #key = randomBytes(KEY_BYTES);
  /** The frame that is being filled. Grows to FRAME_BYTES, because most files are far shorter. */
  #pending = new Uint8Array(0);
  #fill = 0;
  #frames = 0;
  #open = true;

  /** Creates the file with mode 0600, without blocking this thread. @throws if it exists */
  static async create(path: string, name: SealedName): Promise<SealedWriter> {
    return new SealedWriter(path, name, await openAside(path, CREATE, MODE));
  }

  /** Creates the file with mode 0600. @param fd the file, if it has been created already @throws if it exists */
  constructor(
    readonly path: string,
    { sealer, context }: SealedName,
    fd = openSync(path, CREATE, MODE),
  ) {
    this.#fd = fd;
    try {
      const sealedKey = sealer.sealRaw(keyContext(context), this.#key);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(sealedKey.length);
      this.#put(Buffer.concat([MAGIC, length, sealedKey]));
    } catch (error) {
      // A full disk may still accept a name but no bytes, and without a writer the caller cannot abandon the file.
      this.abandon();
      throw error;
    }
  }

  /** Plain bytes that a reader can find on disk now: whole frames only. */
  get written(): number {
    return this.#frames * FRAME_BYTES;
  }

  /** Appends bytes. A frame is on disk once more bytes follow it. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      // Hold back a full frame until more data follows: only then is it certain that it is not the last.
      if (this.#fill === FRAME_BYTES) this.#flush(MORE);
      const take = Math.min(FRAME_BYTES - this.#fill, bytes.length - at);
      this.#reserve(this.#fill + take);
      this.#pending.set(bytes.subarray(at, at + take), this.#fill);
      this.#fill += take;
      at += take;
    }
  }

  /** Writes the last frame. `durable` waits for the disk. @returns the file's size in plain bytes */
  finish(options: { durable?: boolean } = {}): number {
    const size = this.written + this.#fill;
    this.#flush(LAST);
    if (options.durable) fsyncSync(this.#fd);
    this.#close();
    return size;
  }

  /** Writes the last frame and waits for the disk, without blocking this thread. @throws if the disk fails */
  async finishDurably(): Promise<void> {
    this.#flush(LAST);
    try {
      await syncAside(this.#fd);
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.#close();
  }

  /** Gives up and removes the file. Harmless after `finish` and when repeated. */
  abandon(): void {
    if (!this.#open) return;
    this.#close();
    rmSync(this.path, { force: true });
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#pending.length) return;
    const grown = new Uint8Array(Math.min(FRAME_BYTES, Math.max(bytes, 2 * this.#pending.length)));
    grown.set(this.#pending);
    this.#pending.fill(0);
    this.#pending = grown;
  }

  #flush(kind: typeof MORE | typeof LAST): void {
    const plain = this.#pending.subarray(0, this.#fill);
    this.#put(sealBytes(this.#key, kind, frameContext(this.#frames, kind), plain));
    this.#frames++;
    this.#fill = 0;
  }

  #put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
  }

  #close(): void {
    this.#open = false;
    this.#pending.fill(0);
    closeSync(this.#fd);
  }
}
