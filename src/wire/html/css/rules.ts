/** Reads the rules of a style sheet (CSS Syntax 3 §5) that hold on a screen. */
import { type CSSToken, TokenType, tokenize } from "@csstools/css-tokenizer";
import { holdsOnScreen } from "./media.ts";

/** Further rules are not read. Frameworks for newsletters have 700. */
const MAX_RULES = 3_000;
/** Rules inside more at-rules are not read. */
const MAX_NESTING = 4;
const MAX_SELECTOR_CHARS = 2_000;
const MAX_VALUE_CHARS = 8_192;

/** `text` is "property:value", without comments and without `!important`. */
interface RuleDeclaration {
  property: string;
  text: string;
  important: boolean;
}

export interface Rule {
  /** The selector list as written. */
  selectors: string;
  declarations: RuleDeclaration[];
}

const OPENING: ReadonlyMap<string, TokenType> = new Map([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
]);
/** Tokens that make a declaration invalid wherever they are in its value. */
const INVALID: ReadonlySet<string> = new Set([
  TokenType.BadString,
  TokenType.BadURL,
  TokenType.AtKeyword,
  TokenType.CDC,
  TokenType.CDO,
  TokenType.OpenCurly,
  TokenType.CloseCurly,
  TokenType.OpenSquare,
  TokenType.CloseSquare,
  TokenType.Semicolon,
]);
const BLANK: ReadonlySet<string> = new Set([TokenType.Whitespace, TokenType.Comment]);

/**
 * Returns the rules in source order, those of `@media` included if they hold on the screen. Every other at-rule is left
 * out. The end of the sheet closes what is open, as in browsers.
 */
export function readRules(css: string): Rule[] {
  const tokens = tokenize({ css });
  const rules: Rule[] = [];
  readList(tokens, 0, tokens.length - 1, 0, rules);
  return rules;
}

function readList(tokens: CSSToken[], start: number, end: number, nesting: number, rules: Rule[]): void {
  let at = start;
  while (at < end && rules.length < MAX_RULES) {
    const type = tokens[at]![0];
    const isNothing = BLANK.has(type) || (nesting === 0 && (type === TokenType.CDO || type === TokenType.CDC));
    if (isNothing) at += 1;
    else
      at =
        type === TokenType.AtKeyword ? readAtRule(tokens, at, end, nesting, rules) : readRule(tokens, at, end, rules);
  }
}

/** Returns the index after the at-rule. */
function readAtRule(tokens: CSSToken[], start: number, end: number, nesting: number, rules: Rule[]): number {
  const open = find(tokens, start + 1, end, [TokenType.OpenCurly, TokenType.Semicolon]);
  if (open === end || tokens[open]![0] === TokenType.Semicolon) return open + 1;
  const close = blockEnd(tokens, open, end);
  const isMedia = tokens[start]![1].toLowerCase() === "@media";
  if (isMedia && nesting < MAX_NESTING && holdsOnScreen(source(tokens, start + 1, open)))
    readList(tokens, open + 1, close, nesting + 1, rules);
  return close + 1;
}

/** Returns the index after the rule. */
function readRule(tokens: CSSToken[], start: number, end: number, rules: Rule[]): number {
  const open = find(tokens, start, end, [TokenType.OpenCurly]);
  if (open === end) return end;
  const close = blockEnd(tokens, open, end);
  const selectors = source(tokens, start, open).trim();
  const declarations = selectors.length > MAX_SELECTOR_CHARS ? [] : readDeclarations(tokens, open + 1, close);
  if (declarations.length > 0) rules.push({ selectors, declarations });
  return close + 1;
}

function readDeclarations(tokens: CSSToken[], start: number, end: number): RuleDeclaration[] {
  const found: RuleDeclaration[] = [];
  let at = start;
  while (at < end) {
    let stop = find(tokens, at, end, [TokenType.Semicolon, TokenType.OpenCurly]);
    // A rule inside the rule ends with its block, together with all before it.
    if (stop < end && tokens[stop]![0] === TokenType.OpenCurly) stop = blockEnd(tokens, stop, end);
    else {
      const declaration = readDeclaration(tokens.slice(at, stop));
      if (declaration !== null) found.push(declaration);
    }
    at = stop + 1;
  }
  return found;
}

function readDeclaration(tokens: CSSToken[]): RuleDeclaration | null {
  const parts = trimmed(tokens);
  const colon = parts.findIndex(([type]) => type !== TokenType.Ident && !BLANK.has(type));
  if (parts[0]?.[0] !== TokenType.Ident || parts[colon]?.[0] !== TokenType.Colon) return null;
  if (trimmed(parts.slice(1, colon)).length > 0) return null;
  const property = parts[0][1].toLowerCase();
  let value = trimmed(parts.slice(colon + 1));
  const last = value.at(-1);
  const important = last?.[0] === TokenType.Ident && last[1].toLowerCase() === "important";
  if (important) {
    value = trimmed(value.slice(0, -1));
    const mark = value.pop();
    if (mark?.[0] !== TokenType.Delim || mark[1] !== "!") return null;
    value = trimmed(value);
  }
  const text = source(value, 0, value.length);
  if (value.some(([type]) => INVALID.has(type)) || !isSelfContained(text) || text.length > MAX_VALUE_CHARS) return null;
  return text === "" ? null : { property, text: `${property}:${text}`, important };
}

/**
 * True for a value that ends where it seems to end for any reader, so that values can be joined by ";": without escapes
 * and line breaks, and with every quote and parenthesis closed.
 */
export function isSelfContained(value: string): boolean {
  if (/[\\{}\0]/.test(value)) return false;
  let depth = 0;
  let quote = "";
  for (const char of value) {
    if (quote !== "") {
      if (char === "\n" || char === "\r" || char === "\f") return false;
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth += 1;
    else if (char === ")" && --depth < 0) return false;
    else if (char === ";" && depth === 0) return false;
  }
  return depth === 0 && quote === "";
}

function trimmed(tokens: CSSToken[]): CSSToken[] {
  const first = tokens.findIndex(([type]) => !BLANK.has(type));
  return first < 0 ? [] : tokens.slice(first, tokens.findLastIndex(([type]) => !BLANK.has(type)) + 1);
}

function source(tokens: CSSToken[], start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += 1) {
    const [type, representation] = tokens[at]!;
    text += type === TokenType.Comment ? " " : representation;
  }
  return text;
}

/** Returns the index of the first token of one of these types outside blocks and parentheses; `end` if there is none. */
function find(tokens: CSSToken[], start: number, end: number, types: TokenType[]): number {
  let at = start;
  while (at < end) {
    const type = tokens[at]![0];
    if (types.includes(type)) return at;
    at = OPENING.has(type) ? blockEnd(tokens, at, end) + 1 : at + 1;
  }
  return end;
}

/** Returns the index of the token that closes the block opened at `start`; `end` if nothing does. */
function blockEnd(tokens: CSSToken[], start: number, end: number): number {
  const closing = [OPENING.get(tokens[start]![0])!];
  for (let at = start + 1; at < end; at += 1) {
    const type = tokens[at]![0];
    const close = OPENING.get(type);
    if (close !== undefined) closing.push(close);
    else if (type === closing.at(-1) && closing.pop() !== undefined && closing.length === 0) return at;
  }
  return end;
}
