import { byReading, type Retrieve } from "../features/ai/retrieve.ts";
import type { SearchService } from "../features/search/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { Conversations } from "../mailbox/queries/conversations.ts";
import { idsOf } from "../mailbox/store/message-numbers.ts";
import { contentWords } from "../ml/extract/rank.ts";
import type { Platform } from "../platform/platform.ts";

/** More words would only make every message a find. */
const MOST_WORDS = 20;

/**
 * Retrieval for questions: what search finds by meaning and by any of the question's words, in turns. Where it finds nothing,
 * because its index is not there yet, the newest mail is read.
 */
export function retrieveBySearch(platform: Platform, mailbox: Mailbox, search: SearchService): Retrieve {
  const read = byReading(new Conversations(platform, mailbox.accounts));
  return async (scope, question, limit) => {
    const words = [...new Set(contentWords(question))].slice(0, MOST_WORDS).map(withoutOperators).filter(Boolean);
    const found = await Promise.all([
      search.find(scope, withoutOperators(question), "semantic"),
      search.find(scope, words.join(" OR "), "keyword"),
    ]).catch((error: unknown) => {
      // A question is no query: what cannot be read as one is answered by reading.
      if (error instanceof ApiError) return [];
      throw error;
    });
    const [bySemantic = [], byKeyword = []] = found.map(({ rows }) => rows.map(({ n }) => n));
    const numbers = inTurns(byKeyword, bySemantic).slice(0, limit);
    return numbers.length > 0 ? idsOf(platform.db, numbers) : read(scope, question, limit);
  };
}

/** Quotes, brackets, minus signs and colons mean something in a query, and nothing in a question. */
const withoutOperators = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s@.]/gu, " ")
    .replace(/\b(?:OR|AND|NOT)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Both lists, a row of each at a time, every number once. */
function inTurns(a: readonly number[], b: readonly number[]): number[] {
  const both = new Set<number>();
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    for (const list of [a, b]) if (list[i] !== undefined) both.add(list[i]!);
  }
  return [...both];
}
