import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import { type Concept, conceptsNamed, conceptsOfWord } from "./concepts.ts";
import { type Covered, matchIn } from "./coverage.ts";
import { isLight } from "./light-words.ts";
import { type Bag, bagOf, type Passage, type ReadMessage } from "./passages.ts";
import type { Question } from "./question.ts";
import type { QuestionType } from "./question-words.ts";
import { isSameWord, type Word } from "./words.ts";

/** Marks and words between the parts of a sentence, each of which may have its own value. */
const BETWEEN =
  /[,;、；(](?=\s|\p{L})|(?<=\s)(?:and|or|but|while|whereas|und|oder|aber|et|ou|mais|y|o|pero|e|mas|ma|en|of|maar)(?=\s)/giu;
/** "£19.80 a sack" is the price of something by the sack. */
const UNIT =
  /(?<=\d ?\p{Sc}?(?: ?(?:euros?|pounds|EUR|GBP))? )(?:an?|per|each|pro|je|par|por|al|alla|à|à la|cada|la|le|el|o|a|all['’]|l['’]) \p{L}+/giu;
const NUMBER = /\d{3}|\d[.,]\d/;

interface Part {
  start: number;
  end: number;
  bag: Bag;
  hasValue: boolean;
}

const cached = new WeakMap<Passage, Map<string, Part[]>>();

function partsOf(passage: Passage, kind: TypedSpan["kind"], writtenAt: number): Part[] {
  const known = cached.get(passage) ?? new Map<string, Part[]>();
  cached.set(passage, known);
  const found = known.get(kind);
  if (found) return found;
  const { text } = passage;
  const all = spansOf(text, kind, writtenAt);
  // "The VAT of January is due by 20 March": the month belongs to the noun.
  const days = kind === "date" ? all.filter(({ normal }) => normal.length > 7) : [];
  const values = days.length > 0 ? days : all;
  // The currency or the unit may be left out after the first value.
  const isNumeric = kind === "amount" || kind === "measure";
  const numbers = isNumeric ? spansOf(text, "count", writtenAt).filter((span) => NUMBER.test(span.text)) : [];
  const cuts = [...text.matchAll(BETWEEN)].filter(
    ({ index }) => !values.some(({ start, end }) => index > start && index < end),
  );
  const bounds = [0, ...cuts.map(({ index, 0: mark }) => index + mark.length), text.length];
  const parts = bounds.slice(1).map((end, i) => {
    const start = bounds[i]!;
    const own = text.slice(start, end).replace(UNIT, "");
    const hasValue = [...values, ...numbers].some((value) => value.start >= start && value.start < end);
    return { start, end, bag: bagOf(own), hasValue };
  });
  const joined: Part[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (!before || !isBare(part, values)) joined.push(part);
    else joined[joined.length - 1] = { ...before, end: part.end, bag: bagOf(text.slice(before.start, part.end)) };
  }
  known.set(kind, joined);
  return joined;
}

/** Returns whether a part has only values, as in a list of days: "on Good Friday and Easter Monday". */
function isBare({ start, end, bag, hasValue }: Part, values: readonly TypedSpan[]): boolean {
  if (!hasValue) return false;
  return bag.words.every(
    (word) =>
      isStopWord(word.form) ||
      isLight(word.form) ||
      /\d/.test(word.form) ||
      values.some((value) => value.start < end && word.start + start < value.end && value.start < word.end + start),
  );
}

/** What comes after these words is not in the value: "280 euros a day plus travel". */
const EXCLUDED =
  /(?<!\p{L})(?:plus|without|excluding|excl\.?|not including|zuzüglich|zzgl\.?|ohne|exklusive|exkl\.?|hors|sans|en plus|más|sin|aparte|mais|sem|fora|più|senza|escluso|esclusa|exclusief|excl|zonder)(?: (?:the|den|dem|die|das|le|la|les|el|los|las|o|a|os|as|il|lo|i|gli|de|het))? $/iu;

const LEFT_OUT =
  /^ (?:is |are |ist |sind |est |è |é )?(?:aparte|not included|excluded|extra|nicht (?:inbegriffen|enthalten|inklusive)|extra|non compris|en sus|no incluid[oa]|não incluíd[oa]|à parte|esclus[oa]|non inclus[oa]|niet inbegrepen)(?!\p{L})/iu;

/** "Breakfast extra (9 euros)" has its own price. */
const OWN_PRICE = /^[^,.;()]{0,20}[(:] ?[^)]{0,12}\d/u;

/** Returns whether a passage names a word of the question only as what is left out of the value. */
export function isExcluded({ terms }: Question, { bag, text }: Passage): boolean {
  return terms.some((term) => {
    if (term.role !== "essential" && term.role !== "action") return false;
    const named = bag.words.filter(
      (word) => isSameWord(word, term) || conceptsOfWord(word).some((concept) => term.concepts.has(concept)),
    );
    return (
      named.length > 0 &&
      named.every(
        (word) =>
          (EXCLUDED.test(text.slice(0, word.start)) || LEFT_OUT.test(text.slice(word.end))) &&
          !OWN_PRICE.test(text.slice(word.end)),
      )
    );
  });
}

/** Nouns and verbs of the part of a sentence around a value that the question does not name, at most. */
const FEW_FOREIGN = 0;
const MIN_LETTERS = 3;

/**
 * Returns whether the part of the sentence around a value has another topic, which the question does not name: "Entry
 * would be £44" says nothing about what was raised.
 */
export function hasOtherTopic(
  { terms, type }: Question,
  passage: Passage,
  span: TypedSpan,
  { message, subject, sender }: ReadMessage,
): boolean {
  const writtenAt = message.at;
  if (passage.continues || !TOPICAL.has(span.kind)) return false;
  const part = partsOf(passage, span.kind, writtenAt).find(({ start, end }) => span.start >= start && span.start < end);
  if (
    !part ||
    PRONOUN_FIRST.test(passage.text.slice(part.start, part.end)) ||
    STANDS_FOR.test(passage.text.slice(part.start, part.end))
  )
    return false;
  const kinds = kindConcepts(type);
  const foreign = part.bag.words.filter(
    (word) =>
      word.form.length >= MIN_LETTERS &&
      !/\d/.test(word.form) &&
      (word.start + part.start >= span.end || word.end + part.start <= span.start) &&
      !isStopWord(word.form) &&
      !isLight(word.form) &&
      isTopic(word, kinds) &&
      !conceptsOfWord(word).some((concept) => subject.concepts.has(concept) || sender.concepts.has(concept)) &&
      !terms.some((term) => isSameWord(word, term) || conceptsOfWord(word).some((one) => term.concepts.has(one))),
  );
  return foreign.length > FEW_FOREIGN;
}

const TOPICAL = new Set<TypedSpan["kind"]>(["amount", "date", "time", "duration", "measure", "count"]);
/** "… and it takes four days". */
const PRONOUN_FIRST =
  /^\s*(?:it|this|that|they|he|she|es|das|dies|sie|er|ils?|elles?|ça|cela|ellos?|ellas?|eles?|elas?|loro|lui|lei|het|dat|ze|zij|hij) \p{L}/iu;
/** "A new one is £164": the thing was named before. */
export const STANDS_FOR =
  /(?<!\p{L})(?:a new one|the new one|new ones|both|each one|ein neuer?|eine neue|un nouveau|une nouvelle|uno nuevo|una nueva|um novo|uma nova|uno nuovo|una nuova|een nieuwe)(?!\p{L})/iu;

/** Returns whether a word of the lexicon is about something else than the kind of value. */
function isTopic(word: Word, kinds: ReadonlySet<Concept>): boolean {
  const concepts = conceptsOfWord(word);
  return concepts.length > 0 && !concepts.some((concept) => kinds.has(concept) || GENERAL.has(concept));
}

const GENERAL = conceptsNamed(..."need new first last visit use work please only".split(" "));
const MONEY = conceptsNamed(
  ..."price total pay invoice amount included extra tax night daily rent quote bill".split(" "),
);
const TIME = conceptsNamed(
  ..."date time appointment delivery begin move april january february march may june july august september october november december".split(
    " ",
  ),
);
const MEASURES = conceptsNamed(..."weight weighs height width length size distance temperature interest".split(" "));
const LASTING = conceptsNamed(..."duration guarantee valid end begin stay".split(" "));
const NONE: ReadonlySet<Concept> = new Set();

/** Sums that are not the price of the thing they are named with. */
const SUM_KINDS = conceptsNamed(
  ..."deposit refund discount excess fine loan surcharge installment donation budget salary".split(" "),
);
/** Characters between the name of a sum and the sum. */
const SUM_CHARS = 22;
/** The least that a passage and what is around it must have of a kind of sum that is asked for. */
const LEAST_OF_SUM = 0.7;

/** Returns whether a sum is of another kind than the one asked for: a loan for a machine is not its price. */
export function isOtherSum(
  { type, terms }: Question,
  { bag, text }: Passage,
  span: TypedSpan,
  covered: readonly Covered[],
): boolean {
  if (type !== "how much") return false;
  const isSum = (concepts: Iterable<Concept>) => [...concepts].some((concept) => SUM_KINDS.has(concept));
  const asked = covered.filter(({ term }) => term.role === "essential" && isSum(term.concepts));
  if (asked.length > 0) return asked.every(({ share, isHeader }) => share < LEAST_OF_SUM && !isHeader);
  return bag.words.some((word) => {
    if (word.end > span.start || span.start - word.end > SUM_CHARS) return false;
    const concepts = conceptsOfWord(word);
    if (!isSum(concepts) || concepts.some((concept) => MONEY.has(concept))) return false;
    return !/[,;.]/.test(text.slice(word.end, span.start)) && !terms.some((term) => isSameWord(word, term));
  });
}

function kindConcepts(type: QuestionType): ReadonlySet<Concept> {
  if (type === "measure") return MEASURES;
  if (type === "how long") return LASTING;
  return type === "how much" ? MONEY : type === "when" || type === "time" || type === "deadline" ? TIME : NONE;
}

/**
 * Returns whether a word of the question stands beside another value than this one: of "£38 for members, £15 for
 * students", the students have the second.
 */
export function isBoundElsewhere({ terms }: Question, passage: Passage, span: TypedSpan, writtenAt: number): boolean {
  const parts = partsOf(passage, span.kind, writtenAt);
  const at = parts.findIndex(({ start, end }) => span.start >= start && span.start < end);
  if (at < 0 || parts.filter(({ hasValue }) => hasValue).length < 2) return false;
  const asked = terms.filter(({ role }) => role !== "light" && role !== "kind");
  const own = asked.filter((term) => matchIn(parts[at]!.bag, term) > 0);
  // "I showed it to the board yesterday and they want to launch on 26 March".
  const standsForBefore = PRONOUN_FIRST.test(passage.text.slice(parts[at]!.start, parts[at]!.end));
  return parts.some((part, i) => {
    if (i === at || !part.hasValue || (i < at && standsForBefore)) return false;
    // "The marble worktop costs 3,260 euros, the quartz one 2,180": each has a word of "quartz worktop".
    return asked.some((term) => !own.includes(term) && matchIn(part.bag, term) > 0);
  });
}
