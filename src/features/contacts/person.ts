import { isAscii } from "node:buffer";

/** Returns the letters of a name as addresses spell them: without accents, in lower case. */
function plain(text: string): string {
  // Most names are ASCII, and a search compares all of the user's names.
  if (isAscii(Buffer.from(text))) return text.toLowerCase();
  return text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("æ", "ae")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
}

/** Spells "Müller" as "mueller", the other common German form in addresses. */
const withUmlauts = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("å", "aa");

/** Turns "Lee, Ann (Sales)" into "Ann Lee". */
function ordered(name: string): string {
  const bare = name.replace(/\([^()]*\)|\[[^[\]]*\]/g, " ").replace(/["']/g, "");
  const [last, first, ...more] = bare.split(",");
  return first !== undefined && more.length === 0 ? `${first} ${last}` : bare;
}

const wordsOf = (name: string) => name.split(/[^\p{L}]+/u).filter((word) => word !== "");

/** Returns the local parts that a first and a last name can form, without separators. */
function spellings(first: string, last: string): string[] {
  return [first + last, last + first, first[0] + last, last + first[0], first + last[0]];
}

const LONGEST_NAME_CHARS = 200;

/**
 * Returns the key by which addresses of one person are recognized: the name, if the address is derived from it ("Ann
 * Lee" with ann.lee@work.example or alee@home.example). Pure.
 * @returns null if the address is not derived from the name, because many people share a name
 */
export function personKey(name: string, email: string): string | null {
  const given = ordered(name.slice(0, LONGEST_NAME_CHARS));
  const words = wordsOf(plain(given));
  if (words.length < 2) return null;
  const local = plain(email.slice(0, Math.max(0, email.lastIndexOf("@"))))
    .replace(/\+.*$/, "")
    .replace(/[^\p{L}]/gu, "");
  const variants = [words, wordsOf(plain(withUmlauts(given)))];
  const fits = variants.some((variant) => {
    const [first, last] = [variant[0]!, variant.at(-1)!];
    return last.length > 1 && [...spellings(first, last), variant.join("")].includes(local);
  });
  return fits ? `${words[0]} ${words.at(-1)}` : null;
}

/** Normalizes text for searches: without case and accents. */
export function searchable(text: string): string {
  return plain(text);
}

/** Returns the name that a header gives, cleaned up; "" if it only repeats the address. */
export function givenName(name: string, email: string): string {
  const tidy = name
    .slice(0, 2 * LONGEST_NAME_CHARS)
    .replace(/\s+/g, " ")
    .replace(/^["'\s]+|["'\s]+$/g, "")
    .slice(0, LONGEST_NAME_CHARS);
  return tidy.toLowerCase() === email.toLowerCase() ? "" : tidy;
}
