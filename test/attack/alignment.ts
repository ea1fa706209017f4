import { ANCHORS } from "./mails.ts";

/** What an attacker has learned: the word for a token. */
export type Codebook = Map<string, string>;

const { first, period, distance } = ANCHORS;
/** Repetitions in a row that cannot be chance, and counts that must all be present. */
const ANCHORS_NEEDED = 6;
const COUNTS_NEEDED = 0.75;
export const SHORTEST_TOKEN = 4;
export const LONGEST_TOKEN = 32;

/** Finds where tokens repeat as the chosen mail does. @returns null: nowhere */
export function alignTokens(tokens: readonly string[], words: readonly string[]): Codebook | null {
  for (let at = distance; at < tokens.length; at++) {
    if (!isAnchor(tokens, at)) continue;
    let anchors = 1;
    while (isAnchor(tokens, at + anchors * period)) anchors++;
    const needed = Math.min(ANCHORS_NEEDED, Math.floor(words.length / period));
    if (anchors < needed) continue;
    const found = codebook(words, (i) => tokens[at - first + i]);
    if (found.size >= needed * distance) return found;
  }
  return null;
}

function isAnchor(tokens: readonly string[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || token !== tokens[at - distance]) return false;
  return new Set(tokens.slice(at - distance, at)).size === distance;
}

function codebook(words: readonly string[], tokenAt: (i: number) => string | undefined): Codebook {
  const found: Codebook = new Map();
  for (const [i, word] of words.entries()) {
    const token = tokenAt(i);
    if (token === undefined) continue;
    // A contradiction is past the end of the aligned part.
    if ((found.get(token) ?? word) !== word) break;
    found.set(token, word);
  }
  return found;
}

/** Finds tokens that occur once, twice, three times and so on, as the words of the counting mail do. */
export function matchCounts(tokens: readonly string[], counted: readonly string[]): Codebook | null {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const byCount = new Map<number, string[]>();
  for (const [token, count] of counts) byCount.set(count, [...(byCount.get(count) ?? []), token]);
  const found: Codebook = new Map();
  for (const [count, word] of counted.entries()) {
    const [token, other] = byCount.get(count) ?? [];
    if (word !== "" && token !== undefined && other === undefined) found.set(token, word);
  }
  return found.size >= (counted.length - 1) * COUNTS_NEEDED ? found : null;
}

/** Does the same as `alignTokens` for bytes that are cut into tokens of one width, which may begin anywhere. */
export function alignBytes(bytes: Uint8Array, width: number, words: readonly string[]): Codebook | null {
  const back = distance * width;
  for (let at = back; at + width <= bytes.length; at++) {
    if (bytes[at] !== bytes[at - back] || !isByteAnchor(bytes, at, width)) continue;
    let anchors = 1;
    while (isByteAnchor(bytes, at + anchors * period * width, width)) anchors++;
    if (anchors < ANCHORS_NEEDED) continue;
    const start = at - first * width;
    const found = codebook(words, (i) => {
      const from = start + i * width;
      return from < 0 || from + width > bytes.length ? undefined : latin(bytes, from, width);
    });
    // Rows of one length that repeat an id have anchors, too; but in those the same token represents several words.
    if (found.size >= ANCHORS_NEEDED * distance) return found;
  }
  return null;
}

function isByteAnchor(bytes: Uint8Array, at: number, width: number): boolean {
  if (at + width > bytes.length || !isSame(bytes, at, at - distance * width, width)) return false;
  for (let i = 1; i < distance; i++) if (isSame(bytes, at, at - i * width, width)) return false;
  return true;
}

function isSame(bytes: Uint8Array, a: number, b: number, width: number): boolean {
  for (let i = 0; i < width; i++) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}

/** Returns tokens of one width from a first byte on. */
export function cut(bytes: Uint8Array, width: number, from: number): string[] {
  const tokens: string[] = [];
  for (let at = from; at + width <= bytes.length; at += width) tokens.push(latin(bytes, at, width));
  return tokens;
}

export function latin(bytes: Uint8Array, from: number, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += String.fromCharCode(bytes[from + i]!);
  return text;
}
