import { bare, pattern, type Reader } from "./act.ts";
import { type Deed, readDeed, writeDeed } from "./deeds.ts";
import { LANGUAGES, type Language, VERBS } from "./lexicon.ts";

type Modal = "can" | "cannot" | "must" | "want" | "like";
type Person = "I" | "we" | "you";

const forms = (text: string): readonly string[] => text.split("|").map((form) => form.trim());

/** Modal verbs: I, we, you (formal), you (informal), you (several). */
const MODALS: Readonly<Record<Language, Readonly<Record<"can" | "must" | "want" | "like", readonly string[]>>>> = {
  en: {
    can: forms("I can | we can | you can | you can | you can"),
    must: forms("I have to | we have to | you have to | you have to | you have to"),
    want: forms("I want to | we want to | you want to | you want to | you want to"),
    like: forms("I would like to | we would like to | you would like to | you would like to | you would like to"),
  },
  de: {
    can: forms("ich kann | wir können | Sie können | du kannst | ihr könnt"),
    must: forms("ich muss | wir müssen | Sie müssen | du musst | ihr müsst"),
    want: forms("ich will | wir wollen | Sie wollen | du willst | ihr wollt"),
    like: forms("ich möchte | wir möchten | Sie möchten | du möchtest | ihr möchtet"),
  },
  fr: {
    can: forms("je peux | nous pouvons | vous pouvez | tu peux | vous pouvez"),
    must: forms("je dois | nous devons | vous devez | tu dois | vous devez"),
    want: forms("je veux | nous voulons | vous voulez | tu veux | vous voulez"),
    like: forms("j'aimerais | nous aimerions | vous aimeriez | tu aimerais | vous aimeriez"),
  },
  es: {
    can: forms("puedo | podemos | puede | puedes | pueden"),
    must: forms("tengo que | tenemos que | tiene que | tienes que | tienen que"),
    want: forms("quiero | queremos | quiere | quieres | quieren"),
    like: forms("me gustaría | nos gustaría | le gustaría | te gustaría | les gustaría"),
  },
  it: {
    can: forms("posso | possiamo | può | puoi | potete"),
    must: forms("devo | dobbiamo | deve | devi | dovete"),
    want: forms("voglio | vogliamo | vuole | vuoi | volete"),
    like: forms("vorrei | vorremmo | vorrebbe | vorresti | vorreste"),
  },
  pt: {
    can: forms("posso | podemos | pode | podes | podem"),
    must: forms("tenho de | temos de | tem de | tens de | têm de"),
    want: forms("quero | queremos | quer | queres | querem"),
    like: forms("gostaria de | gostaríamos de | gostaria de | gostarias de | gostariam de"),
  },
  nl: {
    can: forms("ik kan | we kunnen | u kunt | je kunt | jullie kunnen"),
    must: forms("ik moet | we moeten | u moet | je moet | jullie moeten"),
    want: forms("ik wil | we willen | u wilt | je wilt | jullie willen"),
    like: forms("ik wil graag | we willen graag | u wilt graag | je wilt graag | jullie willen graag"),
  },
};

/** Question words, in the order of the languages. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  when: forms("when | wann | quand | cuándo | quando | quando | wanneer"),
  where: forms("where | wo | où | dónde | dove | onde | waar"),
  how: forms("how | wie | comment | cómo | come | como | hoe"),
  what: forms("what | was | que | qué | cosa | o que | wat"),
  "what time": forms("what time | um wie viel Uhr | à quelle heure | a qué hora | a che ora | a que horas | hoe laat"),
  "how long": forms(
    "how long | wie lange | combien de temps | cuánto tiempo | per quanto tempo | quanto tempo | hoe lang",
  ),
  "by when": forms("by when | bis wann | d'ici quand | para cuándo | entro quando | até quando | voor wanneer"),
};

const SUBJECT = "(?<who>I|we|you|he|she|they)";
const CLAUSE = pattern(
  `^(?:(?<word>what time|how long|by when|when|where|how|what) )?${SUBJECT} (?<modal>can(?: already)?|could|may|will be able to|am able to|are able to|is able to|should|must|will|have to|has to|need to|needs to|want to|wants to|would like to|'ll) (?<deed>.+)$`,
  "isu",
);
const SAID = pattern(
  `^(?<sorry>unfortunately,? )?${SUBJECT}(?: (?<modal>can|could|may|cannot|can not|can't|must|have to|has to|need to|want to|would like to|'d like to|won't be able to|will not be able to)|(?<short>'d like to)) (?<deed>.+)$`,
  "isu",
);

const personOf = (who: string): Person => (/^I$/iu.test(who) ? "I" : /^we$/iu.test(who) ? "we" : "you");

function modalOf(text: string): Modal {
  if (/^(?:cannot|can not|can't|won't|will not)/iu.test(text)) return "cannot";
  if (/^(?:should|must|have|has|need)/iu.test(text)) return "must";
  if (/like/iu.test(text)) return "like";
  return /^want/iu.test(text) ? "want" : "can";
}

function formOf(modal: Exclude<Modal, "cannot">, person: Person, language: Language, reader: Reader): string {
  const at = person === "I" ? 0 : person === "we" ? 1 : reader.formal && language !== "de" ? 2 : reader.several ? 4 : 2;
  const informal = person === "you" && !reader.several && !reader.formal && (language !== "pt" || reader.tu);
  return MODALS[language][modal][informal ? 3 : language === "de" && person === "you" && reader.formal ? 2 : at]!;
}

/** Reads the deed of an English clause; "to me" and "you" are the same deed for whoever does it. */
const deedIn = (text: string): Deed | null => readDeed(bare(text).replace(/\b(?:him|her|them)\b/giu, "you"), "en");

