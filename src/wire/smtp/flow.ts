/** Writes plain text as format=flowed (RFC 3676), DelSp=no. */

/** Longest line, including its trailing space; RFC 3676 §4.2 asks for at most 78. */
const MAX_LINE = 76;
/** Minimum line length, even in deep quotes. */
const MIN_LINE = 20;

/**
 * Wraps the paragraphs of the text softly. A receiver that supports format=flowed shows them at its own width. Any
 * other shows lines of at most {@link MAX_LINE} characters, except where one word is longer. Lines that begin with ">"
 * are quotes and stay quotes when they wrap; "> >" becomes ">>", the only form that §4.5 allows. Blanks at line ends
 * are removed, since they would mean something else. Input lines may end in LF, CRLF or CR. Output lines end in CRLF.
 * Runs in linear time.
 */
export function flow(text: string): string {
  const out: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^>(?: ?>)*/.exec(line)?.[0] ?? "";
    const depth = marks.replaceAll(" ", "").length;
    const content = depth === 0 ? line : line.slice(marks.length).replace(/^ /, "");
    // §4.3: "-- " announces the signature and is the only line that keeps its trailing blank.
    if (/^-- *$/.test(content) && content !== "--") out.push(prefixed(depth, "-- "));
    else
      for (const piece of softLines(content.replace(/ +$/, ""), Math.max(MAX_LINE - depth - 1, MIN_LINE)))
        out.push(prefixed(depth, piece));
  }
  return out.join("\r\n");
}

/** Adds a leading blank to content that would read as a quote, as stuffing or as an mbox separator (§4.4). */
function prefixed(depth: number, content: string): string {
  if (depth > 0) return `${">".repeat(depth)}${content === "" ? "" : " "}${content}`;
  return /^(?: |>|From )/.test(content) ? ` ${content}` : content;
}

/** Cuts the line after blanks; every piece except the last ends in a blank. */
function softLines(line: string, width: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > width) {
    let cut = line.lastIndexOf(" ", start + width - 1);
    if (cut < start || isMisread(line.slice(start, cut + 1))) cut = line.indexOf(" ", start + width);
    if (cut < 0) break;
    // A run of blanks stays at the end of the line; otherwise the next line would need needless stuffing.
    while (line[cut + 1] === " " && cut + 1 < line.length) cut++;
    pieces.push(line.slice(start, cut + 1));
    start = cut + 1;
  }
  pieces.push(line.slice(start));
  return pieces;
}

/** True for a piece that would be a signature separator, or only blanks. */
function isMisread(piece: string): boolean {
  return piece === "-- " || piece.trim() === "";
}
