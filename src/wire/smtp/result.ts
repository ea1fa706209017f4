/** The result of one attempt to submit a message. */

/**
 * The stage at which a message was refused. "connect": greeting, EHLO, or the server shutting down (421); "data": the
 * command; "content": the reply to the message itself. "size" and "smtputf8" follow from the server's EHLO answer,
 * before MAIL FROM.
 */
export type Stage = "connect" | "starttls" | "auth" | "mail" | "rcpt" | "data" | "content" | "size" | "smtputf8";

/** An answer of a server. */
export interface Reply {
  /** RFC 5321 §4.2: 400 to 599 here. */
  code: number;
  /** RFC 3463 enhanced status code, e.g. "5.1.1"; null when the answer has none. */
  enhanced: string | null;
  /** The text of the answer, on one line, at most {@link MAX_RESPONSE} characters. */
  response: string;
}

/** A recipient that the server refused. */
export interface Rejected extends Reply {
  recipient: string;
}

export type NotSentReason = "dns" | "connect" | "timeout" | "tls" | "cut" | "protocol";

export type SubmitResult =
  /** The server took responsibility for the message, for every recipient that is not among `rejected`. */
  | { outcome: "accepted"; response: string; rejected: Rejected[] }
  /**
   * The server refused, or Postroom did (`code` null): no one receives this attempt. `rejected` is set only in stage
   * "rcpt".
   */
  | {
      outcome: "refused";
      stage: Stage;
      code: number | null;
      enhanced: string | null;
      response: string;
      rejected: Rejected[];
    }
  /** The connection failed before the whole message was out: no one receives this attempt. */
  | { outcome: "not_sent"; reason: NotSentReason; detail: string }
  /** The whole message was sent and no answer arrived: it may or may not be delivered (RFC 5321 §4.5.4.1). */
  | { outcome: "unknown"; detail: string };

const MAX_RESPONSE = 500;

/** Parses an answer; null when it is not a complete refusal (4xx or 5xx). */
export function readReply(text: string): Reply | null {
  const match = /^([45]\d\d)(?:[ -]|$)/.exec(text);
  if (!match) return null;
  const enhanced = /^[45]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null;
  return { code: Number(match[1]), enhanced, response: oneLine(text) };
}

/** Returns a server's answer as one line of limited length, without the codes of continuation lines. */
export function oneLine(text: string): string {
  return text
    .slice(0, 4 * MAX_RESPONSE)
    .replace(/\r?\n\d{3}(?:-| |$)(?:[245]\.\d{1,3}\.\d{1,3} )?/gm, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_RESPONSE);
}
