import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import {
  type ObjectInfo,
  type ObjectStore,
  type PutCondition,
  StoreFault,
  type UploadProgress,
  type UploadSource,
} from "./store.ts";

const PIECE_BYTES = 4 * 1024 * 1024;
/** A write takes milliseconds, so an older lock is from a process that is dead or paused. */
const LOCK_MS = 30_000;
const LOCK_ATTEMPTS = 50;
const LOCK_PAUSE_MS = 20;

/** Objects as files of a folder, in the same layout as in a bucket. */
export class FolderStore implements ObjectStore {
  /** @param place absolute path of a folder that exists */
  constructor(
    readonly place: string,
    private readonly clock: Clock,
  ) {}

  async get(key: string, maxBytes: number): Promise<{ bytes: Uint8Array; etag: string } | null> {
    return this.#explained(async () => {
      const path = join(this.place, key);
      const status = statSync(path, { throwIfNoEntry: false });
      if (!status) return null;
      if (status.size > maxBytes) throw new StoreFault("refused", `${path} is too large.`);
      const bytes = await readFile(path);
      return { bytes, etag: tagOf(bytes) };
    });
  }

  async read(key: string, at: number, length: number): Promise<Uint8Array> {
    return this.#explained(async () => {
      const handle = await open(join(this.place, key), "r");
      try {
        const bytes = Buffer.alloc(length);
        let done = 0;
        while (done < length) {
          const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
          if (bytesRead === 0) throw new StoreFault("missing", `${join(this.place, key)} is shorter than expected.`);
          done += bytesRead;
        }
        return bytes;
      } finally {
        await handle.close();
      }
    });
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const status = statSync(join(this.place, key), { throwIfNoEntry: false });
    return status?.isFile() ? { key, bytes: status.size, etag: "", modifiedAt: status.mtimeMs } : null;
  }

  async put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<string> {
    const path = join(this.place, key);
    return this.#explained(() =>
      this.#locked(path, bytes, async (content) => {
        if (condition) {
          const now = existsSync(path) ? tagOf(await readFile(path)) : null;
          const holds = "absent" in condition ? now === null : now === condition.etag;
          if (!holds) throw new StoreFault("conflict", `${path} was changed meanwhile.`);
        }
        await rename(content, path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT" && error.code !== "ESTALE") throw error;
          throw new StoreFault("conflict", `Another process has written ${path}.`, error);
        });
        await syncFolder(dirname(path));
        return tagOf(bytes);
      }),
    );
  }

  async upload(key: string, source: UploadSource, { signal }: UploadProgress): Promise<void> {
    await this.#explained(() =>
      this.#write(join(this.place, key), async (handle) => {
        for (let at = 0; at < source.bytes; ) {
          signal?.throwIfAborted();
          const piece = await source.read(at, Math.min(PIECE_BYTES, source.bytes - at));
          await handle.writeFile(piece);
          at += piece.length;
        }
      }),
    );
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const folder = join(this.place, prefix);
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder).sort()) {
      // What a killed process left is listed too, so that it can be deleted.
      const found = await this.head(`${prefix}${name}`);
      if (found) yield found;
    }
  }

  async delete(key: string): Promise<"deleted" | "kept"> {
    try {
      await rm(join(this.place, key), { force: true });
      return "deleted";
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPERM" || code === "EACCES" || code === "EROFS") return "kept";
      throw faultOf(this.place, error);
    }
  }

  close(): void {}

  /** Writes a file that appears under its name when it is complete and on the disk. */
  async #write(path: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const partial = `${path}.${randomBytes(6).toString("hex")}.part`;
    try {
      await writeSynced(partial, fill);
      await rename(partial, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  /**
   * Runs one write at a time, also across machines. The lock is a folder with the new content in it, and renaming a
   * folder to one that is not empty fails. A process that was paused so long that its lock was broken therefore does not
   * find its content when it continues, and cannot replace what was written since.
   * @param work gets the file with the content, to be moved to its place
   */
  async #locked<T>(path: string, bytes: Uint8Array, work: (content: string) => Promise<T>): Promise<T> {
    const lock = `${path}.lock`;
    const name = randomBytes(6).toString("hex");
    const staged = `${path}.${name}.part`;
    const content = join(lock, name);
    await mkdir(staged, { recursive: true, mode: 0o700 });
    try {
      await writeSynced(join(staged, name), async (handle) => void (await handle.writeFile(bytes)));
      for (let attempt = 1; ; attempt++) {
        const error = await rename(staged, lock).then(
          () => null,
          (problem: unknown) => problem,
        );
        if (error === null) break;
        const since = (await stat(lock).catch(() => null))?.mtimeMs;
        // File systems name this error differently. If there is no lock, either it has just ended or it is another one.
        if (since === undefined && !isTaken(error)) throw error;
        if (since !== undefined && Math.abs(this.clock.now() - since) > LOCK_MS) await breakLock(lock);
        if (attempt >= LOCK_ATTEMPTS) throw new StoreFault("conflict", `Another process is writing ${path}.`);
        await new Promise<void>((resolve) => this.clock.after(LOCK_PAUSE_MS, resolve));
      }
      return await work(content);
    } finally {
      await rm(staged, { recursive: true, force: true });
      await rm(content, { force: true }).catch(() => {});
      // Fails if another process has the lock.
      await rmdir(lock).catch(() => {});
    }
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw faultOf(this.place, error);
    }
  }
}

/** Removes the lock of a process that is dead or paused, with its content. */
async function breakLock(lock: string): Promise<void> {
  await rm(lock, { recursive: true, force: true }).catch(() => {});
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOTEMPTY" || code === "EEXIST";
}

async function writeSynced(path: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await fill(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function tagOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch {
    // Some file systems do not support syncing folders; they order renames themselves.
  } finally {
    await handle.close();
  }
}

function faultOf(place: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (error instanceof StoreFault || typeof code !== "string") return error;
  switch (code) {
    case "ENOENT":
      return new StoreFault("missing", `A file in ${place} is missing.`, error);
    case "ENOSPC":
    case "EDQUOT":
      return new StoreFault("refused", `The drive of ${place} is full.`, error);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new StoreFault("refused", `Postroom is not permitted to write to ${place} (${code}).`, error);
    default:
      return new StoreFault("unavailable", `${place} cannot be used (${code}).`, error);
  }
}
