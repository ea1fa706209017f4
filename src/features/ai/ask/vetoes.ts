import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import { isUnaccounted } from "./accounted.ts";
import type { Candidate } from "./candidates.ts";
import { conceptsNamed } from "./concepts.ts";
import { type Covered, isAboutOther, matchIn } from "./coverage.ts";
import { isOfOtherTime } from "./other-time.ts";
import type { Question } from "./question.ts";
import { isDeadline, isFirstPerson, isMost } from "./suitable.ts";

/** The share of a word of the sentence before. */
const BESIDE = 0.84;
/** A day must itself name what the question is about, unless it is no deadline. */
const OWN_DAY = 0.4;
/** Articles that look like numbers: "one person to own it". */
const ARTICLE = /^(?:an?|one|eine?[nmrs]?|une?|una?|um|uma|uno|een)$/iu;
/** "When do I have to return it?" asks for the last day. */
const ASKS_DUTY =
  /(?<!\p{L})(?:have to|has to|must|need to|needs to|muss|müssen|soll|doi[st]|devons|doit-on|faut|tengo que|hay que|debo|tenho de|tenho que|devo|deve|dobbiamo|moet|moeten)(?!\p{L})/iu;
/** What has a number that is nothing else's: a seat has another one than the flight that it is on. */
const NUMBERED = conceptsNamed("seat", "platform", "gate");
/** Returns whether a question asks for something of a person: "Tom's flight". */
const isOwner = ({ text }: Question, { form, isRelation }: Covered["term"]): boolean =>
  !isRelation &&
  [...text.matchAll(/(?<!\p{L})(\p{Lu}\p{L}+)['’]s(?!\p{L})/gu)].some(([, name]) => name!.toLowerCase() === form);
const CONTACT_TYPES = new Set(["phone", "email"]);

const MISSING_ACT = 0.5;
const MONTHS = conceptsNamed(
  ..."january february march april may june july august september october november december".split(" "),
);

/** Returns whether a sentence is about days of other months than the one that the question names. */
function isOfOtherMonth({ type }: Question, text: string, writtenAt: number, covered: readonly Covered[]): boolean {
  if (type === "when" || type === "time" || type === "deadline") return false;
  const asked = covered.filter(({ term }) => [...term.concepts].some((concept) => MONTHS.has(concept)));
  if (asked.length === 0 || asked.some(({ isOwn }) => isOwn)) return false;
  return spansOf(text, "date", writtenAt).length > 0;
}

/** Returns the part of a sentence that a value is in, and what stands before it without a conjunction. */
function clauseOf(text: string, { start, end }: TypedSpan): string {
  const from = [...text.slice(0, start).matchAll(CONJUNCTION)].at(-1)?.index ?? 0;
  return text.slice(from, end + (text.slice(end).search(CONJUNCTION) + 1 || text.length));
}
const CONJUNCTION = /(?<=\s)(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|en|maar)(?=\s)|[;:](?=\s)/giu;

const known = new WeakMap<Candidate, boolean>();

/** Returns whether a candidate cannot be the answer, whatever speaks for it. @param candidate of this question */
export function isVetoed(question: Question, candidate: Candidate): boolean {
  const is = known.get(candidate) ?? findVeto(question, candidate);
  known.set(candidate, is);
  return is;
}

function findVeto(question: Question, candidate: Candidate): boolean {
  const { read, passage, span, covered, ...one } = candidate;
  const { type } = question;
  if (covered.some(({ term }) => isAboutOther(passage, read.passages, term))) return true;
  if (isUnaccounted(question, candidate) || isOfOtherTime(question, candidate)) return true;
  if (type === "how many" && span && ARTICLE.test(span.text)) return true;
  // "For up to 15 people" tells how many may come, not how many do.
  if (type === "how many" && span && isMost(passage.text.slice(0, span.start)) && !isMost(`${question.text} `))
    return true;
  if (one.isBoundElsewhere || one.isOpposite || one.isDominated || one.hasOtherTopic) return true;
  // "I need it by 12 March" tells when something is due, not when it happens.
  if (
    type === "when" &&
    span &&
    one.ownRest < OWN_DAY &&
    isDeadline(passage.text.slice(0, span.start)) &&
    !ASKS_DUTY.test(question.text)
  )
    return true;
  const isNamed = ({ term }: Covered) => term.isName || term.isRelation;
  // A person alone is no topic: who marries has other days, too.
  const acts = covered.filter(({ term }) => term.role === "action" && term.concepts.size > 0);
  const isAlone = covered.every((one) => one.term.role !== "essential" || isNamed(one));
  const isOnce = question.isPast && (type === "when" || type === "time");
  if (span && (isAlone || isOnce) && acts.length > 0 && acts.every(({ share }) => share < MISSING_ACT)) return true;
  // "I am moving on 1 July" is about its author, even if the mail names others.
  const isOther = ({ term, share, isOwn, isHeader }: Covered) =>
    term.isName && !isOwn && !isHeader && share < BESIDE && matchIn(read.recipients, term) === 0;
  if (span && span.kind !== "phone" && isFirstPerson(clauseOf(passage.text, span)) && covered.some(isOther))
    return true;
  if (isOfOtherMonth(question, passage.text, read.message.at, covered)) return true;
  // "His number is …" is the number of someone whom the sender named before.
  if (CONTACT_TYPES.has(type)) {
    return passage.continues && covered.some((one) => isNamed(one) && one.isHeader && !matchIn(passage.bag, one.term));
  }
  // A reference is beside what it is the reference of.
  const topics = covered.filter((one) => one.term.role === "essential" && !isNamed(one) && !one.isHeader);
  if (type === "code") {
    const isOfAnother = ({ term, isOwn, isHeader }: Covered) =>
      !isOwn && (term.concepts.isDisjointFrom(NUMBERED) ? !isHeader && isOwner(question, term) : true);
    return (topics.length > 0 && topics.every(({ isOwn }) => !isOwn)) || covered.some(isOfAnother);
  }
  // The parts of a newsletter are about different things, and a message has many durations.
  if (read.isDigest && topics.some(({ isOwn, share }) => !isOwn && share < BESIDE)) return true;
  return type === "how long" && topics.length > 0 && topics.every(({ isOwn }) => !isOwn);
}
