import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { UserError } from "../../kernel/errors.ts";
import { Expansion } from "./expansion.ts";
import type { ArchiveFile } from "./random-bytes.ts";

/** Yields the bytes of a gzip stream (RFC 1952). @throws UserError if it is damaged or expands to too much */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, packedBytes: number): AsyncGenerator<Uint8Array> {
  const expansion = new Expansion(packedBytes);
  const source = Readable.from(chunks, { objectMode: false });
  const expanded = createGunzip();
  source.on("error", (error) => expanded.destroy(error));
  try {
    for await (const chunk of source.pipe(expanded) as AsyncIterable<Buffer>) {
      expansion.add(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw isOfZlib(error)
      ? new UserError("The compressed file is incomplete or damaged. Download or create it again.")
      : error;
  } finally {
    source.destroy();
    expanded.destroy();
  }
}

/** Returns whether bytes begin a tar archive (POSIX ustar or GNU). @param head at least 262 bytes */
export function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString("latin1") === "ustar";
}

/** Yields the regular files of a tar archive in order. @throws UserError if it is damaged or a name is unsafe */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveFile> {
  const archive = extract();
  const source = Readable.from(chunks, { objectMode: false });
  source.on("error", (error) => archive.destroy(error));
  source.pipe(archive as unknown as NodeJS.WritableStream);
  try {
    for await (const entry of archive) {
      const { name, type, mtime } = entry.header;
      if (type === "file" || type === "contiguous-file") {
        if (isUnsafe(name)) throw new UserError("The archive has a file with an unsafe name, outside of its folder.");
        yield { name: name.replace(/^(\.\/)+/, ""), modifiedAt: mtime?.getTime() ?? null, open: () => bytesOf(entry) };
      }
      entry.resume();
    }
  } catch (error) {
    throw refusal(error);
  } finally {
    source.destroy();
    archive.destroy();
  }
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of entry) yield chunk as Uint8Array;
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): unknown {
  if (!isOfTar(error)) return error;
  return new UserError("The archive is incomplete or damaged. Download or create it again.");
}

function isUnsafe(name: string): boolean {
  return name.startsWith("/") || /^[a-zA-Z]:/.test(name) || name.split(/[/\\]/).includes("..");
}

function isOfZlib(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith("Z_");
}

/** The library has no error codes. */
function isOfTar(error: unknown): boolean {
  return error instanceof Error && /^(Invalid (tar )?header|Header exceeds|Unexpected end of data)/.test(error.message);
}
