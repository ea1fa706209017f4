/** Decides what follows from one attempt to submit a message (docs/sending.md, "Retries"). Pure. */
import type { Rejected, SubmitResult } from "../../wire/smtp/result.ts";

/** Why a send failed permanently; the `reason` of `send.failed`. Stable, because clients match on it. */
export const FAIL_REASONS = [
  /** The server refused for a reason without a more specific value. See its reply. */
  "provider_rejected",
  /**
   * The user name, password or authentication method was refused, or the server requires a sign-in that we cannot
   * perform.
   */
  "auth_failed",
  /** The server does not allow this account to send from this address. */
  "sender_rejected",
  /** No recipient exists or accepts mail. */
  "recipient_rejected",
  "message_too_large",
  /** An address has non-ASCII characters that this server, or one behind it, does not support. */
  "smtputf8_unsupported",
  /** The provider's own limit on what the account sends. */
  "sending_limit",
  /** No trusted TLS connection was possible for 24 hours, or the server does not offer TLS at all. */
  "tls_failed",
  /** No lasting connection was possible for 24 hours. */
  "unreachable",
  /** The message was submitted and no response arrived. It is unknown whether the server took it. */
  "delivery_unknown",
  /**
   * The message could not be composed: one of its files is damaged, or the account no longer has its sender address.
   */
  "compose_failed",
] as const;

export type FailReason = (typeof FAIL_REASONS)[number];

export type NextStep =
  /** `rejected`: the recipients who do not get the message although others do. */
  | { next: "sent"; rejected: Rejected[] }
  /** `at`: ms since the epoch. */
  | { next: "retry"; at: number; detail: string }
  | { next: "failed"; reason: FailReason; detail: string }
  | { next: "unknown"; detail: string };

const MINUTE_MS = 60_000;
/** Delays after the first attempts; the last one repeats. */
export const RETRY_WAITS_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
export const LONGEST_WAIT_MS = Math.max(...RETRY_WAITS_MS);
export const GIVE_UP_MS = 24 * 60 * MINUTE_MS;

/**
 * Decides what follows from one attempt. `attempt` counts from 1; times are ms since the epoch. 4xx replies and
 * connection faults are retried after 1, 5, 15, 30 and 60 minutes and then hourly, the last time 24 hours after the
 * first attempt. 5xx replies and a refused sign-in fail immediately. A message that reached at least one recipient
 * counts as sent, with the refused recipients recorded, because another attempt would reach the others twice. If every
 * recipient is refused, a single 4xx among them is enough for a retry. `detail` is one line, at most 500 characters,
 * with the provider's text if there is any.
 */
export function classify(result: SubmitResult, attempt: number, first_attempt_at: number, now: number): NextStep {
  switch (result.outcome) {
    case "accepted":
      return { next: "sent", rejected: result.rejected };
    case "unknown":
      return { next: "unknown", detail: result.detail };
    case "not_sent": {
      const reason = result.reason === "tls" ? "tls_failed" : "unreachable";
      return retry(reason, result.detail);
    }
    case "refused":
      return isTemporary(result) ? retry(reasonOf(result), result.response) : failed(reasonOf(result), result.response);
  }

  function retry(reason: FailReason, detail: string): NextStep {
    const giveUpAt = first_attempt_at + GIVE_UP_MS;
    if (now >= giveUpAt) return failed(reason, detail);
    const wait = RETRY_WAITS_MS[Math.max(0, attempt - 1)] ?? RETRY_WAITS_MS.at(-1)!;
    return { next: "retry", at: Math.min(now + wait, giveUpAt), detail };
  }
}

type Refused = Extract<SubmitResult, { outcome: "refused" }>;

function failed(reason: FailReason, detail: string): NextStep {
  return { next: "failed", reason, detail };
}

function isTemporary({ code, rejected }: Refused): boolean {
  if (rejected.some((one) => one.code < 500)) return true;
  return code !== null && code < 500;
}

const LIMIT =
  /\b(?:rate|sending|relay|daily|hourly|message|sent|recipients?)[ -]?(?:user )?(?:sending )?(?:limit|quota)s?\b|too many (?:messages|mails|emails|recipients this)|limit exceeded|exceeded .{0,40}\b(?:limit|quota)\b/i;
const SENDER =
  /\b(?:sender (?:address )?(?:rejected|denied|not allowed|verify)|not owned by|send ?as(?:denied)?|from address|sender domain|not allowed to send (?:as|from)|envelope from|must match|invalid sender)\b/i;

/**
 * Returns the reason for a refusal. Checks RFC 3463 codes first, because they do not depend on language; then the
 * stage; then the wording of known servers.
 */
function reasonOf({ stage, code, enhanced, response }: Refused): FailReason {
  const subject = enhanced?.slice(2) ?? "";
  if (stage === "smtputf8" || subject === "6.7" || subject === "6.9") return "smtputf8_unsupported";
  if (stage === "size" || subject === "3.4" || subject === "2.3") return "message_too_large";
  if (stage === "starttls") return "tls_failed";
  if (stage === "auth" || isLogin(code)) return "auth_failed";
  // 2.2 is the recipient's full mailbox, which phrases like "quota exceeded" also describe.
  if (subject === "4.5" || (subject !== "2.2" && LIMIT.test(response))) return "sending_limit";
  if (stage === "rcpt") return recipientReason(subject, response);
  if (stage === "mail" && code === 552) return "message_too_large";
  if (/^1\.[78]$/.test(subject) || SENDER.test(response)) return "sender_rejected";
  if (/^(?:1\.[12346]|2\.[12])$/.test(subject)) return "recipient_rejected";
  if (code === 552 && !subject) return "message_too_large";
  return "provider_rejected";
}

/**
 * Returns whether a code refuses the sign-in (RFC 4954 §6). Some servers return these for MAIL when the sign-in was
 * lost. 5.7.9 with other codes can be any policy.
 */
function isLogin(code: number | null): boolean {
  return code === 530 || code === 534 || code === 535 || code === 538;
}

/**
 * Returns the reason for a refused recipient. A relay's refusal to pass mail on (5.7.1) comes from the provider, not
 * from the recipient.
 */
function recipientReason(subject: string, response: string): FailReason {
  if (subject === "1.7" || subject === "1.8" || SENDER.test(response)) return "sender_rejected";
  if (subject.startsWith("7.") && !/\b(?:user|mailbox|recipient|address)\b/i.test(response)) return "provider_rejected";
  return "recipient_rejected";
}
