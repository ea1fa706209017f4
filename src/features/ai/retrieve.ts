import type { ConversationMessage, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { contentWords } from "../../ml/extract/rank.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";

/** The messages that a question is most likely answered by, the likeliest first. */
export type Retrieve = (scope: MailScope, question: string, limit: number) => Promise<string[]>;

const STATES = ["inbox", "archived", "snoozed", "sent"] as const;
const MOST_THREADS = 1_500;

/**
 * Retrieval without an index: the newest conversations are read, and their messages ranked by the question's words, rare
 * ones counting more. For installations whose index is not there yet.
 */
export function byReading(conversations: Conversations): Retrieve {
  return async (scope, question, limit) => {
    const reader = conversations.of(scope);
    const wanted = [...new Set(contentWords(question).map(stem))];
    const hits: { id: string; words: Set<string> }[] = [];
    const spread = new Map<string, number>();
    const breathe = yieldInSlices();
    for (const { id } of reader.threadsSince(STATES, 0).slice(0, MOST_THREADS)) {
      await breathe();
      for (const message of reader.messages(id)) {
        const words = matching(message, wanted);
        if (words.size === 0) continue;
        for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);
        hits.push({ id: message.id, words });
      }
    }
    const weight = (word: string) => Math.log(1 + hits.length / spread.get(word)!);
    return hits
      .map(({ id, words }) => ({ id, score: [...words].reduce((sum, word) => sum + weight(word), 0) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

function matching(message: ConversationMessage, wanted: readonly string[]): Set<string> {
  const { subject, from } = message.head;
  const words = new Set(contentWords(`${subject} ${from.name} ${from.email} ${message.text().body_text}`).map(stem));
  return new Set(wanted.filter((word) => words.has(word)));
}

/** English and its neighbours without their commonest endings: enough to tie "signed" to "sign". */
export function stem(word: string): string {
  if (word.length < 5) return word.replace(/s$/, "");
  return word.replace(/(?:ations?|ings?|ments?|edly|ied|ies|ed|es|en|er|s|e)$/, "").slice(0, 12) || word;
}
