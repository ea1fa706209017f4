/** Invisible characters that change how a name reads: controls, and direction marks that can reverse "gpj.exe". */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Characters that need no encoding in an extended value (RFC 8187 §3.2.1, attr-char). */
const NOT_ATTR_CHAR = /[^A-Za-z0-9!#$&+.^_`|~-]/g;
const LONGEST_NAME_CHARS = 200;
const FALLBACK = "attachment";

/**
 * Returns the Content-Disposition of a download (RFC 6266): a `filename` that every client can read, and `filename*`
 * with the exact name if that differs. The name contains no path, control character or direction mark, and never starts
 * with a dot.
 */
export function contentDisposition(name: string): string {
  const clean = fileName(name);
  const plain = clean
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    // Clients read a percent sign or a quote differently (RFC 6266, appendix D).
    .replace(/[^\x20-\x7e]|["%\\]/gu, "_");
  if (plain === clean) return `attachment; filename="${plain}"`;
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(clean)}`;
}

/** Returns the part of a sender's file name that is safe on the reader's disk. */
export function fileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(DECEPTIVE, "")
    .replace(/[/\\]/g, "_")
    .replace(/^[.\s]+/, "")
    .trim();
  return shorten(clean) || FALLBACK;
}

/** Shortens a name but keeps its extension, which identifies the file type. */
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
