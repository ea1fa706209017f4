import { UserError } from "../../kernel/errors.ts";

/** Mail expands about 3-fold, and mail with long runs of equal bytes about 50-fold. Deflate reaches 1032-fold. */
const LARGEST_RATIO = 200;
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024;

/** Limits how much an archive can expand, all of its files together. */
export class Expansion {
  #bytes = 0;

  /** @param packedBytes size of the archive */
  constructor(private readonly packedBytes: number) {}

  /** Counts expanded bytes. @throws UserError if the archive expands to far more than mail can */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= ALWAYS_ALLOWED_BYTES + LARGEST_RATIO * this.packedBytes) return;
    throw new UserError(
      `The archive expands to more than ${LARGEST_RATIO} times its size, which mail does not. It was not read any further.`,
    );
  }
}
