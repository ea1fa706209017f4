import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { spansOf } from "../../../ml/extract/spans/spans.ts";
import { isUnaccounted } from "./accounted.ts";
import { type Candidate, namesAny } from "./candidates.ts";
import { confidenceOf } from "./confidence.ts";
import type { Found } from "./extractive.ts";
import { isLight } from "./light-words.ts";
import { isOvertaken, isSameMatter } from "./overtaken.ts";
import type { Question } from "./question.ts";
import { isContradicted, isOneOfSeveral, isOutdone, isTied, RIVAL, TIE } from "./rivals.ts";
import { isRange } from "./suitable.ts";
import { isSure, SURE_WEAKEST } from "./sure.ts";
import { isVetoed } from "./vetoes.ts";
import { isSameWord } from "./words.ts";

/** What the mail says about a question. */
export interface Decision {
  /** The answer; null where no candidate is sure enough. */
  best: Candidate | null;
  /** False if the sentence has another value that may be meant as well. */
  isPlain: boolean;
  /** Other sentences of the same message that belong to the answer. */
  also: Candidate[];
  /** An earlier statement that the answer replaces. */
  replaced: Candidate | null;
  /** How likely `best` is right, 0 to 1; 0 if there is none. */
  confidence: number;
  /** What may be the answer where none is sure, the best first, one for each message. */
  possible: Candidate[];
}

/** A later message of the same people replaces an earlier one if it covers nearly as much. */
const LATER_SUPPORT = 0.3;
const LATER_IN_THREAD = 0.42;
const LATER_WEAKEST = 0.45;
const WANTS_MARGIN = 0.3;
const MAX_WANTS = 3;
const MAX_ITEMS = 5;
const MAX_SENTENCES = 2;
const POSSIBLE_SUPPORT = 0.5;
const MAX_POSSIBLE = 3;
/** Candidates of which the most likely is chosen where none is sure by rules, and how likely it must be. */
const MAX_JUDGED = 12;
const LEAST_CONFIDENCE = 0.62;
/** How likely a candidate must be that is sure by rules. */
const LEAST_OF_SURE = 0.5;
const LEAST_OF_WANTS = 0.3;
/** How likely a candidate must be although another value may be meant. */
const LEAST_OF_DOUBTFUL = 0.62;
/** The same where a word of the question is far away or missing. */
const LEAST_WITHOUT_TERM = 0.72;
const LEAST_WEAKEST = 0.65;
/** A later sentence without a typed span must itself name what the question is about. */
const LATER_OWN = 0.4;

/** Chooses the answer among the candidates, or none. */
export function decide(question: Question, found: Found): Decision {
  const { candidates } = found;
  const isPossible = ({ support, covered }: Candidate) =>
    support >= POSSIBLE_SUPPORT && covered.every(({ term, share }) => !(term.isName || term.isRelation) || share > 0);
  const possible = onePerMessage(candidates.filter(isPossible)).slice(0, MAX_POSSIBLE);
  const sure = candidates.find((candidate) => isSure(question, candidate));
  const isFirst = sure && sure.score >= candidates[0]!.score - TIE * 2;
  const isOver = isFirst && !laterThan(question, sure, candidates) && isOvertaken(question, sure, found.read);
  for (const first of isOver ? [] : [isFirst ? sure : null, mostConfident(question, found)]) {
    const answer = first ? answerWith(question, first, found) : null;
    if (answer) return { ...answer, possible };
  }
  return { best: null, isPlain: false, also: [], replaced: null, confidence: 0, possible };
}

