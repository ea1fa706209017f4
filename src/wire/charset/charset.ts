/**
 * Decodes bytes to text for every charset name used in mail. A declared charset is used unless the bytes contradict it:
 * mail declares us-ascii or utf-8 for windows-1252, iso-8859-1 for UTF-8, and gb2312 for gbk or gb18030.
 */
import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { guessCharset } from "./guess.ts";
import { decodeHz, decodeIso2022Kr } from "./iso2022.ts";
import { decodeUtf7 } from "./utf7.ts";

/** `web` labels are names that TextDecoder supports; `iconv` names are supported by iconv-lite only. */
type Codec = { kind: "web" | "iconv"; label: string } | { kind: "hz" | "iso-2022-kr" | "utf-7" | "utf-16" | "guess" };

const GUESS: Codec = { kind: "guess" };

/** Names that state nothing, or are wrong so often that the bytes decide (RFC 2046 §4.1.2). */
const UNRELIABLE_NAMES = new Set(
  (
    "us-ascii ascii usascii ansi_x3.4-1968 ansi_x3.4-1986 iso646-us iso_646.irv:1991 646 us iso-ir-6 cp367 ibm367 csascii " +
    "ansi 7bit 8bit binary unknown unknown-8bit x-unknown unknown8bit default x-default none null undefined " +
    "_autodetect _autodetect_all _autodetect_kr x-user-defined user-defined charset utf-8 utf8 utf_8 utf"
  ).split(" "),
);

const ALIASES = names({
  shiftjis: "shift_jis",
  sjiswin: "shift_jis",
  mskanji: "shift_jis",
  eucjp: "euc-jp",
  eucjpms: "euc-jp",
  iso2022jp: "iso-2022-jp",
  iso2022jp1: "iso-2022-jp",
  iso2022jp2: "iso-2022-jp",
  iso2022jpms: "iso-2022-jp",
  jis: "iso-2022-jp",
  junet: "iso-2022-jp",
  euckr: "euc-kr",
  uhc: "euc-kr",
  ksc56011987: "euc-kr",
  ksx1001: "euc-kr",
  euccn: "gb18030",
  gb2312: "gb18030",
  gb231280: "gb18030",
  gbk: "gb18030",
  gb: "gb18030",
  big5hkscs: "big5",
  big5eten: "big5",
  bigfive: "big5",
  tis620: "windows-874",
  iso88598i: "iso-8859-8",
  iso88598e: "iso-8859-8",
  koi8: "koi8-r",
  koi8ru: "koi8-u",
  utf8mb4: "utf-8",
  utf8sig: "utf-8",
  unicode11utf8: "utf-8",
  utf7: "utf-7",
  unicode11utf7: "utf-7",
  unicode20utf7: "utf-7",
  latin1: "windows-1252",
  winlatin1: "windows-1252",
  macroman: "macintosh",
});

/** Windows and IBM code pages as in "cp932", "windows-28591", "ms936". */
const CODE_PAGES = names({
  "932": "shift_jis",
  "936": "gb18030",
  "949": "euc-kr",
  "950": "big5",
  "874": "windows-874",
  "1200": "utf-16le",
  "1201": "utf-16be",
  "10000": "macintosh",
  "20127": "us-ascii",
  "20866": "koi8-r",
  "20932": "euc-jp",
  "20936": "gb18030",
  "21866": "koi8-u",
  "50220": "iso-2022-jp",
  "50221": "iso-2022-jp",
  "50222": "iso-2022-jp",
  "50225": "iso-2022-kr",
  "51932": "euc-jp",
  "51936": "gb18030",
  "51949": "euc-kr",
  "52936": "hz-gb-2312",
  "54936": "gb18030",
  "65000": "utf-7",
  "65001": "utf-8",
});

/** Returns a map, because a name from outside may be "constructor". */
function names(table: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(table));
}

const codecs = new Map<string, Codec>();
/** Names come from untrusted mail, so the cache is cleared at this size. */
const CACHED_NAMES = 500;

/** Returns the codec of a declared charset name; `guess` for unknown names and those that state nothing. */
function codecOf(declared: string | null | undefined): Codec {
  if (!declared) return GUESS;
  const cached = codecs.get(declared);
  if (cached) return cached;
  const found = resolve(declared.slice(0, 80));
  if (codecs.size >= CACHED_NAMES) codecs.clear();
  codecs.set(declared, found);
  return found;
}

