import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import { STANDS_FOR } from "./binding.ts";
import type { Candidate } from "./candidates.ts";
import { compoundOf, conceptsNamed, conceptsOfWord } from "./concepts.ts";
import { type Covered, matchIn } from "./coverage.ts";
import { isLight } from "./light-words.ts";
import { polarityOf } from "./polarity.ts";
import type { Question, Term } from "./question.ts";
import { isSameWord, type Word, wordsOf } from "./words.ts";

type Said = Pick<Candidate, "read" | "passage" | "span" | "covered" | "isOpposite" | "isUpdate" | "isLikest">;

/** A word that stands only somewhere else in the message, or is only related, does not make a sentence be about it. */
const BESIDE = 0.68;
/** The other words are at least somewhere in the mail. */
const IN_MAIL = 0.45;
const HEADED = 0.9;
const IN_SHORT_MAIL = 0.6;
/** What is asked about a thing by yes or no must be in the sentence or beside it. */
const SAID = 0.75;
/** A word that is only related is another thing. */
const SAME_THING = 0.8;
/** A short question has no more words than these, so each counts. */
const FEW_TERMS = 2;
/** A sentence with a value of what is asked has at least so many words. */
const FEWEST_WORDS = 3;
/** Types whose sentence must itself have the thing that is asked about. */
const OWN_TYPES = new Set<Question["type"]>(["where", "yes-no"]);

/** What speaks against a candidate, by name. */
const REASONS: Record<string, (question: Question, one: Said, span: TypedSpan) => boolean> = {
  outdated: (question, { passage }, span) => isOutdated(question, passage.text, span),
  offered: (_, one, span) => isOffered(one, span),
  otherNoun: (question, one, span) => span.kind === "amount" && isOfOtherNoun(question, one, span),
  otherUnit: (question, _, span) => span.kind === "amount" && asksUnit(question),
  countsOther: (question, one, span) => question.type === "how many" && countsOther(question, one, span),
};
const SENTENCE_REASONS: Record<string, (question: Question, one: Said) => boolean> = {
  elsewhere: isElsewhere,
  noPlace: (question, one) =>
    question.type === "where"
      ? one.passage.isQuestion || isNoPlace(question, one)
      : question.type === "what" && ASKS_ADDRESS.test(question.text) && isNoPlace(question, one),
  foreseen: (question, one) => question.type === "yes-no" && isForeseen(question, one),
};

/**
 * Returns the reasons why something that a question names is not accounted for: a candidate is about another thing, has the
 * value of another noun, another unit or another time, or only foresees what the question asks.
 */
export function* unaccounted(question: Question, one: Said): Generator<string> {
  for (const [name, applies] of Object.entries(SENTENCE_REASONS)) if (applies(question, one)) yield name;
  if (!one.span || OWN_TYPES.has(question.type)) return;
  for (const [name, applies] of Object.entries(REASONS)) if (applies(question, one, one.span)) yield name;
}

export const isUnaccounted = (question: Question, one: Said): boolean => !unaccounted(question, one).next().done;

const isNamed = ({ term }: Covered) => term.isName || term.isRelation;

/** Returns whether what the question is about is in another place than the sentence, its neighbors and the subject. */
function isElsewhere({ type }: Question, { read, covered, passage, isUpdate, isLikest }: Said): boolean {
  const topics = covered.filter((one) => one.term.role === "essential" && !isNamed(one));
  if (topics.length === 0 || isUpdate) return false;
  // What an advertisement sells is not the thing that its reader has.
  if (
    type === "how much" &&
    topics.length < FEW_TERMS &&
    ADVERTISED.has(read.message.category) &&
    !covered.some(isNamed)
  )
    return true;
  if (OWN_TYPES.has(type) && !passage.continues && topics.every(({ term }) => matchIn(passage.bag, term) < SAME_THING))
    return !isRow(passage.text);
  // Who does something must be named where that is said.
  if (
    type === "who" &&
    topics.every(({ isOwn }) => !isOwn) &&
    covered.every((one) => one.term.role !== "action" || !one.isOwn)
  )
    return true;
  if (topics.length > FEW_TERMS) return false;
  // What the lexicon does not know, the meaning of the whole sentence may account for.
  if (isLikest && BY_MEANING.has(type)) return covered.every(({ term, isOwn }) => !isOwn || term.role === "light");
  // The name of a person, place or firm above a mail tells what it is about.
  const isOfNamed = covered.some((one) => isNamed(one) && one.share >= HEADED);
  const isNear = ({ term, share, isOwn }: Covered) =>
    share >= (isOfNamed ? IN_SHORT_MAIL : BESIDE) || (isOwn && term.form.includes(" "));
  if (type === "who" && !topics.every((one) => one.share >= SAID || one.isOwn)) return true;
  return !topics.some(isNear) || topics.some(({ share }) => share < IN_MAIL);
}

