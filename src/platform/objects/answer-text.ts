const LONGEST = 200;

/** Returns a text of a store as it may be shown: one line without control characters, which a terminal could obey. */
export function shownText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
