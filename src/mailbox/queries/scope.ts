import type { Address } from "../store/envelope.ts";

/** The mail that a query can see. Every query takes the scope first; mail outside of it is not found. */
export interface MailScope {
  user_id: string;
  /** The one mailbox that the caller is bound to; null: all of the user's mailboxes. */
  account_id: string | null;
}

/** A position in a list: the sort values of the last row seen. */
export type Position = readonly (string | number)[];

/** Earlier dates come from clocks that were never set. */
const EARLIEST_PLAUSIBLE_MS = Date.UTC(1990, 0, 1);
/** A Date header may be this much later than the arrival: clocks and time zones are often wrong by hours. */
const CLOCK_SLACK_MS = 86_400_000;

/**
 * Returns the date that a message shows, ms: its Date header, unless that is before 1990 or more than a day after the
 * server received the message; then the time of receipt (INTERNALDATE).
 */
export function shownDate(row: { sent_date: number; internal_date: number }): number {
  const { sent_date, internal_date } = row;
  return sent_date >= EARLIEST_PLAUSIBLE_MS && sent_date <= internal_date + CLOCK_SLACK_MS ? sent_date : internal_date;
}

/**
 * Returns the distinct addresses of a conversation in order of first appearance, spelled as there. Bcc addresses are
 * left out.
 */
export function participantEmails(envelopes: Iterable<{ from: Address; to: Address[]; cc: Address[] }>): string[] {
  const seen = new Map<string, string>();
  for (const { from, to, cc } of envelopes) {
    for (const { email } of [from, ...to, ...cc]) {
      const key = email.toLowerCase();
      if (email !== "" && !seen.has(key)) seen.set(key, email);
    }
  }
  return [...seen.values()];
}
