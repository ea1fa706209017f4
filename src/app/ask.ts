import { type Retrieve, retrieveByReading } from "../features/ai/retrieve.ts";
import type { SearchService } from "../features/search/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { Conversations } from "../mailbox/queries/conversations.ts";
import { idsOf } from "../mailbox/store/message-numbers.ts";
import { contentWords } from "../ml/extract/rank.ts";
import type { Platform } from "../platform/platform.ts";

/** Maximum number of words in a keyword search. With more words, nearly every message would match. */
const MAX_WORDS = 20;

/**
 * Retrieves messages for questions. Alternates semantic results with keyword results for any of the question's words.
 * If both are empty, for example because the index is not built yet, reads the newest mail.
 */
export function retrieveBySearch(platform: Platform, mailbox: Mailbox, search: SearchService): Retrieve {
  const read = retrieveByReading(new Conversations(platform, mailbox.accounts));
  return async (scope, question, limit) => {
    const words = [...new Set(contentWords(question))].slice(0, MAX_WORDS).map(withoutOperators).filter(Boolean);
    const found = await Promise.all([
      search.find(scope, withoutOperators(question), "semantic"),
      search.find(scope, words.join(" OR "), "keyword"),
    ]).catch((error: unknown) => {
      // A question is not written in query syntax. If it cannot be parsed as a query, the fallback below reads the
      // mail.
      if (error instanceof ApiError) return [];
      throw error;
    });
    const [bySemantic = [], byKeyword = []] = found.map(({ rows }) => rows.map(({ n }) => n));
    const numbers = interleave(byKeyword, bySemantic).slice(0, limit);
    return numbers.length > 0 ? idsOf(platform.db, numbers) : read(scope, question, limit);
  };
}

/** Removes quotes, brackets, minus signs and colons, which are operators in a query but not in a question. */
const withoutOperators = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s@.]/gu, " ")
    .replace(/\b(?:OR|AND|NOT)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Interleaves two lists and drops duplicates. */
function interleave(a: readonly number[], b: readonly number[]): number[] {
  const both = new Set<number>();
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    for (const list of [a, b]) if (list[i] !== undefined) both.add(list[i]!);
  }
  return [...both];
}
