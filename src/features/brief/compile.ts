import { isoTime } from "../../kernel/clock.ts";
import { addDays, daysBetween, localDay, offsetMinutes, startOfDay } from "../../kernel/local-time.ts";
import type { ConversationMessage, ConversationReader, ThreadSpan } from "../../mailbox/queries-conversations.ts";
import type { ThreadState } from "../../mailbox/state.ts";
import {
  type Commitment,
  commitmentsOf,
  type OffsetAt,
  openAsks,
  type TurnFinding,
} from "../../ml/extract/conversation.ts";
import type { Brief, CalendarItem, CommitmentItem, NeedsReply, UndatedCommitment } from "./model.ts";
import { dayInWords, pressure } from "./rank.ts";

export interface CompileParts {
  reader: ConversationReader;
  /** Addresses of the user's VIPs, lower case. */
  vips: ReadonlySet<string>;
  /** Events from the one to the other moment, ms. */
  calendar(from: number, to: number): CalendarItem[];
  /** Lets the thread answer others, where it is time to; called before every conversation. */
  breathe(): Promise<void>;
}

/** A brief with the mailbox of each item, for keys that are bound to one. */
export interface CompiledBrief extends Omit<Brief, "needs_reply" | "commitments" | "undated"> {
  needs_reply: (NeedsReply & { account_id: string })[];
  commitments: (CommitmentItem & { account_id: string })[];
  undated: (UndatedCommitment & { account_id: string })[];
}

const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;
/** Where a brief looks: not into the trash, nor into spam. */
export const SCANNED: readonly ThreadState[] = ["inbox", "archived", "snoozed", "sent"];
/** The beginning of the mail that a brief of this moment reads; both ms. */
export const windowBefore = (now: number): number => now - WINDOW_DAYS * DAY_MS;
/** A promise that was due longer ago is not a plan any more; one without a day is forgotten sooner. */
const OVERDUE_DAYS = 7;
const UNDATED_DAYS = 10;
const MOST_ITEMS = 50;
const MOST_UNDATED = 20;
/** Less mail of a person does not tell whether the user usually answers. */
const FEWEST_TO_TELL = 3;

interface Scanned {
  span: ThreadSpan;
  messages: ConversationMessage[];
  asks: TurnFinding[];
  commitments: Commitment[];
}

/** The brief of the day that `now` (ms) falls on where the user is. Reads only; takes no model. */
export async function compileBrief(parts: CompileParts, timezone: string, now: number): Promise<CompiledBrief> {
  const today = localDay(timezone, now);
  const offset: OffsetAt = (at) => offsetMinutes(timezone, at);
  const scanned: Scanned[] = [];
  const habits = new Habits();
  const spans = parts.reader.threadsSince(SCANNED, windowBefore(now));
  for (const span of spans) {
    await parts.breathe();
    const messages = parts.reader.messages(span.id).filter(isPersonal);
    habits.note(messages);
    if (messages.length === 0) continue;
    const recent = messages.filter(({ at }) => at >= windowBefore(now));
    const asks = span.state === "inbox" ? openAsks(messages, offset) : [];
    const commitments = commitmentsOf(recent, offset).filter(({ kept }) => !kept);
    if (asks.length + commitments.length > 0) scanned.push({ span, messages, asks, commitments });
  }
  const from = startOfDay(timezone, today);
  return {
    date: today,
    needs_reply: needsReply(parts, scanned, habits, { timezone, today }),
    ...promises(scanned, today),
    calendar: parts.calendar(from, startOfDay(timezone, addDays(today, 2))),
    engine: "extractive",
    generated_at: isoTime(now),
  };
}

/** Newsletters, notifications and offers ask nothing of a person. */
const isPersonal = ({ outgoing, category }: ConversationMessage): boolean => outgoing || category === "primary";

/** How often the user answers whom. */
class Habits {
  readonly #counts = new Map<string, { written: number; answered: number }>();

  note(messages: readonly ConversationMessage[]): void {
    const last = messages.findLastIndex(({ outgoing }) => outgoing);
    for (const [i, { outgoing, head }] of messages.entries()) {
      if (outgoing) continue;
      const email = head.from.email.toLowerCase();
      const count = this.#counts.get(email) ?? { written: 0, answered: 0 };
      count.written++;
      if (i < last) count.answered++;
      this.#counts.set(email, count);
    }
  }

