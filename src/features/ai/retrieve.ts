import type { ConversationMessage, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import type { SearchWords } from "./ask/search-words.ts";
import { type Word, wordsOf } from "./ask/words.ts";

/** A question, and the words by which to find mail about it. */
interface Wanted {
  text: string;
  words: SearchWords;
}

/** Returns the messages that are most likely to answer a question, the most likely first. */
export type Retrieve = (scope: MailScope, question: Wanted, limit: number) => Promise<string[]>;

const STATES = ["inbox", "archived", "snoozed", "sent"] as const;
const MAX_THREADS = 1_500;

/**
 * Retrieves without an index, for installations that do not have one yet: reads the newest conversations and ranks their
 * messages by the words of the question. Rare words weigh more.
 */
export function retrieveByReading(conversations: Conversations): Retrieve {
  return async (scope, question, limit) => {
    const reader = conversations.of(scope);
    const { own, synonyms } = question.words;
    const wanted = [...new Set([...own, ...synonyms].flatMap((word) => wordsOf(word).map(stemOfWord)))];
    const hits: { id: string; words: Set<string> }[] = [];
    const spread = new Map<string, number>();
    const yieldIfDue = yieldInSlices();
    for (const { id } of reader.threadsSince(STATES, 0).slice(0, MAX_THREADS)) {
      await yieldIfDue();
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
  const words = new Set(wordsOf(`${subject} ${from.name} ${from.email} ${message.text().body_text}`).map(stemOfWord));
  return new Set(wanted.filter((word) => words.has(word)));
}

const stemOfWord = ({ stem }: Word): string => stem;
