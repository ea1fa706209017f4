import { ApiError } from "../../kernel/errors.ts";
import type { Content } from "../../mailbox/store/content-source.ts";
import type { BlobFiles, BlobName } from "../../platform/blobs/files.ts";
import type { Growth } from "../../platform/blobs/sealed-file.ts";
import { type ContentProgress, UNAVAILABLE } from "./messages.ts";

/**
 * A download in the mail worker, shared by all readers of the same bytes. It ends early when its last reader has left.
 */
export class ContentDownload implements Growth {
  written = 0;
  size: number | null = null;
  /** The size that the server announced. From then on bytes can flow. */
  #announced: number | null = null;
  #paths: readonly string[] = [];
  #error: ApiError | null = null;
  /** Readers that wait, hold content they have not read yet, or are reading. */
  #users = 0;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly files: BlobFiles,
    private readonly name: BlobName,
    private readonly abandoned: () => void,
  ) {}

  /** Resolves once the number of bytes is known. */
  async content(signal: AbortSignal | undefined): Promise<Content> {
    this.#users++;
    const wake = () => this.#wake();
    signal?.addEventListener("abort", wake);
    try {
      for (;;) {
        if (this.#error) throw this.#error;
        if (signal?.aborted) throw new ApiError("provider_unavailable", "The client closed the connection.");
        const size = this.size ?? this.#announced;
        if (size !== null) return this.#granted(size);
        await this.#next();
      }
    } catch (error) {
      this.#leave();
      throw error;
    } finally {
      signal?.removeEventListener("abort", wake);
    }
  }

  progress(message: ContentProgress): void {
    if (message.type === "begun") {
      this.#paths = message.paths;
      this.#announced = message.size;
    } else if (message.type === "written") this.written = message.written;
    else this.size = message.size;
    this.#wake();
  }

  fail(error: ApiError): void {
    if (this.size !== null) return;
    this.#error ??= error;
    this.#wake();
  }

  async changed(): Promise<void> {
    if (this.#error) throw this.#error;
    await this.#next();
    if (this.#error) throw this.#error;
  }

  #granted(size: number): Content {
    let unread = true;
    return {
      size,
      read: (start = 0, end = size) => {
        if (!unread) this.#users++;
        unread = false;
        return this.files.read(this.name, { paths: this.#paths, growth: this }, start, end, () => this.#leave());
      },
    };
  }

  #leave(): void {
    this.#users--;
    if (this.#users > 0 || this.size !== null || this.#error) return;
    this.#error = new ApiError("provider_unavailable", UNAVAILABLE);
    this.#wake();
    this.abandoned();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