/** Returns the answer that a candidate gives; null if it is not likely enough, or what else was found makes it doubtful. */
function answerWith(question: Question, first: Candidate, found: Found): Omit<Decision, "possible"> | null {
  const { candidates, read } = found;
  const best = earliestOfTie(question, first, candidates);
  const later = laterThan(question, best, candidates);
  const confidence = confidenceOf(question, first, found);
  if (later)
    return { best: later, isPlain: isPlain(question, later, candidates), also: [], replaced: best, confidence };
  if (confidence < (question.type === "wants" ? LEAST_OF_WANTS : LEAST_OF_SURE)) return null;
  if (isOvertaken(question, best, read) || isOutdone(best, candidates)) return null;
  const isDoubtful =
    isContradicted(question, best, candidates) ||
    isOneOfSeveral(question, best, candidates) ||
    !isTied(question, best, candidates);
  if (isDoubtful && confidence < LEAST_OF_DOUBTFUL) return null;
  return {
    best,
    isPlain: isPlain(question, best, candidates),
    also: alsoSaid(question, best, candidates),
    replaced: earlierThan(best, candidates),
    confidence,
  };
}

/** Returns the candidate that most likely is right, if that is likely enough; null otherwise. */
function mostConfident(question: Question, found: Found): Candidate | null {
  const judged = found.candidates
    .slice(0, MAX_JUDGED)
    .filter((candidate) => !isVetoed(question, candidate))
    .map((candidate) => ({ candidate, confidence: confidenceOf(question, candidate, found) }));
  const best = judged.reduce<(typeof judged)[number] | null>(
    (most, one) => (most === null || one.confidence > most.confidence ? one : most),
    null,
  );
  if (!best || best.confidence < LEAST_CONFIDENCE) return null;
  const { weakest, covered } = best.candidate;
  if (
    weakest < LEAST_WEAKEST &&
    covered.some(({ term, share }) => (term.isName || term.isRelation) && share < LEAST_WEAKEST)
  )
    return null;
  const least = weakest < LEAST_WEAKEST ? LEAST_WITHOUT_TERM : LEAST_CONFIDENCE;
  return best.confidence < least ? null : best.candidate;
}

/** Of equal values in one message, such as the way out and the way back, the first is meant. */
function earliestOfTie(question: Question, best: Candidate, candidates: readonly Candidate[]): Candidate {
  return candidates
    .filter((one) => {
      const { read, score, covered } = one;
      if (one !== best && isUnaccounted(question, one)) return false;
      const isAlike = covered.every(({ isOwn }, i) => isOwn === best.covered[i]!.isOwn);
      return read === best.read && isAlike && score >= best.score - TIE * 3;
    })
    .reduce((first, one) => (one.passage.i < first.passage.i ? one : first), best);
}

/** Returns a later statement of another value in the same matter. */
function laterThan(question: Question, best: Candidate, candidates: readonly Candidate[]): Candidate | null {
  const { type } = question;
  if (!best.span && type !== "where") return null;
  const later = candidates.filter((other) => {
    const { read, span, support, weakest, own, isUpdate, isCounted } = other;
    if (read.message.at <= best.read.message.at || !isSameMatter(read, best.read)) return false;
    // "I'll send the photo tomorrow, and the slides by 16 March": tomorrow is no new day for the slides.
    if (other.isBoundElsewhere && !isUpdate && repeatsValue(other, best)) return false;
    if (isUpdate && own > 0 && span?.kind === best.span?.kind && namesOldValue(other, best)) return true;
    if (weakest < LATER_WEAKEST || (!isUpdate && isUnaccounted(question, other))) return false;
    if (best.span === null) return own >= LATER_OWN && support >= best.support - LATER_SUPPORT;
    if (span?.kind !== best.span.kind || span.normal === best.span.normal) return false;
    if (!isAboutTheSame(other, best) || (other.hasOtherTopic && namesAny(best.covered))) return false;
    if (type === "how many" && !isCounted && !isUpdate) return false;
    const isSameThread = read.message.thread_id === best.read.message.thread_id;
    // One sender writes about many things.
    if (!isSameThread && (own < LATER_OWN || weakest < SURE_WEAKEST)) return false;
    return isUpdate
      ? support >= best.support - (isSameThread ? LATER_IN_THREAD : LATER_SUPPORT / 2)
      : namesAny(other.covered) &&
          support >= best.support - LATER_SUPPORT / (read.message.outgoing === best.read.message.outgoing ? 2 : 3);
  });
  const [first = null] = later;
  // The last of several changes counts.
  const newest = later.filter(({ isUpdate }) => isUpdate).toSorted((a, b) => b.read.message.at - a.read.message.at)[0];
  return first && newest && newest.read.message.at > first.read.message.at ? newest : first;
}

