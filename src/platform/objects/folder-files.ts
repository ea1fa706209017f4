import { readdirSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStatus, Files } from "./files.ts";
import { StoreFault } from "./store.ts";

/** Files below a folder of this machine. */
export class FolderFiles implements Files {
  /** @param root absolute path */
  constructor(private readonly root: string) {}

  nameOf(path: string): string {
    return join(this.root, path);
  }

  stat(path: string): Promise<FileStatus | null> {
    return this.#explained(async () => {
      const status = statSync(this.nameOf(path), { throwIfNoEntry: false });
      return status ? { bytes: status.size, modifiedAt: status.mtimeMs, isFolder: !status.isFile() } : null;
    });
  }

  readWhole(path: string, maxBytes: number): Promise<Uint8Array | null> {
    return this.#explained(async () => {
      const name = this.nameOf(path);
      const status = statSync(name, { throwIfNoEntry: false });
      if (!status) return null;
      if (status.size > maxBytes) throw new StoreFault("refused", `${name} is too large.`);
      return readFile(name);
    });
  }

  read(path: string, at: number, length: number): Promise<Uint8Array> {
    return this.#explained(async () => {
      const handle = await open(this.nameOf(path), "r");
      try {
        const bytes = Buffer.alloc(length);
        let done = 0;
        while (done < length) {
          const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
          if (bytesRead === 0) throw new StoreFault("missing", `${this.nameOf(path)} is shorter than expected.`);
          done += bytesRead;
        }
        return bytes;
      } finally {
        await handle.close();
      }
    });
  }

  create(path: string, bytes: Uint8Array): Promise<void> {
    return this.fill(path, async (handle) => void (await handle.writeFile(bytes)));
  }

  /** Creates a file with the content that `write` writes. If that fails, nothing remains. */
  fill(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
    return this.#explained(async () => {
      const name = this.nameOf(path);
      await mkdir(dirname(name), { recursive: true, mode: 0o700 });
      try {
        const handle = await open(name, "wx", 0o600);
        try {
          await write(handle);
          await handle.sync();
        } finally {
          await handle.close();
        }
      } catch (error) {
        await rm(name, { force: true });
        throw error;
      }
    });
  }

  move(from: string, to: string): Promise<boolean> {
    return this.#explained(async () => {
      try {
        await rename(this.nameOf(from), this.nameOf(to));
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (/^(ENOENT|ENOTEMPTY|EEXIST)$/.test(code)) return false;
        throw error;
      }
      await syncFolder(dirname(this.nameOf(to)));
      return true;
    });
  }

  names(path: string): Promise<string[] | null> {
    return this.#explained(async () => {
      try {
        return readdirSync(this.nameOf(path)).sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    });
  }

  remove(path: string): Promise<boolean> {
    return this.#explained(async () => {
      try {
        await rm(this.nameOf(path), { force: true });
        return true;
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (/^(EPERM|EACCES|EROFS)$/.test(code)) return false;
        throw error;
      }
    });
  }

  async removeFolder(path: string): Promise<void> {
    await rmdir(this.nameOf(path)).catch(() => {});
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw faultOf(this.root, error);
    }
  }
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
