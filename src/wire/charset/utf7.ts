/** Decodes UTF-7 (RFC 2152), which only old mail uses and TextDecoder does not support. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/**
 * Decodes UTF-7: "+" begins UTF-16 in base64, which ends at the first letter outside the alphabet; a "-" there is
 * dropped. Runs in linear time.
 */
export function decodeUtf7(text: string): string {
  let out = "";
  let done = 0;
  for (let plus = text.indexOf("+"); plus >= 0; plus = text.indexOf("+", done)) {
    out += text.slice(done, plus);
    let at = plus + 1;
    let bits = 0;
    let count = 0;
    for (; at < text.length; at++) {
      const value = VALUES[text.charCodeAt(at)] ?? -1;
      if (value < 0) break;
      bits = ((bits << 6) | value) & 0x3fffff;
      count += 6;
      if (count >= 16) {
        count -= 16;
        out += String.fromCharCode((bits >> count) & 0xffff);
      }
    }
    // "+-" encodes a plus sign; a lone "+" was left unencoded.
    if (at === plus + 1) out += "+";
    done = text[at] === "-" ? at + 1 : at;
  }
  return out + text.slice(done);
}
