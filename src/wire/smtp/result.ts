/** What became of one attempt to submit a message. */

/**
 * Where a server said no. "connect": greeting, EHLO, or the server going away (421); "data": the command; "content":
 * the reply to the message itself. "size" and "smtputf8" are found out from what the server offers, before MAIL FROM.
 */
export type Stage = "connect" | "starttls" | "auth" | "mail" | "rcpt" | "data" | "content" | "size" | "smtputf8";

/** An answer of a server. */
export interface Reply {
  /** RFC 5321 §4.2: 400 to 599 here. */
  code: number;
  /** RFC 3463 enhanced status code, e.g. "5.1.1"; null when the answer has none. */
  enhanced: string | null;
  /** Its words, on one line, at most {@link MAX_RESPONSE} characters. */
  response: string;
}

/** A recipient that the server would not take. */
export interface Rejected extends Reply {
  recipient: string;
}

export type NotSentReason = "dns" | "connect" | "timeout" | "tls" | "cut" | "protocol";

export type SubmitResult =
  /** The server took responsibility for the message, for every recipient that is not among `rejected`. */
  | { outcome: "accepted"; response: string; rejected: Rejected[] }
  /** The server, or we for it (`code` null), refused: nobody gets this attempt. `rejected` only in stage "rcpt". */
  | {
      outcome: "refused";
      stage: Stage;
      code: number | null;
      enhanced: string | null;
      response: string;
      rejected: Rejected[];
    }
  /** The connection failed before the whole message was out: nobody gets this attempt. */
  | { outcome: "not_sent"; reason: NotSentReason; detail: string }
  /** All of the message was on its way and no answer came: it may or may not be delivered (RFC 5321 §4.5.4.1). */
  | { outcome: "unknown"; detail: string };

export const MAX_RESPONSE = 500;

/** Reads an answer; null when it is no complete refusal (4xx or 5xx). */
export function readReply(text: string): Reply | null {
  const match = /^([45]\d\d)(?:[ -]|$)/.exec(text);
  if (!match) return null;
  const enhanced = /^[45]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null;
  return { code: Number(match[1]), enhanced, response: oneLine(text) };
}

/** A server's words as one bounded line, the codes of its further lines taken out. */
export function oneLine(text: string): string {
  return text
    .slice(0, 4 * MAX_RESPONSE)
    .replace(/\r?\n\d{3}(?:-| |$)(?:[245]\.\d{1,3}\.\d{1,3} )?/gm, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_RESPONSE);
}
