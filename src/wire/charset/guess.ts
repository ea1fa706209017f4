/** Guesses the charset of bytes without a declared charset that are not UTF-8. */
import { analyse } from "chardet";

/** Enough for the statistics, and a limit on their cost. */
const SAMPLE_BYTES = 16 * 1024;
/** With fewer bytes of the upper half, letter statistics are unreliable. */
const SHORT_BYTES = 24;

/** Answers of chardet that are accepted, as TextDecoder labels; its UTF-16/32 and EBCDIC guesses never fit mail. */
const TRUSTED: Record<string, string> = {
  GB18030: "gb18030",
  Big5: "big5",
  "EUC-JP": "euc-jp",
  Shift_JIS: "shift_jis",
  "EUC-KR": "euc-kr",
  "KOI8-R": "koi8-r",
  "windows-1251": "windows-1251",
  "ISO-8859-5": "iso-8859-5",
  "ISO-8859-7": "iso-8859-7",
  "windows-1253": "windows-1253",
  "ISO-8859-8": "iso-8859-8",
  "windows-1255": "windows-1255",
  "ISO-8859-6": "iso-8859-6",
  "windows-1256": "windows-1256",
};

/** Returns a TextDecoder label, "windows-1252" without evidence for another. Linear in the first 16 KiB. */
export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const counts = countBytes(sample);
  if (counts.utf8 > 0 && counts.utf8 >= 2 * counts.stray) return "utf-8";
  // Western text has few letters beyond ASCII, mostly isolated; other scripts have long runs of them.
  const few = counts.high < 0.3 * (counts.high + counts.letters);
  if (few && (counts.runs < 0.5 * counts.high || counts.high < 6)) return "windows-1252";
  return counts.high < SHORT_BYTES ? guessShort(sample) : guessLong(sample);
}

interface ByteCounts {
  high: number;
  /** High bytes next to another one. */
  runs: number;
  letters: number;
  /** Complete UTF-8 characters, and high bytes that belong to none. */
  utf8: number;
  stray: number;
}

function countBytes(bytes: Uint8Array): ByteCounts {
  const counts = { high: 0, runs: 0, letters: 0, utf8: 0, stray: 0 };
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! >= 0x80 && ((bytes[i + 1] ?? 0) >= 0x80 || (bytes[i - 1] ?? 0) >= 0x80)) counts.runs++;
  }
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < 0x80) {
      if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) counts.letters++;
      continue;
    }
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    let tail = 1;
    while (tail < length && (bytes[i + tail]! & 0xc0) === 0x80) tail++;
    counts.high += tail;
    if (length > 1 && tail === length) counts.utf8++;
    else counts.stray += tail;
    i += tail - 1;
  }
  return counts;
}

/**
 * Guesses for a subject or a name, which is too short for statistics, by the byte ranges of each encoding's common
 * letters.
 */
function guessShort(bytes: Uint8Array): string {
  const high = bytes.filter((byte) => byte >= 0x80);
  if (high.length >= 4 && share(high, 0xc0, 0xff) === 1) return cyrillic(high);
  if (share(high, 0x82, 0x83) > 0.3 && decodes(bytes, "shift_jis")) return "shift_jis";
  if (share(high, 0xa4, 0xa5) > 0.3 && decodes(bytes, "euc-jp")) return "euc-jp";
  // GB 2312 has its 3,755 common characters under lead bytes B0–D7, with both bytes in the upper half.
  if (share(high, 0xa1, 0xfe) === 1 && high.length % 2 === 0 && decodes(bytes, "gb18030")) return "gb18030";
  return guessLong(bytes);
}

/**
 * Small letters, the bulk of a text, are in the upper half of windows-1251's alphabet and the lower half of KOI8-R's.
 */
function cyrillic(high: Uint8Array): string {
  return share(high, 0xe0, 0xff) > 0.5 ? "windows-1251" : "koi8-r";
}

function share(high: Uint8Array, from: number, to: number): number {
  return high.filter((byte) => byte >= from && byte <= to).length / high.length;
}

function guessLong(bytes: Uint8Array): string {
  for (const match of analyse(bytes)) {
    const label = TRUSTED[match.name];
    if (!label || match.confidence < 10 || !decodes(bytes, label)) continue;
    // Without lead bytes of kana and kanji, Shift_JIS would be only half-width katakana, which no one writes.
    if (label === "shift_jis" && !bytes.some((byte) => byte >= 0x81 && byte <= 0x9f)) continue;
    return label;
  }
  const high = bytes.filter((byte) => byte >= 0x80);
  return high.length >= 8 && share(high, 0xc0, 0xff) > 0.95 ? cyrillic(high) : "windows-1252";
}

/** True when at most one character in a hundred fails to decode. */
function decodes(bytes: Uint8Array, label: string): boolean {
  const text = new TextDecoder(label).decode(bytes, { stream: true });
  let bad = 0;
  for (const character of text) if (character === "\ufffd") bad++;
  return bad * 100 <= text.length;
}
