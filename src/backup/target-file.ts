import { readdirSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { isDiskFull } from "../platform/disk-full.ts";
import { isAlive } from "./processes.ts";

const WRITE_BYTES = 1024 * 1024;

/**
 * A file that appears under its name only when it is complete and on disk. Until then, its bytes are in
 * `<name>.<process>.part` next to it. The next attempt deletes what a killed process left.
 */
export class TargetFile {
  #bytes = 0;
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  private constructor(
    readonly path: string,
    readonly partial: string,
    private readonly handle: FileHandle,
  ) {}

  /** Creates the partial file. @throws UserError if the folder is missing, or the file exists and `replace` is false */
  static async create(path: string, replace = false): Promise<TargetFile> {
    const folder = dirname(resolve(path));
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new UserError(`${path} is a folder. Name a file in it.`);
    if (existing && !replace) throw new UserError(`${path} already exists. Choose another name.`);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UserError(`There is no folder ${folder} for ${basename(path)}.`);
    }
    removeRemains(folder, basename(path));
    const partial = `${path}.${process.pid}.part`;
    // Removes the file of an earlier process with the same number (the first in a container always has the same), or a
    // link planted by someone else.
    rmSync(partial, { force: true });
    return new TargetFile(path, partial, await open(partial, "wx", 0o600));
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends bytes. @throws UserError if the disk is full */
  async write(chunk: Uint8Array): Promise<void> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    this.#bytes += chunk.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
  }

  /** Waits for the disk, then gives the file its name. @throws UserError if the disk is full */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#orFull(() => this.handle.sync());
    await this.handle.close();
    await rename(this.partial, this.path);
    await syncFolder(dirname(resolve(this.path)));
  }

  /** Deletes the partial file. Harmless after `finish`. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => {});
    rmSync(this.partial, { force: true });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending.splice(0));
    this.#pendingBytes = 0;
    await this.#orFull(async () => {
      for (let at = 0; at < bytes.length; ) at += (await this.handle.write(bytes, at)).bytesWritten;
    });
  }

  async #orFull(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      const mebibytes = Math.floor(this.#bytes / 1024 / 1024);
      throw new UserError(`The disk of ${this.path} is full after ${mebibytes} MiB. The partial file was deleted.`);
    }
  }
}

/** Makes renames in this folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch {
    // Some file systems do not support syncing folders; they order renames themselves.
  } finally {
    await handle.close();
  }
}

/** Removes partial files of dead processes. */
function removeRemains(folder: string, name: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = entry.startsWith(`${name}.`) ? /^(\d+)\.part$/.exec(entry.slice(name.length + 1))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, entry), { force: true });
  }
}
