/** A message as a stream that knows how far it was read. */
import { Readable } from "node:stream";

const CHUNK_BYTES = 32 * 1024;

/**
 * nodemailer begins to read it when the server took DATA, and writes the final dot only after its end: as long as
 * `ended` is false, no server can have the whole message.
 */
export class MessageSource extends Readable {
  #bytes: Buffer;
  #at = 0;
  /** The server took DATA. */
  begun = false;
  ended = false;

  /**
   * @param beforeEnd called once, when all has been read and before the end is told: the last moment at which no server can
   * have the whole message. What it throws ends the stream instead.
   */
  constructor(
    raw: Uint8Array,
    private readonly beforeEnd: () => void = () => {},
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    // Before any listener of the connection's, which writes the dot.
    this.once("end", () => {
      this.ended = true;
    });
  }

  override _read(): void {
    this.begun = true;
    if (this.#at >= this.#bytes.length) {
      try {
        this.beforeEnd();
      } catch (error) {
        // nodemailer writes into the error that it is given; SQLite's does not let it, and then nobody hears of the end.
        this.destroy(new Error((error as Error).message, { cause: error }));
        return;
      }
      this.push(null);
      return;
    }
    const chunk = this.#bytes.subarray(this.#at, this.#at + CHUNK_BYTES);
    this.#at += chunk.length;
    this.push(chunk);
  }
}
