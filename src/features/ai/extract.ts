import { isoTime } from "../../kernel/clock.ts";
import { offsetMinutes } from "../../kernel/local-time.ts";
import type { ConversationMessage, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { ThreadQueries } from "../../mailbox/queries/threads.ts";
import { analyzed, commitmentsOf } from "../../ml/extract/conversation.ts";
import { daysIn } from "../../ml/extract/days.ts";
import { amountsIn, findingsOf, ownSentences } from "../../ml/extract/findings.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import { type Citation, cite } from "./evidence.ts";

/** The content of a conversation that matters later. Every item cites its position in a message. */
export interface Extracted {
  thread_id: string;
  commitments: (Citation & { by: "me" | "them"; due: string | null; kept: boolean; said_at: string })[];
  dates: (Citation & { date: string })[];
  asks: (Citation & { kind: "question" | "request"; from: { name: string; email: string }; due: string | null })[];
  decisions: Citation[];
  amounts: (Citation & { currency: string; value: number })[];
}

const MAX_MESSAGES = 100;
const MAX_OF_A_KIND = 100;

/** Extracts from a conversation by rules alone: the same mail always gives the same result, and nothing is sent out. */
export class Extractor {
  constructor(
    private readonly threads: ThreadQueries,
    private readonly conversations: Conversations,
  ) {}

  /** @throws ApiError not_found */
  async extract(scope: MailScope, thread_id: string, timezone: string): Promise<Extracted> {
    const { id } = this.threads.owned(scope, thread_id, "thread_id");
    const messages = this.conversations.of(scope).messages(id, MAX_MESSAGES);
    const byId = new Map(messages.map((message) => [message.id, message]));
    const offset = (at: number) => offsetMinutes(timezone, at);
    const yieldIfDue = yieldInSlices();
    const all = async <T>(read: (message: ConversationMessage) => T[]): Promise<T[]> => {
      const found: T[] = [];
      for (const message of messages) {
        await yieldIfDue();
        found.push(...read(message));
        if (found.length >= MAX_OF_A_KIND) break;
      }
      return found.slice(0, MAX_OF_A_KIND);
    };
    return {
      thread_id: id,
      commitments: commitmentsOf(messages, offset)
        .slice(0, MAX_OF_A_KIND)
        .map(({ message_id, start, end, by, due, kept, at }) => ({
          ...cite(byId.get(message_id)!, start, end),
          by,
          due,
          kept,
          said_at: isoTime(at),
        })),
      dates: await all((message) => {
        const read = analyzed(message, offset, messages);
        return ownSentences(read).flatMap((sentence) => {
          return daysIn(sentence.text, read, read.language()).map(({ day, start, end }) => ({
            ...cite(message, sentence.start + start, sentence.start + end),
            date: day,
          }));
        });
      }),
      asks: await all((message) =>
        findingsOf(analyzed(message, offset, messages), ["question", "request"]).flatMap(({ kind, start, end, due }) =>
          kind === "question" || kind === "request"
            ? [{ ...cite(message, start, end), kind, from: message.head.from, due }]
            : [],
        ),
      ),
      decisions: await all((message) =>
        findingsOf(analyzed(message, offset, messages), ["decision"]).map(({ start, end }) =>
          cite(message, start, end),
        ),
      ),
      amounts: await all((message) =>
        amountsIn(message.text()).map(({ start, end, currency, value }) => ({
          ...cite(message, start, end),
          currency,
          value,
        })),
      ),
    };
  }
}
