import { createHash, type Hash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { UserError } from "../../kernel/errors.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import { type HubFile, type NoteRequest, requestTo } from "./hub.ts";

const MAX_BYTES = 4_000_000_000;
const READ_BYTES = 1024 * 1024;

/** A file that was downloaded. */
export interface DownloadedFile {
  name: string;
  bytes: number;
  sha256: string;
}

export interface DownloadOptions {
  url: string;
  path: string;
  file: HubFile;
  note: NoteRequest;
  progress: (done: number, total: number) => void;
}

/** A download that the next call continues. */
export class Interrupted extends UserError {}

/** Returns the size of a file as the hub announces it. */
export const sizeOf = ({ size, lfs }: HubFile): number => lfs?.size ?? size ?? 0;

/**
 * Downloads a file, and checks its size and hash against the hub's description. An earlier part of it is kept and the
 * rest requested (RFC 9110, section 14.2). A file that differs is deleted; one that was interrupted is not.
 * @throws UserError
 */
export async function downloadFile({ url, path, file, note, progress }: DownloadOptions): Promise<DownloadedFile> {
  const { rfilename: name, lfs, blobId } = file;
  const total = Math.min(sizeOf(file), MAX_BYTES);
  const digest = new FileDigest(total);
  let bytes = existsSync(path) ? digest.read(path) : 0;
  if (bytes > total) bytes = restart(path, digest);
  if (bytes < total || total === 0) bytes = await fetchRest({ url, path, file, note, progress }, digest, bytes);
  else progress(bytes, total);
  const { sha256, git } = digest.end();
  if (bytes === total && (lfs ? lfs.sha256 === sha256 : blobId === git)) return { name, bytes, sha256 };
  rmSync(path, { force: true });
  throw new UserError(`The hash of ${name} differs from the hash that the hub announced. The file was deleted.`);
}

/** Appends what is missing of a file. @returns its size */
async function fetchRest(
  { url, path, file: { rfilename, ...file }, note, progress }: DownloadOptions,
  digest: FileDigest,
  from: number,
): Promise<number> {
  const total = sizeOf({ rfilename, ...file });
  const { response, end } = await requestTo(url, note, from > 0 ? { range: `bytes=${from}-` } : {});
  if (!response.ok || !response.body) {
    end({ result: "refused", bytes_in: 0 });
    throw new UserError(`The hub returned status ${response.status} for ${url}.`);
  }
  const isRest = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${from}-`);
  let bytes = from > 0 && !isRest ? restart(path, digest) : from;
  const start = bytes;
  const out = openSync(path, "a", 0o600);
  let result = "failed";
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > Math.min(total, MAX_BYTES)) {
        rmSync(path, { force: true });
        throw new UserError(`${rfilename} is larger than the hub announced. The file was deleted.`);
      }
      digest.add(chunk);
      writeAll(out, chunk);
      progress(bytes, total);
    }
    fsyncSync(out);
    if (bytes === total) result = "ok";
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isDiskFull(error)) throw new Interrupted(`The disk is full. Free some space, then ${CONTINUE}`);
    throw new Interrupted(
      `The download of ${rfilename} was interrupted: ${(error as Error).message} To go on, ${CONTINUE}`,
    );
  } finally {
    closeSync(out);
    end({ result, bytes_in: bytes - start });
  }
  if (bytes < total) throw new Interrupted(`The download of ${rfilename} ended early. To go on, ${CONTINUE}`);
  return bytes;
}

const CONTINUE = "run the command again. It keeps what was downloaded.";

/** Begins a file again, because what exists of it is not the beginning. @returns its size */
function restart(path: string, digest: FileDigest): number {
  rmSync(path, { force: true });
  digest.reset();
  return 0;
}

function writeAll(out: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(out, chunk, at);
}

/** Both hashes of a file: SHA-256, and the one of its git object. */
class FileDigest {
  #sha256!: Hash;
  #git!: Hash;

  constructor(private readonly total: number) {
    this.reset();
  }

  reset(): void {
    this.#sha256 = createHash("sha256");
    this.#git = createHash("sha1").update(`blob ${this.total}\0`);
  }

  add(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    this.#git.update(chunk);
  }

  /** Adds a file. @returns its size */
  read(path: string): number {
    const { size } = statSync(path);
    const buffer = new Uint8Array(READ_BYTES);
    const file = openSync(path, "r");
    try {
      for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
        this.add(buffer.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
    return size;
  }

  end(): { sha256: string; git: string } {
    return { sha256: this.#sha256.digest("hex"), git: this.#git.digest("hex") };
  }
}
