import type { Candidate } from "./candidates.ts";
import { isSameMatter } from "./overtaken.ts";
import type { Question } from "./question.ts";
import { isVetoed } from "./vetoes.ts";

/** Two values in different matters with scores this close contradict each other. */
export const TIE = 0.03;
/** The same for a value whose message names what is asked about more clearly. */
const CLEARER = 0.25;
/** A value with a score this close is a rival. */
export const RIVAL = 0.06;

/**
 * Returns whether a value belongs to what is asked: its sentence or a neighbor names it, or the message has no other
 * value of the kind with nearly the same score.
 */
export function isTied(question: Question, best: Candidate, candidates: readonly Candidate[]): boolean {
  if (!best.span || best.isUpdate) return true;
  if (best.covered.some(({ term, isOwn }) => isOwn && term.role === "essential" && !term.isName)) return true;
  return !candidates.some(
    (other) =>
      other.read === best.read &&
      other.span?.kind === best.span!.kind &&
      other.span.normal !== best.span!.normal &&
      other.score >= best.score - RIVAL * 2 &&
      !isVetoed(question, other),
  );
}

/** Returns whether another matter gives another value with the same support. */
export function isContradicted(question: Question, best: Candidate, candidates: readonly Candidate[]): boolean {
  return candidates.some(
    (other) =>
      best.span !== null &&
      other.span?.kind === best.span.kind &&
      other.span.normal !== best.span.normal &&
      !isSameMatter(other.read, best.read) &&
      other.score >= best.score - (other.weakest > best.weakest + TIE ? CLEARER : TIE * 2) &&
      other.weakest >= best.weakest - TIE &&
      !other.passage.text.includes(best.span.text) &&
      !best.passage.text.includes(other.span.text) &&
      !isVetoed(question, other),
  );
}

/** Returns whether another matter has another value of the short question's thing, about as well: two rents, two parcels. */
export function isOneOfSeveral(question: Question, best: Candidate, candidates: readonly Candidate[]): boolean {
  if (best.isUpdate || (!best.span && question.type !== "where")) return false;
  const terms = best.covered.filter(({ term }) => term.role === "essential" || term.role === "action");
  if (terms.length > FEW_TERMS || terms.some(({ term }) => term.isName)) return false;
  return candidates.some(
    (other) =>
      other.read.message.thread_id !== best.read.message.thread_id &&
      other.span?.kind === best.span?.kind &&
      (other.span === null || other.span?.normal !== best.span?.normal) &&
      other.score >= best.score - SEVERAL &&
      best.covered.every(
        ({ isOwn, share }, i) => other.covered[i]!.share >= share - (best.span ? TIE : CLEARER) || !isOwn,
      ) &&
      other.covered.some(
        ({ term, isOwn, isHeader }) => term.role === "essential" && (isOwn || (isHeader && !other.span)),
      ) &&
      !isVetoed(question, other),
  );
}
/**
 * Returns whether the sentence of another matter says what happens, which the sentence of this value does not: "When does
 * the board want to launch?" is not answered by when a board meets.
 */
export function isOutdone({ covered, span, read }: Candidate, candidates: readonly Candidate[]): boolean {
  const isMissing = (i: number) => covered[i]!.term.role === "action" && covered[i]!.share < NEAR;
  if (!span || !covered.some((_, i) => isMissing(i))) return false;
  return candidates.some(
    (other) =>
      other.span?.kind === span.kind &&
      other.span.normal !== span.normal &&
      !isSameMatter(other.read, read) &&
      other.covered.every(({ share, isOwn }, i) => (isMissing(i) ? isOwn : share >= covered[i]!.share - TIE)),
  );
}
/** A share below which a word is neither in a sentence nor beside it. */
const NEAR = 0.6;

const FEW_TERMS = 2;
/** A rival in another matter may be this much less. */
const SEVERAL = 0.15;
