import { isAscii } from "node:buffer";

/** Letters of a name as addresses spell them: no accents, lower case. */
function plain(text: string): string {
  // Most are ASCII, and a search compares all names that there are.
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

/** "Müller" as "mueller": the other way in which German writes addresses. */
const withUmlauts = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("å", "aa");

/** "Lee, Ann (Sales)" is "Ann Lee". */
function ordered(name: string): string {
  const bare = name.replace(/\([^()]*\)|\[[^[\]]*\]/g, " ").replace(/["']/g, "");
  const [last, first, ...more] = bare.split(",");
  return first !== undefined && more.length === 0 ? `${first} ${last}` : bare;
}

const wordsOf = (name: string) => name.split(/[^\p{L}]+/u).filter((word) => word !== "");

/** Ways in which a first and a last name become a local part, separators aside. */
function spellings(first: string, last: string): string[] {
  return [first + last, last + first, first[0] + last, last + first[0], first + last[0]];
}

const LONGEST_NAME_CHARS = 200;

/**
 * What says that two addresses are one person's: the name, where the address is made of it ("Ann Lee" and
 * ann.lee@work.example or alee@home.example). Null where it is not, for many share a name. Pure.
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

/** Text as it is compared when somebody searches: without case and accents. */
export function searchable(text: string): string {
  return plain(text);
}

/** The name that a header gives, tidy; "" where it only repeats the address. */
export function givenName(name: string, email: string): string {
  const tidy = name
    .slice(0, 2 * LONGEST_NAME_CHARS)
    .replace(/\s+/g, " ")
    .replace(/^["'\s]+|["'\s]+$/g, "")
    .slice(0, LONGEST_NAME_CHARS);
  return tidy.toLowerCase() === email.toLowerCase() ? "" : tidy;
}
