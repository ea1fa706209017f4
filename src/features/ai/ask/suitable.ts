import { fold } from "../../../mailbox/search/fold.ts";
import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { spansOf } from "../../../ml/extract/spans/spans.ts";
import { conceptsNamed, conceptsOfWord } from "./concepts.ts";
import { matchIn } from "./coverage.ts";
import type { Passage, ReadMessage } from "./passages.ts";
import type { Question, Term } from "./question.ts";
import { isSameWord, type Word, wordsOf } from "./words.ts";

const CAUSE =
  /(?<!\p{L})(?:because|since|due to|owing to|as a result|so that|(?<!(?:same|well|soon|long|far|such|much|known|just|twice) )as (?:the|we|it|they|i|he|she|there|my|our|this|these)|closed for|so (?:i|we|it|the|they|he|she)|reason|caused|thanks to|that(?:'s| is) why|have to|weil|da (?!ist|sind|war)|wegen|aufgrund|denn|deshalb|daher|deswegen|grund|damit|parce qu|car|en raison|à cause|puisque|afin|c'est pourquoi|suite à|porque|ya que|debido|a causa|por eso|pues|como|motivo|por causa|devido|pois|já que|por isso|perché|poiché|a causa|siccome|dato che|per via|dovuto|quindi|perciò|così|dunque|omdat|doordat|wegens|vanwege|want|daarom|zodat)|ため|ので|から|により|理由|せいで/iu;
const FIRST_PERSON =
  /(?<!\p{L})(?:i|i['’](?:ll|ve|m|d)|we|we['’](?:ll|ve|re)|ich|wir|je|j['’]|nous|yo|nosotros|eu|nós|io|noi|ik|wij|we)(?!\p{L})|私|わたし|僕/giu;
/** Words of place before a name, a number or an article. */
const PLACE =
  /(?<!\p{L})(?:at|in|on|to|near|from|opposite|outside|behind|next to|via|bei|beim|im|in|am|an|auf|nach|zu|zum|zur|vor|gegenüber|à|au|aux|chez|dans|sur|en|rue|près|al|a la|no|na|nos|nas|em|ao|à|nel|nella|nello|al|alla|da|dal|presso|bij|te|naar|op|aan|tegenover) (?:the |dem |der |den |das |la |le |el |los |las |il |de |het |our |unserem |our )?[\p{Lu}\d]|street|road|straße|str\.|platz|〒|市|区|町|駅|にて|で(?:お|会|開|行|待)|にあ/gu;
const TITLED =
  /^(?:mr|mrs|ms|miss|dr|prof|sir|frau|herr|herrn|mme|mlle|madame|monsieur|sr|sra|señora?|senhora?|dona|don|doña|sig|signora?|dott|dottor|mevrouw|meneer|auntie|aunt|uncle|tante|onkel|tía|tío|tia|tio|zia|zio)\.? /iu;
/** What follows these words is a place or an event, not a person. */
const AFTER_PLACE =
  /(?<!\p{L})(?:in|at|on|near|to|via|im|am|ins|nach|aus|à|à la|au|aux|en|dans|sur|em|na|no|nas|nos|a|al|a la|nel|nella|alla|te|naar|op|the) $/iu;
const DEADLINE =
  /(?<!\p{L})(?:by|until|till|before|due|deadline|latest|last day|ends?|expires?|closes?|valid|no later|bis|spätestens|frist|vor dem|gültig|avant|jusqu|au plus tard|d['’]ici|limite|expire|antes|hasta|plazo|vence|a más tardar|até|prazo|termina|entro|fino|scade|scadenza|prima|tot|uiterlijk|vóór|voor)|まで|締切|締め切り|期限/iu;
const REQUEST =
  /(?<!\p{L})(?:please|could you|can you|would you|will you|need(?: you)?|want(?: you)?|would (?:like|love|appreciate)|looking for|hoping|wants?|asks?|are you|do you|i['’]d like|i['’]d love|we['’]d love|we['’]d like|ask you|let me know|send me|tell me|make sure|bitte|bitten|könn(?:test|ten|t)|kannst|können sie|möchte|möchten|hätte|brauche|brauchen|sag(?:t|en)? (?:mir|uns|sie)|schick|merci de|veuillez|pourr(?:iez|ais)|peux-tu|pouvez|voudr(?:ais|ions)|j['’]aimerais|besoin|il faudrait|por favor|podr(?:ías?|íais)|puedes?|necesit|quier|querem|me gustaría|nos gustaría|poderias?|podias?|podes?|precis|gostaria|gostávamos|queria|queremos|per favore|potr(?:esti|este|ebbe)|puoi|potete|vorr(?:ei|emmo)|bisogno|serve|servono|alstublieft|graag|kun je|kunt u|zou je|zou u|wil je|wilt u|nodig)|ください|いただけ|お願い|ほしい|頂け|願い/iu;
/** "Bring the good camera", "and don't forget the keys". */
const IMPERATIVE =
  /(?:^|[,;:] (?:and |und |et |y |e |en )?)(?:bring|send|take|remember|don['’]t forget|leave|call|ring|buy|book|pay|bringt?|schickt?|denkt? (?:an|bitte)|vergiss|nimm|nehmt|ruf|kauf|apporte[sz]?|envoie|n['’]oublie|prends|pense à|trae|tráeme|envía|mándame|no olvides|traz|manda|não te esqueças|porta(?:mi)?|mandami|non dimenticare|neem|breng|stuur|vergeet)(?!\p{L})/iu;
const FEWEST_WORDS = 3;
/** A row of a table, or a label with its value. */
const LABELED = /^\S.{0,60}?(?: {2,}|: )\S/;
const LETTERS = /\p{L}{2}/u;

/** Returns whether a passage has the form of an answer to a question of this type, apart from typed spans. */
export function fits(question: Question, passage: Passage, read: ReadMessage): boolean {
  if (!LETTERS.test(passage.text)) return question.kinds.length > 0;
  // A name below a text, or a greeting, says nothing.
  if (
    (question.kinds.length === 0 || question.type === "who") &&
    passage.bag.words.length < FEWEST_WORDS &&
    !LABELED.test(passage.text)
  )
    return false;
  switch (question.type) {
    case "yes-no":
    case "what":
      return !passage.isQuestion && !passage.isSignature;
    case "why":
      return !passage.isQuestion && !passage.isSignature;
    case "who":
      return !passage.isQuestion && !passage.isSignature && namesSomeone(question, passage, read);
    case "where":
      return (
        namesPlace(question, passage, read.message.at) || spansOf(passage.text, "address", read.message.at).length > 0
      );
    case "wants":
      return (
        !passage.isSignature && (passage.isQuestion || REQUEST.test(passage.text) || IMPERATIVE.test(passage.text))
      );
    default:
      return true;
  }
}

/** "on Maundy Thursday" is no place either. */
const BEFORE_TIME_CHARS = 12;

/** Returns whether a passage names a place that the question does not name. */
function namesPlace({ terms }: Question, { text }: Passage, writtenAt: number): boolean {
  const times = [...spansOf(text, "date", writtenAt), ...spansOf(text, "time", writtenAt)];
  for (const { 0: match, index } of text.matchAll(PLACE)) {
    const at = index + match.length - 1;
    if (times.some(({ start, end }) => at >= start - BEFORE_TIME_CHARS && at < end)) continue;
    const [first] = wordsOf(text.slice(index + match.length - 1, index + match.length + 40));
    if (!first || !terms.some((term) => term.form === first.form || term.stem === first.stem)) return true;
  }
  if (HOUSE.test(text)) return true;
  for (const { 0: match, index } of text.matchAll(BEFORE_NOUN)) {
    const [first, second] = wordsOf(text.slice(index + match.length, index + match.length + 40));
    const isPlace = (word: Word | undefined) =>
      word !== undefined &&
      conceptsOfWord(word).some((concept) => PLACES.has(concept)) &&
      !terms.some((term) => isSameWord(word, term) || conceptsOfWord(word).some((one) => term.concepts.has(one)));
    if (isPlace(first) || isPlace(second)) return true;
  }
  return false;
}

/** The name of a house, which needs no word of place: "Hotel Mirador", "Gasthaus Rebstock". */
const HOUSE =
  /(?<!\p{L})(?:[Hh]ôtel|[Hh]o[st]t?el|[Rr]estaurante?|[Rr]istorante|[Gg]asthaus|[Gg]asthof|[Pp]ension|[Pp]ensão|[Cc]af[eé]|[Tt]rattoria|[Vv]illa|[Mm]useum|[Mm]us[eé]e|[Mm]useo|[Mm]useu)(?: (?:des?|du|da|do|della|del|dos|la|le|el|los))? \p{Lu}\p{L}{2,}|\p{Lu}\p{L}{2,}(?:['’]s)? (?:Hotel|Inn|Restaurant|Arms|Hall|House|Theatre|Museum|Church|School)(?!\p{L})/u;

/** Words of place before an ordinary noun: "in the foyer", "bij de buurvrouw". */
const BEFORE_NOUN =
  /(?<!\p{L})(?:at|in|on|to|near|from|outside|behind|with|under|leaving|next to|bei|beim|im|in|am|an|auf|zu|zum|zur|vor|unter|à|au|aux|chez|dans|sur|sous|en|al?|con|sotto|nel|nella|dal|dalla|no|na|em|ao|com|bij|naar|op|aan|onder) (?:the |a |my |our |your |dem |der |den |das |einer |einem |la |le |les |l['’]|el |los |un |una |une |um |uma |il |lo |de |het |een |onze )?/giu;
const PLACES = conceptsNamed(
  ..."station airport church hall museum garden kitchen cellar attic balcony terrace foyer entrance exit shed neighbour bank library shop bakery hospital tower bar beach gallery theatre cinema caretaker door village warehouse garage parking gym".split(
    " ",
  ),
);

/** Returns whether words of time say that a date is the last one. */
export const isDeadline = (text: string): boolean => DEADLINE.test(text);

const AT_MOST =
  /(?<!\p{L})(?:up to|at most|maximum(?: of)?|max\.?|bis zu|höchstens|maximal|jusqu['’]à|au maximum|hasta|como máximo|até|no máximo|fino a|al massimo|tot|maximaal|hoogstens) $/iu;
/** Returns whether words before a number make it the most that there can be: "up to". */
export const isMost = (before: string): boolean => AT_MOST.test(before);

const FROM_THEN =
  /(?<!\p{L})(?:after|within|in|nach|innerhalb von|binnen|in|après|au bout de|sous|dans|dentro de|en|al cabo de|después de|após|depois de|dentro de|em|dopo|entro|tra|fra|na|over) (?:about |approximately |etwa |environ |unos |cerca de |circa |ongeveer )?$/iu;
/** Returns whether words before a duration make it a time to come: "after 72 hours". */
export const isFromThen = (before: string): boolean => FROM_THEN.test(before);

/** What must be done, or is wanted, can be a cause, too. */
const WEAK_CAUSE =
  /(?<!\p{L})(?:must|has to|had to|needs?|wants?|muss|müssen|doit|doivent|tiene que|tienen que|tem de|tem que|deve|devono|moet|moeten|kann nicht|can['’]t|cannot|too (?:bad|ill|busy|far|expensive|late|old|small|big|tired)|zu (?:krank|weit|teuer|spät|alt|klein|groß)|trop \p{L}+|demasiado|troppo|demasiado|te (?:ver|duur|laat|oud|klein)|failed|kaputt|defekt|waterlogged|flooded|strike|on (?:sick|maternity|parental|paternity) leave|ill|broken|krank(?:geschrieben)?|en congé|malade|de baja|enferm[oa]|doente|malat[oa]|ziek)(?!\p{L})/iu;

/** Returns whether words between two values make the second one the end of the first: "10:00 to 11:00". */
export const isRange = (between: string): boolean =>
  /^ ?(?:to|until|till|[-–—]|bis|à|au|jusqu['’]à|a|hasta|até|às|alle|tot) ?$/iu.test(between);

/** Returns whether the author of a text speaks of themselves. */
export const isFirstPerson = (text: string): boolean => text.search(FIRST_PERSON) >= 0;

/** Returns whether a passage gives what may be a cause, if all else fits. */
export const mayCause = ({ text }: Passage): boolean => WEAK_CAUSE.test(text);

/** "I am sorry to cancel: two wards are closed." */
const SORRY =
  /(?<!\p{L})(?:sorry|apologies|afraid|leider|leid|entschuldig\p{L}*|désolée?s?|malheureusement|regret\p{L}*|siento|lamento|lamentamos|lamentablemente|desculpa|desculpe|infelizmente|spiace|purtroppo|scusa|spijt|helaas|sorry)(?!\p{L})[^.!?:]{0,60}: \p{L}/iu;

/** Returns whether a passage gives a cause. */
export function hasCause(passage: Passage, { passages }: ReadMessage): boolean {
  if (CAUSE.test(passage.text) || SORRY.test(passage.text)) return true;
  // "They are digging up the railway, so it's a coach now": the consequence may be the next sentence.
  const next = passages[passage.i + 1];
  return (
    next !== undefined &&
    /^(?:so|therefore|deshalb|daher|deswegen|donc|por eso|por isso|quindi|daarom)(?!\p{L})|^そのため/iu.test(next.text)
  );
}

/** A single word with a capital letter before a verb: "Nils picks you up". */
const STARTS_WITH_NAME =
  /(?:^|[,;:] |\. )(\p{Lu}\p{Ll}{2,14}) (?:hält|fährt|holt|bringt|kommt|macht|spielt|trägt|übernimmt|leitet|begleitet|tient|vient|apporte|conduit|amène|trae|viene|lleva|conduce|traz|vem|leva|porta|arriva|guida|brengt|komt|rijdt|haalt|is|was|will|has|can|would|should|\p{Ll}{3,}[^s]s|ist|hat|wird|kann|est|va|peut|está|ha|puede|vai|tem|pode|può|heeft|kan|zal)(?!\p{L})/gu;

/** @param name the word that may be a name */
function isNewName(name: string, terms: readonly Term[]): boolean {
  const [first] = wordsOf(name);
  if (!first || isStopWord(first.form) || conceptsOfWord(first).length > 0) return false;
  return (
    !/^(?:this|that|there|here|what|who|everything|everyone|nothing|das|dies|alles|wer|was|cela|tout|todo|tudo|tutto|dit|dat|alles|your|please)$/.test(
      first.form,
    ) && !terms.some(({ form }) => form === first.form)
  );
}

/** "A Teresa" at the start of a sentence is Portuguese for Teresa. */
const LONGEST_ARTICLE = 2;
const ARTICLE =
  /^(?:der|die|das|dem|den|ein|eine|le|la|les|el|los|las|il|lo|gli|het|de|een|the|this|that|our|your|unser|unsere|diese[rsnm]?)\s+/iu;
/** Characters between "I" and the verb that it is the subject of. */
const SUBJECT_CHARS = 25;

/** Returns whether the author does what is asked about: "I'll bring the stove". */
function isOwnAct(terms: readonly Term[], text: string, bag: Passage["bag"]): boolean {
  const asked = terms.filter(({ role, isName }) => role === "essential" && !isName).slice(0, 1);
  return [...text.matchAll(FIRST_PERSON)].some(({ 0: match, index }) => {
    const after = index + match.length;
    return bag.words.some(
      (word) =>
        word.start >= after &&
        word.start <= after + SUBJECT_CHARS &&
        !text.slice(after, word.start).includes(",") &&
        asked.some((term) => isSameWord(word, term) || conceptsOfWord(word).some((one) => term.concepts.has(one))),
    );
  });
}

const PEOPLE = conceptsNamed(
  ..."mother father parents brother sister son daughter child grandmother grandfather aunt uncle cousin husband wife partner friend neighbour boss colleague client director teacher doctor lawyer accountant author plumber electrician painter landlord tenant driver carpenter gardener cleaner nurse engineer mayor secretary president volunteer musician actor dog cat vet dentist owner insurance".split(
    " ",
  ),
);

/** Returns whether a person, an animal or a company before the asked verb does it: "The cat ate my lunch". */
function hasSubject(terms: readonly Term[], bag: Passage["bag"]): boolean {
  const [verb] = terms.filter(({ role, isName }) => role === "essential" && !isName);
  const at = verb ? bag.words.findIndex(({ form }) => form === verb.form) : -1;
  return at > 0 && bag.words.slice(0, at).some((word) => conceptsOfWord(word).some((concept) => PEOPLE.has(concept)));
}

/** A greeting before the text of the first sentence: "Dear Ben, the tour is …". */
const GREETED =
  /^(?:dear|hi|hello|hey|liebe[rs]?|hallo|sehr geehrte[rs]?|guten tag|cher|chère|bonjour|salut|querid[oa]|hola|estimad[oa]|olá|car[oa]|prezad[oa]|ciao|gentile|buongiorno|beste|dag|hoi)(?!\p{L})[^,.!?:]{0,40}[,!:]/iu;

/** Returns whether a passage names a person or a company that the question does not, or its author acts. */
function namesSomeone({ terms }: Question, { text, bag }: Passage, { message }: ReadMessage): boolean {
  // Japanese names have no capitals, so any sentence about what is asked counts.
  if (message.language() === "ja" && !/[\p{sc=Latin}]/u.test(text))
    return terms.every((term) => matchIn(bag, term) > 0);
  if (isOwnAct(terms, text, bag) || hasSubject(terms, bag)) return true;
  if ([...text.matchAll(STARTS_WITH_NAME)].some(([, name]) => isNewName(name!, terms))) return true;
  const dates = spansOf(text, "date", message.at);
  const greeting = GREETED.exec(text)?.[0].length ?? 0;
  return spansOf(text, "name", message.at).some(({ text: name, start, end, normal }) => {
    if (start < greeting) return false;
    if (dates.some((date) => start < date.end && date.start < end)) return false;
    if (
      terms.some(({ form }) =>
        fold(normal)
          .split(/[^\p{L}\p{N}]+/u)
          .includes(form),
      )
    )
      return false;
    const isTitled = TITLED.test(name);
    // "The Council must approve it": what acts is no place.
    const acts =
      /^ (?:must|will|has to|needs? to|can|is|are|was|muss|wird|hat|doit|va|debe|tiene|deve|vai|moet|zal)(?!\p{L})/u;
    if (/(?<!\p{L})the $/iu.test(text.slice(0, start)) && acts.test(text.slice(end))) return true;
    if (!isTitled && start > LONGEST_ARTICLE && AFTER_PLACE.test(text.slice(0, start))) return false;
    const words = wordsOf(name.replace(ARTICLE, ""));
    // In German every noun has a capital letter.
    const isNoun = message.language() === "de" && words.length === 1 && !isTitled;
    return !isNoun && (isTitled || words.some(({ form }) => conceptsNamed(form).size === 0 && form.length > 1));
  });
}
