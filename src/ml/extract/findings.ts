import { amountsOf } from "./amounts.ts";
import { clausesOf } from "./clauses.ts";
import { plain } from "./cues.ts";
import type { Moment } from "./days.ts";
import { dueDay } from "./due.ts";
import { MAY_ASK, mayHavePromise, mayPromise } from "./hints.ts";
import { askOf, asksToo, hasPromise, isPromise } from "./intent.ts";
import { isEnglish } from "./promises.ts";
import { isCourtesyElsewhere, mayRequestElsewhere, requestsElsewhere } from "./requests.ts";
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
  /^(?:right|really|ok(?:ay)?|no|yes|huh|eh|who knows|why not|guess what|you know what|so what|what else|remember)\s*\?+$|^(?:who|what|how|why|where)\b(?!.*\b(?:you|your|we|us|our|i|me)\b).*\b(?:like that|does that|would have (?:thought|guessed|believed)|knew|cares|could resist|goes wrong)\s*\?+$|\b(?:can you believe|who would(?:'ve| have) (?:thought|guessed)|how (?:cool|great|nice|good|funny|crazy) is that|what's not to (?:like|love))\b.*\?|^(?:oder|nicht wahr|gell|n'est-ce pas|verdad|vero|não é|toch)\s*\?+$/iu;
/** Sentences in the form of a promise that only announce an absence or a feeling. */
const NO_PROMISE =
  /\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to)(?: all)? (?:be (?:out|away|off|on (?:vacation|holiday|leave)|late|traveling|travelling|glad|happy|sure|honest|missing)|never|not|miss|always|love|need|probably|assume|have to|see\b(?! (?:to|if|whether|what (?:i|we) can))|pass on|skip|sit (?:this|it|out)|leave (?:it|this|that|the \p{L}+) (?:up to|to you|at|there)|let you (?:decide|choose|judge|be|go|off|figure)|keep (?:this|it) (?:short|brief|simple)|keep my|spare you|stop (?:here|there)|take (?:your word|a pass|the blame|what|that as|it as|any|my chances)|give (?:you|it|him|her|them) that|cover the following|leave .{1,40} to (?:others|you|someone|them))|\bif (?:you(?:'d| would)? (?:like|want|wish|prefer|need)|that helps|needed|necessary|required|it helps)\b|\bwill do\?|\b(?:as|like|when|if|unless|until|once) (?:i|we)(?:'ll| will|'m going| am going|'re going| are going)\b|\bsure (?:that )?(?:i|we)(?:'ll| will)\b|\bi(?:'ll| will) (?:admit|bet|say|confess|take those)\b|\b(?:(?:not|never) sure|not certain|(?:i|we) (?:really |still |just )?(?:think|guess|suppose|hope|doubt|wish|believe|can say)|maybe|perhaps|whenever|how|the way|why|where|what)(?: that)? (?:i|we)(?:['’]ll|['’](?:m|re) (?:going|gonna)| will| am going| are going)\b|\bget lucky\b|\bfind that\b/iu;
/** Words of someone else. */
const QUOTED =
  /^["“«‘']|[“«][^”»]*\b(?:i|we)(?:['’]| will)|(?:^|[\s:(])["'][^"']{0,300}\b(?:i|we)(?:'ll| will)|^\W*\w{0,12}>|\s\w+>\s/iu;

const MAX_FINDINGS = 50;

/** Returns the questions, requests, promises and decisions of a message, in order. @param among only these kinds */
export function findingsOf(message: Analyzed, among: FindingKind[] | null = null): Finding[] {
  const found: Finding[] = [];
  // Most mail contains no promise, so splitting it into sentences is skipped.
  if (among?.length === 1 && among[0] === "promise" && !mayHavePromise(message.new_text)) return found;
  const onlyAsks = among?.every((kind) => kind === "question" || kind === "request") ?? false;
  for (const sentence of ownSentences(message)) {
    if (sentence.text.length > LONGEST_SENTENCE_CHARS || (onlyAsks && !mayAsk(sentence.text))) continue;
    for (const { part, ...kind } of partsOf(sentence.text, message, among)) {
      const day = kind.kind === "decision" ? null : dueDay(part, message, message.language());
      found.push({ ...sentence, ...kind, due: day?.day ?? null });
    }
    if (found.length >= MAX_FINDINGS) break;
  }
  return found.slice(0, MAX_FINDINGS);
}

/** Whether a sentence may ask something, by cheap signs. */
const mayAsk = (text: string): boolean => MAY_ASK.test(text) || (!isEnglish(text) && mayRequestElsewhere(text));

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
/** The score of a request in the words of `requests.ts`. */
const ELSEWHERE_SCORE = 1;
/** Sentences that only inform, accept or decline. */
const INFORMS =
  /^(?!.*\b(?:please|could you|can you|would you|let me know|need you)\b).*\b(?:works?|(?:is|are|would be) (?:all |also |just |still )?(?:good|fine|great|ok(?:ay)?|perfect|best)|suits?|sounds (?:good|great|fine))(?: well| fine| best| better)? (?:for|with|by|to)? ?(?:me|us)\b|^(?:(?:hi|hey|hello|dear)\b[^,.!?]{0,30}[,.!] )?(?:just |only )?(?:so (?:that )?you know|fyi|for your information|(?:a )?(?:quick |short )?(?:heads[- ]?up|update)|(?:to let|letting|wanted to let|writing to let|wanted to tell) you)\b(?!.*\b(?:please|could you|can you|let me know)\b)/i;

/** Whether the form of a promise is meant as one: in the whole sentence, or in a clause of it. */
const isMeant = (text: string): boolean =>
  !QUOTED.test(text) &&
  (!NO_PROMISE.test(text) ||
    clausesOf(text).some((part) => part !== text && hasPromise(part) && !NO_PROMISE.test(part)));

const onOneLine = (text: string): string =>
  /[\n\t’]| {2}/.test(text) ? text.replace(/\s+/g, " ").replaceAll("’", "'") : text;

type Kind = Pick<Finding, "kind" | "score">;

/**
 * Classifies a sentence, and returns the part that names its day. A sentence that promises one thing and asks for
 * another counts as both.
 */
function partsOf(
  text: string,
  message: Pick<Analyzed, "language">,
  among: FindingKind[] | null,
): (Kind & { part: string })[] {
  if (mayPromise(text) && asksToo(text) && hasPromise(text)) {
    const parts = clausesOf(text).flatMap((part) => {
      const kind = classify(part, message, null);
      return kind ? [{ ...kind, part }] : [];
    });
    const promise = parts.find(({ kind }) => kind === "promise");
    const ask = parts.find(({ kind }) => kind === "question" || kind === "request");
    if (promise && ask) return [promise, ask].filter(({ kind }) => among === null || among.includes(kind));
  }
  const kind = classify(text, message, among);
  return kind ? [{ ...kind, part: text }] : [];
}

function classify(
  written: string,
  message: Pick<Analyzed, "language">,
  among: FindingKind[] | null,
): Pick<Finding, "kind" | "score"> | null {
  const wants = (kind: FindingKind) => among === null || among.includes(kind);
  const text = onOneLine(written);
  if (wants("decision") && DECISION.test(text) && !text.endsWith("?")) return { kind: "decision", score: 0 };
  const isForeign = !isEnglish(text);
  const polite = () => COURTESY.test(text) || RHETORICAL.test(text) || (isForeign && isCourtesyElsewhere(plain(text)));
  const promises = () => mayPromise(text) && isPromise(text);
  if (wants("promise") && promises()) {
    return isMeant(text) && !polite() ? { kind: "promise", score: 0 } : null;
  }
  if (!(wants("question") || wants("request"))) return null;
  const isElsewhere = isForeign && mayRequestElsewhere(text) && requestsElsewhere(plain(text));
  if (!(isElsewhere || MAY_ASK.test(text)) || polite()) return null;
  const { kind, score } = askOf(text);
  if (kind !== null && !(kind === "request" && INFORMS.test(text))) {
    return wants(kind) && !promises() ? { kind, score } : null;
  }
  const endsAsking = FOREIGN_QUESTION.test(text);
  if (isElsewhere && !promises()) {
    const asked = endsAsking ? "question" : "request";
    return wants(asked) ? { kind: asked, score: ELSEWHERE_SCORE } : null;
  }
  if (!wants("question") || !endsAsking) return null;
  const language = message.language();
  return language !== null && language !== "en" ? { kind: "question", score: FOREIGN_SCORE } : null;
}
