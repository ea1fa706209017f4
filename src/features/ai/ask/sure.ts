import type { Candidate } from "./candidates.ts";
import { polarityOf } from "./polarity.ts";
import type { Question } from "./question.ts";
import type { QuestionType } from "./question-words.ts";
import { hasCause, isDeadline, mayCause } from "./suitable.ts";
import { isVetoed } from "./vetoes.ts";

/** Least support, and least coverage of every essential term, of an answer. */
const SURE_SUPPORT = 0.74;
export const SURE_WEAKEST = 0.59;
/** The same for answers that are a sentence without a typed span, and the least that its own words cover. */
const SURE_SENTENCE: Partial<Record<QuestionType, { support: number; weakest: number; own: number }>> = {
  "yes-no": { support: 0.78, weakest: 0.6, own: 0.5 },
  what: { support: 0.82, weakest: 0.7, own: 0.6 },
  why: { support: 0.8, weakest: 0.6, own: 0.4 },
  who: { support: 0.8, weakest: 0.66, own: 0.3 },
  where: { support: 0.76, weakest: 0.6, own: 0.2 },
  wants: { support: 0.6, weakest: 0.55, own: 0 },
  // Whose it is counts, see SURE_OWNER.
  phone: { support: 0.6, weakest: 0.55, own: 0 },
  email: { support: 0.6, weakest: 0.55, own: 0 },
};
/** The same for a sentence that surely says yes or no. */
const SURE_POLARITY = { support: 0.62, weakest: 0.69, own: 0.3 };
/** A name or a relation must be beside a telephone number, or be its owner's; the topic of a message is too little. */
const SURE_OWNER = 0.8;
const SURE_RELATION = 0.7;
const SURE_TOPIC = 0.6;
const SURE_WITHOUT_CAUSE = 0.85;
/** A noun that is counted stands beside its number. */
const SURE_COUNTED = 0.7;
const CONTACT_TYPES = new Set(["phone", "email"]);

/** Returns whether rules alone make a candidate sure. */
export function isSure(question: Question, candidate: Candidate): boolean {
  const { read, passage, span, covered, support, weakest, ownRest, isCounted } = candidate;
  const { type } = question;
  // A month is no deadline, and mostly the month of something else.
  if (
    isVetoed(question, candidate) ||
    (type === "deadline" && span && !/^\d{4}-\d\d-\d\d$/.test(span.normal) && !isDeadline(passage.text))
  )
    return false;
  if (type === "why" && !hasCause(passage, read) && !(mayCause(passage) && support >= SURE_WITHOUT_CAUSE)) return false;
  if (covered.every(({ term }) => term.role !== "essential")) return false;
  const least = (polarityOf(question, candidate) ? SURE_POLARITY : SURE_SENTENCE[type]) ?? {
    support: SURE_SUPPORT,
    weakest: SURE_WEAKEST,
    own: 0,
  };
  if (support < least.support || weakest < least.weakest || ownRest < least.own) return false;
  return (
    covered.every(({ term, share, isOwn }) => {
      if (term.isRelation && share < SURE_RELATION) return false;
      if (CONTACT_TYPES.has(type) && term.role === "essential") return share >= SURE_OWNER;
      if (type === "how many" && term === question.counted) return isCounted || (!isOwn && share >= SURE_COUNTED);
      return true;
    }) && hasTopic(question, covered)
  );
}

/** "Where does Marcus live?" needs a word about living; a message from Marcus is not enough. */
function hasTopic({ type, terms }: Question, covered: Candidate["covered"]): boolean {
  if (CONTACT_TYPES.has(type) || type === "wants" || type === "code") return true;
  const topics = terms.filter(({ role, isName, isRelation }) => role !== "light" && !isName && !isRelation);
  // "How old is Ingrid?" has no topic but her: her name must be near.
  if (topics.every(({ role }) => role === "kind") && (type === "how long" || type === "measure")) {
    return covered.some(({ term, share }) => (term.isName || term.isRelation) && share >= SURE_OWNER);
  }
  if (topics.length === 0) return false;
  return covered.some(({ term, share }) => topics.includes(term) && share >= SURE_TOPIC);
}
