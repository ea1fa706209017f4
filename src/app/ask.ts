import { type Retrieve, retrieveByReading } from "../features/ai/retrieve.ts";
import type { Mode } from "../features/search/model.ts";
import type { SearchService } from "../features/search/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { Conversations } from "../mailbox/queries/conversations.ts";
import type { MailScope } from "../mailbox/queries/scope.ts";
import { idsOf } from "../mailbox/store/message-numbers.ts";
import type { Platform } from "../platform/platform.ts";

/** With at least this many words, a keyword search ranks messages that have any of them; with fewer, all are needed. */
const ANY_OF = 4;
/** Reciprocal rank fusion: the smoothing constant, and the weights of the searches. */
const SMOOTHING = 20;
const WEIGHTS = { own: 1, any: 0.6, synonyms: 0.9, beginnings: 0.5, semantic: 0.8 };

/**
 * Retrieves messages for questions. Fuses the ranks of searches by meaning, by the words of the question, and by words
 * of the same meaning in other languages. If all are empty, for example because the index is not built yet, reads the
 * newest mail.
 */
export function retrieveBySearch(platform: Platform, mailbox: Mailbox, search: SearchService): Retrieve {
  const read = retrieveByReading(new Conversations(platform, mailbox.accounts));
  return async (scope, question, limit) => {
    const own = question.words.own.map(withoutOperators).filter(Boolean);
    const all = [...own, ...question.words.synonyms.map(withoutOperators).filter(Boolean)];
    const beginnings = question.words.beginnings.map(withoutOperators).filter(Boolean);
    const found = await Promise.all([
      ranked(search, scope, own.join(" "), "keyword", WEIGHTS.own),
      own.length > 1 && own.length < ANY_OF ? ranked(search, scope, own.join(" OR "), "keyword", WEIGHTS.any) : [],
      all.length > own.length
        ? ranked(search, scope, all.join(all.length < ANY_OF ? " OR " : " "), "keyword", WEIGHTS.synonyms)
        : [],
      ranked(search, scope, beginnings.map((word) => `${word}*`).join(" OR "), "keyword", WEIGHTS.beginnings),
      ranked(search, scope, withoutOperators(question.text), "semantic", WEIGHTS.semantic),
    ]);
    const scores = new Map<number, number>();
    for (const { n, score } of found.flat()) scores.set(n, (scores.get(n) ?? 0) + score);
    const numbers = [...scores].sort((a, b) => b[1] - a[1]).map(([n]) => n);
    return numbers.length > 0 ? idsOf(platform.db, numbers.slice(0, limit)) : read(scope, question, limit);
  };
}

/** Returns the messages of a search, each with its share in the fusion. */
async function ranked(
  search: SearchService,
  scope: MailScope,
  query: string,
  mode: Mode,
  weight: number,
): Promise<{ n: number; score: number }[]> {
  if (query === "") return [];
  try {
    const { rows } = await search.find(scope, query, mode);
    return rows.map(({ n }, rank) => ({ n, score: weight / (SMOOTHING + rank) }));
  } catch (error) {
    // A question is not written in query syntax. If it cannot be parsed as a query, other searches find the mail.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Removes quotes, brackets, minus signs and colons, which are operators in a query but not in a question. */
const withoutOperators = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s@.]/gu, " ")
    .replace(/\b(?:OR|AND|NOT)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
