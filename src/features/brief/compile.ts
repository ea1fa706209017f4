import { isoTime } from "../../kernel/clock.ts";
import { daysBetween, localDay, offsetMinutes } from "../../kernel/local-time.ts";
import { type ConversationMessage, ConversationReader, type ThreadSpan } from "../../mailbox/queries/conversations.ts";
import {
  type Commitment,
  commitmentsOf,
  type OffsetAt,
  openAsks,
  type TurnFinding,
} from "../../ml/extract/conversation.ts";
import type { Platform } from "../../platform/platform.ts";
import { SCANNED_STATES } from "./coverage.ts";
import type { Brief, CalendarItem, CommitmentItem, NeedsReply, UndatedCommitment } from "./model.ts";
import { quoteOf } from "./quotes.ts";
import { clarity, dayInWords, urgency } from "./rank.ts";

/** The user of a brief, its time, and everything in it that does not come from mail. Its day contains `now` (ms). */
export interface BriefRequest {
  user_id: string;
  timezone: string;
  now: number;
  /** Addresses of the user and of their VIPs, lower case. */
  own: readonly string[];
  vips: readonly string[];
  /** Events of that day and the next day. */
  calendar: CalendarItem[];
}

export type CompileBrief = (asked: BriefRequest) => Promise<CompiledBrief>;

/**
 * Returns a compiler that compiles briefs on the calling thread.
 * @param yieldIfDue lets the thread do other work when it is due; called before every conversation
 */
export function briefCompiler(store: Pick<Platform, "db" | "keyring">, yieldIfDue: () => Promise<void>): CompileBrief {
  return (asked) => {
    const reader = new ConversationReader(store, { user_id: asked.user_id, account_id: null }, new Set(asked.own));
    return compileBrief(reader, asked, yieldIfDue);
  };
}

/** A brief with the mailbox of each item, for keys that are bound to one mailbox. */
export interface CompiledBrief extends Omit<Brief, "needs_reply" | "commitments" | "undated"> {
  needs_reply: (NeedsReply & { account_id: string })[];
  commitments: (CommitmentItem & { account_id: string })[];
  undated: (UndatedCommitment & { account_id: string })[];
}

const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;
/** Returns the start of the mail that a brief of this time reads; both ms. */
const windowBefore = (now: number): number => now - WINDOW_DAYS * DAY_MS;
/** A promise that has been overdue for longer is dropped. One without a date is dropped after UNDATED_DAYS. */
const OVERDUE_DAYS = 7;
const UNDATED_DAYS = 10;
const MAX_ITEMS = 50;
const MAX_UNDATED = 20;
/** Fewer messages from a person do not show whether the user usually answers them. */
const MIN_WRITTEN = 3;

interface Scanned {
  span: ThreadSpan;
  messages: ConversationMessage[];
  asks: TurnFinding[];
  commitments: Commitment[];
}

/** Compiles a brief. Only reads, and uses no language model. */
async function compileBrief(
  reader: ConversationReader,
  { timezone, now, vips, calendar }: BriefRequest,
  yieldIfDue: () => Promise<void>,
): Promise<CompiledBrief> {
  const today = localDay(timezone, now);
  const offset: OffsetAt = (at) => offsetMinutes(timezone, at);
  const scanned: Scanned[] = [];
  const habits = new Habits();
  const names = namesOf(reader);
  const spans = reader.threadsSince(SCANNED_STATES, windowBefore(now));
  for (const span of spans) {
    await yieldIfDue();
    const messages = reader.messages(span.id).filter(isPersonal);
    habits.note(messages);
    if (messages.length === 0) continue;
    const recent = messages.filter(({ at }) => at >= windowBefore(now));
    const asks = span.state === "inbox" ? openAsks(messages, offset, names) : [];
    const commitments = commitmentsOf(recent, offset).filter(({ kept }) => !kept);
    if (asks.length + commitments.length > 0) scanned.push({ span, messages, asks, commitments });
  }
  return {
    date: today,
    needs_reply: needsReply(new Set(vips), scanned, habits, { timezone, today }),
    ...promises(scanned, today),
    calendar,
    engine: "extractive",
    generated_at: isoTime(now),
  };
}

/**
 * Whether a message is from a person. Newsletters, notifications and offers ask nothing of anyone. People on a list may
 * ask the user by name.
 */
const isPersonal = ({ outgoing, category, fromList }: ConversationMessage): boolean =>
  outgoing || fromList || category === "primary";

/** Sent conversations that are searched for the user's names. */
const NAMED_THREADS = 20;
/** Beginnings of addresses that are not names. */
const NO_NAMES =
  /^(?:info|hello|hallo|hi|mail|e-?mail|office|contact|kontakt|me|admin|team|post|home|work|box|inbox|my|the|all)$/i;