/** Types whose answer says in its own words what is asked. */
const BY_MEANING = new Set<Question["type"]>(["why", "what"]);
const ADVERTISED = new Set<string>(["promotions", "newsletters"]);
const isRow = (text: string): boolean => /^\S.{0,40}?(?: {2,}|: )\S/.test(text);

const HONORARIUM = conceptsNamed("honorarium");
/** A sum that is called by these is not the price of what is named with it. */
const OTHER_SUMS = conceptsNamed(..."honorarium deposit refund fine donation salary loan".split(" "));
/** A sum that is called by these is the price of what is named with it. */
const PRICE = conceptsNamed(
  ..."price total pay invoice bill amount included extra tax rent surcharge quote budget fare share installment".split(
    " ",
  ),
).difference(HONORARIUM);
const OF = "(?:de|d['’]|du|des|del|da|do|di|dell['’]|della|of|for|von|für|van|voor|en concepto de|as|als)";
/** "900 € de honorarios", "£40 for the deposit". */
const NOUN_AFTER = new RegExp(
  `^ ?${OF} ?(?:the |a |an |la |le |les |el |los |o |a |os |as |den |die |das |der |het |een )?(\\p{L}{4,})`,
  "iu",
);
/** "un prémio de 600 €", "eine Kaution von 300 €", "a deposit of £40". */
const NOUN_BEFORE = /(\p{L}{4,}(?: (?:de|da|do|di|of|à|von) \p{L}{4,})?) (?:de|d['’]|di|da|of|von|van) ?[€£$]?$/iu;
/** "The fee is 900". */
const NOUN_IS =
  /(\p{L}{3,}) (?:is|are|was|will be|ist|sind|beträgt|est(?: de)?|sont|es(?: de)?|son|é(?: de)?|são|è(?: di)?|sono|is|bedraagt) ?[€£$]?$/iu;
/** "A deslocação custa 25 €": what costs it. */
const NOUN_COSTS = /(\p{L}{4,}) (?:costs?|kosten?|kostet|coûtent|coûte|cuestan?|custam?|costano|costa|kost) ?[€£$]?$/iu;
/** "nota de honorários (900 €)". */
const NOUN_BRACKET = /((?:\p{L}+ ){0,4}\p{L}{4,}) ?\($/u;

const LONG_SENTENCE = 8;
/** Returns whether a sum is bound to a noun of its sentence that the question does not name. */
function isOfOtherNoun({ terms }: Question, one: Said, span: TypedSpan): boolean {
  const { covered, isUpdate } = one;
  const { text, bag, continues } = one.passage;
  const [before, after] = [text.slice(0, span.start), text.slice(span.end)];
  const isNamedHere = covered.some((one) => one.term.role === "essential" && (one.isOwn || one.isHeader));
  // A long sentence without what is asked, and without a pronoun for it, is about something else.
  if (!isNamedHere && !isUpdate && !continues && bag.words.length > LONG_SENTENCE && !STANDS_FOR.test(text))
    return true;
  const nouns = [NOUN_BEFORE, NOUN_BRACKET, NOUN_COSTS, ...(isNamedHere ? [] : [NOUN_IS])];
  const bound = [NOUN_AFTER.exec(after)?.[1], ...nouns.map((noun) => noun.exec(before)?.[1])];
  return bound.some((phrase) => {
    if (phrase === undefined) return false;
    const words = wordsOf(phrase).filter(({ form }) => !isStopWord(form) && !isLight(form) && form.length > 2);
    // "Gerüstmiete" is the price of a scaffold, whatever the sentences around it are about.
    if (!isNamedHere && words.some((word) => compoundOf(word) !== null)) return true;
    const known = words.filter((word) => conceptsOfWord(word).length > 0);
    if (words.some((word) => isAsked(word, terms))) return false;
    if (known.some((word) => conceptsOfWord(word).some((concept) => OTHER_SUMS.has(concept)))) return true;
    return known.length > 0 && !words.some((word) => conceptsOfWord(word).some((concept) => PRICE.has(concept)));
  });
}

const isAsked = (word: Word, terms: readonly Term[]): boolean =>
  terms.some((term) => isSameWord(word, term) || conceptsOfWord(word).some((concept) => term.concepts.has(concept)));

const UNIT =
  /(?<!\p{L})(?:kwh|kilowatt\p{L}*|km|kilomet\p{L}+|miles?|kg|kilos?|percent|per cent|prozent|pour ?cent|por ?ciento|por ?cento|percento|procent|nights?|nächte|nuits?|noches|noites|notti|nachten|people|persons?|personen|personnes|personas|pessoas|persone|mensen)(?!\p{L})/iu;
const QUANTITY =
  /(?<!\p{L})(?:how (?:many|long|far)|wie ?viele?|combien de|cuánt[oa]s|quant[oa]s|quant[ei]|hoeveel)(?!\p{L})/iu;
/** Returns whether a question asks for a number of units, which no sum of money is. */
const asksUnit = ({ text }: Question): boolean => {
  const asking = QUANTITY.exec(text);
  return asking !== null && new RegExp(`^ ${UNIT.source}`, "iu").test(text.slice(asking.index + asking[0].length));
};

const PIECES = /^[ -](?:pieces?|pcs|stück|pièces?|piezas?|peças?|unidades?|pezz[io]|stuks?)(?!\p{L})/iu;
/** Words between a number and the noun that it counts. */
const ADJECTIVES = 2;
const PRONOUN = /^(?:one|ein\p{L}{0,2}|une?|un[oa]|uma?|een)$/iu;
const NOUN_CHARS = 30;
/** Returns whether a number stands before another noun than the one that is counted: "one soft toy". */
function countsOther({ counted }: Question, { read, passage: { text } }: Said, span: TypedSpan): boolean {
  if (!counted || span.kind !== "count") return false;
  const after = /^[ -][^,.;:()|\n]*/u.exec(text.slice(span.end))?.[0] ?? "";
  const next = wordsOf(after).slice(0, ADJECTIVES + 1);
  const isCounted = (word: Word) => isAsked(word, [counted]);
  const others = spansOf(text, "count", read.message.at).filter(({ end, normal }) => {
    const behind = wordsOf(text.slice(end, end + NOUN_CHARS).split(/[,.;:()|\n]/u)[0]!).slice(0, ADJECTIVES + 1);
    return normal !== undefined && end !== span.end && behind.some(isCounted);
  });
  // "Week two", "version 2": the number names one of several.
  if (ORDERED.test(text.slice(0, span.start)) && !next.some(isCounted)) return true;
  // "1 cabin bag, 1 checked bag": neither is the number of bags.
  if (others.length > 0 && next.some(isCounted)) return true;
  if (next.some(isCounted) || wordsOf(span.text).some(isCounted)) return false;
  // "Until I get a new one" counts nothing.
  if (PRONOUN.test(span.text)) return true;
  if (PIECES.test(after)) return false;
  const [first] = next;
  if (first && !isStopWord(first.form) && !isLight(first.form) && first.form.length > 2 && !isRow(text)) return true;
  const end = next.findIndex(({ form }) => isStopWord(form));
  return next.slice(0, end < 0 ? next.length : end).some((word) => conceptsOfWord(word).length > 0);
}

/** Words before a number that numbers them. */
const ORDERED =
  /(?<!\p{L})(?:week|day|version|screen|step|part|chapter|page|phase|stage|clause|point|level|round|item|question|woche|tag|bildschirm|schritt|teil|kapitel|seite|punkt|stufe|runde|semaine|jour|écran|étape|partie|chapitre|point|niveau|semana|día|pantalla|paso|parte|capítulo|página|fase|punto|nivel|dia|ecrã|passo|ponto|nível|settimana|giorno|versione|schermata|passo|capitolo|pagina|livello|scherm|stap|deel|hoofdstuk|bladzijde|ronde)[ \u00a0]$/iu;

const FORMER =
  /(?<!\p{L})(?:last (?:year|month|time)|previously|formerly|until now|so far|used to|im vorjahr|letztes jahr|voriges jahr|bisher\p{L}*|früher|l['’]an(?:née)? derni(?:er|ère)|jusqu['’](?:à présent|ici)|auparavant|el año pasado|hasta ahora|antes era|no ano passado|até agora|anteriormente|l['’]anno scorso|finora|in precedenza|vorig jaar|tot nu toe|voorheen)(?!\p{L})/iu;
const ASKS_FORMER =
  /(?<!\p{L})(?:last|previous\w*|former\w*|before|ago|did|was|were|used|letzte\p{L}*|vorig\p{L}*|bisher\p{L}*|früher|war|waren|derni\p{L}*|avant|était|pasad[oa]|antes|era|fue|passad[oa]|foi|scors[oa]|prima|vroeger|was|waren)(?!\p{L})/iu;
/** Returns whether the clause around a value is about an earlier time, which the question does not ask for. */
function isOutdated({ text: asked }: Question, text: string, { start, end }: TypedSpan): boolean {
  if (ASKS_FORMER.test(asked)) return false;
  const from = Math.max(text.slice(0, start).search(/[;,:(.\n][^;,:(.\n]*$/u), 0);
  const to = /[;,).\n](?!\d)| (?:to|auf|à|a|para|naar) /u.exec(text.slice(end))?.index ?? text.length;
  return FORMER.test(text.slice(from, end + to));
}

const ORS = "or|oder|ou|oppure";
/** Words for it that are also other words in other languages. */
const SHORT_ORS: Readonly<Record<string, string>> = { es: "|o", it: "|o", nl: "|of" };
/** Returns whether a sentence leaves the choice between this value and another: "on the 11th or the 12th". */
function isOffered({ read, passage: { text } }: Said, span: TypedSpan): boolean {
  const or = new RegExp(
    `^[^.!?]{0,40}(?<!\\p{L})(?:${ORS}${SHORT_ORS[read.message.language() ?? ""] ?? ""})(?!\\p{L})[^.!?]{0,30}$`,
    "iu",
  );
  return spansOf(text, span.kind, read.message.at).some((other) => {
    if (other.normal === span.normal) return false;
    const [first, second] = other.start < span.start ? [other, span] : [span, other];
    return or.test(text.slice(first.end, second.start));
  });
}

const ASKS_ADDRESS =
  /(?<!\p{L})(?:address|adresse|anschrift|dirección|morada|endereço|indirizzo|adres)(?!\p{L})|住所/iu;
/** A language, a view or an order is no place. */
const NO_PLACE =
  /(?<!\p{L})(?:in (?:english|german|french|spanish|portuguese|italian|dutch|japanese|time|cash|advance)|auf (?:deutsch|englisch|französisch)|en (?:anglais|français|inglés|español|efectivo)|em (?:inglês|português)|in (?:inglese|italiano)|in het (?:engels|nederlands)|(?:view|vistas?|blick|vue|vista|uitzicht)\p{L}* (?:of|over|to|a|al|auf|sur|para|su|op)(?:l| the| den| la| le)? \p{L}+)(?!\p{L})/iu;

function isNoPlace({ text: asked }: Question, { passage: { text }, read }: Said): boolean {
  const isAddress = spansOf(text, "address", read.message.at).length > 0;
  if (ASKS_ADDRESS.test(asked)) return !isAddress && !/[\d@]/.test(text);
  return NO_PLACE.test(text) && !isAddress;
}

const FORECAST =
  /(?<!\p{L})(?:expected|planned|scheduled|forecast|will|going to|shall|tomorrow|soon|arrives|comes|offer|quote|voraussichtlich|geplant|morgen|wird|werden|soll\p{L}*|angebot|prévue?s?|demain|sera|seront|devis|previst[oa]s?|mañana|será\p{L}*|oferta|presupuesto|amanhã|orçamento|previst[oaie]|domani|sarà|preventivo|verwacht|gepland|zal|zullen|offerte|marcad[oa])(?!\p{L})|予定|明日/iu;
/** What is included is so before it happens. */
const INCLUDED = conceptsNamed("included");
const ASKS_DONE =
  /^(?:is|are|has|have|did|was|were|do we have|ist|sind|hat|haben|war|wurde|est-ce que|est|a|ont|ha|han|está|están|foi|foram|já|è|sono|hanno|is|zijn|heeft|hebben)(?!\p{L})|(?<!\p{L})(?:fertig|da|est-il|est-elle|está|estão|ya|déjà|schon|already|yet)(?!\p{L})/iu;

/** Returns whether a sentence does not surely say that what is asked is so, or that it is not. */
function isForeseen(question: Question, one: Said): boolean {
  const { text } = one.passage;
  if (one.passage.bag.words.length < FEWEST_WORDS || /^\[[^\]]*\]$/u.test(text)) return true;
  const said = polarityOf(question, one);
  const topics = one.covered.filter(({ term }) => term.role === "essential" || term.role === "action");
  // Something must be said of the thing.
  if (topics.length < 2 && question.terms.length < 2) return true;
  if (said === "No") return false;
  if (said === null && topics.some(({ share }) => share < SAID)) return true;
  if (said === "Yes" && topics.at(-1)?.isOwn === false && !topics.at(-1)?.isHeader) return true;
  const days = spansOf(text, "date", one.read.message.at);
  const isLater = days.some(({ normal }) => normal.length > 7 && Date.parse(normal) > one.read.message.at);
  const isDone =
    question.terms.every(({ concepts }) => concepts.isDisjointFrom(INCLUDED)) &&
    ASKS_DONE.test(question.text) &&
    !/(?<!\p{L})(?:will|going to|be|wird|werden)(?!\p{L})/iu.test(question.text);
  return isDone && (FORECAST.test(text) || isLater);
}
