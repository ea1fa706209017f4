import { bare, pattern, type Reader } from "./act.ts";
import { LANGUAGES, type Language, VERBS } from "./lexicon.ts";
import { type Noun, readNoun, writeNoun } from "./nouns.ts";
import { readTime, writeTime } from "./times.ts";

export interface Deed {
  verb: number;
  /** For whom: the user, the reader, or no one named. */
  person: "me" | "us" | "you" | null;
  noun: Noun | null;
  time: ReturnType<typeof readTime>;
}

const PERSONS: Record<Language, readonly [me: string, us: string, you: string]> = {
  en: ["me", "us", "you"],
  de: ["mir|mich", "uns", "Ihnen|Sie|dir|dich|euch"],
  fr: ["me |m['’]", "nous ", "vous |te |t['’]"],
  es: ["me", "nos", "le|te|les"],
  it: ["mi", "ci", "le|ti|vi"],
  pt: ["-me", "-nos", "-lhe|-te|-vos"],
  nl: ["me|mij", "ons", "u|je|jou|jullie"],
};

const last = (language: Language) => language === "de" || language === "nl";
const verbsOf = (row: readonly string[], language: Language): string[] => {
  const cell = row[LANGUAGES.indexOf(language)]!;
  return (language === "de" ? cell.replace(/ \S$/u, "") : cell).split("/");
};

/** Reads what someone does: an infinitive with a person, a thing and a time; null if any part is not known. */
export function readDeed(text: string, language: Language): Deed | null {
  const said = bare(text);
  const persons = PERSONS[language];
  const people = persons.join("|");
  for (const [verb, row] of VERBS.entries()) {
    for (const name of verbsOf(row, language)) {
      const word = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const stem = language === "it" ? word.replace(/e$/u, "e?") : word;
      const source = last(language)
        ? `^(?:(?<who>${people}) )?(?<rest>.*?)\\s*${word}$`
        : language === "fr"
          ? `^(?<who>${people})?${word}(?:\\s+(?<rest>.*))?$`
          : language === "en"
            ? `^${word}(?: (?<who>${people}))?(?:\\s+(?<rest>.*))?$`
            : `^${stem}(?<who>${people})?(?:\\s+(?<rest>.*))?$`;
      const match = pattern(source, "isu").exec(said);
      if (!match) continue;
      const parts = partsOf(match.groups?.rest ?? "", language);
      if (!parts) continue;
      const who = match.groups?.who?.toLowerCase();
      const i = who === undefined ? -1 : persons.findIndex((one) => pattern(`^(?:${one})$`).test(who));
      return { verb, person: ([null, "me", "us", "you"] as const)[i + 1]!, ...parts };
    }
  }
  return null;
}

/** Reads a thing and a time, in any order; null if any word is neither. */
export function partsOf(text: string, language: Language): Pick<Deed, "noun" | "time"> | null {
  const words = text.split(/\s+/).filter(Boolean);
  for (let i = 0; i <= words.length; i++) {
    const [first, second] = [words.slice(0, i).join(" "), words.slice(i).join(" ")];
    for (const [thing, when] of [
      [first, second],
      [second, first],
    ] as const) {
      const noun = thing === "" ? null : readNoun(thing, language);
      const time = when === "" ? null : readTime(when, language);
      if ((thing === "" || noun) && (when === "" || time)) return { noun, time };
    }
  }
  return null;
}

export function writeDeed({ verb, person, noun, time }: Deed, language: Language, reader: Reader): string {
  const row = VERBS[verb]!;
  const word = verbsOf(row, language)[0]!;
  const { formal, several } = reader;
  const thing = noun ? writeNoun(noun, language, "n", reader) : "";
  const when = time ? writeTime(time, language, "when") : "";
  const join = (...parts: string[]) => parts.filter(Boolean).join(" ");
  const pick = (me: string, us: string, sie: string, du: string, ihr: string) =>
    person === "me"
      ? me
      : person === "us"
        ? us
        : person === "you"
          ? formal && language !== "fr"
            ? sie
            : several
              ? ihr
              : formal
                ? sie
                : du
          : "";
  switch (language) {
    case "en":
      return join(word, pick("me", "us", "you", "you", "you"), thing, when);
    case "de": {
      const dative = row[1]!.endsWith(" d");
      const who = row[1]!.endsWith(" -")
        ? ""
        : dative
          ? pick("mir", "uns", "Ihnen", "dir", "euch")
          : pick("mich", "uns", "Sie", "dich", "euch");
      return join(who, thing, when, word);
    }
    case "nl":
      return join(pick("me", "ons", "u", "je", "jullie"), thing, when, word);
    case "fr": {
      const who = pick("me ", "nous ", "vous ", "te ", "vous ");
      const elided = /^[aeiouéèh]/iu.test(word) ? who.replace(/^(m|t)e $/u, "$1'") : who;
      return join(elided + word, thing, when);
    }
    case "es":
      return join(
        word.replace(/(?<=r)me$/u, "") + (pick("me", "nos", "le", "te", "les") || (/rme$/u.test(word) ? "se" : "")),
        thing,
        when,
      );
    case "it":
      return join(person ? word.replace(/e$/u, "") + pick("mi", "ci", "Le", "ti", "vi") : word, thing, when);
    case "pt":
      return join(word + pick("-me", "-nos", "-lhe", "-te", "-vos"), thing, when);
  }
}

const ITALIAN_FUTURE: Record<string, string> = { venire: "verr", fare: "far", dare: "dar", restare: "rester" };

/** Writes that the user will do something. */
export function announced(deed: Deed, who: "I" | "we", language: Language, reader: Reader): string {
  const text = writeDeed(deed, language, reader);
  const we = who === "we";
  switch (language) {
    case "en":
      return `${we ? "We" : "I"} will ${text}`;
    case "de":
      return `${we ? "wir werden" : "ich werde"} ${text}`;
    case "fr":
      return `${we ? "Nous allons" : "Je vais"} ${text}`;
    case "es":
      return `${we ? "Vamos" : "Voy"} a ${text}`;
    case "pt":
      return `${we ? "Vamos" : "Vou"} ${text}`;
    case "nl":
      return `${we ? "We zullen" : "Ik zal"} ${text}`;
    case "it": {
      const verb = verbsOf(VERBS[deed.verb]!, "it")[0]!;
      const stem =
        ITALIAN_FUTURE[verb] ??
        verb
          .replace(/(?:[gc])are$/u, (end) => `${end[0]}her`)
          .replace(/are$/u, "er")
          .replace(/iare$/u, "er")
          .replace(/ere$/u, "er")
          .replace(/ire$/u, "ir");
      const rest = writeDeed({ ...deed, person: null }, "it", reader).slice(verb.length);
      const clitic = deed.person === "you" ? (reader.several ? "Vi " : reader.formal ? "Le " : "Ti ") : "";
      return `${clitic}${stem}${we ? "emo" : "ò"}${rest}`;
    }
  }
}