function resolve(declared: string): Codec {
  // RFC 2231 §5 allows a language after the name: "iso-8859-1*en".
  const name = declared
    .toLowerCase()
    .replace(/\*.*$/s, "")
    .replace(/["'<>\s;,]+/g, "");
  if (name === "" || UNRELIABLE_NAMES.has(name)) return GUESS;
  const bare = name.replace(/^(?:x-ms-|x-|cs)/, "").replace(/[^a-z0-9]/g, "");
  const page = /^(?:cp|windows|ms|ibm|win|codepage)0*(\d+)$/.exec(bare)?.[1];
  const iso = /^iso8859(\d{1,2})[ie]?(?:19\d\d)?$/.exec(bare)?.[1];
  const mapped =
    (page && (CODE_PAGES.get(page) ?? (/^2859\d$/.test(page) ? `iso-8859-${page.slice(4)}` : undefined))) ??
    ALIASES.get(bare) ??
    (iso ? `iso-8859-${iso}` : name);
  if (UNRELIABLE_NAMES.has(mapped)) return GUESS;
  if (mapped === "iso-2022-kr" || mapped === "csiso2022kr") return { kind: "iso-2022-kr" };
  if (mapped === "utf-7") return { kind: "utf-7" };
  if (mapped === "hz-gb-2312" || mapped === "hz") return { kind: "hz" };
  if (["utf-16", "ucs-2", "iso-10646-ucs-2", "unicode", "utf16"].includes(mapped)) return { kind: "utf-16" };
  for (const candidate of [mapped, page ? `windows-${page}` : mapped, bare, page ? `cp${page}` : mapped]) {
    if (!isKnown(candidate)) continue;
    const label = webLabel(candidate);
    if (label) return { kind: "web", label };
  }
  for (const candidate of [mapped, page ? `cp${page}` : mapped, bare]) {
    if (isKnown(candidate)) return { kind: "iconv", label: candidate };
  }
  return GUESS;
}

/** iconv-lite's own "encodings" that are not mail charsets. */
const NOT_CHARSETS = new Set(["base64", "hex", "binary", "utf16", "ucs2", "cesu8"]);

/**
 * True when iconv-lite, which supports all of TextDecoder's names and more, has the name. This reads its table, because
 * asking either decoder about an unknown name costs an exception, and a message can contain a million names.
 */
function isKnown(name: string): boolean {
  const key = name.replace(/[^0-9a-z]/g, "");
  const { encodings } = iconv as unknown as { encodings: Record<string, unknown> | null };
  if (!encodings) return iconv.encodingExists("utf8") && isKnown(name);
  return Object.hasOwn(encodings, key) && !key.startsWith("_") && !NOT_CHARSETS.has(key);
}

function webLabel(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name);
    return encoding === "replacement" || encoding === "x-user-defined" ? null : encoding;
  } catch {
    return null;
  }
}

