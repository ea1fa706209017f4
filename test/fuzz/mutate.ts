import { between, pick } from "../faults/campaign.ts";

/** Tokens that a format's parser may fail on: inserted at random places. */
export type Dictionary = readonly string[];

const MAX_CHANGES = 6;
const LONGEST_INPUT = 2_000_000;

/** Returns another input made from the given ones: a few random changes of bytes, ranges and words. */
export function mutate(random: () => number, seeds: readonly Uint8Array[], dictionary: Dictionary): Uint8Array {
  let bytes = Buffer.from(pick(random, seeds));
  const changes = between(random, 1, MAX_CHANGES + 1);
  for (let i = 0; i < changes && bytes.length < LONGEST_INPUT; i++) bytes = change(random, bytes, seeds, dictionary);
  return bytes.subarray(0, LONGEST_INPUT);
}

function change(
  random: () => number,
  bytes: Buffer<ArrayBuffer>,
  seeds: readonly Uint8Array[],
  dictionary: Dictionary,
): Buffer<ArrayBuffer> {
  const at = between(random, 0, bytes.length + 1);
  const length = Math.min(bytes.length - at, between(random, 1, random() < 0.8 ? 40 : 4_000));
  const piece = bytes.subarray(at, at + length);
  const put = (inserted: Uint8Array, over = 0) =>
    Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + over)]);
  switch (between(random, 0, 9)) {
    case 0: {
      const out = Buffer.from(bytes);
      if (at < out.length) out[at] = out[at]! ^ (1 << between(random, 0, 8));
      return out;
    }
    case 1:
      return put(Buffer.alloc(0), length);
    case 2:
      return put(piece);
    case 3:
      return put(Buffer.from(pick(random, dictionary)));
    case 4:
      return put(Buffer.from(pick(random, dictionary)), length);
    case 5: {
      const other = pick(random, seeds);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(between(random, 0, other.length + 1))]);
    }
    case 6:
      return Buffer.from(bytes.subarray(0, at));
    case 7:
      // Many of the same, nested or in a row.
      return put(
        Buffer.from(
          pick(random, dictionary)
            .repeat(between(random, 2, 2_000))
            .slice(0, 200_000),
        ),
      );
    default:
      return put(Buffer.from(Array.from({ length: between(random, 1, 60) }, () => between(random, 0, 256))), length);
  }
}
