import { posix } from "node:path";
import type { FileStatus, Files } from "./files.ts";
import { SFTP_STATUS, type SftpConnection, SftpRefusal } from "./sftp-connection.ts";
import { StoreFault } from "./store.ts";

/** Each server accepts pieces of this size (draft-ietf-secsh-filexfer-02 §3). */
const PIECE_BYTES = 32 * 1024;
/** Pieces on the way at the same time: 2 MiB in each round trip. */
const PIECES_AT_ONCE = 64;
/** With less space than this, a failed write counts as a full drive. */
const FULL_BYTES = 16 * 1024 * 1024;
const MOVE_ATTEMPTS = 5;
const REPLACES = "posix-rename@openssh.com";
const SYNCS = "fsync@openssh.com";

/** Files below a folder on a server, over one connection. */
export class SftpFiles implements Files {
  /** @param root absolute, or relative to the home folder @param place for people */
  constructor(
    readonly connection: SftpConnection,
    private readonly root: string,
    private readonly place: string,
  ) {}

  /** Checks that the folder exists, and that the server can replace a file in one step. @throws StoreFault */
  async check(): Promise<void> {
    if (!this.connection.offers(REPLACES)) {
      throw new StoreFault(
        "refused",
        `The server of ${this.place} cannot replace a file in one step (${REPLACES}), so copies there would not be safe. Use a server with OpenSSH.`,
      );
    }
    const found = await this.#ifThere("", () => this.connection.stat(this.root));
    if (!found) {
      const sentence = `There is no folder ${this.place}. Create it there, or correct the path (backup.to).`;
      throw new StoreFault("refused", sentence, undefined, "backup.to");
    }
    if (!found.isDirectory()) {
      const sentence = `${this.place} is not a folder. Correct the path (backup.to).`;
      throw new StoreFault("refused", sentence, undefined, "backup.to");
    }
  }

  nameOf(path: string): string {
    return path === "" ? this.place : `${this.place.replace(/\/$/, "")}/${path}`;
  }

  async stat(path: string): Promise<FileStatus | null> {
    const found = await this.#ifThere(path, () => this.connection.stat(this.#at(path)));
    return found && { bytes: found.size, modifiedAt: found.mtime * 1000, isFolder: found.isDirectory() };
  }