/** Returns the user's names, from the addresses and from the latest sent mail. */
function namesOf(reader: ConversationReader): string[] {
  const local = [...reader.own].flatMap((address) => address.split("@")[0]!.split(/[^\p{L}]+/u));
  const sent = reader
    .threadsWithSent(NAMED_THREADS)
    .flatMap(({ id }) => reader.messages(id, NAMED_THREADS))
    .flatMap(({ outgoing, head, myNames }) => (outgoing ? [head.from.name] : myNames));
  return [...new Set([...local.filter((word) => word.length > 2 && !NO_NAMES.test(word)), ...sent])];
}

/** The share of each sender's mail that the user answers. */
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
    return count && count.written >= MIN_WRITTEN ? count.answered / count.written : null;
  }
}

function needsReply(
  vips: ReadonlySet<string>,
  scanned: readonly Scanned[],
  habits: Habits,
  { timezone, today }: { timezone: string; today: string },
): CompiledBrief["needs_reply"] {
  const items = scanned.flatMap(byAsker).map(({ span, messages, asks }) => {
    const due = asks.flatMap((one) => one.due ?? []).sort()[0] ?? null;
    // Chooses the ask that is clearest out of context; the last of equally clear ones.
    const worth = (one: TurnFinding) => clarity(one) + (one.due !== null && one.due === due ? DUE_BONUS : 0);
    const ask = asks.reduce((best, next) => (worth(next) >= worth(best) ? next : best));
    const message = messages.find(({ id }) => id === ask.message_id)!;
    const { from, subject } = message.head;
    const askedDay = localDay(timezone, ask.at);
    const vip = vips.has(from.email.toLowerCase());
    const rank = urgency({
      score: Math.max(...asks.map(({ score }) => score)),
      vip,
      ageDays: daysBetween(askedDay, today),
      dueInDays: due === null ? null : daysBetween(today, due),
      answeredShare: habits.share(from.email),
    });
    const evidence = evidenceOf(ask, message);
    const item = {
      thread_id: span.id,
      account_id: span.account_id,
      from,
      why: whyOf(ask, evidence.quote, due, { askedDay, today, more: asks.length - 1 }),
      subject,
      asked_at: isoTime(ask.at),
      due,
      vip,
      ...evidence,
    };
    return { rank, item };
  });
  return items
    .sort((a, b) => b.rank - a.rank || (a.item.thread_id < b.item.thread_id ? 1 : -1))
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}

/** How much clearer an ask with the earliest due day counts. */
const DUE_BONUS = 1;

/** Returns the open asks of a conversation by the person who asks: each has their own deadline. */
function byAsker(scanned: Scanned): Scanned[] {
  const asker = new Map(scanned.messages.map(({ id, head }) => [id, head.from.email.toLowerCase()]));
  const groups = Map.groupBy(scanned.asks, ({ message_id }) => asker.get(message_id));
  return [...groups.values()].map((asks) => ({ ...scanned, asks }));
}

const LONGEST_QUOTE_CHARS = 140;
const LONGEST_WITH_CONTEXT_CHARS = 240;

function whyOf(
  ask: TurnFinding,
  quoted: string,
  due: string | null,
  { askedDay, today, more }: { askedDay: string; today: string; more: number },
): string {
  const whole = oneLine(quoted).replace(/\.$/, "");
  const line = whole.length > LONGEST_WITH_CONTEXT_CHARS ? oneLine(ask.text).replace(/\.$/, "") : whole;
  const longest = line === whole ? LONGEST_WITH_CONTEXT_CHARS : LONGEST_QUOTE_CHARS;
  const quote = line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line;
  const when = due === null ? "" : `${due < today ? "was due" : "due"} ${dayInWords(due, today)}`;
  const isOwn = ask.due === due;
  const others = more === 0 ? "" : ` (and ${more} more${isOwn ? "" : `, ${more > 1 ? "one " : ""}${when}`})`;
  const wanted = due === null || !isOwn ? "" : `, ${when}`;
  const asked = `Asked ${dayInWords(askedDay, today)}: “${quote}”`;
  const ended = others + wanted === "" && /[.?!…。？！؟]$/u.test(quote);
  return `${asked}${others}${wanted}${ended ? "" : "."}`;
}

function promises(scanned: readonly Scanned[], today: string): Pick<CompiledBrief, "commitments" | "undated"> {
  const commitments: CompiledBrief["commitments"] = [];
  const undated: CompiledBrief["undated"] = [];
  for (const { span, messages, commitments: found } of scanned) {
    for (const promise of found) {
      const message = messages.find(({ id }) => id === promise.message_id)!;
      const evidence = evidenceOf(promise, message);
      const about = {
        thread_id: span.id,
        account_id: span.account_id,
        promise: oneLine(evidence.quote),
        by: promise.by,
        with: (message.outgoing ? message.head.to[0] : null) ?? message.head.from,
        said_at: isoTime(promise.at),
        ...evidence,
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
  return { commitments: commitments.slice(0, MAX_ITEMS), undated: undated.slice(0, MAX_UNDATED) };
}

function evidenceOf(finding: TurnFinding, message: ConversationMessage) {
  const text = message.text();
  const { start, end } = quoteOf(text, finding);
  return { message_id: finding.message_id, quote: text.body_text.slice(start, end), start, end };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
