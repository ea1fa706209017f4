/**
 * Reads text parts that are too long to keep in full, piece by piece: transfer encoding, charset, then the visible
 * text.
 */
import { decodeText, labelFor } from "../charset/charset.ts";
import { HtmlSkimmer, PlainSkimmer, type SkimLimits, type Skimmed, type Skimmer } from "../html/skim.ts";
import { declaredInside, encodingOf } from "./message-text.ts";
import { transferDecoder } from "./transfer.ts";

/** Pictures inside the HTML of one part may take this many times the space of its text. */
const DATA_PER_TEXT = 4;
/** Bytes of text in a charset that cannot be decoded piece by piece; any more is cut. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

/** Returns the limits for a part of which at most `bytes` of text are kept. */
export function skimLimits(bytes: number): SkimLimits {
  return { text: bytes, data: bytes * DATA_PER_TEXT };
}

export interface LongPart {
  mime: string;
  charset: string | null;
  encoding: string;
}

/** Reads one part. Its memory is bounded by the limits, regardless of the part's length. */
export class LongPartReader {
  readonly #skimmer: Skimmer;
  readonly #decoder: ReturnType<typeof transferDecoder>;
  readonly #charset: string | null;
  #text: TextDecoder | null = null;
  readonly #ascii = new TextDecoder("latin1");
  /** Bytes in a charset that is decoded as a whole; null when decoding piece by piece. */
  #whole: Uint8Array[] | null = null;
  #wholeLength = 0;
  #cut = false;

  /** @param beginning the first bytes as they are in the message; they must also be passed to `write` */
  constructor(part: LongPart, beginning: Uint8Array, limits: SkimLimits) {
    this.#skimmer = part.mime === "text/html" ? new HtmlSkimmer(limits) : new PlainSkimmer(limits);
    const sample = { ...part, bytes: beginning };
    this.#decoder = transferDecoder(encodingOf(sample));
    this.#charset = part.charset ?? declaredInside(sample);
  }

  /** True when nothing more can be kept, so that the rest need not be read. */
  get full(): boolean {
    return this.#skimmer.full || this.#cut;
  }

  write(encoded: Uint8Array): void {
    this.#decoded(this.#decoder ? this.#decoder.push(encoded) : encoded);
  }

  /** @param cut the part is longer than the written bytes */
  end(cut: boolean): Skimmed {
    if (this.#decoder && !cut) this.#decoded(this.#decoder.end());
    if (this.#whole) {
      this.#skimmer.write(decodeText(Buffer.concat(this.#whole), this.#charset, cut || this.#cut));
    } else if (!cut && this.#text) this.#skimmer.write(this.#text.decode());
    const skimmed = this.#skimmer.end();
    return {
      text: skimmed.text.replace(/[\uD800-\uDBFF]$/, ""),
      cut: skimmed.cut || cut || this.#cut,
    };
  }

  #decoded(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (!this.#whole && !this.#text) this.#choose(labelFor(bytes, this.#charset));
    if (this.#whole) this.#keepWhole(bytes);
    // Only ASCII so far: later bytes may decide the charset.
    else this.#skimmer.write(this.#text?.decode(bytes, { stream: true }) ?? this.#ascii.decode(bytes));
  }

  #choose(label: string | null): void {
    if (label === null) this.#whole = [];
    else if (label !== "ascii") this.#text = new TextDecoder(label);
  }

  #keepWhole(bytes: Uint8Array): void {
    const space = MAX_WHOLE_BYTES - this.#wholeLength;
    if (bytes.length > space) this.#cut = true;
    this.#whole!.push(bytes.slice(0, space));
    this.#wholeLength += Math.min(bytes.length, space);
  }
}
