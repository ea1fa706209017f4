import { pattern, type Reader } from "./act.ts";
import { mayBeVerb, verbFor } from "./german-clauses.ts";

/** Person nouns, in German with the gender of their article. */
const KIN = pattern(
  "\\b(?:mein|unser|sein|ihr|der|die|ein|eine)e?r? (?:\\p{Ll}+ )?(?:Mutter|Vater|Frau|Mann|Sohn|Tochter|Bruder|Schwester|Chef|Chefin|Kollegen?|Kollegin|Freund|Freundin|Nachbarn?|Nachbarin|Partner|Partnerin|Arzt|Ärztin|Kind|Hund|Katze|Kunde|Kundin|Oma|Opa|Tante|Onkel|Anwalt|Anwältin|Mitarbeiter|Mitarbeiterin)\\b",
);
const FEMALE = /\b(?:die|eine|meine|unsere|keine|diese|jede)(?= (?:\p{Ll}+ )?\p{Lu})/u;
const MALE = /\b(?:der|ein|mein|unser|kein|dieser|jeder|den|einen|meinen|unseren)(?= (?:\p{Ll}+ )?\p{Lu})/u;
const ABLE = /^(?:kann|soll|muss|darf|will|möchte|könnte|sollte|müsste|können|sollen|müssen|mag|hat|braucht|weiß)$/u;

/**
 * Returns text about the reader as text addressed to the reader. @param verbAt where the verb of the pronoun is: "last"
 * in subordinate clauses, "next" in main clauses
 */
export function toReader(text: string, reader: Reader, verbAt: "last" | "next"): string {
  const { formal, several, sex } = reader;
  const [nominative, accusative, dative, own] = formal
    ? ["Sie", "Sie", "Ihnen", "Ihr"]
    : several
      ? ["ihr", "euch", "euch", "euer"]
      : ["du", "dich", "dir", "dein"];
  const words = text.split(/(\s+)/u);
  const plain = (i: number) => words[i]?.replace(/[,.;:!?]+$/u, "") ?? "";
  const endOfClause = (from: number) => {
    for (let i = from; i < words.length; i += 2)
      if (/,$/u.test(words[i]!) || (/^(?:und|oder)$/u.test(words[i + 2] ?? "") && mayBeVerb(plain(i)))) return i;
    return words.length - 1;
  };
  for (let i = 0; i < words.length; i += 2) {
    const word = plain(i);
    const mark = words[i]!.slice(word.length);
    const before = words.slice(0, i).join("");
    const kin = KIN.exec(before)?.[0];
    // A pronoun does not refer to someone of the other gender.
    const others =
      kin !== undefined && /^(?:er|ihm|ihn|sein)/u.test(word) !== /^(?:meine|unsere|seine|ihre|die|eine) /iu.test(kin);
    if (/^(?:er|sie)$/u.test(word) && !others && !(word === "sie" && accusativeAt(plain(i - 2)))) {
      const male = word === "er";
      if (sex === "p" ? male : sex !== null && (sex === "m") !== male) continue;
      const sub =
        verbAt === "last" ||
        pattern("\\b(?:ob|dass|wenn|weil|wann|wo|wie|was|bis|sobald|falls|damit|wie viele?|welche\\w?)\\s+$").test(
          before,
        );
      const at = sub ? endOfClause(i) : i + 2;
      const back = sub ? -1 : i - 2;
      const spot = mayBeVerb(plain(at)) ? at : mayBeVerb(plain(back)) ? back : -1;
      const verb = plain(spot);
      // "sie" as an object, or of several others.
      if (spot < 0 || (sex !== "p" && /en$/u.test(verb) && !/^(?:können|haben)$/u.test(verb) === false)) continue;
      if (sex !== "p" && isPlural(verb)) continue;
      if (/^(?:steht|liegt|hängt|kostet|funktioniert|passt|dauert|beginnt|fehlt|wiegt)$/u.test(verb)) continue;
      const thing = (male ? MALE : FEMALE).test(before);
      if (thing && !ABLE.test(verb)) continue;
      words[i] = nominative + mark;
      const marks = words[spot]!.slice(verb.length);
      words[spot] = verbFor(verb, reader) + marks;
      if (sub)
        for (let j = i + 2; j < at; j += 2)
          if (plain(j) === "sich") words[j] = formal ? "sich" : several ? "euch" : "dich";
      continue;
    }
    if (
      /^(?:ihn|sie|es)$/u.test(word) &&
      /(?:^|, |\b(?:und|dass|ob) )(?:er|sie) [^,]*$/u.test(text.slice(0, before.length))
    )
      continue;
    if (word === "ihm" && sex !== "f" && sex !== "p" && !others) words[i] = dative + mark;
    else if (word === "ihnen" && (sex === "p" || sex === null)) words[i] = dative + mark;
    else if (word === "ihn" && sex !== "f" && sex !== "p" && !others && !MALE.test(before))
      words[i] = accusative + mark;
    else if (
      word === "ihr" &&
      ((i === 0 && verbAt === "last" && /t$/u.test(plain(words.length - 1))) ||
        /^(?:ob|dass|wann|wo|wie|was|wenn|und|welche\p{L}?)$/u.test(plain(i - 2)))
    )
      continue;
    else if (/^(?:ihr|ihre|ihre[nmrs])$/u.test(word) && sex !== "m" && !others) {
      const next = plain(i + 2);
      const possessive =
        word !== "ihr" || /^\p{Lu}/u.test(next) || (/(?:e|en|er|es)$/u.test(next) && /^\p{Lu}/u.test(plain(i + 4)));
      words[i] = (possessive ? owned(own, word.slice(3)) : dative) + mark;
    } else if (
      /^seine?[nmrs]?$/u.test(word) &&
      sex !== "f" &&
      sex !== "p" &&
      !others &&
      /^\p{L}/u.test(plain(i + 2)) &&
      i + 2 < words.length - 1 + 1
    ) {
      if (word === "sein" && !/^\p{Lu}/u.test(plain(i + 2)) && !/^\p{Lu}/u.test(plain(i + 4))) continue;
      words[i] = owned(own, word.slice(4)) + mark;
    } else if (word === "sie" && sex !== "m" && !others && accusativeAt(plain(i - 2)) && !FEMALE.test(before))
      words[i] = accusative + mark;
  }
  return words.join("");
}

const isPlural = (verb: string): boolean =>
  /^(?:sind|haben|können|wollen|müssen|sollen|dürfen|werden|waren|hatten)$/u.test(verb) ||
  (/en$/u.test(verb) && !/^(?:möchten)$/u.test(verb));
const accusativeAt = (before: string): boolean => /^(?:ich|wir|für|ohne|um|gegen)$/u.test(before);
const owned = (own: string, ending: string): string => (own === "euer" && ending ? `eur${ending}` : own + ending);
