import { once } from "node:events";
import { extract, type Pack, pack } from "tar-stream";

/*
 * The encrypted content is a tar archive (POSIX pax), in this order: head.json, keys.json, schema.json, files/…,
 * tables/<name>/<number>.zst, manifest.jsonl.
 */

/** Writes a tar archive that is read at the same time: adding an entry waits until the reader has read it. */
export class ContainerWriter {
  readonly #pack: Pack = pack();

  /** @param at Unix time of all entries, ms */
  constructor(private readonly at: number) {
    // Writers and readers receive every failure. This listener only prevents an uncaught error.
    this.#pack.on("error", () => {});
  }

  /** Returns the archive as a stream. Read it to the end, or cancel it, which makes adding fail. */
  stream(): ReadableStream<Uint8Array> {
    const chunks = this.#pack[Symbol.asyncIterator]();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(new Uint8Array(value as Buffer));
        },
        cancel: () => this.abort(new Error("The reader of the archive stopped.")),
      },
      { highWaterMark: 0 },
    );
  }

  /** Adds a file. Resolves when the reader has taken it. */
  add(name: string, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = this.#pack.entry(this.#header(name, bytes.length), Buffer.from(bytes), (error) =>
        error ? reject(error) : resolve(),
      );
      entry.on("error", () => {});
    });
  }

  /** Adds a file from a stream. @param chunks `size` bytes in total */
  async addStream(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let entry: ReturnType<Pack["entry"]> | undefined;
    const ended = new Promise<void>((resolve, reject) => {
      entry = this.#pack.entry(this.#header(name, size), (error) => (error ? reject(error) : resolve()));
    });
    // The waits below receive the failure, too.
    ended.catch(() => {});
    entry!.on("error", () => {});
    try {
      for await (const chunk of chunks) {
        if (!entry!.write(Buffer.from(chunk))) await Promise.race([once(entry!, "drain"), ended]);
      }
      entry!.end(null);
    } catch (error) {
      entry!.destroy(error as Error);
      throw error;
    }
    await ended;
  }

  /** Ends the archive. */
  end(): void {
    this.#pack.finalize();
  }

  /** Makes the stream and all pending calls fail with `error`. */
  abort(error: Error): void {
    this.#pack.destroy(error);
  }

  #header(name: string, size: number) {
    return { name, size, mode: 0o600, mtime: new Date(this.at), type: "file" as const };
  }
}

/** A file of the archive. Read its bytes before the next entry is requested; unread bytes are skipped. */
export interface ContainerEntry {
  name: string;
  size: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** Yields the files of a tar archive in order, until the whole stream is read. @throws what the stream throws */
export async function* readContainer(plain: ReadableStream<Uint8Array>): AsyncGenerator<ContainerEntry> {
  const into = extract();
  into.on("error", () => {});
  const closed = once(into, "close").catch(() => {});
  const stop = new Error("The reader of the archive stopped.");
  const fill = async () => {
    try {
      for await (const chunk of plain) {
        if (!into.write(Buffer.from(chunk))) await Promise.race([once(into, "drain"), closed]);
        if (into.destroyed) return;
      }
      into.end(null);
    } catch (error) {
      into.destroy(error as Error);
      throw error;
    }
  };
  const filling = fill();
  filling.catch(() => {});
  try {
    for await (const entry of into) {
      yield { name: entry.header.name, size: entry.header.size ?? 0, chunks: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
    await filling;
  } finally {
    into.destroy(stop);
  }
}

/** Reads all bytes of an entry. @throws Error if the entry is shorter than its header says */
export async function entryBytes({ size, chunks }: ContainerEntry): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at !== size) throw new Error("An entry of the archive is shorter than announced.");
  return bytes;
}
