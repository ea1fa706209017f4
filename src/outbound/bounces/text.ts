/**
 * Parses notifications that are only text for people: qmail, Exim, old Postfix, Exchange, sendmail, Gmail and Yahoo.
 */
import { parseIds } from "../../wire/mime/ids.ts";
import type { BounceRecipient } from "./recipient.ts";
import { diagnosticOf, statusIn } from "./report.ts";

const MAX_TEXT = 64 * 1024;
const MAX_LINES_OF_DIAGNOSTIC = 8;

/** Start of the returned message. The text after it says nothing about recipients. */
const COPY =
  /^(?:[-\s]*(?:below this line is a copy of the message|this is a copy of (?:your|the) message|original message(?: follows| headers)?|unsent message below|returned message|start of returned message|message header follows|the body of the message is|header of the original message).*|\s*Return-Path:.*|\s*Received: .*)$/im;

/** Phrases of failure notifications that ordinary mail hardly ever has in its first lines. */
const FAILURE =
  /(?:could not|can ?not|couldn't|can't|wasn't able to|was not able to|unable to|not) (?:yet )?(?:be |been )?(?:able to )?(?:deliver|reach)|delivery (?:to|has|of|failed|status)|did not reach|undeliver(?:ed|able)|address(?:es)? (?:had|failed)|fatal errors|message (?:was|has been) (?:delayed|returned)|qmail-send program/i;
const DELAY =
  /warning message only|has been delayed|delivery (?:is |was |has been )?delayed|not yet been delivered|still (?:being )?(?:tr(?:y|ied)|attempt)|will (?:be retried|continue to (?:try|be))|do not need to resend|could not send message for past|temporary (?:problem|failure)s? .{0,40}retr/i;
const FINAL = /permanent|giving up|given up|no longer (?:try|attempt)|fatal|this is a permanent error/i;

/** "<a@b>:", "    a@b", "a@b on 1/2/2004 3:04 PM", "To: a@b"; the rest of the line is the reason. */
const RECIPIENT_LINE =
  /^[ \t]*(?:(?:to|recipient|failed recipient|final recipient|address):?[ \t]+)?<?([^\s<>"(),;:]+@[^\s<>"(),;:@]+)>?(?::|[ \t]+on (?:\d[\d/.]+|(?:mon|tue|wed|thu|fri|sat|sun)\b)[^\n]*|[ \t]*\((?:[^()]*)\))?[ \t]*(.*)$/i;

/**
 * Returns the recipients that a notification's text reports on. `failed` are those of an X-Failed-Recipients header,
 * which count even without a separate line. Returns nothing if the text does not mention a failed or delayed
 * delivery.
 */
export function readBounceText(text: string, subject: string, failed: readonly string[]): BounceRecipient[] {
  const report = reportOf(text);
  const words = `${subject} ${report}`.replace(/\s+/g, " ");
  if (failed.length === 0 && !FAILURE.test(words.slice(subject.length))) return [];
  const delayed = DELAY.test(words) && !FINAL.test(words);
  const listed = recipientsIn(report);
  const found = listed.size > 0 ? listed : recipientInSentence(report);
  const wanted = failed.length > 0 ? failed : [...found.keys()];
  return wanted.map((address) => {
    const reason = found.get(address.toLowerCase()) ?? (failed.length === 1 ? replyCodeLine(report) : "");
    const diagnostic = diagnosticOf(reason.replace(/^\s*\(?reason:\s*|\)$/gi, ""));
    const status = statusIn(diagnostic ?? "");
    return { address, action: delayed ? "delayed" : "failed", status, diagnostic };
  });
}

/** Returns the Message-ID in the copy of the message after the report. */
export function originalInText(text: string): string | null {
  const bounded = text.slice(0, 4 * MAX_TEXT);
  const copy = COPY.exec(bounded);
  if (!copy) return null;
  const line = /^[> \t]*Message-ID:[ \t]*(?:\n[ \t]+)?(<[^<>\s]+>)/im.exec(bounded.slice(copy.index));
  return line ? (parseIds(line[1]!)[0] ?? null) : null;
}

function reportOf(text: string): string {
  const bounded = text.slice(0, MAX_TEXT).replace(/\r\n?/g, "\n");
  const copy = COPY.exec(bounded);
  return copy ? bounded.slice(0, copy.index) : bounded;
}

/** Returns each address that has its own line, with the text about it. The first mention of an address counts. */
function recipientsIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const match = RECIPIENT_LINE.exec(lines[i]!);
    if (!match || isSentence(lines[i]!, match[2]!)) continue;
    const words = [match[2]!];
    let blank = 0;
    for (let next = i + 1; next < lines.length && words.length < MAX_LINES_OF_DIAGNOSTIC; next++) {
      const line = lines[next]!;
      if (RECIPIENT_LINE.test(line) && !isSentence(line, RECIPIENT_LINE.exec(line)![2]!)) break;
      if (line.trim() === "") {
        // An empty line may separate an address from its reason, but not follow the reason.
        if (words.some((word) => word.trim() !== "") || ++blank > 1) break;
      } else words.push(line);
    }
    const address = match[1]!;
    const key = address.toLowerCase();
    if (!found.has(key)) found.set(key, words.join(" "));
  }
  return found;
}

/** Finds a recipient in a sentence such as "Delivery to 'a@b' failed because …", if no address has its own line. */
function recipientInSentence(text: string): Map<string, string> {
  const match =
    /\b(?:address(?:ed)?|deliver(?:y|ed)?|message|sent|mail) to:?\s+['"<]?([^\s<>"'(),;:]+@[^\s<>"'(),;:@]+[^\s<>"'(),;:@.])/i.exec(
      text,
    );
  return new Map(match ? [[match[1]!.toLowerCase(), replyCodeLine(text)]] : []);
}

/**
 * Returns true for prose about a person, such as "bob@x.org said: …". Brackets, or a colon after the address, mark a
 * report line instead.
 */
function isSentence(line: string, rest: string): boolean {
  if (rest.trim() === "") return false;
  return !/^[ \t]*<[^<>]+>:?/.test(line) && !/@[^\s:]+:[ \t]/.test(line);
}

/** Returns the line with a reply code, for a report that names its only recipient elsewhere. */
function replyCodeLine(text: string): string {
  return /^.*\b[45]\d\d[ -].*$/m.exec(text)?.[0] ?? "";
}
