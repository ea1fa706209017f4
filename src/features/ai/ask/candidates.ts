import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import { bareAmounts, SHARE } from "./bare-amounts.ts";
import { hasOtherTopic, isBoundElsewhere, isExcluded, isOtherSum } from "./binding.ts";
import { type Concept, conceptsNamed, conceptsOfWord } from "./concepts.ts";
import { type Covered, coverageOf, matchIn, type Relations, type Weights } from "./coverage.ts";
import { saysOpposite } from "./opposites.ts";
import { type Bag, FLIGHT_NUMBER, type Passage, type ReadMessage } from "./passages.ts";
import { polarityOf } from "./polarity.ts";
import type { Question, Term } from "./question.ts";
import type { QuestionType } from "./question-words.ts";
import { fits, hasCause, isDeadline, isFromThen, isMost } from "./suitable.ts";
import type { Word } from "./words.ts";

/** A passage that may answer a question, with the span that does. */
export interface Candidate {
  read: ReadMessage;
  passage: Passage;
  /** Null where the whole sentence is the answer. */
  span: TypedSpan | null;
  covered: readonly Covered[];
  /** Share of the question that it covers, 0 to 1. */
  support: number;
  /** Share of the essential term that it covers least. */
  weakest: number;
  score: number;
  /** Likeness of its sentence to the question by the embedding model; null where it was not compared. */
  likeness: number | null;
  /** It is clearly the most like the question. */
  isLikest: boolean;
  /** Share that its own words cover. */
  own: number;
  /** The same of those that neither the subject nor the sender names. */
  ownRest: number;
  /** Its number stands beside the noun after "how many". */
  isCounted: boolean;
  /** A word of the question stands beside another value of the sentence. */
  isBoundElsewhere: boolean;
  /** The words around the value are about something that the question does not name, and none of them is in it. */
  hasOtherTopic: boolean;
  /** Another passage of the message has a value of the kind and more words of the question. */
  isDominated: boolean;
  /** It says the opposite of what is asked: "opens" instead of "closes". */
  isOpposite: boolean;
  /** Its words say that the value replaces another. */
  isUpdate: boolean;
}

/** Terms in the own words of the passage count a little more than those around it. */
const OWN_BONUS = 0.12;
const NEAR_BONUS = 0.12;
/** Distance, in characters, at which a span is half as near to a term. */
const HALF_DISTANCE = 25;
/** The noun after "how many" stands beside its number. */
const COUNTED_BONUS = 0.15;
const COUNTED_CHARS = 22;
/** A month is less exact than a day. */
const MONTH_PENALTY = 0.12;
const TOTAL_BONUS = 0.05;
const PART_PENALTY = 0.2;
const DEADLINE_BONUS = 0.08;
const NO_CAUSE_PENALTY = 0.2;
const OWN_PENALTY = 0.25;
const QUOTED_PENALTY = 0.3;
const QUESTION_PENALTY = 0.06;
const DOMINATED_PENALTY = 0.2;
const BOUND_ELSEWHERE_PENALTY = 0.25;
const OUTDATED_PENALTY = 0.25;
const SECOND_KIND_PENALTY = 0.08;
const SIGNATURE_PENALTY = 0.05;
const UPDATE_BONUS = 0.06;
/** A flight number is not a booking code, nor the other way round. */
const OTHER_CODE_PENALTY = 0.12;
const RECENCY_BONUS = 0.03;
/** A word about the kind of answer counts only if the passage has it. */
const KIND_SHARE = 0.75;
/** A passage that covers less of the question is not looked at. */
const LEAST_SUPPORT = 0.3;
/** Candidates of one question that are kept. */
const MAX_CANDIDATES = 60;

