import type { Value } from "./folder.ts";

const STRING_BYTES = 8;

/** Returns how many 8-byte strings, at any byte, occur more than once in these values. */
export function repeatedStrings(values: readonly Pick<Value, "bytes">[]): number {
  const windows = values.reduce((sum, { bytes }) => sum + Math.max(0, bytes.length - STRING_BYTES + 1), 0);
  const all = new BigUint64Array(windows);
  let filled = 0;
  for (const { bytes } of values) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + STRING_BYTES <= bytes.length; at++) all[filled++] = view.getBigUint64(at);
  }
  all.sort();
  let repeated = 0;
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1] && all[i] !== all[i - 2]) repeated++;
  return repeated;
}
