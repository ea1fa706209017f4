/** Invisible characters that change how a name reads: controls, and those that turn "gpj.exe" around. */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Characters that stand for themselves in an extended value (RFC 8187 §3.2.1, attr-char). */
const NOT_ATTR_CHAR = /[^A-Za-z0-9!#$&+.^_`|~-]/g;
const LONGEST_NAME_CHARS = 200;
const FALLBACK = "attachment";

/**
 * The Content-Disposition of a download (RFC 6266): `filename` that every client can read, and `filename*` with the exact
 * name where that differs. The name holds no path, no control and no direction mark, and never starts with a dot.
 */
export function contentDisposition(name: string): string {
  const clean = fileName(name);
  const plain = clean
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    // A percent sign or a quote would be read in different ways (RFC 6266, appendix D).
    .replace(/[^\x20-\x7e]|["%\\]/gu, "_");
  if (plain === clean) return `attachment; filename="${plain}"`;
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(clean)}`;
}

/** What of the sender's name may become the name of a file on the reader's disk. */
export function fileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(DECEPTIVE, "")
    .replace(/[/\\]/g, "_")
    .replace(/^[.\s]+/, "")
    .trim();
  return shorten(clean) || FALLBACK;
}

/** Cuts before the extension, which says what the file is. */
function shorten(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST_NAME_CHARS) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? "";
  return letters.slice(0, LONGEST_NAME_CHARS - [...extension].length).join("") + extension;
}

function encodeExtended(text: string): string {
  return text.replace(/./gsu, (letter) =>
    letter.replace(NOT_ATTR_CHAR, () =>
      [...new TextEncoder().encode(letter)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    ),
  );
}
