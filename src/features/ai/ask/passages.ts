import type { ConversationMessage } from "../../../mailbox/queries/conversations.ts";
import type { FileText } from "../../../mailbox/store/file-text.ts";
import { LONGEST_SENTENCE_CHARS, type Sentence, sentencesOf } from "../../../ml/extract/sentences.ts";
import { type Concept, conceptsNamed, conceptsOf, conceptsOfWord } from "./concepts.ts";
import { separatedVerbs } from "./separable.ts";
import { type Word, wordsOf } from "./words.ts";

/** The words of a text, prepared for comparison with the terms of a question. */
export interface Bag {
  text: string;
  words: readonly Word[];
  forms: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  concepts: ReadonlySet<Concept>;
}

/** A sentence, a row of a table or a line of a signature, with its place in its message. */
export interface Passage extends Sentence {
  /** Position among the passages of the message. */
  i: number;
  bag: Bag;
  isQuestion: boolean;
  isQuoted: boolean;
  /** A line of the signature, or the name below a text. */
  isSignature: boolean;
  /** The attachment or invitation that it is from; null: the message itself. Its place is then in the text of the file. */
  file: FileText | null;
  /** It begins with a pronoun or without a subject, so it is about what the sentence before is about: "It's on Sunday 24 May." */
  continues: boolean;
}

/** A message as passages, with the bags of its headers. */
export interface ReadMessage {
  message: ConversationMessage;
  passages: Passage[];
  subject: Bag;
  sender: Bag;
  recipients: Bag;
  whole: Bag;
  /** A newsletter: its parts are about different things. */
  isDigest: boolean;
}

/** A message of a machine with this many sentences and without a table is about several things. */
const DIGEST_PASSAGES = 5;
const MAX_PASSAGES = 120;
const MAX_FILE_PASSAGES = 40;
/** Columns of a table: text, at least two spaces, more text. */
const ROW = /^\S.{0,60}? {2,}\S/;
/** A label and its value. */
const LABELED = /^[^:.!?]{2,40}: \S.{0,80}$/u;
/** The line above a quote, which names its author and date but says nothing. */
const ATTRIBUTION =
  /^(?:>+ ?)?(?:on|am|le|el|em|il|op|den)\b.{5,200}(?:wrote|schrieb|écrit|escribió|escreveu|ha scritto|schreef)\s?:?\s*$|^-{2,} ?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht)/isu;
