/** A message as a stream that records how far it was read. */
import { Readable } from "node:stream";

const CHUNK_BYTES = 32 * 1024;

/**
 * nodemailer starts to read this stream when the server has accepted DATA, and writes the final dot only after its end.
 * As long as `ended` is false, no server can have the whole message.
 */
export class MessageSource extends Readable {
  #bytes: Buffer;
  #at = 0;
  /** True when the server has accepted DATA. */
  begun = false;
  ended = false;

  /**
   * @param beforeEnd awaited once, when everything has been read and before the end is signaled: the last moment at
   * which no server can have the whole message. An error of it ends the stream instead.
   */
  constructor(
    raw: Uint8Array,
    private readonly beforeEnd: () => void | Promise<void> = () => {},
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    // Registered before the connection's own listener, which writes the dot.
    this.once("end", () => {
      this.ended = true;
    });
  }

  override _read(): void {
    this.begun = true;
    if (this.#at >= this.#bytes.length) {
      void this.#end();
      return;
    }
    const chunk = this.#bytes.subarray(this.#at, this.#at + CHUNK_BYTES);
    this.#at += chunk.length;
    this.push(chunk);
  }

  async #end(): Promise<void> {
    try {
      await this.beforeEnd();
    } catch (error) {
      // nodemailer writes into the error that it receives. SQLite's error does not allow that, and the failure would go
      // unnoticed.
      this.destroy(new Error((error as Error).message, { cause: error }));
      return;
    }
    // The connection may have ended while this waited.
    if (!this.destroyed) this.push(null);
  }
}
