import { unaccounted } from "./accounted.ts";
import type { Candidate } from "./candidates.ts";
import { WEIGHTS } from "./confidence-weights.ts";
import { matchIn } from "./coverage.ts";
import type { Found } from "./extractive.ts";
import { isOfOtherTime } from "./other-time.ts";
import { isOvertaken } from "./overtaken.ts";
import { polarityOf } from "./polarity.ts";
import type { Question } from "./question.ts";
import { isContradicted, isOneOfSeveral, isTied } from "./rivals.ts";
import { hasCause, isDeadline } from "./suitable.ts";
import { isSure } from "./sure.ts";

/** A share below which a passage and what is around it do not have a word. */
const MISSING = 0.5;
/** A share below which a word is only somewhere in the message. */
const NEAR = 0.8;
const SENTENCE_TYPES = new Set(["why", "who", "where", "yes-no", "what", "wants"]);
const FAR = 0.5;

const flag = (is: boolean): number => (is ? 1 : 0);

/** Returns what speaks for and against a candidate, by name. */
function featuresOf(question: Question, one: Candidate, found: Found): Record<string, number> {
  const { type, terms, language } = question;
  const { candidates } = found;
  const { covered, passage, span, read } = one;
  const essential = covered.filter(({ term }) => term.role === "essential");
  const names = essential.filter(({ term }) => term.isName || term.isRelation);
  const topics = essential.filter(({ term }) => !term.isName && !term.isRelation);
  const actions = covered.filter(({ term }) => term.role === "action");
  const missing = essential.filter(({ share }) => share < MISSING);
  const mean = (of: readonly { share: number }[]) =>
    of.length === 0 ? 1 : of.reduce((sum, { share }) => sum + share, 0) / of.length;
  const isOther = (other: Candidate) =>
    other.span === null
      ? other.passage !== passage
      : other.span.kind !== span?.kind || other.span.normal !== span.normal;
  const gap = (others: Candidate[]) => {
    const best = others.find(isOther);
    return best ? Math.max(-FAR, Math.min(FAR, one.score - best.score)) : FAR;
  };
  const others = [...new Set(candidates.map((other) => other.read))].filter((other) => other !== read);
  const elsewhere = missing.filter(({ term }) =>
    others.some(
      ({ whole, subject, message }) =>
        message.thread_id !== read.message.thread_id && (matchIn(whole, term) > 0.7 || matchIn(subject, term) > 0.7),
    ),
  );
  const isSentence = SENTENCE_TYPES.has(type);
  const likest = candidates
    .filter((other) => other !== one && isOther(other))
    .reduce((most, { likeness }) => Math.max(most, likeness ?? 0), 0);
  const reasons = new Set(unaccounted(question, one));
  return {
    score: one.score,
    support: one.support,
    weakest: one.weakest,
    own: one.own,
    ownTopics: topics.length === 0 ? 0.5 : topics.filter(({ isOwn }) => isOwn).length / topics.length,
    noTopic: flag(topics.length === 0),
    topics: mean(topics),
    names: mean(names),
    weakestName: names.reduce((least, { share }) => Math.min(least, share), 1),
    hasName: flag(names.length > 0),
    actions: mean(actions),
    ownAction: actions.length === 0 ? 0.5 : flag(actions.some(({ isOwn }) => isOwn)),
    missing: Math.min(2, missing.length),
    missingName: flag(missing.some(({ term }) => term.isName)),
    missingElsewhere: Math.min(2, elsewhere.length),
    far: Math.min(3, essential.filter(({ share }) => share >= MISSING && share < NEAR).length),
    terms: Math.min(4, essential.length),
    nothingOwn: flag(one.own === 0),
    boundElsewhere: flag(one.isBoundElsewhere),
    otherTopic: flag(one.hasOtherTopic),
    dominated: flag(one.isDominated),
    opposite: flag(one.isOpposite),
    update: flag(one.isUpdate),
    notCounted: flag(type === "how many" && !one.isCounted),
    quoted: flag(passage.isQuoted),
    question: flag(passage.isQuestion),
    signature: flag(passage.isSignature && span?.kind !== "phone" && span?.kind !== "email"),
    continues: flag(passage.continues),
    secondKind: flag(span !== null && question.kinds.indexOf(span.kind) > 0),
    month: flag(span?.kind === "date" && !/^\d{4}-\d\d-\d\d$/.test(span.normal)),
    noDeadline: flag(type === "deadline" && span !== null && !isDeadline(passage.text)),
    noCause: flag(type === "why" && !hasCause(passage, read)),
    digest: flag(read.isDigest),
    gapInMessage: gap(candidates.filter((other) => other.read === read && other.score <= one.score && other !== one)),
    gapElsewhere: gap(candidates.filter((other) => other.read !== read && other !== one)),
    likeness: one.likeness ?? MEAN_LIKENESS,
    noLikeness: flag(one.likeness === null),
    likest: one.likeness === null ? 0 : Math.max(-FAR, Math.min(FAR, one.likeness - likest)),
    sure: flag(isSure(question, one)),
    elsewhere: flag(reasons.has("elsewhere")),
    noPlace: flag(reasons.has("noPlace")),
    foreseen: flag(reasons.has("foreseen")),
    outdated: flag(reasons.has("outdated")),
    offered: flag(reasons.has("offered")),
    otherNoun: flag(reasons.has("otherNoun")),
    otherUnit: flag(reasons.has("otherUnit")),
    countsOther: flag(reasons.has("countsOther")),
    otherTime: flag(isOfOtherTime(question, one)),
    overtaken: flag(isOvertaken(question, one, found.read)),
    contradicted: flag(isContradicted(question, one, candidates)),
    several: flag(isOneOfSeveral(question, one, candidates)),
    untied: flag(!isTied(question, one, candidates)),
    sentence: flag(isSentence),
    sentenceOwn: isSentence ? one.own : 0,
    sentenceSupport: isSentence ? one.support : 0,
    sentenceMissing: isSentence ? Math.min(2, missing.length) : 0,
    why: flag(type === "why"),
    who: flag(type === "who"),
    where: flag(type === "where"),
    wants: flag(type === "wants"),
    what: flag(type === "what"),
    yesNo: flag(type === "yes-no"),
    polarity: flag(polarityOf(question, one) !== null),
    contact: flag(type === "phone" || type === "email"),
    contactName: type === "phone" || type === "email" ? mean(names) : 0,
    code: flag(type === "code"),
    short: flag(terms.filter(({ role }) => role === "essential").length <= 1),
    english: flag(language === "en"),
  };
}

const MEAN_LIKENESS = 0.4;

/** Returns how likely a candidate is right, 0 to 1. */
export function confidenceOf(question: Question, one: Candidate, found: Found): number {
  let sum = WEIGHTS.bias ?? 0;
  for (const [name, value] of Object.entries(featuresOf(question, one, found))) sum += (WEIGHTS[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}
