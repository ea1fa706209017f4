import { bare, pattern, type Reader } from "./act.ts";
import { LANGUAGES, type Language, NOUNS } from "./lexicon.ts";

type Determiner = "the" | "a" | "my" | "our" | "your" | "none";

/** A thing that an instruction names: "the invoice". */
export interface Noun {
  row: number;
  determiner: Determiner;
  /** What it belongs to: "a copy of the contract". */
  of?: Noun;
}

const OF: Record<Language, string> = {
  en: "of",
  de: "(?:von|vom)",
  fr: "(?:de|du)",
  es: "(?:de|del)",
  it: "(?:di|del|dell[ao]?['’]?)",
  pt: "(?:de|d[oa]s?)",
  nl: "van",
};

const DETERMINERS: Record<Language, Partial<Record<Determiner, string>>> = {
  en: { the: "the|this|that|these|those", a: "an?|some|another", my: "my", our: "our", your: "your|his|her|their" },
  de: {
    the: "der|die|das|den|dem|des|diese[rnms]?",
    a: "eine?[rnm]?",
    my: "meine?[rnm]?",
    our: "unser(?:e[rnm]?)?",
    your: "(?:ihre?|seine?|deine?|eure?|euer)[rnm]?",
  },
  fr: {
    the: "le|la|les|l['’]|ce|cette|ces|cet",
    a: "une?|des|de l['’]|du|de la|d['’]",
    my: "mon|ma|mes",
    our: "notre|nos",
    your: "votre|vos|ton|ta|tes|son|sa|ses|leurs?",
  },
  es: { the: "el|la|los|las|este|esta|ese|esa", a: "una?s?|unos", my: "mis?", our: "nuestr[oa]s?", your: "sus?|tus?" },
  it: {
    the: "il|lo|la|i|gli|le|l['’]",
    a: "un['’]|una?|uno|dei|delle|degli",
    my: "(?:il |la |i |le )?(?:mi[oae]|miei)",
    our: "(?:il |la |i |le )?nostr[oaie]",
    your: "(?:il |la |i |le )?(?:su[oae]|suoi|tu[oae]|tuoi|vostr[oaie])",
  },
  pt: {
    the: "[oa]s?",
    a: "uma?s?|uns",
    my: "(?:[oa]s? )?(?:meus?|minhas?)",
    our: "(?:[oa]s? )?noss[oa]s?",
    your: "(?:[oa]s? )?(?:seus?|suas?|teus?|tuas?|voss[oa]s?)",
  },
  nl: {
    the: "de|het|deze|dit|die|dat",
    a: "een",
    my: "mijn",
    our: "onze|ons",
    your: "uw|je|jouw|haar|zijn|hun|jullie",
  },
};
/** Determiners that belong to longer ones are tried last. */
const ORDER: readonly Determiner[] = ["your", "our", "my", "a", "the"];

/** Reads a thing; null if the lexicon does not have it. */
export function readNoun(text: string, language: Language): Noun | null {
  const said = bare(text);
  for (const determiner of [...ORDER, "none" as const]) {
    const form = determiner === "none" ? "" : DETERMINERS[language][determiner]!;
    const match = determiner === "none" ? "" : (pattern(`^(?:${form})(?:(?<=['’])|\\s+)`).exec(said)?.[0] ?? null);
    if (match === null) continue;
    const rest = said.slice(match.length).toLowerCase();
    const row = NOUNS.findIndex((cells) =>
      wordsOf(cells[LANGUAGES.indexOf(language)]!).some((word) => word.toLowerCase() === rest),
    );
    if (row >= 0) return { row, determiner };
  }
  const parts = pattern(`^(.+?) ${OF[language]} (.+)$`, "isu").exec(said);
  const [whole, of] = parts ? [readNoun(parts[1]!, language), readNoun(parts[2]!, language)] : [null, null];
  if (!whole || !of) return null;
  return { ...whole, of: { ...of, determiner: of.determiner === "none" ? "the" : of.determiner } };
}

/** The words of a cell, without its gender. */
const wordsOf = (cell: string): string[] => cell.replace(/ \S+$/u, "").split("/");
const VOWEL = /^[aeiouyàâéèêîôh]/iu;

/** Writes a thing. @param role in German, its case: s is the subject, n the object, d the dative */
export function writeNoun(noun: Noun, language: Language, role: "s" | "n" | "d", reader: Reader): string {
  const word = { en: "of", de: "von", fr: "de", es: "de", it: "di", pt: "de", nl: "van" }[language];
  const whole = oneNoun(noun, language, role, reader);
  return noun.of ? `${whole} ${word} ${oneNoun(noun.of, language, "d", reader)}`.replace(/ von dem /u, " vom ") : whole;
}

