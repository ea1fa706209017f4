import { type Concept, conceptsOfWord, relatedTo } from "./concepts.ts";
import { labelIn } from "./labels.ts";
import type { Bag, Passage, ReadMessage } from "./passages.ts";
import type { Question, Term } from "./question.ts";
import { isSameWord } from "./words.ts";

/** How well a word of the text matches a term: the same word, another form of it, the same concept, part of a compound. */
const SAME = 1;
const CONCEPT = 0.88;
const COMPOUND = 0.85;
const RELATED = 0.65;
const WITHOUT_LABEL = 0.6;
const SHORTEST_IN_COMPOUND = 5;
const SHORTEST_PART = 4;

/** What a match counts by where it is, relative to the passage. */
const PLACES = {
  own: 1,
  continued: 0.97,
  before: 0.85,
  after: 0.7,
  near: 0.65,
  subject: 0.9,
  sender: 0.9,
  recipient: 0.6,
  message: 0.6,
  thread: 0.55,
  /** The same for a passage that has another word of the question itself. */
  threadOfOwn: 0.62,
  digest: 0.4,
};
/** In a short message, such as a receipt, everything is about the same thing. */
const SHORT_MESSAGE = 0.72;
const SHORT_PASSAGES = 14;

/** What a term weighs, by its role; names and numbers weigh more. */
const WEIGHTS = { essential: 1, action: 0.4, light: 0.15, kind: 0.25 };
const NAME_WEIGHT = 1.3;
const RARE = 0.35;

/** The weights of the terms of a question in some mail. */
export type Weights = ReadonlyMap<Term, number>;

const matches = new WeakMap<Bag, Map<Term, number>>();

/** Returns how well a text matches a term, 0 to 1. */
export function matchIn(bag: Bag, term: Term): number {
  const known = matches.get(bag) ?? new Map<Term, number>();
  matches.set(bag, known);
  const match = known.get(term) ?? computeMatch(bag, term);
  known.set(term, match);
  return match;
}

function computeMatch(bag: Bag, term: Term): number {
  if (term.label !== null) {
    const named = labelIn(bag, term);
    if (named !== null) return named === "same" ? SAME : 0;
    // Without its label it may be another thing, and a word of the same meaning is one.
    return bag.words.some((word) => isSameWord(word, term)) ? WITHOUT_LABEL : 0;
  }
  if (bag.forms.has(term.form)) return SAME;
  if (term.isName) return bag.forms.has(`${term.form}s`) || bag.forms.has(term.form.replace(/s$/, "")) ? SAME : 0;
  if (!/\d/.test(term.form) && term.stem.length >= 3 && bag.stems.has(term.stem) && !isVetoed(bag, term)) return SAME;
  if (term.others.some((other) => bag.forms.has(other))) return SAME;
  for (const concept of term.concepts) if (bag.concepts.has(concept)) return CONCEPT;
  if (/[\p{sc=Han}\p{sc=Katakana}]/u.test(term.form) && bag.text.includes(term.form)) return SAME;
  if (term.form.length >= SHORTEST_IN_COMPOUND && /^[a-z]+$/.test(term.form)) {
    const stem = term.stem.length >= SHORTEST_IN_COMPOUND ? term.stem : term.form;
    for (const { form } of bag.words) {
      if (form.length >= stem.length + 3 && (form.startsWith(stem) || form.endsWith(term.form))) return COMPOUND;
    }
    if (bag.words.some((word) => word.form.length >= SHORTEST_IN_COMPOUND && isSameWord(word, term))) return SAME;
  }
  // "The Manchester half" is a half marathon.
  if (
    term.form.includes(" ") &&
    term.form.split(" ").some((part) => part.length >= SHORTEST_PART && bag.forms.has(part))
  ) {
    return RELATED;
  }
  for (const concept of term.concepts) {
    for (const related of relatedTo(concept)) if (bag.concepts.has(related)) return RELATED;
  }
  return 0;
}

/** Returns whether the words with the stem of a term are other words of the lexicon: party and part. */
function isVetoed(bag: Bag, term: Term): boolean {
  if (term.concepts.size === 0) return false;
  return bag.words
    .filter(({ stem }) => stem === term.stem)
    .every((word) => {
      const concepts = conceptsOfWord(word);
      return concepts.length > 0 && !concepts.some((concept: Concept) => term.concepts.has(concept));
    });
}