/** Returns whether a message names the value that an update replaces: "your appointment on 16 March cannot go ahead". */
function namesOldValue({ read: { message, passages }, span }: Candidate, best: Candidate): boolean {
  if (!span || !best.span || span.normal === best.span.normal) return false;
  return passages.some(
    ({ text, isQuoted }) =>
      !isQuoted && spansOf(text, span.kind, message.at).some(({ normal }) => normal === best.span!.normal),
  );
}

/** Returns whether the sentence of a candidate has the earlier value as well. */
const repeatsValue = ({ passage, read, span }: Candidate, best: Candidate): boolean =>
  span !== null && spansOf(passage.text, span.kind, read.message.at).some(({ normal }) => normal === best.span!.normal);

/** Returns whether two passages have a word in common, or the earlier message has only one value of the kind. */
function isAboutTheSame({ passage, span }: Candidate, best: Candidate): boolean {
  const { passages, message } = best.read;
  const values = passages
    .filter(({ isQuoted }) => !isQuoted)
    .flatMap(({ text }) => spansOf(text, span!.kind, message.at).map(({ normal }) => normal));
  // A month is mostly that of something else.
  if (new Set(values.filter((value) => span!.kind !== "date" || value.length > 7)).size <= 1) return true;
  const words = best.passage.bag.words.filter(
    ({ form, start, end }) =>
      !isStopWord(form) && !isLight(form) && !/\d/.test(form) && (end <= best.span!.start || start >= best.span!.end),
  );
  return words.some((word) => word.form.length > 2 && passage.bag.words.some((other) => isSameWord(word, other)));
}

/** Returns an earlier statement of another value in the same matter, which the answer replaces. */
function earlierThan(best: Candidate, candidates: readonly Candidate[]): Candidate | null {
  if (!best.span) return null;
  return (
    candidates.find(
      ({ read, span, support, weakest }) =>
        read.message.at < best.read.message.at &&
        isSameMatter(read, best.read) &&
        span?.kind === best.span!.kind &&
        span.normal !== best.span!.normal &&
        weakest >= SURE_WEAKEST &&
        support >= best.support - LATER_SUPPORT / 3,
    ) ?? null
  );
}

/** Returns whether the sentence has no other value of the kind with nearly the same score. */
function isPlain(question: Question, best: Candidate, candidates: readonly Candidate[]): boolean {
  return !candidates.some((other) => {
    const { read, passage, span, score, isBoundElsewhere } = other;
    return (
      read === best.read &&
      passage === best.passage &&
      span?.kind === best.span?.kind &&
      span?.normal !== best.span?.normal &&
      !isBoundElsewhere &&
      !(span && best.span && isRange(passage.text.slice(best.span.end, span.start))) &&
      score >= best.score - TIE * 1.5 &&
      !isVetoed(question, other)
    );
  });
}

/** Returns further sentences of the message that are as good: someone may want several things. */
function alsoSaid({ type }: Question, best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  if (best.span) return [];
  const listed = itemsAfter(best);
  if (listed.length > 0) return listed;
  const most = type === "wants" ? MAX_WANTS : MAX_SENTENCES;
  const margin = type === "wants" ? WANTS_MARGIN : RIVAL;
  return candidates
    .filter((one) => one !== best && one.read === best.read && one.score >= best.score - margin)
    .slice(0, most - 1)
    .sort((one, other) => one.passage.start - other.passage.start);
}

/** Returns the items of the list that a sentence announces: "We need three things:". */
function itemsAfter(best: Candidate): Candidate[] {
  if (!/[:：]\s*$/.test(best.passage.text)) return [];
  return best.read.passages
    .slice(best.passage.i + 1, best.passage.i + 1 + MAX_ITEMS)
    .filter(({ text }) => /^\s*(?:[-*•·–—]|\d{1,2}[.)])\s/.test(text))
    .map((passage) => ({ ...best, passage }));
}

function onePerMessage(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ read }) => !seen.has(read.message.id) && seen.add(read.message.id));
}