function oneNoun({ row, determiner }: Noun, language: Language, role: "s" | "n" | "d", reader: Reader): string {
  const cell = NOUNS[row]![LANGUAGES.indexOf(language)]!;
  const word = wordsOf(cell)[0]!;
  const gender = cell.slice(cell.lastIndexOf(" ") + 1);
  const many = gender.startsWith("p");
  const female = gender.endsWith("f");
  const { formal, several } = reader;
  const joined = (before: string) =>
    before === "" ? word : before.endsWith("'") ? before + word : `${before} ${word}`;
  switch (language) {
    case "en": {
      const before = {
        the: "the",
        a: many ? "the" : VOWEL.test(word) && !/^h/.test(word) ? "an" : "a",
        my: "my",
        our: "our",
        your: "your",
        none: "",
      }[determiner];
      return joined(before);
    }
    case "de": {
      const i = many ? 3 : gender === "m" ? 0 : gender === "f" ? 1 : 2;
      const the = { s: ["der", "die", "das", "die"], n: ["den", "die", "das", "die"], d: ["dem", "der", "dem", "den"] }[
        role
      ][i]!;
      const end = { s: ["", "e", "", "e"], n: ["en", "e", "", "e"], d: ["em", "er", "em", "en"] }[role][i]!;
      const stem = {
        a: many ? null : "ein",
        my: "mein",
        our: "unser",
        your: formal ? "Ihr" : several ? "euer" : "dein",
        the: null,
        none: null,
      }[determiner];
      const noun = role === "d" && many && !/[ns]$/.test(word) ? `${word}n` : word;
      if (determiner === "the") return `${the} ${noun}`;
      return stem === null ? noun : `${stem === "euer" && end ? "eur" : stem}${end} ${noun}`;
    }
    case "fr": {
      const elided = VOWEL.test(word) && !many;
      const own = (m: string, f: string, p: string) => (many ? p : female && !VOWEL.test(word) ? f : m);
      const vous = formal || several;
      switch (determiner) {
        case "the":
          return joined(many ? "les" : elided ? "l'" : female ? "la" : "le");
        case "a":
          return joined(many ? "des" : female ? "une" : "un");
        case "my":
          return joined(own("mon", "ma", "mes"));
        case "our":
          return joined(many ? "nos" : "notre");
        case "your":
          return joined(vous ? (many ? "vos" : "votre") : own("ton", "ta", "tes"));
        case "none":
          return joined(many ? "des" : elided ? "de l'" : female ? "de la" : "du");
      }
      break;
    }
    case "es": {
      const end = `${female ? "a" : "o"}${many ? "s" : ""}`;
      const before = {
        the: many ? (female ? "las" : "los") : female ? "la" : "el",
        a: many ? `un${end}` : female ? "una" : "un",
        my: many ? "mis" : "mi",
        our: `nuestr${end}`,
        your: `${formal || several ? "su" : "tu"}${many ? "s" : ""}`,
        none: "",
      }[determiner];
      return joined(before);
    }
    case "it": {
      const hard = /^(?:s[bcdfglmnpqrtv]|z|ps|gn)/iu.test(word);
      const vowel = /^[aeiou]/iu.test(word);
      const the = many
        ? female
          ? "le"
          : hard || vowel
            ? "gli"
            : "i"
        : vowel
          ? "l'"
          : female
            ? "la"
            : hard
              ? "lo"
              : "il";
      const plainThe = many ? (female ? "le" : "i") : female ? "la" : "il";
      const end = many ? (female ? "e" : "i") : female ? "a" : "o";
      const own = {
        my: many && !female ? "miei" : `mi${end}`,
        our: `nostr${end}`,
        your: several
          ? `vostr${end}`
          : formal
            ? many && !female
              ? "Suoi"
              : `Su${end}`
            : many && !female
              ? "tuoi"
              : `tu${end}`,
      };
      if (determiner === "the") return joined(the);
      if (determiner === "none") return word;
      if (determiner === "a")
        return joined(
          many
            ? female
              ? "delle"
              : hard || vowel
                ? "degli"
                : "dei"
            : female
              ? vowel
                ? "un'"
                : "una"
              : hard
                ? "uno"
                : "un",
        );
      return joined(`${plainThe} ${own[determiner]}`);
    }
    case "pt": {
      const the = `${female ? "a" : "o"}${many ? "s" : ""}`;
      const s = many ? "s" : "";
      const your = reader.tu && !formal && !several ? (female ? "tua" : "teu") : female ? "sua" : "seu";
      const before = {
        the,
        a: `${female ? "uma" : "um"}${s}`.replace("ums", "uns"),
        my: `${the} ${female ? "minha" : "meu"}${s}`,
        our: `${the} noss${female ? "a" : "o"}${s}`,
        your: `${the} ${your}${s}`,
        none: "",
      }[determiner];
      return joined(before);
    }
    case "nl": {
      const neuter = gender === "n";
      const before = {
        the: neuter ? "het" : "de",
        a: many ? "" : "een",
        my: "mijn",
        our: neuter ? "ons" : "onze",
        your: formal ? "uw" : several ? "jullie" : "je",
        none: "",
      }[determiner];
      return joined(before);
    }
  }
  return word;
}