const QUESTION = /[?？؟]["'”’»)]*\s*$|(?:でしょうか|ませんか|ますか|ですか)[。．]?\s*$/u;
/** "He would like to know whether the terrace can bear it." */
const INDIRECT_QUESTION =
  /(?<!\p{L})(?:know|wonder(?:ing|s)?|asks?|asked|asking|wissen|fragt|fragte|frage|savoir|demande|demander|saber|pregunta|pergunta|sapere|chiede|weten|vraagt)[ ,]+(?:me|us|you|mich|uns|sich|mir)?[ ,]*(?:whether|if|ob|si|se|of)(?!\p{L})/iu;
/** Pronouns at the start of a sentence that stand for something in the sentence before. */
const CONTINUES =
  /^(?:and |und |et |y |e |en )?(?:it|it['’]s|it['’]ll|this|that|that['’]s|they|they['’]re|he|she|he['’]s|she['’]s|his|her|its|their|er|es|sie|das|dies|diese[rs]?|ihre?|seine?|il|elle|ils|elles|c['’]est|ce sera|cela|ça|eso|esto|ella|él|isso|isto|ele|ela|quello|questo|lui|lei|het|hij|zij|ze|dat|dit)(?![\p{L}])/iu;
/** Verbs at the start of a sentence whose subject is in the sentence before: "Costs £20.", "Cuesta 18 euros." */
const WITHOUT_SUBJECT =
  /^(?:costs|starts|begins|opens|closes|lasts|takes|runs|leaves|arrives|kostet|beginnt|dauert|öffnet|schließt|coûte|commence|dure|ouvre|ferme|cuesta|empieza|comienza|dura|abre|cierra|sale|llega|custa|começa|fecha|parte|chega|costa|comincia|inizia|apre|chiude|arriva|kost|begint|duurt)(?!\p{L})/iu;
/** A first line of this length that ends in a comma or colon is a greeting. */
const GREETING_CHARS = 60;
const GREETING = /^[^.!?]{1,60}[,:，、！!]$/u;

/** The number of a flight tells that a text is about one. */
export const FLIGHT_NUMBER = /(?<![\p{L}\d])[A-Z]{2} ?\d{2,4}(?![\p{L}\d-])/u;
const FLIGHT = conceptsNamed("flight");

/** A round of years tells of a birthday: "Mum's 70th", "les 40 ans de Léa", "faz 88 anos". */
const AGE =
  /[’']s \d{1,3}(?:st|nd|rd|th)(?!\p{L})|(?<!\p{L})(?:turns?|turning|is|wird|werden|tiene|cumple|faz|fait|compie|wordt) (?:\d{1,3}|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred)(?: (?:on|am|ans|anos|años|anni|jahre|jaar)|[ ,.])|les \d{1,3} ans|\d{1,3}歳|(?<!\p{L})(?:mein|dein|sein|ihr|unser|papas|mamas|omas|opas)\p{L}{0,2} (?:\d{2}\.|\p{L}{4,7}[sz]igster?n?)(?!\p{L})|(?<!\p{L})(?:my|your|his|her|their) (?:\d0th|(?:thir|for|fif|six|seven|eigh|nine)tieth)(?!\p{L})|(?<!\p{L})(?:mes|ses|tes) (?:trente|quarante|cinquante|soixante|\d0) ans(?!\p{L})/iu;
const BIRTHDAY = conceptsNamed("birthday");

/** "Nine of us", "wir sind 42", "zu viert", "somos vinte e oito". */
const COUNTS_PEOPLE =
  /(?<!\p{L})(?:of (?:us|them|you)|von uns|d['’]entre nous|de nosotros|de nós|di noi|van ons|zu (?:zweit|dritt|viert|fünft|sechst|siebt|acht)|met z['’]n \p{L}+)(?!\p{L})|(?<!\p{L})(?:we(?:['’]re| are| will be)|there (?:are|will be)|wir sind|nous (?:sommes|serons)|on (?:est|sera)|somos|seremos|siamo(?: in)?|saremo|we zijn|wij zijn)(?: (?:now|only|nur|jetzt|etwa|environ|unos|cerca de|circa|maar|met))* (?:\d{1,3}|\p{L}+)(?= (?:of us|leute|personen|personnes|personas|pessoas|persone|mensen)|[.,;!]| (?:now|in|im|e|y|et|und|and|because)(?!\p{L}))/iu;
const PEOPLE = conceptsNamed("people");

/** "25 % off", "un 20 % menos": what is taken from a price. */
const TAKEN_OFF =
  /\d ?% (?:off|weniger|günstiger|billiger|de moins|moins cher|menos|más barato|mais barato|in meno|korting)(?!\p{L})|[-−] ?\d{1,2} ?%|(?<!\p{L})(?:save|spare[n]?|économisez|ahorra|poupe|risparmia|bespaar) (?:up to |bis zu |jusqu['’]à |hasta |até |fino a |tot )?\d{1,2} ?%/iu;
const DISCOUNT = conceptsNamed("discount");

/** Words before the English vehicle. Every other "van" is the Dutch preposition, or a part of a name. */
const BEFORE_VAN =
  /^(?:the|a|this|that|my|your|his|her|our|their|by|white|blue|red|black|old|new|small|big|large|hired|hire|rental|delivery|transit|camper|furniture)$/;

/** Returns a text as a bag of words. */
export function bagOf(text: string): Bag {
  const all = wordsOf(text);
  const words = all.filter(({ form }, i) => form !== "van" || BEFORE_VAN.test(all[i - 1]?.form ?? ""));
  const concepts = conceptsOf(text, words);
  if (FLIGHT_NUMBER.test(text)) for (const concept of FLIGHT) concepts.add(concept);
  if (COUNTS_PEOPLE.test(text)) for (const concept of PEOPLE) concepts.add(concept);
  for (const { word } of separatedVerbs(text, all)) for (const concept of conceptsOfWord(word)) concepts.add(concept);
  if (TAKEN_OFF.test(text)) for (const concept of DISCOUNT) concepts.add(concept);
  if (AGE.test(text)) for (const concept of BIRTHDAY) concepts.add(concept);
  return {
    text,
    words,
    forms: new Set(words.map(({ form }) => form)),
    stems: new Set(words.map(({ stem }) => stem)),
    concepts,
  };
}

/** Splits a message into passages. Quoted lines are passages, too, marked as such. */
export function readMessage(message: ConversationMessage): ReadMessage {
  const { subject, from, to, cc } = message.head;
  const { body_text, new_text } = message.text();
  const newEnd = endOfNew(body_text, new_text);
  const passages: Passage[] = [];
  const sentences = [...sentencesOf(body_text).flatMap(rowsOf), ...quotedSentences(body_text)];
  for (const [order, sentence] of sentences.entries()) {
    if (passages.length >= MAX_PASSAGES) break;
    if (sentence.text.length > LONGEST_SENTENCE_CHARS || ATTRIBUTION.test(sentence.text)) continue;
    const isGreeting = order === 0 && sentence.text.length <= GREETING_CHARS && GREETING.test(sentence.text);
    if (isGreeting) continue;
    const isQuoted = body_text[sentence.start - 1] === ">" || /^>/m.test(lineOf(body_text, sentence.start));
    passages.push({
      ...sentence,
      i: passages.length,
      bag: bagOf(sentence.text),
      isQuestion: QUESTION.test(sentence.text) || INDIRECT_QUESTION.test(sentence.text),
      isQuoted,
      isSignature: !isQuoted && sentence.start >= newEnd,
      file: null,
      continues: CONTINUES.test(sentence.text) || WITHOUT_SUBJECT.test(sentence.text),
    });
  }
  const sender = bagOf(`${from.name} ${from.email.replace(/@/, " ").replace(/\./g, " ")}`);
  markSignature(passages, sender);
  for (const file of message.files()) addFile(passages, file);
  return {
    message,
    passages,
    subject: bagOf(subject),
    sender,
    recipients: bagOf([...to, ...cc].map(({ name }) => name).join(" ")),
    isDigest: isDigest(message, passages),
    whole: bagOf(
      passages
        .filter(({ isQuoted }) => !isQuoted)
        .map(({ text }) => text)
        .join("\n"),
    ),
  };
}

/** Marks the last lines without a full stop, from the first one that has the name of the sender. */
function markSignature(passages: readonly Passage[], sender: Bag): void {
  const own = passages.filter(({ isQuoted }) => !isQuoted);
  const last = own.findLastIndex(({ text }) => /[.!?。！？…:]["'”’)]*$/u.test(text) || ROW.test(text));
  const closing = own.slice(last + 1);
  const from = closing.findIndex(({ bag }) => bag.words.some(({ form }) => form.length > 2 && sender.forms.has(form)));
  const [closed] = closing;
  if (last >= 0 && closing.length === 1 && closed!.bag.words.length <= CLOSING_WORDS && !/[\d:]/.test(closed!.text))
    closed!.isSignature = true;
  if (from >= 0 && last >= 0) for (const passage of closing.slice(from)) passage.isSignature = true;
}

/** Adds the sentences and rows of an attachment or invitation. */
function addFile(passages: Passage[], file: FileText): void {
  const most = passages.length + MAX_FILE_PASSAGES;
  for (const sentence of sentencesOf(file.text).flatMap(rowsOf)) {
    if (passages.length >= most) break;
    if (sentence.text.length > LONGEST_SENTENCE_CHARS) continue;
    passages.push({
      ...sentence,
      i: passages.length,
      bag: bagOf(sentence.text),
      isQuestion: QUESTION.test(sentence.text),
      isQuoted: false,
      isSignature: false,
      file,
      continues: false,
    });
  }
}

/** A last line of so few words that ends in no mark is a closing: "Love, Mum x". */
const CLOSING_WORDS = 4;

function isDigest({ category }: ConversationMessage, passages: readonly Passage[]): boolean {
  if (category === "primary" || passages.length < DIGEST_PASSAGES) return false;
  return category !== "updates" || passages.filter(({ text }) => ROW.test(text) || LABELED.test(text)).length < 2;
}

/** Returns where the new text of a message ends in its `body_text`. */
function endOfNew(body_text: string, new_text: string): number {
  const start = body_text.indexOf(new_text);
  return new_text.trim() === "" || start < 0 ? body_text.length : start + new_text.length;
}

function lineOf(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, end < 0 ? text.length : end);
}

/** Splits rows of a table that were joined into one sentence. */
function rowsOf(sentence: Sentence): Sentence[] {
  if (!sentence.text.includes("\n") || !sentence.text.split("\n").some((line) => ROW.test(line))) return [sentence];
  const rows: Sentence[] = [];
  let at = sentence.start;
  for (const line of sentence.text.split("\n")) {
    const bare = line.trim();
    const start = at + line.indexOf(bare);
    if (bare !== "") rows.push({ text: bare, start, end: start + bare.length });
    at += line.length + 1;
  }
  return rows;
}

/** Returns the sentences of quoted lines that are in one line each. */
function quotedSentences(body_text: string): Sentence[] {
  const found: Sentence[] = [];
  let at = 0;
  for (const line of body_text.split("\n")) {
    const start = at;
    at += line.length + 1;
    const mark = /^\s*(?:>\s?)+/.exec(line)?.[0];
    if (mark === undefined || mark.length === line.length) continue;
    const from = start + mark.length;
    for (const { text, start: own, end } of sentencesOf(line.slice(mark.length))) {
      found.push({ text, start: from + own, end: from + end });
    }
  }
  return found;
}
