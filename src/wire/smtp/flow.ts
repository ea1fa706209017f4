/** Plain text as format=flowed (RFC 3676), DelSp=no. */

/** Longest line made here, its trailing space included; RFC 3676 §4.2 asks for at most 78. */
const MAX_LINE = 76;
/** Deep quotes still get lines of this length. */
const MIN_LINE = 20;

/**
 * Wraps the text's paragraphs softly: a receiver that knows format=flowed shows them at its own width, any other shows
 * lines of at most {@link MAX_LINE} characters, longer only where a word is. Lines that begin with ">" are quotes, and
 * stay quotes when they wrap ("> >" becomes ">>", the only form that §4.5 knows). Blanks at line ends, which would mean something else, go. Lines of the text may end in
 * "\n", "\r\n" or "\r"; the result's end in "\r\n". Linear.
 */
export function flow(text: string): string {
  const out: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^>(?: ?>)*/.exec(line)?.[0] ?? "";
    const depth = marks.replaceAll(" ", "").length;
    const content = depth === 0 ? line : line.slice(marks.length).replace(/^ /, "");
    // §4.3: "-- " announces the signature; it is the one line that keeps its blank.
    if (/^-- *$/.test(content) && content !== "--") out.push(prefixed(depth, "-- "));
    else
      for (const piece of softLines(content.replace(/ +$/, ""), Math.max(MAX_LINE - depth - 1, MIN_LINE)))
        out.push(prefixed(depth, piece));
  }
  return out.join("\r\n");
}

/** §4.4: what would read as a quote, as stuffing or as an mbox separator gets a blank in front. */
function prefixed(depth: number, content: string): string {
  if (depth > 0) return `${">".repeat(depth)}${content === "" ? "" : " "}${content}`;
  return /^(?: |>|From )/.test(content) ? ` ${content}` : content;
}

/** The line cut behind blanks; every piece but the last ends in one. */
function softLines(line: string, width: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > width) {
    let cut = line.lastIndexOf(" ", start + width - 1);
    if (cut < start || readsOtherwise(line.slice(start, cut + 1))) cut = line.indexOf(" ", start + width);
    if (cut < 0) break;
    // A run of blanks stays together at the end of the line, or the next one would need stuffing for nothing.
    while (line[cut + 1] === " " && cut + 1 < line.length) cut++;
    pieces.push(line.slice(start, cut + 1));
    start = cut + 1;
  }
  pieces.push(line.slice(start));
  return pieces;
}

/** A piece that would be a signature separator, or blanks alone. */
function readsOtherwise(piece: string): boolean {
  return piece === "-- " || piece.trim() === "";
}
