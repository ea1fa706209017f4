/** Message identifiers in In-Reply-To and References (RFC 5322 §3.6.4). */

/** Longer chains are hostile; the first and the newest ids are what threading needs. */
const MAX_IDS = 1000;

/**
 * The ids of a References or In-Reply-To value, with angle brackets, blanks inside (from folding) removed, in order
 * and once each. A value that is one bare id gets its brackets. Linear.
 */
export function parseIds(text: string): string[] {
  const ids = new Set<string>();
  for (const [match] of text.matchAll(/<[^<>]+>/g)) {
    const id = match.replace(/\s+/g, "");
    if (id !== "<>") ids.add(id);
  }
  if (ids.size === 0 && /^[^\s<>"@]+@[^\s<>"@]+$/.test(text)) ids.add(`<${text}>`);
  const list = [...ids];
  return list.length <= MAX_IDS ? list : [list[0]!, ...list.slice(1 - MAX_IDS)];
}
