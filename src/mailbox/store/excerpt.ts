/** A text that is a stretch of another: its start and end there, as for `slice`; any other text as it is. */
export type Excerpt = string | readonly [start: number, end: number];

/** So much of the beginning is looked for; a bound on what a text made for the purpose can cost. */
const PROBE_CHARS = 200;

/** Says `part` by its place in `whole`, where it is found there. What people wrote mostly is all but the quoted end. */
export function excerptOf(whole: string, part: string): Excerpt {
  const start = whole.indexOf(part.slice(0, PROBE_CHARS));
  return start >= 0 && whole.startsWith(part, start) ? [start, start + part.length] : part;
}

/** The text that `excerptOf` was given. */
export function fromExcerpt(whole: string, excerpt: Excerpt): string {
  return typeof excerpt === "string" ? excerpt : whole.slice(excerpt[0], excerpt[1]);
}