  share(email: string): number | null {
    const count = this.#counts.get(email.toLowerCase());
    return count && count.written >= FEWEST_TO_TELL ? count.answered / count.written : null;
  }
}

function needsReply(
  { vips }: CompileParts,
  scanned: readonly Scanned[],
  habits: Habits,
  { timezone, today }: { timezone: string; today: string },
): CompiledBrief["needs_reply"] {
  const items = scanned
    .filter(({ asks }) => asks.length > 0)
    .map(({ span, messages, asks }) => {
      // Of several, the surest; of equally sure ones, the last.
      const ask = asks.reduce((best, next) => (next.score >= best.score ? next : best));
      const message = messages.find(({ id }) => id === ask.message_id)!;
      const { from, subject } = message.head;
      const asked_day = localDay(timezone, ask.at);
      const vip = vips.has(from.email.toLowerCase());
      const due = asks.flatMap((one) => one.due ?? []).sort()[0] ?? null;
      const rank = pressure({
        score: ask.score,
        vip,
        age_days: daysBetween(asked_day, today),
        due_in_days: due === null ? null : daysBetween(today, due),
        answered_share: habits.share(from.email),
      });
      const item = {
        thread_id: span.id,
        account_id: span.account_id,
        from,
        why: whyOf(ask, due, { asked_day, today, more: asks.length - 1 }),
        subject,
        asked_at: isoTime(ask.at),
        due,
        vip,
        ...evidenceOf(ask),
      };
      return { rank, item };
    });
  return items
    .sort((a, b) => b.rank - a.rank || (a.item.thread_id < b.item.thread_id ? 1 : -1))
    .slice(0, MOST_ITEMS)
    .map(({ item }) => item);
}

const LONGEST_QUOTE_CHARS = 140;

function whyOf(
  ask: TurnFinding,
  due: string | null,
  { asked_day, today, more }: { asked_day: string; today: string; more: number },
): string {
  const line = oneLine(ask.text).replace(/\.$/, "");
  const quote = line.length > LONGEST_QUOTE_CHARS ? `${line.slice(0, LONGEST_QUOTE_CHARS).trimEnd()}…` : line;
  const others = more > 0 ? ` (and ${more} more)` : "";
  const wanted = due === null ? "" : `, ${due < today ? "was wanted" : "wanted"} ${dayInWords(due, today)}`;
  const asked = `Asked ${dayInWords(asked_day, today)}: “${quote}”`;
  return `${asked}${others}${wanted}.`;
}

function promises(scanned: readonly Scanned[], today: string): Pick<CompiledBrief, "commitments" | "undated"> {
  const commitments: CompiledBrief["commitments"] = [];
  const undated: CompiledBrief["undated"] = [];
  for (const { span, messages, commitments: found } of scanned) {
    for (const promise of found) {
      const message = messages.find(({ id }) => id === promise.message_id)!;
      const about = {
        thread_id: span.id,
        account_id: span.account_id,
        promise: oneLine(promise.text),
        by: promise.by,
        with: (message.outgoing ? message.head.to[0] : null) ?? message.head.from,
        said_at: isoTime(promise.at),
        ...evidenceOf(promise),
      };
      const { due } = promise;
      if (due === null) {
        if (daysBetween(isoTime(promise.at).slice(0, 10), today) <= UNDATED_DAYS) {
          undated.push({ ...about, due, overdue: false });
        }
      } else if (daysBetween(due, today) <= OVERDUE_DAYS) commitments.push({ ...about, due, overdue: due < today });
    }
  }
  commitments.sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : a.said_at < b.said_at ? -1 : 1));
  undated.sort((a, b) => (a.said_at < b.said_at ? 1 : -1));
  return { commitments: commitments.slice(0, MOST_ITEMS), undated: undated.slice(0, MOST_UNDATED) };
}

const evidenceOf = ({ message_id, text, start, end }: TurnFinding) => ({ message_id, quote: text, start, end });
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
