import type { ConversationMessage } from "../../../mailbox/queries/conversations.ts";
import type { Embed } from "../../../ml/extract/rank.ts";
import { yieldInSlices } from "../../../platform/process/yielding.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { conceptsNamed, conceptsOfWord } from "./concepts.ts";
import { weightsOf } from "./coverage.ts";
import { rankedByMeaning } from "./likeness.ts";
import { type ReadMessage, readMessage } from "./passages.ts";
import type { Question } from "./question.ts";
import { RelationsOf } from "./relations.ts";
import { wordsOf } from "./words.ts";

/** What the messages say about a question, the best first. */
export interface Found {
  candidates: Candidate[];
  read: ReadMessage[];
}

/**
 * Finds what the messages say about a question.
 * @param embed if present, compares the meaning of whole sentences
 */
export async function findCandidates(
  question: Question,
  messages: readonly ConversationMessage[],
  embed?: Embed,
): Promise<Found> {
  const yieldIfDue = yieldInSlices();
  const read: ReadMessage[] = [];
  for (const message of messages) {
    await yieldIfDue();
    read.push(readMessage(message));
  }
  markNames(question, messages);
  const relations = new RelationsOf(read);
  const weights = weightsOf(question, read);
  await yieldIfDue();
  const candidates = candidatesOf(question, read, { weights, relations: (one) => relations.of(one) });
  return { candidates: embed ? await rankedByMeaning(question, candidates, embed) : candidates, read };
}

/** Shorter parts of names, such as initials, are no names in a question. */
const SHORTEST_NAME = 3;

/**
 * Marks the terms that are names of people who write or receive the messages. In a German question every noun has a
 * capital letter, and in a hasty one no name has.
 */
function markNames({ terms }: Question, messages: readonly ConversationMessage[]): void {
  const people = messages.flatMap(({ head }) => [head.from, ...head.to, ...head.cc]);
  // The names of a company are words of a language.
  const names = people.filter(({ name, email }) => /^\S+(?: \S+){1,2}$/.test(name) && isPersonal(name, email));
  const forms = new Set(names.flatMap(({ name }) => wordsOf(name).map(({ form }) => form)));
  for (const term of terms) {
    const bare = term.form.replace(/s$/, "");
    const form = forms.has(term.form) ? term.form : bare;
    if (term.role !== "essential" || term.isRelation || form.length < SHORTEST_NAME || !forms.has(form)) continue;
    if (conceptsNamed(form).size > 0) continue;
    term.isName = true;
    term.form = form;
    term.concepts = new Set();
  }
}

/** Returns whether the name of a sender is a person's: their address begins with a part of it, or no word of it is in the lexicon. */
function isPersonal(name: string, email: string): boolean {
  const words = wordsOf(name);
  const local = email.split("@")[0]!.toLowerCase();
  return (
    words.some(({ form }) => form.length >= SHORTEST_NAME && local.includes(form)) ||
    words.every((word) => conceptsOfWord(word).length === 0)
  );
}
