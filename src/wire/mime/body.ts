/** A message's body without the mail it answers. */

import { quotedLine } from "../html/text.ts";
import { type HtmlLine, htmlToLines } from "../html/text-lines.ts";
import { partLines } from "../quotes/inline.ts";
import type { SourceLine } from "../quotes/lines.ts";
import { rolesOf } from "../quotes/quotes.ts";
import type { Role } from "../quotes/scan.ts";
import { FORWARD_SUBJECT } from "../quotes/words.ts";
import { projectRoles } from "./body-project.ts";

export interface BodyInput {
  /** The text part, or the HTML as text when there is none. */
  text: string;
  html: string | null;
  /** Helps to tell an Outlook forward from an Outlook reply, which look the same in the body. */
  subject?: string;
}

export interface SplitBody {
  /** The text without reply history; forwarded messages and signatures stay. Empty only when there is no text. */
  bodyText: string;
  /** Only what the sender wrote in this message: no history, signature or forward. May be empty. */
  newText: string;
  /** The end of a very long text was not looked at, and is missing from one of them. */
  cut?: boolean;
}

/** How much of a text is looked at; what follows counts as more of the last part seen. */
const MAX_TEXT = 2_000_000;
const MAX_LINES = 100_000;
const FORWARDED = new RegExp(`^\\s*(?:\\[[^\\]]{0,60}\\]\\s*)?(?:${FORWARD_SUBJECT})\\s*[:：]`, "iu");
const KEPT: ReadonlySet<Role> = new Set<Role>(["own", "blank", "quote", "signature", "forward", "forward-header"]);
const NEW: ReadonlySet<Role> = new Set<Role>(["own", "blank", "quote"]);
const FORWARD_CONTENT: ReadonlySet<Role> = new Set<Role>(["blank", "forward"]);

/**
 * Splits a message into its parts by the marks of its mail program in the HTML, and by the words and quote marks in
 * the text. `bodyText` and `newText` are lines of `text`, except where only the HTML shows what is quoted and the text
 * cannot be matched with it. Linear time, never throws.
 */
export function splitBody(input: BodyInput): SplitBody {
  const text = input.text.includes("\r") ? input.text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : input.text;
  const head = headOf(text);
  const forwarded = FORWARDED.test(input.subject ?? "");
  const lines = partLines(head.split("\n").map((line): SourceLine => ({ text: line, cue: null })));
  const chosen =
    input.html === null
      ? { lines, roles: rolesOf(lines, forwarded) }
      : withHtml(lines, htmlToLines(input.html), forwarded);
  const last = chosen.roles.findLast((role) => role !== "blank");
  const rest = last === "history" ? "" : text.slice(head.length);
  // Most mail answers nothing and has no signature: all of it is new.
  if (last !== undefined && chosen.roles.every((role) => NEW.has(role))) {
    const newText = render(chosen.lines, chosen.roles, NEW);
    return { bodyText: newText + rest, newText };
  }
  const cut = /\S/.test(text.slice(head.length));
  return { bodyText: bodyOf(chosen, text, rest), newText: newOf(chosen), ...(cut ? { cut } : {}) };
}

/** The first MAX_LINES lines, no more than MAX_TEXT characters. */
function headOf(text: string): string {
  let end = -1;
  for (let n = 0; n < MAX_LINES; n += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1 || end >= MAX_TEXT) return text.slice(0, MAX_TEXT);
  }
  return text.slice(0, end);
}

interface Read {
  lines: SourceLine[];
  roles: Role[];
}

/** Settles what text and HTML say; the HTML decides where its program marked the quote. */
function withHtml(text: SourceLine[], html: readonly HtmlLine[], forwarded: boolean): Read {
  if (!html.some((line) => line.cue !== null)) return { lines: text, roles: rolesOf(text, forwarded) };
  const lines = partLines(html.map((line): SourceLine => ({ text: quotedLine(line), cue: line.cue })));
  const fromHtml = { lines, roles: rolesOf(lines, forwarded) };
  // The text was made from this HTML: nothing has to be carried over.
  if (lines.length === text.length && lines.every((line, i) => line.text === text[i]!.text)) return fromHtml;
  const projected = projectRoles(fromHtml.lines, fromHtml.roles, text, rolesOf(text, forwarded));
  return projected === null ? fromHtml : { lines: text, roles: projected };
}

function bodyOf({ lines, roles }: Read, whole: string, rest: string): string {
  const body = render(lines, roles, KEPT);
  if (body !== "") return body + rest;
  const all = trimBlank(whole);
  return all !== "" ? all : trimBlank(lines.map((line) => line.text).join("\n"));
}

function newOf({ lines, roles }: Read): string {
  // Nothing but a signature was written, and to nobody's mail: that is the text.
  if (roles.every((role) => role === "signature" || role === "blank")) return render(lines, roles, KEPT);
  const fresh = render(lines, roles, NEW);
  // A forward without a note says only what it forwards.
  return fresh === "" && !roles.includes("signature") ? render(lines, roles, FORWARD_CONTENT) : fresh;
}

/** The lines of the `kept` roles. Blank lines around what was left out fall together. */
function render(lines: SourceLine[], roles: Role[], kept: ReadonlySet<Role>): string {
  const out: string[] = [];
  let skipped = false;
  for (let i = 0; i < lines.length; i += 1) {
    if (!kept.has(roles[i]!)) {
      skipped = true;
      if (lines[i]!.joined && i > 0 && kept.has(roles[i - 1]!)) out.push(out.pop()!.trimEnd());
      continue;
    }
    if (lines[i]!.joined && i > 0 && kept.has(roles[i - 1]!) && out.length > 0) {
      out.push(out.pop()! + lines[i]!.text);
      continue;
    }
    if (roles[i] === "blank" && skipped && (out.length === 0 || out[out.length - 1] === "")) continue;
    if (roles[i] !== "blank") skipped = false;
    out.push(roles[i] === "blank" ? "" : lines[i]!.text);
  }
  return trimBlank(out.join("\n"));
}

/** Without blank lines at both ends; the first line keeps its indentation. */
function trimBlank(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return "";
  return text.slice(text.lastIndexOf("\n", start) + 1).trimEnd();
}
