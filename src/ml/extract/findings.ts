import { amountsOf } from "./amounts.ts";
import { type Moment, namedDay } from "./due.ts";
import { MAY_ASK, mayPromise } from "./hints.ts";
import { askOf, isPromise } from "./intent.ts";
import { LONGEST_SENTENCE_CHARS, type Sentence, type Span, sentencesOf } from "./sentences.ts";

export type FindingKind = "question" | "request" | "promise" | "decision";

/** A sentence that matters, by its place in the text that was analysed. */
export interface Finding extends Span {
  kind: FindingKind;
  text: string;
  /** How sure: log-odds for questions, requests and promises; 0 for decisions. */
  score: number;
  /** The day it names, YYYY-MM-DD where the writer is. */
  due: string | null;
}

/** One message as the analysis sees it. */
export interface Analysed extends Moment {
  /** What clients are shown; spans are places in it. */
  body_text: string;
  /** The part of it that the writer wrote this time, without the signature. */
  new_text: string;
  /** ISO 639-1, or null; guessed when first asked for, which is only where it matters. */
  language(): string | null;
}

const DECISION =
  /\b(?:we(?:'ve| have)? (?:decided|agreed|settled|chosen|approved|signed off)|(?:it (?:was|is|has been)|has been) (?:decided|agreed|approved)|i(?:'ve| have)? (?:decided|approved|signed off)|let's go with|(?:we|i)(?:'ll| will|'re| are|'m| am) go(?:ing)? (?:ahead )?with|the decision is|final decision|approved\b(?=[.! ]*$)|wir haben (?:uns )?(?:entschieden|beschlossen|geeinigt)|nous avons (?:décidé|convenu|choisi)|hemos (?:decidido|acordado)|abbiamo (?:deciso|concordato)|we hebben besloten|decidimos)\b/iu;

/** Words of politeness that ask for nothing: a reader who answers nothing has left nothing undone. */
const COURTESY =
  /\b(?:(?:further|any|other|more|additional) (?:questions|problems|concerns|queries|information)\b.{0,80}\b(?:let|contact|call|e-?mail|ask|reach|hesitate|feel free|happy|glad|touch)|(?:let|contact|call|e-?mail|ask|reach|hesitate|feel free)\b.{0,60}\b(?:further|any|other|more) (?:questions|problems|concerns|queries)|(?:do not|don't) hesitate|feel free|looking forward|look forward|please (?:find|see) (?:attached|below|enclosed)|thank(?:s| you)(?: very much| so much)? (?:for|in advance)|how are you(?: doing)?(?=\s*\?)|hope (?:you|this|all)|have a (?:great|good|nice|lovely)|please (?:note|ignore|disregard|do not|don't)|unsubscribe|bei (?:fragen|rückfragen)|für rückfragen|n'hésitez pas|no dude en|non esiti|wie geht(?:'s| es)|comment (?:vas|allez|ça va)|¿?qu[eé] tal (?:estás|est[aá])|¿?c[oó]mo est[aá]s?)\b/iu;
/** Questions that expect no answer. */
const RHETORICAL =
  /^(?:right|really|ok(?:ay)?|no|yes|huh|eh|who knows|why not|guess what|you know what|so what|what else|remember)\s*\?+$/iu;
/** Promises to be absent or to feel something are none. */
const NO_PROMISE =
  /\b(?:i|we)(?:'ll| will| shall)(?: all)? (?:be (?:out|away|off|on (?:vacation|holiday|leave)|late|traveling|travelling|glad|happy|sure|honest|missing)|never|not|miss|always|love|need|probably|assume|have to|see\b)|\bwill do\?|\b(?:as|like|when|if|unless|until|once) (?:i|we)(?:'ll| will)\b|\bi(?:'ll| will) (?:admit|bet|say|confess|take those)\b|\b(?:(?:not|never) sure|not certain|(?:i|we) (?:think|guess|suppose|hope|doubt|wish|believe|can say)|maybe|perhaps|whenever|how|the way|why|where|what)(?: that)? (?:i|we)(?:['’]ll|['’](?:m|re) (?:going|gonna)| will| am going| are going)\b|\bget lucky\b|\bfind that\b|^["“«‘']|[“«][^”»]*\b(?:i|we)(?:['’]| will)|^\W*\w{0,12}>|\s\w+>\s/iu;

const MOST_FINDINGS = 50;

/** The questions, requests, promises and decisions of a message. */
export function findingsOf(message: Analysed, among: FindingKind[] | null = null): Finding[] {
  const found: Finding[] = [];
  // Most mail promises nothing; then there is no need to take it apart.
  if (among?.length === 1 && among[0] === "promise" && !mayPromise(message.new_text)) return found;
  for (const sentence of ownSentences(message)) {
    if (sentence.text.length > LONGEST_SENTENCE_CHARS) continue;
    const kind = classify(sentence.text, message, among);
    if (!kind) continue;
    const day = kind.kind === "decision" ? null : namedDay(sentence.text, message, message.language());
    found.push({ ...sentence, ...kind, due: day?.day ?? null });
    if (found.length >= MOST_FINDINGS) break;
  }
  return found;
}

/** Sums of money in what the writer wrote, by place. */
export function amountsIn(message: Pick<Analysed, "body_text" | "new_text">) {
  const own = ownSentences(message);
  return amountsOf(message.body_text).filter(({ start, end }) => own.some((s) => s.start <= start && end <= s.end));
}

/** Sentences of `new_text` with their places in `body_text`; one that is not found there word for word is left out. */
export function ownSentences({ body_text, new_text }: Pick<Analysed, "body_text" | "new_text">): Sentence[] {
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
 * A question in a language that the labelled sentences are not in: its mark, or the particle that ends one in Japanese. There
 * is too little to weigh; that it is addressed to the user must do.
 */
const FOREIGN_QUESTION = /[?？؟]["'”’»)]*\s*$|(?:か|かな)[。．？]?\s*$/u;
const FOREIGN_SCORE = 0.5;

function classify(
  text: string,
  message: Pick<Analysed, "language">,
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
