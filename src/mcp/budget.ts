/*
 * Everything that a tool returns becomes part of a conversation, and models pay for each word. Lists are cut where a
 * cursor continues them, long texts where `fetch` continues them.
 */

/** Longest result of a tool or text of a resource, as bytes of its JSON. */
export const MAX_RESULT_BYTES = 32 * 1024;
/** Part of a result that a list or a long text may fill; the rest is for the fields around it. */
export const CONTENT_BYTES = 24 * 1024;
/** Longest call that an undo repeats. */
export const UNDO_BYTES = 8 * 1024;

/** Limits for a result that is too long although its tool has cut it, from generous to strict. */
const SHORTER = [
  { items: 100, chars: 4_000 },
  { items: 50, chars: 1_000 },
  { items: 25, chars: 400 },
  { items: 10, chars: 300 },
  { items: 5, chars: 100 },
];

/** Returns the size of a value as JSON, in bytes. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Returns the items from the start that fit, at least one. */
export function fitting<T>(items: readonly T[], bytes: number): T[] {
  let left = bytes;
  const end = items.findIndex((item, i) => {
    left -= bytesOf(item) + 1;
    return left < 0 && i > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

/** A page of the API, with the items as a tool shows them. */
export interface ShownPage<T, P> {
  shown: T[];
  page: P;
}

/**
 * Reads a page. If its items do not fit, reads it again with fewer, so that its cursor continues after the last one.
 * @param read reads a page of at most `limit` items
 */
export async function fittingPage<D, T, P extends { data: D[] }>(
  limit: number,
  read: (limit: number) => Promise<P>,
  show: (item: D) => T,
): Promise<ShownPage<T, P>> {
  const page = await read(limit);
  const shown = page.data.map(show);
  const fits = fitting(shown, CONTENT_BYTES);
  if (fits.length === shown.length) return { shown, page };
  const shorter = await read(fits.length);
  return { shown: shorter.data.map(show), page: shorter };
}

/** Returns a text without half of a surrogate pair at its end. @param chars most characters */
export function cutText(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** Returns the start of a text that fits, up to the end of a line if that loses little. At least one character. */
export function fittingText(text: string, chars: number, bytes: number, mark: (text: string) => string): string {
  for (let most = Math.max(1, chars); ; ) {
    const piece = cutAtLine(text, most);
    const size = bytesOf(mark(piece));
    if (size <= bytes || piece.length <= 2) return piece;
    most = Math.max(1, Math.floor((piece.length * bytes * 0.9) / size));
  }
}

function cutAtLine(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const piece = cutText(text, chars);
  const line = piece.lastIndexOf("\n");
  return line > piece.length * 0.8 ? piece.slice(0, line + 1) : piece || text.slice(0, 2);
}

/**
 * Returns an object that fits. One that does not, in spite of what its tool has cut, gets shorter lists and texts, and
 * says so.
 */
export function withinBudget<T extends object>(value: T, bytes = MAX_RESULT_BYTES): T | Record<string, unknown> {
  if (bytesOf(value) <= bytes) return value;
  const note = "This was too long. Lists and texts in it are cut.";
  for (const limits of SHORTER) {
    const shorter = { ...(shortened(value, limits) as object), note };
    if (bytesOf(shorter) <= bytes) return shorter;
  }
  return { note: "This was too long to be returned." };
}

/** Fields that are useless if they are cut. */
const WHOLE = new Set(["id", "undo", "confirmation", "next_cursor"]);

function shortened(value: unknown, limits: (typeof SHORTER)[number]): unknown {
  if (typeof value === "string") return cutText(value, limits.chars);
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => shortened(item, limits));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, limits.items);
  return Object.fromEntries(entries.map(([name, part]) => [name, WHOLE.has(name) ? part : shortened(part, limits)]));
}
