import { invalidParam } from "../../kernel/errors.ts";
import { fittingText } from "../budget.ts";
import { isCut, type MailText, unmarked } from "../mail-text.ts";
import { callText } from "./bulk.ts";

/** Part of a text that is shown where `fetch` shows the rest. */
const SHOWN = { chars: 2_000, bytes: 4_000 };

/**
 * Marks a text that the user keeps. If it is long, it is cut, and a line says how to read the rest.
 * @param rest arguments of `fetch` for the whole text @param shown what is shown at most
 */
export function ownText(text: string, rest: { id: string; offset: number }, mail: MailText, shown = SHOWN): string {
  const piece = fittingText(text, shown.chars, shown.bytes, (part) => mail.exactLines(part));
  if (piece.length === text.length) return mail.exactLines(text);
  const about = mail.about(`cut after ${piece.length} of ${text.length} characters; all: ${callText("fetch", rest)}`);
  return `${mail.exactLines(piece)}\n${about}`;
}

/** Returns a text that a tool may have shown before. @throws ApiError invalid_params if it is one that was cut */
export function ownArgument(param: string, text: string): string {
  if (isCut(text)) {
    throw invalidParam(param, `${param} is a text that was cut. Read all of it with fetch before you change it.`);
  }
  return unmarked(text);
}