/** Returns the weights of terms: rare words in this mail say more than frequent ones. */
export function weightsOf({ terms }: Question, messages: readonly ReadMessage[]): Weights {
  const passages = messages.flatMap((message) => message.passages);
  const total = passages.length + 1;
  return new Map(
    terms.map((term) => {
      const frequency = passages.filter(({ bag }) => matchIn(bag, term) > 0).length;
      const rarity = Math.log((total + 1) / (frequency + 1)) / Math.log(total + 1);
      const name = term.isName || /\d/.test(term.form) ? NAME_WEIGHT : 1;
      return [term, WEIGHTS[term.role] * name * (1 - RARE + RARE * rarity)] as const;
    }),
  );
}

/** How much of a term a passage covers with its surroundings, and with its own words alone. */
export interface Covered {
  term: Term;
  share: number;
  isOwn: boolean;
  /** The subject or the sender names it. */
  isHeader: boolean;
}

/** Which relations the sender and the recipients of a message have to the user. */
export interface Relations {
  sender: ReadonlySet<Concept>;
  recipients: ReadonlySet<Concept>;
}

/** Returns how a passage covers each term of a question. @param threadBags the other messages of the thread */
export function coverageOf(
  passage: Passage,
  { passages, subject, sender, recipients, whole, isDigest }: ReadMessage,
  { terms, kinds }: Question,
  context: { relations: Relations; thread: readonly Bag[] },
): Covered[] {
  // Below a text, a line is about its author, not about the last sentence.
  const around = (offset: number) => {
    const other = passages[passage.i + offset];
    return other && other.isSignature === passage.isSignature && other.file === passage.file ? other.bag : undefined;
  };
  const inMessage = isDigest ? PLACES.digest : passages.length <= SHORT_PASSAGES ? SHORT_MESSAGE : PLACES.message;
  const hasOwn = terms.some((term) => term.role === "essential" && !term.isName && matchIn(passage.bag, term) > 0);
  return terms.map((term) => {
    const own = matchIn(passage.bag, term);
    if (isAboutOther(passage, passages, term)) return { term, share: 0, isOwn: false, isHeader: false };
    let share = own;
    const consider = (bag: Bag | undefined, place: number) => {
      if (bag && place > share) share = Math.max(share, matchIn(bag, term) * place);
    };
    const before = around(-1);
    // Only a value is about the same thing; what else such a sentence says is new.
    const isContinued =
      own === 0 && kinds.length > 0 && passage.continues && before !== undefined && matchIn(before, term) > 0;
    consider(before, isContinued ? PLACES.continued : PLACES.before);
    consider(around(1), PLACES.after);
    consider(around(-2), PLACES.near);
    consider(subject, PLACES.subject);
    consider(sender, PLACES.sender);
    if (term.isRelation) share = Math.max(share, relationShare(term, context.relations));
    consider(whole, inMessage);
    consider(recipients, PLACES.recipient);
    if (share === 0) for (const bag of context.thread) consider(bag, hasOwn ? PLACES.threadOfOwn : PLACES.thread);
    const isHeader = matchIn(subject, term) > 0 || matchIn(sender, term) > 0;
    return { term, share, isOwn: own > 0 || isContinued, isHeader };
  });
}

/** Passages before one that tell which of several things with labels it is about. */
const LABEL_PASSAGES = 2;

/** Returns whether a passage, or else the passages before it, is about another thing of the kind: "stage B". */
export function isAboutOther(passage: Passage, passages: readonly Passage[], term: Term): boolean {
  if (term.label === null) return false;
  for (let i = passage.i; i >= Math.max(0, passage.i - LABEL_PASSAGES); i--) {
    const named = labelIn(passages[i]!.bag, term);
    if (named !== null) return named === "other";
  }
  return false;
}

function relationShare({ concepts }: Term, { sender, recipients }: Relations): number {
  const has = (among: ReadonlySet<Concept>) => [...concepts].some((concept) => among.has(concept));
  return has(sender) ? PLACES.sender : has(recipients) ? PLACES.message : 0;
}
