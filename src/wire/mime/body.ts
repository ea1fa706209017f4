/** Separates the body of a message from the mail that it answers. */

import { quotedLine } from "../html/text.ts";
import { type HtmlLine, htmlToLines } from "../html/text-lines.ts";
import { partLines } from "../quotes/inline.ts";
import type { SourceLine } from "../quotes/lines.ts";
import { rolesOf } from "../quotes/quotes.ts";
import type { Role } from "../quotes/scan.ts";
import { FORWARD_SUBJECT } from "../quotes/words.ts";
import { projectRoles } from "./body-project.ts";

export interface BodyInput {
  /** The text part, or the HTML converted to text when there is none. */
  text: string;
  html: string | null;
  /** Helps to distinguish an Outlook forward from an Outlook reply, which look the same in the body. */
  subject?: string;
}

export interface SplitBody {
  /** The text without reply history; forwarded messages and signatures are kept. Empty only when there is no text. */
  bodyText: string;
  /** Only the sender's own words in this message: no history, signature or forward. May be empty. */
  newText: string;
  /** The end of a very long text was not analyzed and is missing from one of the two texts. */
  cut?: boolean;
}

/** Limits of the analyzed text. Text beyond them is treated as more of the last part. */
const MAX_TEXT = 2_000_000;
const MAX_LINES = 100_000;
const FORWARDED = new RegExp(`^\\s*(?:\\[[^\\]]{0,60}\\]\\s*)?(?:${FORWARD_SUBJECT})\\s*[:：]`, "iu");
const KEPT: ReadonlySet<Role> = new Set<Role>(["own", "blank", "quote", "signature", "forward", "forward-header"]);
const NEW: ReadonlySet<Role> = new Set<Role>(["own", "blank", "quote"]);
const FORWARD_CONTENT: ReadonlySet<Role> = new Set<Role>(["blank", "forward"]);

/**
 * Splits a message into its parts by the HTML markup of its mail program, and by the words and quote marks in the text.
 * `bodyText` and `newText` are lines of `text`, except when only the HTML shows the quote and the text cannot be
 * matched with it. Runs in linear time and never throws.
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

/** Returns the first MAX_LINES lines, at most MAX_TEXT characters. */
function headOf(text: string): string {
  let end = -1;
  for (let n = 0; n < MAX_LINES; n += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1 || end >= MAX_TEXT) return text.slice(0, MAX_TEXT);
  }
  return text.slice(0, end);
}

interface Reading {
  lines: SourceLine[];
  roles: Role[];
}

/** Reconciles the text with the HTML; the HTML decides where its program marked the quote. */
function withHtml(text: SourceLine[], html: readonly HtmlLine[], forwarded: boolean): Reading {
  if (!html.some((line) => line.cue !== null)) return { lines: text, roles: rolesOf(text, forwarded) };
  const lines = partLines(html.map((line): SourceLine => ({ text: quotedLine(line), cue: line.cue })));
  const fromHtml = { lines, roles: rolesOf(lines, forwarded) };
  // The text was made from this HTML, so there is nothing to transfer.
  if (lines.length === text.length && lines.every((line, i) => line.text === text[i]!.text)) return fromHtml;
  const projected = projectRoles(fromHtml.lines, fromHtml.roles, text, rolesOf(text, forwarded));
  return projected === null ? fromHtml : { lines: text, roles: projected };
}

function bodyOf({ lines, roles }: Reading, whole: string, rest: string): string {
  const body = render(lines, roles, KEPT);
  if (body !== "") return body + rest;
  const all = trimBlank(whole);
  return all !== "" ? all : trimBlank(lines.map((line) => line.text).join("\n"));
}

function newOf({ lines, roles }: Reading): string {
  // Only a signature was written, and it answers no mail: the signature is the text.
  if (roles.every((role) => role === "signature" || role === "blank")) return render(lines, roles, KEPT);
  const newText = render(lines, roles, NEW);
  // The new text of a forward without a note is the forwarded content.
  return newText === "" && !roles.includes("signature") ? render(lines, roles, FORWARD_CONTENT) : newText;
}

/** Returns the lines of the `kept` roles. Blank lines around removed lines are merged. */
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

/** Removes blank lines at both ends; the first line keeps its indentation. */
function trimBlank(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return "";
  return text.slice(text.lastIndexOf("\n", start) + 1).trimEnd();
}