/** Returns a question about what someone can or has to do, given in English: "when she can start"; null if it is another. */
export function modalQuestion(text: string, language: Language, reader: Reader): string | null {
  const match = CLAUSE.exec(bare(text).replace(/’/gu, "'"));
  if (!match) return null;
  const { word, who, modal, deed: said } = match.groups!;
  const deed = deedIn(said!);
  if (!deed) return null;
  const kind = modalOf(modal!);
  if (kind === "cannot") return null;
  const person = personOf(who!);
  const asking = word === undefined ? null : ASKING[word.toLowerCase()]![LANGUAGES.indexOf(language)]!;
  const verb =
    language === "de" && kind === "must" && person !== "you"
      ? person === "I"
        ? "ich soll"
        : "wir sollen"
      : formOf(kind, person, language, reader);
  const rest = writeDeed(deed, language, reader);
  const turned = (form: string) => form.replace(/^(\S+) (\S+)/u, "$2 $1");
  switch (language) {
    case "de":
      return `${asking ? `${asking} ` : ""}${turned(verb)} ${rest}?`;
    case "nl": {
      const form = turned(verb)
        .replace(/^kunt je /u, "kun je ")
        .replace(/^(kunt|moet|wilt) je$/u, (_, a: string) => `${{ kunt: "kun", moet: "moet", wilt: "wil" }[a]} je`);
      return `${asking ? `${asking} ` : ""}${form} ${rest}?`;
    }
    case "fr": {
      if (person === "you") {
        const form = verb.replace(/^(\S+) (\S+)$/u, "$2-$1");
        return `${asking ? `${asking} ` : ""}${form} ${rest} ?`;
      }
      return `${asking === "que" ? "Qu'est-ce que" : asking ? `${asking} est-ce que` : "Est-ce que"} ${verb} ${rest} ?`;
    }
    case "es":
      return `¿${asking ? `${asking.charAt(0).toUpperCase()}${asking.slice(1)} ${verb}` : verb.charAt(0).toUpperCase() + verb.slice(1)} ${rest}?`;
    case "en":
      return `${asking ? `${asking} ` : ""}${turned(verb)} ${rest}?`;
    default:
      return `${asking ? `${asking} ` : ""}${verb} ${rest}?`;
  }
}

/** Returns a statement of what someone can, cannot or has to do, given in English; null if it is another. */
export function modalStatement(text: string, language: Language, reader: Reader): string | null {
  const match = SAID.exec(bare(text).replace(/’/gu, "'"));
  if (!match || language === "en") return null;
  const { who, modal, deed: said } = match.groups!;
  const deed = deedIn(said!);
  if (!deed) return null;
  const kind = modalOf(modal ?? "like");
  const person = personOf(who!);
  // Only "you" speaks to the reader; "she has to call" may be about someone else.
  if (person === "you" && !/^you$/iu.test(who!)) return null;
  const rest = writeDeed(deed, language, reader);
  if (kind !== "cannot") return `${formOf(kind, person, language, reader)} ${rest}`;
  const can = formOf("can", person, language, reader);
  const word = VERBS[deed.verb]![LANGUAGES.indexOf(language)]!.replace(/ [ad-]$/u, "").split("/")[0]!;
  const before = (not: string) => `${can} ${rest.slice(0, rest.length - word.length)}${not} ${word}`;
  switch (language) {
    case "de":
      return before("leider nicht");
    case "nl":
      return before("helaas niet");
    case "fr":
      return `Malheureusement, ${can.replace(/^(\S+) (\S+)$/u, "$1 ne $2 pas")} ${rest}`;
    case "es":
      return `Lamentablemente, no ${can} ${rest}`;
    case "it":
      return `Purtroppo non ${can} ${rest}`;
    case "pt":
      return `Infelizmente não ${can} ${rest}`;
  }
}
