import { type Concept, conceptsNamed } from "./concepts.ts";
import type { Relations } from "./coverage.ts";
import type { ReadMessage } from "./passages.ts";
import { wordsOf } from "./words.ts";

const FAMILY = conceptsNamed(
  ..."mother father brother sister son daughter grandmother grandfather aunt uncle cousin husband wife".split(" "),
);
/** A child's form of address tells that the writer is a brother or sister, and so on. */
const SIBLINGS = conceptsNamed("brother", "sister");
const PARENTS = conceptsNamed("mother", "father");
const CHILDREN = conceptsNamed("son", "daughter");
const NONE: Relations = { sender: new Set(), recipients: new Set() };
const LONGEST_LINE = 60;

/**
 * Finds who is whose mother: from how people sign ("Love, Mum"), how the user addresses them ("Hi Mum"), and how they
 * address the user ("Schwesterherz").
 */
export class RelationsOf {
  readonly #byEmail = new Map<string, Set<Concept>>();

  constructor(messages: readonly ReadMessage[]) {
    for (const { message } of messages) {
      const { body_text } = message.text();
      const lines = body_text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.startsWith(">"));
      const greeting = short(/^[^,.!?:]{1,40}(?=[,!:])/u.exec(lines[0] ?? "")?.[0]) || short(lines[0]);
      const closing = lines.slice(-3).map(short).filter(Boolean).join(" ");
      const greeted = familyIn(greeting);
      if (message.outgoing) {
        const [to, ...others] = message.head.to;
        if (to && others.length === 0) for (const concept of greeted) this.#note(to.email, concept);
        continue;
      }
      const { email } = message.head.from;
      for (const concept of familyIn(closing)) this.#note(email, concept);
      const isAny = (among: ReadonlySet<Concept>) => greeted.some((concept) => among.has(concept));
      if (isAny(SIBLINGS)) for (const concept of SIBLINGS) this.#note(email, concept);
      else if (isAny(PARENTS)) for (const concept of CHILDREN) this.#note(email, concept);
    }
  }

  /** Returns the relations of the people of a message to the user. */
  of({ message }: ReadMessage): Relations {
    const { from, to, cc } = message.head;
    const sender = this.#byEmail.get(from.email.toLowerCase());
    const recipients = [...to, ...cc].flatMap(({ email }) => [...(this.#byEmail.get(email.toLowerCase()) ?? [])]);
    if (!sender && recipients.length === 0) return NONE;
    return { sender: sender ?? NONE.sender, recipients: new Set(recipients) };
  }

  #note(email: string, concept: Concept): void {
    const key = email.toLowerCase();
    this.#byEmail.set(key, (this.#byEmail.get(key) ?? new Set()).add(concept));
  }
}

const short = (line: string | undefined): string => (line !== undefined && line.length <= LONGEST_LINE ? line : "");

const familyIn = (text: string): Concept[] =>
  wordsOf(text)
    .flatMap(({ form }) => [...conceptsNamed(form)])
    .filter((concept) => FAMILY.has(concept));
