/** Parses message identifiers in In-Reply-To and References (RFC 5322 §3.6.4). */

/** Longer chains are hostile; threading needs the first id and the newest ones. */
const MAX_IDS = 1000;

/**
 * Returns the distinct ids of a References or In-Reply-To value in order, with angle brackets and without blanks inside
 * (from folding). A value that is one bare id gets its brackets. Runs in linear time.
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