/** Words right before a value that is no longer the valid one. */
const OUTDATED =
  /(?:instead of|rather than|can(?:'|’)t (?:do|make)|cannot (?:do|make)|not (?:on |at )?|no longer|(?:was|were) (?:on|at)?|previously|formerly|bisher(?:iger?)?|statt(?: am)?|anstatt|nicht(?: am)?|ursprünglich|au lieu (?:de|du)|plus le|anciennement|en vez de(?:l)?|en lugar de(?:l)?|antes|em vez de|ao invés de|anteriormente|invece (?:di|del)|anziché|prima|in plaats van|niet(?: op)?|last year you paid|im vorjahr|l'an dernier|el año pasado|no ano passado|l'anno scorso|vorig jaar|from) ?(?:the |den |dem |le |el |o |il |de |£|€)?$/iu;

/** Verbs and adverbs before a value that replaces an earlier one. */
const UPDATED =
  /(?<!\p{L})(?:moved|changed|postponed|rescheduled|instead|delayed|put back|pushed back|brought forward|verzögert|verspätet|kommt (?:daher |deshalb |nun |jetzt )?erst|retrasad?[oa]?|se retrasa|se atrasa|atrasou|adiou|slitta|posticipat[oa]|uitgesteld|wordt|ce sera donc|verschoben|verlegt|doch erst|repoussée?|reportée?|déplacée?|décalée?|passe à|aplazad[oa]|cambiad[oa]|adiad[oa]|passou|spostat[oa]|rinviat[oa]|verplaatst|verzet)(?!\p{L})[^.!?]{0,60}$|変更[^。]{0,20}$/iu;
/** "New date is Wednesday", "findet nun am 17. März statt": only such words may stand between. */
const RENEWED =
  /(?<!\p{L})(?:new|now|neuer?s?|nun|jetzt|erst|nouve(?:au|lle)|désormais|maintenant|donc|nuev[oa]|ahora|nov[oa]|agora|nuov[oa]|ora|quindi|nieuwe?|nu)(?:[ :,]+(?:appointment|termin|rendez-vous|cita|consulta|appuntamento|afspraak|has|been|booked|made|moved|gepland|geplant|scheduled|planned|set|come|date|time|day|price|number|address|is|are|on|at|in|for|the|am|um|zu|auf|der|den|die|das|ist|lautet|termin|datum|preis|nummer|adresse|heure|prix|le|la|est|à|el|es|fecha|hora|precio|o|a|é|data|preço|para|il|è|prezzo|de|het|staat|op|om))*[ :]*[€£¥]?$/iu;
const CORRECTED =
  /(?<!\p{L})(?:correction|(?:my|a) mistake|i (?:meant|was wrong|made an error|copied the wrong)|typo|korrektur|berichtigung|habe mich (?:geirrt|vertan|verschrieben)|irrtümlich|rectificatif|me suis trompée?|erreur de ma part|corrección|me equivoqué|me he equivocado|correção|enganei-me|lapso|correzione|mi sono sbagliat[oa]|ho sbagliato|correctie|vergist|foutje)(?!\p{L})|訂正|間違え/iu;
const UPDATED_AFTER =
  /^[^.!?]{0,20}(?<!\p{L})(?:instead|stattdessen|verschoben|verlegt|umgestellt|verplaatst|verzet)(?!\p{L})|^[^。]{0,6}(?:に変更|へ変更|に延期)/iu;

/** Returns what may answer a question, the best first. */
export function candidatesOf(
  question: Question,
  messages: readonly ReadMessage[],
  { weights, relations }: { weights: Weights; relations: (read: ReadMessage) => Relations },
): Candidate[] {
  const byThread = Map.groupBy(messages, ({ message }) => message.thread_id);
  const order = messages.map(({ message }) => message.at).sort((a, b) => a - b);
  const found: Candidate[] = [];
  for (const read of messages) {
    const thread = byThread.get(read.message.thread_id)!.filter((other) => other !== read);
    const bags: Bag[] = thread.flatMap(({ whole, sender }) => [whole, sender]);
    const context = { relations: relations(read), thread: bags };
    const recency = order.indexOf(read.message.at) / Math.max(1, order.length - 1);
    for (const passage of read.passages) {
      const covered = coverageOf(passage, read, question, context);
      const { support, weakest, own, ownRest } = supportOf(covered, weights, question.kinds.length > 0);
      if (support < LEAST_SUPPORT) continue;
      if (
        question.type === "wants" &&
        !isAsker(question, read, context.relations) &&
        !namesAsker(question, covered, passage)
      )
        continue;
      const spans = suitableSpans(question, passage, read);
      for (const span of spans) {
        const boundElsewhere =
          span !== null &&
          (isBoundElsewhere(question, passage, span, read.message.at) ||
            (span.kind === "amount" && isExcluded(question, passage)));
        const score =
          support +
          OWN_BONUS * own +
          NEAR_BONUS * nearness(question, passage, span) +
          (span && isCounted(question, passage, span) ? COUNTED_BONUS : 0) +
          totalBonus(question, passage, read) +
          RECENCY_BONUS * recency -
          (boundElsewhere ? BOUND_ELSEWHERE_PENALTY : 0) -
          (passage.isQuoted ? QUOTED_PENALTY : 0) -
          (passage.isQuestion ? QUESTION_PENALTY : passage.file ? RECENCY_BONUS : 0) -
          (passage.isSignature && span?.kind !== "phone" ? SIGNATURE_PENALTY : 0) -
          (span ? spanPenalty(question, passage, span) : sentencePenalty(question, passage, read, own));
        found.push({
          read,
          passage,
          span,
          covered,
          support,
          weakest,
          score,
          likeness: null,
          isLikest: false,
          own,
          ownRest,
          isOpposite: saysOpposite(question, passage),
          isBoundElsewhere: boundElsewhere,
          hasOtherTopic:
            span !== null &&
            (isOtherSum(question, passage, span, covered) ||
              (!namesAny(covered) && hasOtherTopic(question, passage, span, read))),
          isDominated: false,
          isCounted: span !== null && isCounted(question, passage, span),
          isUpdate: span !== null && isUpdate(passage, span),
        });
      }
    }
  }
  for (const one of found) {
    // "The stereo does not work" needs no word about the car that it is in.
    if (polarityOf(question, one)) continue;
    if (!(one.span ? isDominated(one, found) : WHOLE_SENTENCES.has(question.type) && isLessAbout(one, found))) continue;
    one.isDominated = true;
    one.score -= DOMINATED_PENALTY;
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
}

/** Returns whether a passage has a word of the question itself, apart from names. */
export const namesAny = (covered: readonly Covered[]): boolean =>
  covered.some(
    ({ term, isOwn, isHeader }) =>
      isOwn && (!term.isName || !isHeader) && (term.role === "essential" || term.role === "action"),
  );

/** Types whose answer is a sentence that itself names what is asked about. */
const WHOLE_SENTENCES = new Set<QuestionType>(["yes-no", "what", "where"]);

/**
 * Returns whether another sentence of the message has a word of the question that this one lacks, apart from names and
 * what the subject says.
 */
function isLessAbout({ read, passage, covered }: Candidate, candidates: readonly Candidate[]): boolean {
  const counts = covered.map(
    ({ term, isHeader }) => (term.role === "essential" || term.role === "action") && !term.isName && !isHeader,
  );
  return candidates.some(
    (other) =>
      other.read === read &&
      other.passage !== passage &&
      !other.passage.isQuoted &&
      covered.some(({ isOwn }, i) => counts[i] && !isOwn && other.covered[i]!.isOwn),
  );
}

/** Returns whether another passage of the message has another value of the kind, and all words of this one and more. */
function isDominated({ read, passage, span, covered }: Candidate, candidates: readonly Candidate[]): boolean {
  const counts = covered.map(({ term: { role } }) => role === "essential" || role === "action");
  return candidates.some(
    (other) =>
      other.read === read &&
      other.passage !== passage &&
      other.span?.kind === span!.kind &&
      other.span.normal !== span!.normal &&
      !other.isBoundElsewhere &&
      !other.passage.isQuoted &&
      covered.every(({ isOwn }, i) => !counts[i] || !isOwn || other.covered[i]!.isOwn) &&
      covered.some(({ isOwn }, i) => counts[i] && !isOwn && other.covered[i]!.isOwn),
  );
}

function isUpdate({ text }: Pick<Passage, "text">, span: TypedSpan): boolean {
  const before = text.slice(0, span.start);
  if (CORRECTED.test(text)) return true;
  return UPDATED.test(before) || RENEWED.test(before) || UPDATED_AFTER.test(text.slice(span.end, span.end + 30));
}

const TOTAL = conceptsNamed("total");
/** What a bill is, is its total. */
const BILL = conceptsNamed("bill");

/**
 * Returns whether a number counts the noun of the question: right before it, after it as in a table, or later in a
 * sentence without another number. "Screen three" counts nothing.
 */
function isCounted({ counted }: Question, { bag }: Passage, span: TypedSpan): boolean {
  if (!counted) return false;
  return bag.words.some((word) => {
    if (word.form !== counted.form && word.stem !== counted.stem && !sharesConcept(word, counted)) return false;
    if (word.start >= span.start && word.end <= span.end) return true;
    if (word.end >= span.end) return word.start - span.end <= COUNTED_CHARS;
    const between = bag.text.slice(word.end, span.start);
    const isAlone = spansOf(bag.text, "count", 0).length === 1;
    return /^\s{2,}$|^[:：]\s*$/.test(between) || (isAlone && between.trim().split(/\s+/).length >= 2);
  });
}

/** Who is asked about must have written: what does Ada want? */
function isAsker({ terms }: Question, { sender, message }: ReadMessage, relations: Relations): boolean {
  const people = terms.filter(({ isName, isRelation }) => isName || isRelation);
  const isSender = (term: Term) => matchIn(sender, term) > 0 || !term.concepts.isDisjointFrom(relations.sender);
  return people.length === 0 ? !message.outgoing : people.some(isSender);
}

/** Who is asked about may be named by someone else: "Finn wants to be a badger". */
const namesAsker = ({ terms }: Question, covered: readonly Covered[], { text }: Passage): boolean =>
  WANTS.test(text) &&
  terms.some(({ isName, isRelation }) => isName || isRelation) &&
  covered.every(({ term, isOwn }) => !(term.isName || term.isRelation) || isOwn);
const WANTS =
  /(?<!\p{L})(?:he|she|they|er|sie|il|elle|\p{Lu}\p{L}+) (?:wants?|needs?|would like|asked|asks|möchte|will|braucht|wünscht|veut|voudrait|demande|quiere|necesita|quer|precisa|vuole|chiede|wil|vraagt)(?!\p{L})/u;

/**
 * A total is the answer to "how much", and a part of a sum only if the question names the part. The name of the sender
 * or the subject names the whole.
 */
function totalBonus({ type, terms }: Question, passage: Passage, { passages, subject, sender }: ReadMessage): number {
  if (type !== "how much") return 0;
  if (isTotal(passage)) return TOTAL_BONUS;
  const isAsked = terms.some(({ concepts }) => [...TOTAL, ...BILL].some((concept) => concepts.has(concept)));
  const namesPart = terms.some(
    (term) =>
      term.role === "essential" &&
      matchIn(passage.bag, term) > 0 &&
      matchIn(subject, term) === 0 &&
      matchIn(sender, term) === 0,
  );
  const hasTotal = passages.some((other) => isTotal(other) && /\d/.test(other.text));
  return hasTotal && (isAsked || !namesPart) ? -PART_PENALTY : 0;
}

const isTotal = ({ bag }: Passage): boolean => !bag.concepts.isDisjointFrom(TOTAL);

/** A sentence answers with its own words more than with those around it. */
function sentencePenalty(question: Question, passage: Passage, read: ReadMessage, own: number): number {
  const cause = question.type === "why" && !hasCause(passage, read) ? NO_CAUSE_PENALTY : 0;
  return cause + (question.type === "yes-no" || question.type === "what" ? OWN_PENALTY * (1 - own) : 0);
}

function spanPenalty({ type, kinds, terms }: Question, { text }: Passage, span: TypedSpan): number {
  const before = text.slice(0, span.start);
  let penalty = kinds.indexOf(span.kind) > 0 ? SECOND_KIND_PENALTY : 0;
  if (span.kind === "date" && !/^\d{4}-\d\d-\d\d$/.test(span.normal)) penalty += MONTH_PENALTY;
  if (OUTDATED.test(before)) penalty += OUTDATED_PENALTY;
  if (isUpdate({ text }, span)) penalty -= UPDATE_BONUS;
  // "For up to 15 people" tells how many may come.
  if (type === "how many" && isMost(before)) penalty += DOMINATED_PENALTY;
  if (type === "deadline" && isDeadline(before)) penalty -= DEADLINE_BONUS;
  if (
    type === "when" &&
    /(?:by|until|before|bis|avant|antes de|até|entro|tot|vóór) (?:the |den |dem |le |el |o |il )?$/iu.test(before)
  ) {
    penalty += DEADLINE_BONUS;
  }
  if (type === "how long" && span.kind === "date" && !isDeadline(before)) penalty += SECOND_KIND_PENALTY;
  // "Six weeks later" tells when, "48 hours' notice" how early.
  if (span.kind === "duration" && BETWEEN_TIMES.test(text.slice(span.end))) penalty += OUTDATED_PENALTY;
  const isOfFlight = terms.some(({ concepts }) => !concepts.isDisjointFrom(FLIGHT));
  if (span.kind === "code" && FLIGHT_NUMBER.test(span.text) !== isOfFlight) penalty += OTHER_CODE_PENALTY;
  return penalty;
}

const BETWEEN_TIMES =
  /^['’]? ?(?:later|after|before|ago|prior|notice|früher|später|danach|zuvor|vorher|plus tard|après|avant|auparavant|después|antes|más tarde|depois|mais tarde|dopo|prima|più tardi|eerder|later|nadien|ervoor|geleden)(?!\p{L})|^(?:前|後)/iu;

const FLIGHT = conceptsNamed("flight");

/** Returns the spans of a passage that can answer; [null] where the passage itself can, [] where it cannot. */
function suitableSpans(question: Question, passage: Passage, read: ReadMessage): (TypedSpan | null)[] {
  if (!fits(question, passage, read)) return [];
  if (question.kinds.length === 0) return [null];
  const asked = new Set(question.dates.map(({ normal }) => normal));
  const kinds =
    question.type === "how much" && SHARE.test(passage.text) ? [...question.kinds, "measure" as const] : question.kinds;
  const own = kinds.flatMap((kind) => spansOf(passage.text, kind, read.message.at));
  const spans = question.type === "how much" ? [...own, ...bareAmounts(passage.text, read.message.at)] : own;
  if (question.type === "who") return [null];
  const { text } = passage;
  return spans.filter((span) => {
    if (span.kind === "measure" && question.type === "how much") return SHARE.test(span.text);
    // "The link expires after 72 hours."
    if (span.kind === "duration" && question.type === "when") return isFromThen(text.slice(0, span.start));
    if (span.kind !== "date") return true;
    // A day tells how long something lasts only as its end.
    if (question.type === "how long" && !isDeadline(text.slice(0, span.start))) return false;
    return !asked.has(span.normal) && (question.isPast || !isPast(span, read.message.at));
  });
}

const DAY_MS = 86_400_000;
/** A day before the one on which it was written is not meant by "when is it?". */
const isPast = ({ normal }: TypedSpan, writtenAt: number): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(normal) && Date.parse(normal) < writtenAt - DAY_MS;

/** @param hasKind whether a span of the right kind says what a word about the kind of answer asks for */
function supportOf(
  covered: readonly Covered[],
  weights: Weights,
  hasKind: boolean,
): { support: number; weakest: number; own: number; ownRest: number } {
  let sum = 0;
  let total = 0;
  let own = 0;
  let named = 0;
  let weakest = 1;
  for (const { term, share, isOwn, isHeader } of covered) {
    if (hasKind && term.role === "kind" && share < KIND_SHARE) continue;
    const weight = weights.get(term)!;
    sum += weight * share;
    total += weight;
    if (isOwn) own += weight;
    else if (isHeader) named += weight;
    if (term.role === "essential") weakest = Math.min(weakest, share);
  }
  return total === 0
    ? { support: 0, weakest: 0, own: 0, ownRest: 0 }
    : { support: sum / total, weakest, own: own / total, ownRest: own === 0 ? 0 : own / (total - named) };
}

/** Returns how near a span is to the words of the question in its sentence, 0 to 1. */
function nearness({ terms }: Question, { bag }: Passage, span: TypedSpan | null): number {
  if (!span) return 0;
  const near = terms
    .filter(({ role }) => role !== "light")
    .map((term) => {
      const distances = bag.words
        .filter((word) => word.form === term.form || word.stem === term.stem || sharesConcept(word, term))
        .map((word) => (word.start >= span.end ? (word.start - span.end) * 1.2 : Math.max(0, span.start - word.end)));
      return distances.length === 0 ? 0 : HALF_DISTANCE / (HALF_DISTANCE + Math.min(...distances));
    });
  return near.length === 0 ? 0 : near.reduce((sum, one) => sum + one, 0) / near.length;
}

function sharesConcept(word: Word, { concepts }: Term): boolean {
  return concepts.size > 0 && conceptsOfWord(word).some((concept: Concept) => concepts.has(concept));
}
