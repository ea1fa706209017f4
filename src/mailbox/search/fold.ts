/** Letters that Unicode does not decompose, though readers take them for these. */
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
 * Accents of Latin, Greek and Cyrillic letters; vowel points of Hebrew and Arabic, and what only stretches or hyphenates
 * a word. The marks of other scripts (Thai vowels, the voicing of kana) are letters to their readers and stay.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0640\u064b-\u0652\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** True for text of ASCII characters alone, which needs no folding but of case. */
export function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** Text as the index compares it: one spelling of compatible characters (NFKC), no case, no accents. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(SPELLED_LETTERS, (letter) => SPELLED[letter]!);
}