/**
 * Returns the text of `bytes`; never throws. With `cut`, the bytes may end inside a character, which is then dropped
 * instead of shown as U+FFFD. A byte order mark is removed. `declared` is the sender's charset name; `fallback` (for
 * headers) is the charset tried when the name states nothing and the bytes are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, declared?: string | null, cut = false, fallback?: string | null): string {
  const codec = codecOf(declared);
  const ascii = isAscii(bytes);
  switch (codec.kind) {
    case "hz":
      return decodeHz(bytes);
    case "utf-7":
      return decodeUtf7(latin1(bytes));
    case "iso-2022-kr":
      return decodeIso2022Kr(bytes);
    case "utf-16":
      return ascii && !bytes.includes(0) ? latin1(bytes) : web(bytes, utf16Order(bytes), cut);
    case "iconv":
      return iconv.decode(asBuffer(bytes), codec.label);
    case "web":
      return decodeDeclared(bytes, codec.label, ascii, cut);
    default:
      return decodeUndeclared(bytes, ascii, cut, fallback);
  }
}

function decodeDeclared(bytes: Uint8Array, label: string, ascii: boolean, cut: boolean): string {
  if (ascii && !label.startsWith("utf-16")) {
    return bytes.includes(0x1b) ? web(bytes, "iso-2022-jp", cut) : latin1(bytes);
  }
  const singleByte = /^(?:windows|iso-8859|koi8|macintosh|x-mac|ibm)/.test(label);
  if (singleByte)
    return looksUtf8(bytes, label === "windows-1252" ? 1 : 3) ? web(bytes, "utf-8", cut) : web(bytes, label, cut);
  const text = web(bytes, label, cut);
  return text.includes("\ufffd") && isUtf8(bytes) ? web(bytes, "utf-8", cut) : text;
}

function decodeUndeclared(bytes: Uint8Array, ascii: boolean, cut: boolean, fallback?: string | null): string {
  if (ascii) {
    if (!bytes.includes(0x1b)) return latin1(bytes);
    const text = latin1(bytes);
    if (text.includes("\x1b$)C")) return decodeIso2022Kr(bytes);
    return /\x1b(?:\$[@B(]|\([BIJ])/.test(text) ? web(bytes, "iso-2022-jp", cut) : text;
  }
  if (isUtf8(bytes) || (cut && [1, 2, 3].some((tail) => isUtf8(bytes.subarray(0, -tail)))))
    return web(bytes, "utf-8", cut);
  const other = fallback ? codecOf(fallback) : GUESS;
  if (other.kind === "web") return web(bytes, other.label, cut);
  return web(bytes, guessCharset(bytes), cut);
}

/**
 * Returns the TextDecoder label that `decodeText` would choose for a text beginning with these bytes, for decoding it
 * piece by piece. "ascii" means that the bytes do not decide yet; null is for charsets that only `decodeText` can read.
 */
export function labelFor(bytes: Uint8Array, declared: string | null): string | null {
  const codec = codecOf(declared);
  const ascii = isAscii(bytes);
  // Text that may switch character sets in the middle is decoded as a whole.
  if (ascii && bytes.includes(0x1b)) return null;
  switch (codec.kind) {
    case "utf-16":
      return ascii && !bytes.includes(0) ? "ascii" : utf16Order(bytes);
    case "web":
      if (ascii && !codec.label.startsWith("utf-16")) return codec.label === "iso-2022-jp" ? null : "ascii";
      return startsAsUtf8(bytes) && !codec.label.startsWith("utf-16") ? "utf-8" : codec.label;
    case "guess":
      if (ascii) return "ascii";
      return startsAsUtf8(bytes) ? "utf-8" : guessCharset(bytes);
    default:
      return null;
  }
}

/** True for UTF-8 that may end inside a character. */
function startsAsUtf8(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((tail) => isUtf8(bytes.subarray(0, bytes.length - tail)));
}

/**
 * True when bytes declared as a single-byte charset are really UTF-8: valid throughout, with at least `least`
 * multi-byte characters. A single one counts only when it is an accented Latin letter or typographic punctuation, the
 * usual content of mislabeled Western mail.
 */
function looksUtf8(bytes: Uint8Array, least: number): boolean {
  if (!isUtf8(bytes)) return false;
  let seen = 0;
  let usual = true;
  for (const byte of bytes) {
    if (byte < 0xc2) continue;
    seen++;
    if (byte !== 0xc3 && byte !== 0xe2) usual = false;
    if (seen > 2 && seen >= least) return true;
  }
  return seen >= least && (seen > 1 || usual);
}

/**
 * Detects the byte order (RFC 2781 §4.3): by its mark, else by the position of the zero bytes of Latin text, else
 * big-endian.
 */
function utf16Order(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  let odd = 0;
  let even = 0;
  for (let i = 0; i < Math.min(bytes.length, 4096); i++) {
    if (bytes[i] === 0) i % 2 ? odd++ : even++;
  }
  return odd > even ? "utf-16le" : "utf-16be";
}

const decoders = new Map<string, TextDecoder>();

function web(bytes: Uint8Array, label: string, cut: boolean): string {
  // A decoder used with `stream: true` keeps an unfinished last character, so it is not reused.
  if (cut) return new TextDecoder(label).decode(bytes, { stream: true });
  let decoder = decoders.get(label);
  if (!decoder) {
    decoder = new TextDecoder(label);
    decoders.set(label, decoder);
  }
  return decoder.decode(bytes);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("latin1", 0, bytes.length);
}
