/** Transfers the line roles found in the HTML part of a message to its text part. */
import type { SourceLine } from "../quotes/lines.ts";
import type { Role } from "../quotes/scan.ts";

const WORDS = /[\p{L}\p{N}]+/gu;
/**
 * The text and the HTML of a message agree on the history when their bodies differ in no more than this share of words,
 * plus TOLERATED_WORDS.
 */
const TOLERATED_SHARE = 0.06;
const TOLERATED_WORDS = 3;
/** Share of the history's words that the end of the text must contain. */
const COVERED_SHARE = 0.8;

type Words = Map<string, number>;

/**
 * Returns roles for the lines of the text, or null when the two parts cannot be matched.
 * @param html lines of the HTML part, whose roles take precedence
 * @param own roles that the text part alone suggests, kept where both agree
 */
export function projectRoles(
  html: readonly SourceLine[],
  htmlRoles: readonly Role[],
  text: readonly SourceLine[],
  own: readonly Role[],
): Role[] | null {
  const inHtml = wordsWhere(html, htmlRoles, isBody);
  const inText = wordsWhere(text, own, isBody);
  const roles = agree(inHtml, inText) ? [...own] : historyAtEnd(html, htmlRoles, text, own);
  if (roles === null || roles.includes("forward") !== htmlRoles.includes("forward")) return null;
  dropSignature(
    wordsWhere(html, htmlRoles, (role) => role === "signature"),
    text,
    roles,
  );
  return roles;
}

const isBody = (role: Role): boolean => role !== "history" && role !== "attribution";

/** Finds the history at the end of the text, if the HTML also has it at the end. */
function historyAtEnd(
  html: readonly SourceLine[],
  htmlRoles: readonly Role[],
  text: readonly SourceLine[],
  own: readonly Role[],
): Role[] | null {
  const firstGone = htmlRoles.findIndex((role) => !isBody(role));
  const lastKept = htmlRoles.findLastIndex((role) => isBody(role) && role !== "blank");
  if (firstGone !== -1 && firstGone < lastKept) return null;
  const history = wordsWhere(html, htmlRoles, (role) => !isBody(role));
  const at = suffixOf(history, text, text.length);
  if (at === null && firstGone !== -1) return null;
  const start = at ?? text.length;
  const roles = own.map((role, i): Role => {
    if (i >= start) return role === "blank" ? "blank" : "history";
    return role === "history" || role === "attribution" ? "own" : role;
  });
  return agree(wordsWhere(html, htmlRoles, isBody), wordsWhere(text, roles, isBody)) ? roles : null;
}

/** Marks the final lines of the writer's text that consist of the words of the HTML's signature. */
function dropSignature(signature: Words, text: readonly SourceLine[], roles: Role[]): void {
  const end = roles.lastIndexOf("own") + 1;
  if (signature.size === 0 || end === 0) return;
  const at = suffixOf(signature, text, end);
  if (at === null || !roles.slice(0, at).includes("own")) return;
  for (let i = at; i < end; i += 1) if (roles[i] === "own") roles[i] = "signature";
}

/**
 * Returns the start of the lines before `end` that consist of the words in `wanted` and cover most of them; null when
 * there are none.
 */
function suffixOf(wanted: Words, text: readonly SourceLine[], end: number): number | null {
  const left = new Map(wanted);
  const total = sum(wanted);
  let covered = 0;
  let start = end;
  for (let i = end - 1; i >= 0 && total > 0; i -= 1) {
    const words = wordsOf(text[i]!.text);
    if (words.length === 0) continue;
    const known = words.filter((word) => (left.get(word) ?? 0) > 0).length;
    if (known < words.length * 0.7) {
      if (covered >= total * COVERED_SHARE) break;
      if (known < words.length * 0.5) return null;
    }
    for (const word of words) {
      const n = left.get(word) ?? 0;
      if (n > 0) {
        left.set(word, n - 1);
        covered += 1;
      }
    }
    start = i;
  }
  return covered >= total * COVERED_SHARE && total > 0 ? start : null;
}

function agree(a: Words, b: Words): boolean {
  let different = 0;
  for (const [word, n] of a) different += Math.abs(n - (b.get(word) ?? 0));
  for (const [word, n] of b) if (!a.has(word)) different += n;
  return different <= TOLERATED_WORDS + TOLERATED_SHARE * Math.max(sum(a), sum(b));
}

function wordsWhere(lines: readonly SourceLine[], roles: readonly Role[], wanted: (role: Role) => boolean): Words {
  const words: Words = new Map();
  for (let i = 0; i < lines.length; i += 1) {
    if (!wanted(roles[i]!)) continue;
    for (const word of wordsOf(lines[i]!.text)) words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}

/** Returns the words in lower case. Addresses are left out, because some programs show them and others hide them. */
function wordsOf(line: string): string[] {
  return (
    line
      .replace(/(?:https?:\/\/|mailto:|cid:)[^\s<>)\]]+|\[image:[^\]]*\]/g, " ")
      .toLowerCase()
      .match(WORDS) ?? []
  );
}

function sum(words: Words): number {
  let total = 0;
  for (const n of words.values()) total += n;
  return total;
}