  async readWhole(path: string, maxBytes: number): Promise<Uint8Array | null> {
    const handle = await this.#ifThere(path, () => this.connection.open(this.#at(path), "r"));
    if (!handle) return null;
    return this.#closing(handle, path, async () => {
      const { size } = await this.connection.fstat(handle);
      if (size > maxBytes) throw new StoreFault("refused", `${this.nameOf(path)} is too large.`);
      return this.#readFrom(handle, path, 0, size);
    });
  }

  async read(path: string, at: number, length: number): Promise<Uint8Array> {
    const handle = await this.#ifThere(path, () => this.connection.open(this.#at(path), "r"));
    if (!handle) throw new StoreFault("missing", `${this.nameOf(path)} is missing.`);
    return this.#closing(handle, path, () => this.#readFrom(handle, path, at, length));
  }

  async create(path: string, bytes: Uint8Array): Promise<void> {
    await this.write(path, bytes, 0);
  }

  /** Writes bytes at a position, and waits until they are on the drive. The file is created for position 0. */
  async write(path: string, bytes: Uint8Array, at: number): Promise<void> {
    const handle = at === 0 ? await this.#createFile(path) : await this.#openFile(path);
    await this.#closing(handle, path, async () => {
      await this.#writeTo(handle, bytes, at);
      if (this.connection.offers(SYNCS)) await this.connection.fsync(handle);
    });
  }

  async move(from: string, to: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.connection.rename(this.#at(from), this.#at(to));
        return true;
      } catch (error) {
        if (!(error instanceof SftpRefusal)) throw error;
        if (error.status === SFTP_STATUS.noSuchFile) return false;
        // The protocol has one status for most failures. A folder that is in the way is the expected one.
        if (error.status !== SFTP_STATUS.failure) throw await this.#explained(to, error);
        if ((await this.stat(to))?.isFolder || !(await this.stat(from))) return false;
        // Another writer may have removed the folder between the two requests.
        if (attempt >= MOVE_ATTEMPTS) throw await this.#explained(to, error);
      }
    }
  }

  async names(path: string): Promise<string[] | null> {
    const entries = await this.entries(path);
    return entries?.map(({ name }) => name) ?? null;
  }

  /** Returns the names in a folder with their states, sorted; null if there is no such folder. */
  async entries(path: string): Promise<(FileStatus & { name: string })[] | null> {
    const found = await this.#ifThere(path, () => this.connection.list(this.#at(path)));
    return (
      found
        ?.filter(({ filename }) => filename !== "." && filename !== "..")
        .map(({ filename: name, attrs }) => ({
          name,
          bytes: attrs.size,
          modifiedAt: attrs.mtime * 1000,
          isFolder: attrs.isDirectory(),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)) ?? null
    );
  }

  async remove(path: string): Promise<boolean> {
    try {
      await this.connection.unlink(this.#at(path));
      return true;
    } catch (error) {
      if (!(error instanceof SftpRefusal)) throw error;
      if (error.status === SFTP_STATUS.noSuchFile) return true;
      if (error.status === SFTP_STATUS.permissionDenied) return false;
      // Locked files are refused with this status, too.
      if (error.status === SFTP_STATUS.failure) return (await this.stat(path)) === null;
      throw await this.#explained(path, error);
    }
  }

  async removeFolder(path: string): Promise<void> {
    try {
      await this.connection.rmdir(this.#at(path));
    } catch (error) {
      if (!(error instanceof SftpRefusal)) throw error;
    }
  }

  #at(path: string): string {
    return posix.join(this.root, path);
  }

  async #createFile(path: string): Promise<Buffer> {
    const open = () => this.connection.open(this.#at(path), "wx");
    const handle = await this.#ifThere(path, open);
    if (handle) return handle;
    await this.#makeFolders(posix.dirname(path));
    return this.#required(path, open);
  }

  async #openFile(path: string): Promise<Buffer> {
    const handle = await this.#ifThere(path, () => this.connection.open(this.#at(path), "r+"));
    if (handle) return handle;
    throw new StoreFault("missing", `${this.nameOf(path)} is missing.`);
  }

  async #makeFolders(path: string): Promise<void> {
    const parts = path.split("/");
    for (let i = 1; i <= parts.length; i++) {
      const folder = parts.slice(0, i).join("/");
      try {
        await this.connection.mkdir(this.#at(folder));
      } catch (error) {
        if (!(error instanceof SftpRefusal)) throw error;
        if (!(await this.stat(folder))?.isFolder) throw await this.#explained(folder, error);
      }
    }
  }

  async #readFrom(handle: Buffer, path: string, at: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length);
    await inPieces(length, async (from, size) => {
      for (let done = 0; done < size; ) {
        const count = await this.connection
          .read(handle, bytes, from + done, size - done, at + from + done)
          .catch((error) =>
            error instanceof SftpRefusal && error.status === SFTP_STATUS.eof ? 0 : Promise.reject(error),
          );
        if (count === 0) throw new StoreFault("missing", `${this.nameOf(path)} is shorter than expected.`);
        done += count;
      }
    });
    return bytes;
  }

  async #writeTo(handle: Buffer, bytes: Uint8Array, at: number): Promise<void> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await inPieces(buffer.length, (from, size) => this.connection.write(handle, buffer, from, size, at + from));
  }

  async #closing<T>(handle: Buffer, path: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.connection.closeHandle(handle);
      return result;
    } catch (error) {
      this.connection.closeHandle(handle).catch(() => {});
      throw error instanceof SftpRefusal ? await this.#explained(path, error) : error;
    }
  }

  /** @returns null for "no such file" */
  async #ifThere<T>(path: string, ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof SftpRefusal)) throw error;
      if (error.status === SFTP_STATUS.noSuchFile) return null;
      throw await this.#explained(path, error);
    }
  }

  async #required<T>(path: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw error instanceof SftpRefusal ? await this.#explained(path, error) : error;
    }
  }

  async #explained(path: string, refusal: SftpRefusal): Promise<StoreFault> {
    const name = this.nameOf(path);
    switch (refusal.status) {
      case SFTP_STATUS.noSuchFile:
        return new StoreFault("missing", `${name} is missing.`, refusal);
      case SFTP_STATUS.permissionDenied:
        return new StoreFault(
          "refused",
          `The user of ${this.place} has no permission for ${name}.`,
          refusal,
          "backup.to",
        );
      case SFTP_STATUS.unsupported:
        return new StoreFault(
          "refused",
          `The server of ${this.place} lacks a request of SFTP (${refusal.message}).`,
          refusal,
        );
    }
    const free = await this.connection.freeBytes(this.root).catch(() => null);
    if (free !== null && free < FULL_BYTES)
      return new StoreFault("refused", `The drive of ${this.place} is full.`, refusal);
    const more = refusal.status === SFTP_STATUS.failure ? " The quota of the user may be used up." : "";
    return new StoreFault(
      "unavailable",
      `The server refused a request for ${name} (${refusal.message}).${more}`,
      refusal,
    );
  }
}

/** Runs a request for each piece, several at a time, and waits for all of them even if one fails. */
async function inPieces(length: number, work: (from: number, size: number) => Promise<void>): Promise<void> {
  let next = 0;
  let failed = false;
  const run = async () => {
    while (next < length && !failed) {
      const from = next;
      next += PIECE_BYTES;
      await work(from, Math.min(PIECE_BYTES, length - from)).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const runs = Array.from({ length: PIECES_AT_ONCE }, run);
  for (const { status, ...rest } of await Promise.allSettled(runs)) {
    if (status === "rejected") throw (rest as PromiseRejectedResult).reason;
  }
}
