import { COLLECTION_NAMES, readCollection } from "../collections.ts";
import {
  hamMessages,
  type KnownItem,
  knownItems,
  type NamedMessage,
  notesMessages,
  sameConversation,
} from "../known-items/known-items.ts";
import type { GeneratedSet, GradedQuery } from "./generated-set.ts";
import { plainMessage } from "./plain-message.ts";
import { quotations, subjects } from "./unseen-ham.ts";
import { templates } from "./unseen-templates.ts";
import { titles } from "./unseen-titles.ts";

/** A mailbox and its queries. */
export interface QuerySet {
  name: string;
  /**
   * "graded": several documents with different grades answer, measured by nDCG and MAP; "known": one mail is the
   * target, measured by success.
   */
  measure: "graded" | "known";
  /** Null: the sample mail, which is part of the program. */
  messages: NamedMessage[] | null;
  /** True: each message is a separate conversation, also where subjects are the same. */
  apart: boolean;
  /** @param now when the mailbox was made, on which dates in the sample mail depend */
  queries(now: Date): GradedQuery[];
}

const RECEIVED_AT = Date.parse("2026-01-01T00:00:00Z");
const SETS: Record<string, () => QuerySet> = {
  ...Object.fromEntries(COLLECTION_NAMES.map((name) => [name, () => collection(name)])),
  sandbox: () => known("sandbox", null),
  ham: () => {
    const messages = hamMessages();
    const conversations = sameConversation(messages);
    return known("ham", messages, (name) => conversations.get(name) ?? []);
  },
  notes: () => known("notes", notesMessages()),
  subjects: () => ({ name: "subjects", measure: "graded", apart: true, ...graded(subjects()) }),
  quotations: () => ({ name: "quotations", measure: "graded", apart: true, ...graded(quotations()) }),
  titles: () => ({ name: "titles", measure: "known", apart: true, ...graded(titles()) }),
  german: () => ({ name: "german", measure: "graded", apart: true, ...graded(templates("german")) }),
  french: () => ({ name: "french", measure: "graded", apart: true, ...graded(templates("french")) }),
};

/**
 * Returns the names of all sets: the public collections that are available, the known items, and the sets that are
 * generated from a seed.
 */
export const SET_NAMES = Object.keys(SETS);

/** Reads or generates a set. @throws Error for an unknown name */
export function readSet(name: string): QuerySet {
  const make = SETS[name];
  if (!make) throw new Error(`There is no set ${name}; there are ${SET_NAMES.join(", ")}.`);
  return make();
}

function graded({ messages, queries }: GeneratedSet): Pick<QuerySet, "messages" | "queries"> {
  return { messages, queries: () => queries };
}

function known(
  name: KnownItem["mailbox"],
  messages: NamedMessage[] | null,
  also: (target: string) => string[] = () => [],
): QuerySet {
  const gradesOf = (targets: string[]) =>
    new Map([...targets, ...targets.flatMap(also)].map((target) => [target, 1] as const));
  return {
    name,
    measure: "known",
    messages,
    apart: false,
    queries: (now) =>
      knownItems(now)
        .filter(({ mailbox }) => mailbox === name)
        .map(({ query, kind, targets }) => ({ text: query, kind, grades: gradesOf(targets) })),
  };
}

function collection(name: string): QuerySet {
  const { documents, queries } = readCollection(name);
  return {
    name,
    measure: "graded",
    // Documents are no conversation, even if their titles are alike.
    apart: true,
    messages: documents.map(({ id, title, text }) => ({
      name: id,
      raw: plainMessage({ id: `${id}@${name}.example`, subject: title, text }),
      at: RECEIVED_AT,
    })),
    queries: () => queries.map(({ text, grades }) => ({ text, kind: name, grades })),
  };
}
