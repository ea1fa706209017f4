import { stopWordsOf } from "../../../mailbox/search/stop-words.ts";
import type { Language } from "../../../mailbox/search/terms/languages.ts";
import type { Span } from "../../../ml/extract/sentences.ts";
import { datesOf } from "../../../ml/extract/spans/dates.ts";
import type { SpanKind, TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import {
  type Compound,
  type Concept,
  compoundOf,
  conceptsNamed,
  conceptsOf,
  conceptsOfWord,
  phrasesIn,
  unspacedIn,
} from "./concepts.ts";
import { typeByNoun } from "./keyword-types.ts";
import { labelAfter } from "./labels.ts";
import { isLight } from "./light-words.ts";
import { isOtherLanguage, languageOf } from "./question-language.ts";
import { ANSWERED_BY, ASKS_CODE, KIND_WORDS, PATTERNS, type QuestionType, WHAT } from "./question-words.ts";
import { withJoinedVerb } from "./separable.ts";
import { isSameWord, otherForms, type Word, wordsOf } from "./words.ts";

/** A word or phrase that a question is about. */
export interface Term {
  form: string;
  stem: string;
  concepts: ReadonlySet<Concept>;
  /** Irregular forms of the word. */
  others: readonly string[];
  /**
   * "essential": an answer without it is about something else. "action": what someone does to it, which mail says in many
   * ways. "light": says little. "kind": names the kind of answer.
   */
  role: "essential" | "action" | "light" | "kind";
  isName: boolean;
  /** A member of the family or another relation: "Mum". */
  isRelation: boolean;
  /** A letter or number that is part of its name: of "stage A", "a". */
  label: string | null;
}

export interface Question {
  text: string;
  type: QuestionType;
  /** Kinds of spans that answer it, the best first; none: a sentence answers it. */
  kinds: readonly SpanKind[];
  terms: Term[];
  /** The noun after "how many". */
  counted: Term | null;
  /** Dates that the question itself names. */
  dates: TypedSpan[];
  language: string | null;
  /** It asks about something in the past. */
  isPast: boolean;
  /** When it is asked, ms. */
  askedAt: number;
}

const PAST =
  /(?<!\p{L})(?:did|was|were|had|has|have|last|ago|previous\w*|hat|haben|habe|war|waren|wurde|wurden|letzte[rsnm]?|a|ont|ai|avons|avait|était|étaient|dernier|dernière|fue|fueron|ha|han|he|hemos|había|era|último|última|pasado|foi|foram|tinha|passado|passada|è stat[oa]|hanno|aveva|ultim[oa]|scors[oa]|heeft|hebben|heb|werd|werden|kreeg|kregen|vorig[e]?|laatste)(?!\p{L})|\p{L}{3,}(?:aron|ieron|aram|eram|iram)(?!\p{L})|ました|でした|前回/iu;

/** Forms of address before a name, folded. */
const TITLES = new Set(
  "mr mrs ms miss dr prof sir frau herr herrn mme mlle madame monsieur sr sra senor senora senhor senhora sig signor signora dottor dott mevrouw meneer dona don".split(
    " ",
  ),
);
/** Concepts whose size a number states, and sums of money that need no word for "how much". */
const MEASURES = conceptsNamed(..."weight height width length size distance temperature".split(" "));
const SUMS = conceptsNamed(
  ..."price rent salary deposit invoice bill premium refund discount fine excess surcharge budget honorarium total balance nachzahlung".split(
    " ",
  ),
);
/** Words after which a verb stands: words that ask, auxiliaries, pronouns; folded. */
const BEFORE_VERB = new Set(
  (
    "wer wann wo wie warum ich wir du er sie es man hat haben wird werden ist sind kann muss soll darf " +
    "qui que quand comment combien pourquoi je tu il elle on nous vous ils elles se me te a ont est sont ai avons faut-il dois-je " +
    "quien cuando como donde cuanto yo tu el ella nosotros ellos se me te lo le ha han he hemos esta fue es " +
    "quem quando como onde quanto que eu tu ele ela nos eles se me te lhe foi e tem tenho " +
    "chi quando come dove quanto io tu lui lei noi loro si mi ti ci ha ho hanno e sono " +
    "wie wanneer waar hoe ik jij je hij zij we wij ze heeft hebben wordt is zijn"
  ).split(" "),
);
const BEFORE_ENGLISH_VERB = new Set(
  "who to when where how why i we you he she they it does did do will would can could should must may has have had was were".split(
    " ",
  ),
);
/** An auxiliary that moves the English verb behind its subject: "does Nora need". */
const DO_SUPPORT = /(?<!\p{L})(?:do|does|did|will|would|can|could|should|must|may)(?!\p{L})/iu;
const AUXILIARY = /^(?:do|does|did|will|would|can|could|should|must|may|has|have|had|was|were)$/;
const ASKS_BEFORE = /^(?:what|when|where|why|how|much|long|time|day|date)$/;
const ARTICLES = new Set(
  "the a an my our your his her their le la les un une des du mon ma mes el los las una mi o os as um uma do da il lo gli de het een mijn der die das den dem ein eine mein meine".split(
    " ",
  ),
);
const RELATIONS = conceptsNamed(
  ..."mother father parents brother sister son daughter grandmother grandfather aunt uncle cousin husband wife partner boss landlord".split(
    " ",
  ),
);
/** Japanese particles, endings and pronouns. */
const JAPANESE_FUNCTION =
  /^[\p{sc=Hiragana}]{1,3}$|^(?:です|ます|ました|ません|ください|なりました|ですか|ますか|私|僕|何|様|さん|よい|いい|こと|もの|ため|いつ|どこ|いくら)$/u;
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u;
/** What follows the stem of a Japanese verb. */
const JAPANESE_VERB = /^[\p{sc=Hiragana}]{0,4}(?:ます|ました|ません|れば|たい)/u;
const MAX_TERMS = 24;
/** Languages whose function words are left out of a question whose own language is not known. */
const STOPPED: readonly Language[] = ["de", "fr", "es", "pt", "it", "nl"];

/** "This week" is no word that mail repeats. */
const RELATIVE_TIME =
  /(?<!\p{L})(?:this|next|diese[rnms]?|nächste[rnms]?|cette|ce|cet|la próxima|próxim[oa]|questa|questo|prossim[oa]|deze|dit|volgende?) (?:week|weekend|month|year|woche|wochenende|monat|jahr|semaine|mois|année|semana|mes|mês|año|ano|settimana|mese|anno|maand|jaar)(?: (?:prochaine?|que viene|que vem))?(?!\p{L})/giu;

/** A distance may be told as the time that it takes, an age is one; a size is neither. */
const TOLD_AS_TIME =
  /(?<!\p{L})(?:far|distance|weit|entfernt|entfernung|loin|âge|lejos|distancia|edad|longe|distância|idade|lontan[oa]|distanza|età|ver|afstand)(?!\p{L})/iu;

const kindsOf = (type: QuestionType, text: string): readonly SpanKind[] =>
  type === "measure" && !TOLD_AS_TIME.test(text) ? ["measure"] : ANSWERED_BY[type];

/** Reads a question: what type of answer it wants, and what it is about. @param askedAt ms */
export function readQuestion(asWritten: string, askedAt: number): Question {
  const language = languageOf(asWritten);
  const text = language === "fr" ? withoutInversion(asWritten) : asWritten;
  const words = withJoinedVerb(text, wordsOf(text), language);
  const { type: asked, asking } = typeOf(text, language, words);
  let type = refined(asked, text, conceptsOf(text, words));
  const stops = stopWordsOf(
    words.map(({ form }) => form),
    { common: new Set(language === null ? STOPPED : language === "en" ? [] : [language as Language]), some: new Set() },
  );
  const kindWords = new Set(
    (KIND_WORDS[type] ?? "").split(" ").flatMap((word) => wordsOf(word).map(({ stem }) => stem)),
  );
  const named = datesOf(text, askedAt);
  const dates = named.filter((span) => /\d/.test(span.text));
  const months = named.filter(({ normal }) => /^\d\d$/.test(normal));
  const relative = [...text.matchAll(RELATIVE_TIME)];
  const phrases = phrasesIn(words);
  const terms: Term[] = [];
  const add = (term: Term) => {
    if (terms.length < MAX_TERMS && !terms.some((other) => isSameWord(other, term))) terms.push(term);
  };
  const japanese = language === "ja" ? unspacedIn(text) : [];
  for (const { start, end, concept } of japanese) {
    const form = text.slice(start, end);
    const isRelation = RELATIONS.has(concept);
    // A verb of two Chinese characters says what happens as a noun does.
    const isVerb = form.length < 2 && NAMES_ACTION.has(type) && JAPANESE_VERB.test(text.slice(end));
    const role = kindWords.has(form) ? "kind" : isVerb ? "action" : "essential";
    add({ form, stem: form, concepts: new Set([concept]), others: [], role, isName: false, isRelation, label: null });
  }
  for (const { places, concept } of phrases) {
    // "Does it come to …" asks for a sum, "come to our house" does not.
    if (type !== "how much" && conceptsNamed("total").has(concept)) continue;
    const form = places.map((i) => words[i]!.form).join(" ");
    add({
      form,
      stem: form,
      concepts: new Set([concept]),
      others: [],
      role: "essential",
      isName: false,
      isRelation: false,
      label: labelAfter(text, words[places.at(-1)!]!),
    });
  }
  // Words of a short phrase that asks, as in "how long", are not what the question is about.
  const isShort = asking !== null && !["where", "code"].includes(type) && asking.words <= SHORT_ASKING_WORDS;
  for (const [i, word] of words.entries()) {
    if (
      terms.some(({ form }) => form.includes(" ")) &&
      phrases.some(
        (phrase) => phrase.places.includes(i) && (type === "how much" || !conceptsNamed("total").has(phrase.concept)),
      )
    )
      continue;
    if (japanese.some(({ start, end }) => word.start < end && start < word.end)) continue;
    if (dates.some(({ start, end }) => word.start >= start && word.end <= end)) continue;
    if (relative.some(({ index, 0: match }) => word.start >= index && word.end <= index + match.length)) continue;
    const isAsking = asking?.parts.some(({ start, end }) => word.start >= start && word.end <= end) ?? false;
    const isAction =
      NAMES_ACTION.has(type) &&
      isVerb(words, i, language, text) &&
      (type !== "yes-no" || isPredicate(words, i, language));
    const term = termOf(word, { isFirst: i === 0, isAsking, isShort, isAction, language, stops, kindWords });
    if (!term || (type === "wants" && term.role === "kind")) continue;
    if (term.role === "essential" && !term.isName) term.label = labelAfter(text, word);
    // "at the end of March": mail may name a day.
    const isMonth = months.some(({ start, end }) => word.start >= start && word.end <= end);
    const isCompound = COMPOUNDING.has(language) && term.role === "essential" && !term.isName && !isMonth;
    const compound = isCompound ? compoundOf(word) : null;
    if (compound) add({ ...partTerm(compound), concepts: new Set(compound.modifier) });
    if (compound) term.concepts = new Set(compound.head);
    add(isMonth ? { ...term, role: term.concepts.size > 0 ? "action" : "light" } : term);
  }
  // The number of a person is their telephone number.
  const essential = terms.filter((term) => term.role === "essential");
  if (
    type === "code" &&
    !ASKS_CODE.test(text) &&
    essential.length > 0 &&
    essential.every((term) => term.isName || term.isRelation)
  )
    type = "phone";
  const counted =
    type === "how many" ? (terms.find(({ role }) => role === "essential" || role === "action") ?? null) : null;
  if (counted) counted.role = "essential";
  return { text, type, kinds: kindsOf(type, text), terms, counted, dates, language, isPast: PAST.test(text), askedAt };
}

/** Separates the pronoun that French puts behind a verb to ask: "veut-elle", "dure-t-il". The length stays the same. */
const withoutInversion = (text: string): string =>
  text.replace(/(?<=\p{L}{2})-(t-)?(?=(?:je|tu|ils?|elles?|on|nous|vous|ce)(?!\p{L}))/giu, (all) =>
    " ".repeat(all.length),
  );

interface Frame {
  isFirst: boolean;
  isAsking: boolean;
  isShort: boolean;
  isAction: boolean;
  language: string | null;
  stops: ReadonlySet<string>;
  kindWords: ReadonlySet<string>;
}

function termOf(word: Word, { isFirst, isAsking, isShort, isAction, language, stops, kindWords }: Frame): Term | null {
  const { form, stem } = word;
  const isJapanese = JAPANESE.test(form);
  if (TITLES.has(form) || (language !== "en" || form === "else" ? FUNCTION_WORDS.has(form) && !word.capital : false))
    return null;
  if (isJapanese ? JAPANESE_FUNCTION.test(form) : stops.has(form) && !/\d/.test(form)) return null;
  if (!isJapanese && form.length < 2 && !/\d/.test(form)) return null;
  // "Marco" is a name, not a form of "marcado".
  const isNamed = word.capital && !isFirst && language !== "de" && !isJapanese && conceptsNamed(form).size === 0;
  const concepts = new Set(isJapanese ? conceptsOf(form, []) : isNamed ? [] : conceptsOfWord(word));
  const isRelation = [...concepts].some((concept) => RELATIONS.has(concept));
  const isKind = kindWords.has(stem) || (isAsking && isShort && concepts.size > 0 && !isRelation);
  if (isAsking && (isKind || (concepts.size === 0 && (!word.capital || isFirst)) || isLight(form, language))) {
    return isKind ? { ...base(word), concepts, role: "kind", isName: false, isRelation, label: null } : null;
  }
  const isName = isNamed && !/\d/.test(form);
  // A German noun with a capital letter is not the English word of the same letters: See.
  const isLittle = isLight(form, language) && !(language === "de" && word.capital && !isFirst);
  const role = isKind ? "kind" : isLittle ? "light" : isAction && !isName && !isRelation ? "action" : "essential";
  return { ...base(word), concepts, role, isName, isRelation, label: null };
}

/** Returns the first part of a compound as a separate term: of "Umzugsfirma", the move. */
const partTerm = ({ front, modifier }: Compound): Omit<Term, "concepts"> => {
  const role = modifier.length > 0 && !modifier.some((concept) => PERIODS.has(concept)) ? "essential" : "action";
  return { form: front, stem: front, others: [], role, isName: false, isRelation: false, label: null };
};
const PERIODS = conceptsNamed("yearly", "monthly", "daily", "hourly");
/** Languages with compounds that are one word; null: a language that is not known. */
const COMPOUNDING = new Set<string | null>(["de", "nl", null]);
/** Function words that are also words of other languages, folded. */
const FUNCTION_WORDS = new Set(
  "fur die das der dem den nach vom von zum zur bei beim seinen seine seiner seinem ihren ihre ihrer ihrem unseren unsere unserer wegen apres avant chez sobre entre dopo prima con sin sem sans zonder met over tegen bij naar van voor door pour dans else".split(
    " ",
  ),
);

const base = ({ form, stem }: Word) => ({ form, stem, others: otherForms(form) });

/** Types whose answer is a value of something, whatever is done to it. */
const NAMES_ACTION = new Set<QuestionType>([
  "when",
  "time",
  "deadline",
  "how long",
  "how much",
  "how many",
  "where",
  "measure",
  "why",
  "yes-no",
]);
const SHORT_ASKING_WORDS = 4;

const PARTICIPLES: Record<string, RegExp> = {
  nl: /^ge.{3,}(?:t|d|en)$/,
  es: /.{3}(?:ado|ada|ido|ida)s?$/,
  pt: /.{3}(?:ado|ada|ido|ida)s?$/,
  it: /.{3}(?:ato|ata|uto|uta|ito|ita)$/,
  en: /.{3}[^e]ed$/,
};
const INFINITIVES: Record<string, RegExp> = {
  fr: /.{2}(?:er|ir|re)$/,
  es: /.(?:ar|er|ir)$/,
  pt: /.(?:ar|er|ir)$/,
  it: /.(?:are|ere|ire)$/,
  nl: /.{2}en$/,
};
const PREPOSITIONS = new Set("de a di para por pour à per te om da e il mag".split(" "));

/** Returns whether a word is a verb, judged by the word before it; in German by its small letter. */
function isVerb(words: readonly Word[], i: number, language: string | null, text: string): boolean {
  const [word, before] = [words[i]!, words[i - 1]];
  if (word.capital || !before || /\d/.test(word.form)) return false;
  const isInfinitive = INFINITIVES[language ?? ""]?.test(word.form) === true;
  const isLastWord = language === "nl" && i === words.length - 1;
  if (isInfinitive && (PREPOSITIONS.has(before.form) || isLastWord)) return true;
  if (ARTICLES.has(before.form)) return false;
  if (PARTICIPLES[language ?? ""]?.test(word.form)) return true;
  if (language === "de") return true;
  if (language === "en") {
    const next = words[i + 1];
    const isLast =
      !next || /^(?:to|for|in|on|at|by|from|with|per|without|about|off|up|out|me|us|the|my|our|a)$/.test(next.form);
    // "What does breakfast cost?", "how many people will come?": after words that ask, a subject stands.
    if (AUXILIARY.test(before.form) && ASKS_BEFORE.test(words[i - 2]?.form ?? "when")) return false;
    return BEFORE_ENGLISH_VERB.has(before.form) || (DO_SUPPORT.test(text) && before.capital && isLast);
  }
  return BEFORE_VERB.has(before.form) || (before.capital && i > 1);
}

/** Returns whether a verb of a question that begins with a verb is its predicate, and no adjective. */
function isPredicate(words: readonly Word[], i: number, language: string | null): boolean {
  const [word, before] = [words[i]!, words[i - 1]!];
  if (language === "de" || language === "nl") return i === words.length - 1;
  if (PARTICIPLES[language ?? ""]?.test(word.form)) return true;
  return (
    before.capital ||
    /^(?:i|we|you|he|she|they|it)$/.test(before.form) ||
    INFINITIVES[language ?? ""]?.test(word.form) === true
  );
}

/** The parts of a question that ask, such as "what does … cost", and the number of their words. */
interface Asking {
  parts: Span[];
  words: number;
}

/** Nouns that tell what is asked for wherever they are, and types that they give way to. */
const NAMED_BY_NOUN = new Set<QuestionType>(["phone", "email", "link"]);
const OVER_NOUN = new Set<QuestionType>(["why", "when", "time", "how long", "deadline", "how many", "how much", "who"]);

/** Returns the type of the pattern that matches first; of those at the same place, the first in the list. */
function typeOf(
  text: string,
  language: string | null,
  words: readonly Word[],
): { type: QuestionType; asking: Asking | null } {
  const plain = text.replace(/’/g, "'");
  let best: { type: QuestionType; match: RegExpExecArray } | null = null;
  for (const [type, pattern] of PATTERNS) {
    const match = pattern.exec(plain);
    if (!match || isOtherLanguage(match[0], language)) continue;
    const isBetter =
      best === null ||
      (NAMED_BY_NOUN.has(type)
        ? !NAMED_BY_NOUN.has(best.type) && !OVER_NOUN.has(best.type)
        : match.index < best.match.index && (!NAMED_BY_NOUN.has(best.type) || OVER_NOUN.has(type)));
    if (isBetter) best = { type, match };
  }
  if (best) return { type: best.type, asking: askingOf(best.match) };
  const patterns = language === null ? Object.values(WHAT) : [WHAT[language] ?? WHAT.en!];
  const what = patterns.map((pattern) => pattern.exec(plain)).find((match) => match !== null);
  if (what) return { type: "what", asking: askingOf(what) };
  const named = typeByNoun(plain, words, language);
  if (named) return { type: named, asking: null };
  return { type: /[?？]|か[。？]?$/u.test(text) ? "yes-no" : "what", asking: null };
}

/** Of a long match, its first two words and the last one ask: "what does (a sack of wholemeal) cost". */
function askingOf({ 0: text, index }: RegExpExecArray): Asking {
  const end = index + text.length;
  const words = text.trim().split(/\s+/).length;
  if (words < SHORT_ASKING_WORDS) return { parts: [{ start: index, end }], words };
  const first = /^\s*\S+\s+\S+/.exec(text)![0].length;
  const last = /\S+(?:\s+(?:from|of) (?:me|us))?\s*$/i.exec(text)![0].length;
  return {
    parts: [
      { start: index, end: index + first },
      { start: end - last, end },
    ],
    words: 3,
  };
}

const DUE =
  /(?<!\p{L})(?:due|deadline|fällig|frist|échéance|date limite|plazo|vence|prazo|scadenza|scade|deadline|vervaldatum)(?!\p{L})|締め?切/iu;

/** Returns the type after a look at what the question is about: how much something weighs is a measure. */
function refined(type: QuestionType, text: string, concepts: ReadonlySet<Concept>): QuestionType {
  if (type === "when" && DUE.test(text)) return "deadline";
  if (type === "what" && /(?<!\p{L})come to(?!\p{L})/iu.test(text)) return "how much";
  const has = (among: ReadonlySet<Concept>) => [...among].some((concept) => concepts.has(concept));
  if (type === "how much" && has(MEASURES) && !has(SUMS)) return "measure";
  return type === "what" && has(SUMS) ? "how much" : type;
}
