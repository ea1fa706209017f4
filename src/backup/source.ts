import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { UserError } from "../kernel/errors.ts";

/** A backup whose bytes can be read: a file, or an object elsewhere. */
export interface BackupSource {
  /** For messages: the path of the file or the name of the object. */
  readonly path: string;
  /** Id of the backup that must be in it; absent: any. */
  readonly id?: string;
  readonly bytes: number;
  open(): Promise<SourceReader>;
}

export interface SourceReader {
  /** Returns `length` bytes from `at`, or fewer at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** Called when the last byte was read. @throws UserError if the bytes are not the expected ones */
  finish?(): void;
  close(): Promise<void>;
}

/** Returns the source of a path. @throws UserError if there is no such file */
export function sourceOf(from: string | BackupSource): BackupSource {
  if (typeof from !== "string") return from;
  if (!existsSync(from)) throw new UserError(`There is no file ${from}.`);
  return { path: from, bytes: statSync(from).size, open: () => fileReader(from) };
}

async function fileReader(path: string): Promise<SourceReader> {
  const handle = await open(path, "r");
  return {
    async read(at, length) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      return new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead);
    },
    close: () => handle.close(),
  };
}
