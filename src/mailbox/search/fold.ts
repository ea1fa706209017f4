/** Letters that Unicode does not decompose, but that readers equate with these. */
const SPELLED: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
  ŋ: "n",
  ς: "σ",
};
const SPELLED_LETTERS = new RegExp(`[${Object.keys(SPELLED).join("")}]`, "g");

/**
 * Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic, and characters that only stretch or
 * hyphenate a word. The marks of other scripts (Thai vowels, the voicing of kana) are letters to their readers and are
 * kept.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0640\u064b-\u0652\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** Returns whether a text has only ASCII characters, for which folding changes only the case. */
export function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/**
 * Returns a text in the form that the index compares: one spelling of compatible characters (NFKC), lower case, no
 * accents.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(SPELLED_LETTERS, (letter) => SPELLED[letter]!);
}
