import { amountsOf } from "./amounts.ts";
import { type Moment, namedDay } from "./due.ts";
import { MAY_ASK, mayPromise } from "./hints.ts";
import { askOf, isPromise } from "./intent.ts";
import { LONGEST_SENTENCE_CHARS, type Sentence, type Span, sentencesOf } from "./sentences.ts";

export type FindingKind = "question" | "request" | "promise" | "decision";

/** A relevant sentence, with its position in the analyzed text. */
export interface Finding extends Span {
  kind: FindingKind;
  text: string;
  /** Confidence: log-odds for questions, requests and promises; 0 for decisions. */
  score: number;
  /** The day that the sentence names, YYYY-MM-DD in the writer's time zone. */
  due: string | null;
}

/** One message, as input of the analysis. */
export interface Analyzed extends Moment {
  /** The text that clients receive. Spans are positions in it. */
  body_text: string;
  /** The part of `body_text` that is new in this message, without quoted history and signature. */
  new_text: string;
  /** ISO 639-1, or null. A function, because detection is expensive and rarely needed. */
  language(): string | null;
}

const DECISION =
  /\b(?:we(?:'ve| have)? (?:decided|agreed|settled|chosen|approved|signed off)|(?:it (?:was|is|has been)|has been) (?:decided|agreed|approved)|i(?:'ve| have)? (?:decided|approved|signed off)|let's go with|(?:we|i)(?:'ll| will|'re| are|'m| am) go(?:ing)? (?:ahead )?with|the decision is|final decision|approved\b(?=[.! ]*$)|wir haben (?:uns )?(?:entschieden|beschlossen|geeinigt)|nous avons (?:décidé|convenu|choisi)|hemos (?:decidido|acordado)|abbiamo (?:deciso|concordato)|we hebben besloten|decidimos)\b/iu;

/** Polite phrases that have the form of a request but need no answer. */
const COURTESY =
  /\b(?:(?:further|any|other|more|additional) (?:questions|problems|concerns|queries|information)\b.{0,80}\b(?:let|contact|call|e-?mail|ask|reach|hesitate|feel free|happy|glad|touch)|(?:let|contact|call|e-?mail|ask|reach|hesitate|feel free)\b.{0,60}\b(?:further|any|other|more) (?:questions|problems|concerns|queries)|(?:do not|don't) hesitate|feel free|looking forward|look forward|please (?:find|see) (?:attached|below|enclosed)|thank(?:s| you)(?: very much| so much)? (?:for|in advance)|how are you(?: doing)?(?=\s*\?)|hope (?:you|this|all)|have a (?:great|good|nice|lovely)|please (?:note|ignore|disregard|do not|don't)|unsubscribe|bei (?:fragen|rückfragen)|für rückfragen|n'hésitez pas|no dude en|non esiti|wie geht(?:'s| es)|comment (?:vas|allez|ça va)|¿?qu[eé] tal (?:estás|est[aá])|¿?c[oó]mo est[aá]s?)\b/iu;
/** Questions that expect no answer. */
const RHETORICAL =
  /^(?:right|really|ok(?:ay)?|no|yes|huh|eh|who knows|why not|guess what|you know what|so what|what else|remember)\s*\?+$/iu;
/** Sentences in the form of a promise that only announce an absence or a feeling. */
const NO_PROMISE =
  /\b(?:i|we)(?:'ll| will| shall)(?: all)? (?:be (?:out|away|off|on (?:vacation|holiday|leave)|late|traveling|travelling|glad|happy|sure|honest|missing)|never|not|miss|always|love|need|probably|assume|have to|see\b)|\bwill do\?|\b(?:as|like|when|if|unless|until|once) (?:i|we)(?:'ll| will)\b|\bi(?:'ll| will) (?:admit|bet|say|confess|take those)\b|\b(?:(?:not|never) sure|not certain|(?:i|we) (?:think|guess|suppose|hope|doubt|wish|believe|can say)|maybe|perhaps|whenever|how|the way|why|where|what)(?: that)? (?:i|we)(?:['’]ll|['’](?:m|re) (?:going|gonna)| will| am going| are going)\b|\bget lucky\b|\bfind that\b|^["“«‘']|[“«][^”»]*\b(?:i|we)(?:['’]| will)|^\W*\w{0,12}>|\s\w+>\s/iu;

const MAX_FINDINGS = 50;

/** Returns the questions, requests, promises and decisions of a message, in order. @param among only these kinds */
export function findingsOf(message: Analyzed, among: FindingKind[] | null = null): Finding[] {
  const found: Finding[] = [];
  // Most mail contains no promise, so splitting it into sentences is skipped.
  if (among?.length === 1 && among[0] === "promise" && !mayPromise(message.new_text)) return found;
  for (const sentence of ownSentences(message)) {
    if (sentence.text.length > LONGEST_SENTENCE_CHARS) continue;
    const kind = classify(sentence.text, message, among);
    if (!kind) continue;
    const day = kind.kind === "decision" ? null : namedDay(sentence.text, message, message.language());
    found.push({ ...sentence, ...kind, due: day?.day ?? null });
    if (found.length >= MAX_FINDINGS) break;
  }
  return found;
}

/** Returns the amounts of money in the writer's new text, in order. Spans are positions in `body_text`. */
export function amountsIn(message: Pick<Analyzed, "body_text" | "new_text">) {
  const own = ownSentences(message);
  return amountsOf(message.body_text).filter(({ start, end }) => own.some((s) => s.start <= start && end <= s.end));
}

/**
 * Returns the sentences of `new_text` with their positions in `body_text`. Omits a sentence that `body_text` does not
 * contain word for word.
 */
export function ownSentences({ body_text, new_text }: Pick<Analyzed, "body_text" | "new_text">): Sentence[] {
  const offset = body_text.indexOf(new_text);
  if (offset >= 0) {
    return sentencesOf(new_text).map(({ text, start, end }) => ({ text, start: start + offset, end: end + offset }));
  }
  const placed: Sentence[] = [];
  let from = 0;
  for (const { text } of sentencesOf(new_text)) {
    const start = body_text.indexOf(text, from);
    if (start < 0) continue;
    from = start + text.length;
    placed.push({ text, start, end: from });
  }
  return placed;
}

/**
 * Matches a question in a language without labeled sentences: a question mark, or the particle at the end of a
 * Japanese question. There are no weights for these languages, so the score is fixed.
 */
const FOREIGN_QUESTION = /[?？؟]["'”’»)]*\s*$|(?:か|かな)[。．？]?\s*$/u;
const FOREIGN_SCORE = 0.5;

function classify(
  text: string,
  message: Pick<Analyzed, "language">,
  among: FindingKind[] | null,
): Pick<Finding, "kind" | "score"> | null {
  const wants = (kind: FindingKind) => among === null || among.includes(kind);
  if (wants("decision") && DECISION.test(text) && !text.endsWith("?")) return { kind: "decision", score: 0 };
  const polite = () => COURTESY.test(text) || RHETORICAL.test(text);
  const promises = () => mayPromise(text) && isPromise(text);
  if (wants("promise") && promises()) return NO_PROMISE.test(text) || polite() ? null : { kind: "promise", score: 0 };
  if (!(wants("question") || wants("request")) || !MAY_ASK.test(text) || polite()) return null;
  const { kind, score } = askOf(text);
  if (kind !== null) return wants(kind) && !promises() ? { kind, score } : null;
  if (!wants("question") || !FOREIGN_QUESTION.test(text)) return null;
  const language = message.language();
  return language !== null && language !== "en" ? { kind: "question", score: FOREIGN_SCORE } : null;
}
