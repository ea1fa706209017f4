import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../config/load.ts";
import { SealBroken } from "../sealing/box.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { BlobGone, complete, type Growth, readSealed, SealedFile, type SealedName } from "./sealed-file.ts";
import { SealedWriter } from "./sealed-writer.ts";

/** Identifies bytes that belong to a message. */
export interface BlobName {
  user_id: string;
  message_id: string;
  /** "raw" for the full source, otherwise an attachment id. */
  part: string;
}

/** `cache` may lose its files at any time; `blobs` keeps them until the message is deleted. */
export type BlobRoot = "cache" | "blobs";

export interface FoundBlob {
  root: BlobRoot;
  path: string;
  /** Plain bytes. */
  size: number;
}

/** A blob while it is being written. */
export interface BlobWriter {
  /** The file's paths, during and after writing. */
  paths: readonly [string, string];
  readonly written: number;
  write(bytes: Uint8Array): void;
  /** Publishes the file under its name, replacing an older one. @returns its size in plain bytes */
  finish(options?: { durable?: boolean }): number;
  abandon(): void;
}

/** The source of a message, on disk before the message is stored. */
export interface StagedBlob {
  /** The id that the message must get. */
  message_id: string;
  /**
   * Publishes it. @param isThere whether the message exists; called after the current transaction, because the source is
   * removed if that failed
   * @returns false if it was removed
   */
  keep(isThere: () => boolean): boolean;
  /** Removes it, unless it was kept. */
  abandon(): void;
}

export const PARTIAL = ".part";
const RAW = "raw";
const FOLDER = { recursive: true, mode: 0o700 };

/**
 * Sealed files of messages on disk: `<root>/<user>/<first two>/<message>.<part>`. All names are HMACs under the user's
 * key. The disk therefore reveals neither whose files these are nor which belong to a known message.
 */
export class BlobFiles {
  readonly #keepAttachments: boolean;
  readonly #roots: Record<BlobRoot, string>;

  constructor(private readonly platform: { config: Config; keyring: Keyring }) {
    const { config } = platform;
    this.#keepAttachments = config.get("store.attachments") === "all";
    this.#roots = { cache: join(config.data_dir, "cache", "parts"), blobs: join(config.data_dir, "blobs", "messages") };
  }

  /** Returns the path of a root folder. */
  root(root: BlobRoot): string {
    return this.#roots[root];
  }

  /** Returns the folder for a part that was fetched from a server (configuration store.attachments). */
  rootFor(name: BlobName): BlobRoot {
    return this.#keepAttachments && name.part !== RAW ? "blobs" : "cache";
  }

