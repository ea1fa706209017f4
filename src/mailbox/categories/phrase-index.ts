import { lazy } from "../../kernel/lazy.ts";

/**
 * Searches texts for hundreds of phrases in one pass. One pattern of them all would be tried at each character; here a
 * table of the first letters of the phrases excludes nearly all places.
 */

/** Letters that a phrase is found by. Scripts without spaces between words have short words. */
const KEY = 3;
const KEY_WITHOUT_SPACES = 2;
/** The first character of Chinese, Japanese and Korean scripts, and the Thai block. */
const EAST_ASIAN = 0x2e80;
const THAI = [0x0e00, 0x0e7f] as const;
const FILTER_SIZE = 65_536;

const isBlank = (code: number): boolean => code <= 32 || code === 160;
const isWithoutSpaces = (code: number): boolean => code >= EAST_ASIAN || (code >= THAI[0] && code <= THAI[1]);
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code !== 0xd7 && code < EAST_ASIAN && (code < 0x2000 || code > 0x206f));

const BLANK = 0;
const SIGN = 1;
const LETTER = 2;
const FREE = 3;
/** What kind of character each code is. */
const kinds = lazy(() =>
  Uint8Array.from({ length: 0x1_0000 }, (_, code) => {
    if (isBlank(code)) return BLANK;
    if (isWithoutSpaces(code)) return FREE;
    return isLetter(code) ? LETTER : SIGN;
  }),
);

export class PhraseIndex<Name extends string> {
  readonly #kinds = kinds();
  readonly #filter = new Uint8Array(FILTER_SIZE);
  readonly #found = new Map<string, { name: Name; pattern: RegExp }[]>();

  /**
   * @param lists phrases in lower case, separated by "|". They may have groups, classes, optional parts and bounded
   * repetitions; a space stands for any blanks. Each begins with letters.
   */
  constructor(lists: Record<Name, string>) {
    for (const [name, list] of Object.entries<string>(lists) as [Name, string][]) {
      const byKey = new Map<string, string[]>();
      for (const phrase of alternatives(list.replace(/\s*\n\s*/g, ""))) {
        if (phrase === "") continue;
        for (const key of keysOf(phrase)) {
          const phrases = byKey.get(key) ?? [];
          phrases.push(phrase);
          byKey.set(key, phrases);
        }
      }
      for (const [key, phrases] of byKey) {
        const pattern = new RegExp(phrases.join("|").replaceAll(" ", "\\s{1,3}"), "y");
        this.#found.set(key, [...(this.#found.get(key) ?? []), { name, pattern }]);
        this.#filter[hashOf(key, 0, key.length)] = 1;
      }
    }
  }

  /**
   * Finds where the phrases begin in a text in lower case: the last place of each name. The patterns are anchored and
   * bounded, so the cost is linear.
   */
  find(text: string, names: ReadonlySet<Name>): Map<Name, number> {
    const found = new Map<Name, number>();
    let before = BLANK;
    for (let at = 0; at < text.length; at++) {
      const kind = this.#kinds[text.charCodeAt(at)]!;
      const starts = kind === FREE || (before !== LETTER && kind !== BLANK);
      before = kind;
      if (!starts) continue;
      const length = kind === FREE ? KEY_WITHOUT_SPACES : KEY;
      if (this.#filter[hashOf(text, at, length)] !== 1) continue;
      const entries = this.#found.get(keyAt(text, at, length));
      if (!entries) continue;
      for (const { name, pattern } of entries) {
        if (!names.has(name)) continue;
        pattern.lastIndex = at;
        if (pattern.test(text)) found.set(name, at);
      }
    }
    return found;
  }
}

/** Returns the letters of a text at a place, with spaces for any blanks. */
function keyAt(text: string, at: number, length: number): string {
  const key = text.slice(at, at + length);
  return key.includes("\n") || key.includes("\u00a0") || key.includes("\t") ? key.replace(/\s/g, " ") : key;
}

function hashOf(text: string, at: number, length: number): number {
  let hash = 0;
  for (let i = at; i < at + length && i < text.length; i++) {
    const code = text.charCodeAt(i);
    hash = (hash * 131 + (isBlank(code) ? 32 : code)) & (FILTER_SIZE - 1);
  }
  return hash;
}

/** Splits a pattern at the "|" outside its groups. */
function alternatives(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < pattern.length; i++) {
    const sign = pattern[i];
    if (sign === "\\") i++;
    else if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (sign === "|" && depth === 0) {
      parts.push(pattern.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, pattern.slice(from)];
}

/** Returns the first letters of all texts that a phrase matches. @throws Error for a phrase that does not begin with letters */
function keysOf(phrase: string): Set<string> {
  const keys = new Set<string>();
  for (const beginning of beginnings(phrase)) {
    const length = isWithoutSpaces(beginning.charCodeAt(0)) ? KEY_WITHOUT_SPACES : KEY;
    if (beginning.length < length) throw new Error(`a phrase begins with too few letters: ${phrase}`);
    keys.add(beginning.slice(0, length));
  }
  return keys;
}

/** Returns the literal beginnings of the texts that a pattern matches, each of up to KEY letters. */
function beginnings(pattern: string): Set<string> {
  let open = new Set([""]);
  const closed = new Set<string>();
  for (let i = 0; i < pattern.length && open.size > 0; ) {
    const { choices, end } = unitAt(pattern, i);
    const quantifier = /^(?:\?|\{0,\d+\}|\{\d+(?:,\d*)?\}|[+*])/.exec(pattern.slice(end))?.[0] ?? "";
    const next = new Set<string>();
    for (const prefix of open) {
      if (quantifier.startsWith("?") || quantifier.startsWith("{0") || quantifier === "*") next.add(prefix);
      if (choices === null || (quantifier.length > 1 && !quantifier.startsWith("{0")) || quantifier === "+")
        closed.add(prefix);
      else for (const choice of choices) next.add(prefix + choice);
    }
    open = new Set();
    for (const prefix of next) (prefix.length >= KEY ? closed : open).add(prefix);
    i = end + quantifier.length;
  }
  return new Set([...closed, ...open].map((prefix) => prefix.slice(0, KEY)));
}

/** Returns what a part of a pattern matches; null if that is too much to list. */
function unitAt(pattern: string, at: number): { choices: Set<string> | null; end: number } {
  const sign = pattern[at]!;
  if (sign === "\\") {
    const escaped = pattern[at + 1]!;
    return { choices: escaped === "b" ? new Set([""]) : /\w/.test(escaped) ? null : new Set([escaped]), end: at + 2 };
  }
  if (sign === ".") return { choices: null, end: at + 1 };
  if (sign === "[") {
    const end = pattern.indexOf("]", at);
    const members = pattern.slice(at + 1, end);
    return { choices: /[\\^]|\w-\w/.test(members) ? null : new Set(members), end: end + 1 };
  }
  if (sign !== "(") return { choices: new Set([sign]), end: at + 1 };
  let depth = 0;
  let end = at;
  do {
    if (pattern[end] === "\\") end++;
    else if (pattern[end] === "(") depth++;
    else if (pattern[end] === ")") depth--;
    end++;
  } while (depth > 0);
  const inner = alternatives(pattern.slice(at + 3, end - 1));
  return { choices: new Set(inner.flatMap((part) => [...beginnings(part)])), end };
}
