/**
 * Ways in which a text can say something without spelling it: other characters that look or count the same, blanks between
 * the letters, backwards, base64, hexadecimal. What must not be told is looked for in all of them.
 */

/** One spelling of characters that mean the same: "Ｅ", "𝐞" and "e" look alike to a reader, and "٣" is "3" to a bank. */
export function sameCharacters(text: string): string {
  return text.normalize("NFKC").replace(/(?![0-9])\p{Nd}/gu, digitOf);
}

/** Decimal digits come in runs of ten that begin at their zero (Unicode, 4.6). */
function digitOf(char: string): string {
  const code = char.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Letters and digits alone, lower case. */
export function squashed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const SHORTEST_RUN_CHARS = 8;
const BASE64_RUN = new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST_RUN_CHARS},}`, "g");
const HEX_RUN = /(?:[0-9a-f]{2}[\s:,-]?){4,}/gi;

/** All that a text says in these ways, squashed, one reading per entry. */
export function readings(text: string): string[] {
  const plain = squashed(text);
  const base64 = (text.match(BASE64_RUN) ?? []).map((run) => Buffer.from(run, "base64url").toString());
  const hex = (text.match(HEX_RUN) ?? []).map((run) => Buffer.from(run.replace(/[^0-9a-f]/gi, ""), "hex").toString());
  return [plain, [...plain].reverse().join(""), ...[...base64, ...hex].map(squashed)];
}
