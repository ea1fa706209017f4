/** A text that is part of another one: its start and end there, as for `slice`. Any other text is kept in full. */
export type Excerpt = string | readonly [start: number, end: number];

/** Only this much of the beginning is searched for, which bounds the cost of hostile texts. */
const PROBE_CHARS = 200;

/**
 * Returns the position of `part` in `whole`, or `part` if it does not occur. New text is mostly all but the quotation at
 * the end.
 */
export function excerptOf(whole: string, part: string): Excerpt {
  const start = whole.indexOf(part.slice(0, PROBE_CHARS));
  return start >= 0 && whole.startsWith(part, start) ? [start, start + part.length] : part;
}

/** Returns the text that `excerptOf` was given. */
export function fromExcerpt(whole: string, excerpt: Excerpt): string {
  return typeof excerpt === "string" ? excerpt : whole.slice(excerpt[0], excerpt[1]);
}