  /** Returns the path of a blob, which may not exist. */
  path(root: BlobRoot, name: BlobName): string {
    const message = this.messageName(name.user_id, name.message_id);
    const part = this.#hmac(name.user_id, `part\0${name.message_id}\0${name.part}`);
    return join(this.#roots[root], this.userName(name.user_id), message.slice(0, 2), `${message}.${part}`);
  }

  /** Returns a writer for a blob. */
  create(root: BlobRoot, name: BlobName): BlobWriter {
    const { path, partial } = this.#paths(root, name);
    mkdirSync(dirname(path), FOLDER);
    const writer = new SealedWriter(partial, this.#sealedName(name));
    return {
      paths: [partial, path],
      get written() {
        return writer.written;
      },
      write: (bytes) => writer.write(bytes),
      finish: (options) => {
        const size = writer.finish(options);
        renameSync(partial, path);
        return size;
      },
      abandon: () => writer.abandon(),
    };
  }

  /** Returns the path of a blob, and a temporary one for while it is being written. */
  #paths(root: BlobRoot, name: BlobName): { path: string; partial: string } {
    const path = this.path(root, name);
    return { path, partial: `${path}.${randomBytes(6).toString("hex")}${PARTIAL}` };
  }

  /** Returns the complete blob of this name, or null. A damaged one is removed and counts as missing. */
  async find(name: BlobName): Promise<FoundBlob | null> {
    for (const root of ["blobs", "cache"] as const) {
      const path = this.path(root, name);
      if (!existsSync(path)) continue;
      const size = await this.#sizeOf(path, name);
      if (size !== null) return { root, path, size };
    }
    return null;
  }

  /** Reads bytes of a blob, including one that is still growing at `paths`. */
  read(
    name: BlobName,
    from: { paths: readonly string[]; growth: Growth },
    start: number,
    end: number,
    closed?: (cancelled: boolean) => void,
  ): ReadableStream<Uint8Array> {
    return readSealed({ ...from, name: this.#sealedName(name), start, end, ...(closed ? { closed } : {}) });
  }

  /**
   * Reads bytes of a complete blob, which may have moved to the cache since it was found. A damaged blob is removed, so
   * that the next request fetches it again from its source.
   */
  readFound(name: BlobName, { path, size }: FoundBlob, start = 0, end = size): ReadableStream<Uint8Array> {
    const paths = [path, this.path("cache", name)];
    const broken = () => rmSync(path, { force: true });
    return readSealed({ paths, name: this.#sealedName(name), start, end, growth: complete(size), broken });
  }

  /** Returns all bytes of a complete blob. */
  async readAll(name: BlobName, found: FoundBlob): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.readFound(name, found)).arrayBuffer());
  }

  /**
   * Moves a kept blob to the cache, where it may be evicted, because a server has its bytes.
   * @returns its path; null if there is none
   */
  demote(name: BlobName): string | null {
    const [from, to] = [this.path("blobs", name), this.path("cache", name)];
    if (!existsSync(from)) return null;
    mkdirSync(dirname(to), FOLDER);
    renameSync(from, to);
    return to;
  }

  /**
   * Stores the source of a message that no server has (the sandbox). It is durable on disk when this returns.
   * @param isThere whether the message exists; called after the current transaction, because the source is removed if
   * that failed
   */
  storeRaw(of: { user_id: string; message_id: string }, raw: Uint8Array, isThere: () => boolean = () => true): void {
    const name = { ...of, part: RAW };
    const writer = this.create("blobs", name);
    try {
      writer.write(raw);
      writer.finish({ durable: true });
    } catch (error) {
      writer.abandon();
      throw error;
    }
    this.#removeUnless(isThere, this.path("blobs", name));
  }

  /**
   * Writes the source of a message that is not stored yet, durably and without blocking this thread. It counts only once
   * `keep` is called, in the transaction that stores the message.
   */
  async stageRaw(of: { user_id: string; message_id: string }, raw: Uint8Array): Promise<StagedBlob> {
    const name = { ...of, part: RAW };
    const { path, partial } = this.#paths("blobs", name);
    const writer = await this.#createAside(partial, name);
    try {
      writer.write(raw);
      await writer.finishDurably();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    let isKept = false;
    return {
      message_id: of.message_id,
      keep: (isThere) => {
        if (!renameIfThere(partial, path)) return false;
        isKept = true;
        this.#removeUnless(isThere, path);
        return true;
      },
      abandon: () => {
        if (!isKept) rmSync(partial, { force: true });
      },
    };
  }

  /** Creates a file without blocking this thread: while other programs wait for the disk, that may take a millisecond. */
  async #createAside(path: string, name: BlobName): Promise<SealedWriter> {
    const sealedName = this.#sealedName(name);
    try {
      return await SealedWriter.create(path, sealedName);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await mkdir(dirname(path), FOLDER);
      return SealedWriter.create(path, sealedName);
    }
  }

  /** Removes a file after the current transaction if that failed. */
  #removeUnless(isThere: () => boolean, path: string): void {
    queueMicrotask(() => {
      if (!isThere()) rmSync(path, { force: true });
    });
  }

  /** Returns the paths of a message's files in a folder. */
  ofMessage(root: BlobRoot, user_id: string, message_id: string): string[] {
    const message = this.messageName(user_id, message_id);
    const folder = join(this.#roots[root], this.userName(user_id), message.slice(0, 2));
    return entries(folder)
      .filter((entry) => entry.startsWith(`${message}.`))
      .map((entry) => join(folder, entry));
  }

  /** Yields all files of a user in a folder: path and the name of the message that the file belongs to. */
  *ofUser(root: BlobRoot, user_id: string): Iterable<{ path: string; message: string }> {
    const folder = join(this.#roots[root], this.userName(user_id));
    for (const shelf of entries(folder)) {
      for (const entry of entries(join(folder, shelf))) {
        yield { path: join(folder, shelf, entry), message: entry.split(".")[0]! };
      }
    }
  }

  /** Returns the name of a user's folder. */
  userName(user_id: string): string {
    return this.#hmac(user_id, "user");
  }

  /** Returns the prefix of a message's file names. */
  messageName(user_id: string, message_id: string): string {
    return this.#hmac(user_id, `message\0${message_id}`);
  }

  async #sizeOf(path: string, name: BlobName): Promise<number | null> {
    let file: SealedFile | null = null;
    try {
      file = await SealedFile.open([path], this.#sealedName(name));
      return await file.size();
    } catch (error) {
      if (error instanceof SealBroken) rmSync(path, { force: true });
      else if (!(error instanceof BlobGone)) throw error;
      return null;
    } finally {
      await file?.close();
    }
  }

  #sealedName({ user_id, message_id, part }: BlobName): SealedName {
    return { sealer: this.platform.keyring.forUser(user_id), context: `${message_id}:${part}` };
  }

  #hmac(user_id: string, text: string): string {
    return Buffer.from(this.platform.keyring.forUser(user_id).hmac("content", `blob\0${text}`)).toString("hex");
  }
}

/** Returns the names in a folder; empty if the folder does not exist. */
export function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** @returns false if there is no file to rename */
function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
