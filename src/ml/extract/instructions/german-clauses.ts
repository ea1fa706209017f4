import { oneOf, type Reader, table } from "./act.ts";

const FINITE = new Set(
  oneOf(
    "bin bist ist sind seid war warst waren wart habe hab hast hat haben habt hatte hatten werde wirst wird werden wurde wurden kann kannst können könnt konnte konnten könnte könnten muss musst müssen müsst musste mussten müsste müssten will willst wollen wollt wollte wollten soll sollst sollen sollt sollte sollten darf darfst dürfen dürfte dürften mag mögen möchte möchten würde würden hätte hätten wäre wären weiß wissen tut tun gab ging kam blieb lag stand fand kostet passt geht gilt steht liegt",
  )
    .slice(3, -1)
    .split("|"),
);

/** Third person to "du" and to "Sie". Other verbs follow their endings. */
const DU = table(
  "hat:hast ist:bist kann:kannst will:willst muss:musst soll:sollst darf:darfst mag:magst weiß:weißt wird:wirst war:warst haben:hast sind:bist können:kannst wollen:willst müssen:musst sollen:sollst dürfen:darfst werden:wirst möchte:möchtest möchten:möchtest könnten:könntest würden:würdest hätten:hättest wären:wärst wäre:wärst waren:warst hatten:hattest",
);
const SIE = table(
  "hat:haben ist:sind kann:können will:wollen muss:müssen soll:sollen darf:dürfen mag:mögen weiß:wissen wird:werden war:waren gibt:geben nimmt:nehmen fährt:fahren sieht:sehen liest:lesen hält:halten trifft:treffen spricht:sprechen hilft:helfen isst:essen lässt:lassen schläft:schlafen trägt:tragen läuft:laufen empfiehlt:empfehlen lädt:laden fällt:fallen verlässt:verlassen wäre:wären wurde:wurden kam:kamen ging:gingen fand:fanden gab:gaben tut:tun",
);
const IHR = table(
  "hat:habt ist:seid kann:könnt will:wollt muss:müsst soll:sollt darf:dürft mag:mögt weiß:wisst wird:werdet war:wart haben:habt sind:seid können:könnt wollen:wollt müssen:müsst sollen:sollt dürfen:dürft wissen:wisst werden:werdet waren:wart",
);
const PREFIX =
  /^(zurück|zusammen|klar|fertig|voran|weiter|vorbei|bereit|statt|teil|fest|heim|nach|vor|weg|los|mit|hin|her|auf|aus|bei|ein|ab|an|um|zu)(?=\p{L}{4,})(?!worte|fang?$|rufung)/u;
const WHOLE =
  /^(?:antworte|urteil|beitr|anhand|einige[nst]?$|unter|inform|hinter|abend|aufgrund|umarm|zuzieh$|austausche?$|mitte|antwort|einzel|zucker|anger|unterst|ausdr)/u;

/** Forms of a verb for the reader, from the third person. */
export function verbFor(verb: string, reader: Reader): string {
  const low = verb.toLowerCase();
  if (reader.formal) {
    const known = SIE.get(low);
    if (known) return known;
    const prefix = separated(low);
    if (prefix && SIE.has(prefix[0])) return prefix[1] + SIE.get(prefix[0])!;
    if (/(?:en|ern|eln)$/u.test(low) || !/[te]$/u.test(low)) return low;
    if (/te$/u.test(low)) return `${low}n`;
    return /(?:[dt]et|[^aeiou][mn]et)$/u.test(low)
      ? `${low.slice(0, -2)}en`
      : /(?:elt|ert)$/u.test(low)
        ? `${low.slice(0, -1)}n`
        : /t$/u.test(low)
          ? `${low.slice(0, -1)}en`
          : `${low}n`;
  }
  if (reader.several) {
    const known = IHR.get(low);
    if (known) return known;
    return /en$/u.test(low)
      ? /[dt]en$/u.test(low)
        ? `${low.slice(0, -1)}t`
        : `${low.slice(0, -2)}t`
      : /te$/u.test(low)
        ? `${low}t`
        : low;
  }
  const known = DU.get(low);
  if (known) return known;
  if (/te$/u.test(low)) return `${low}st`;
  if (/(?:[sßzx]t|st)$/u.test(low)) return low;
  return /t$/u.test(low)
    ? `${low.slice(0, -1)}st`
    : /en$/u.test(low)
      ? /[dt]en$/u.test(low)
        ? `${low.slice(0, -1)}st`
        : `${low.slice(0, -2)}st`
      : low;
}

/** Returns the verb without its separable prefix, and the prefix: "ankommt" is "kommt" and "an". */
export function separated(verb: string): [string, string] | null {
  const prefix = WHOLE.test(verb) ? null : PREFIX.exec(verb)?.[1];
  return prefix ? [verb.slice(prefix.length), prefix] : null;
}

export const wordsOf = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean);
export const isFiniteVerb = (word: string): boolean => FINITE.has(word.toLowerCase());
export const mayBeVerb = (word: string | undefined): word is string =>
  word !== undefined &&
  (isFiniteVerb(word) || /^\p{Ll}{2,}(?:[te]|en|st|ern|eln)$/u.test(word)) &&
  !/^(?:heute|gerne?|bitte|leider|nicht|heut|jetzt|sonst|selbst|erst|fast|meist|seit|zuletzt|bereit|weit|gut|spät|direkt|alle|keine|eine|meine|deine|unsere|oft|dort|zusammen|oben|unten|morgen|draußen|drinnen|wegen|neben|gegen|zwischen)$/u.test(
    word,
  );
const PRONOUN = /^(?:ich|wir|es|das|er|sie|man|du|ihr|alles|nichts|jemand|niemand|Sie|dies|beides|beide|alle)$/u;
const ARTICLE =
  /^(?:der|die|das|ein|eine|mein|meine|unser|unsere|dein|deine|Ihr|Ihre|sein|seine|ihr|ihre|kein|keine|dieser|diese|dieses|jeder|jede|alle|beide)$/u;
export const TAIL =
  /,\s*(?:wenn|weil|da|obwohl|sobald|bis|falls|dass|ob|damit|sondern|aber|denn|während|nachdem|bevor|wo|wie|um|der|die|das|den|dem|deren|dessen)\s/u;

/** Turns a subordinate clause into a main clause; null if its parts are not certain. */
export function mainClause(sub: string): string | null {
  const cut = TAIL.exec(sub)?.index ?? sub.length;
  const [head, tail] = [sub.slice(0, cut), sub.slice(cut)];
  if (head.includes(",") || tail.replace(TAIL, "").includes(",")) return null;
  const parts = `${head}${/^,\s*aber\s/u.test(tail) ? tail : ""}`.split(/(,?\s+(?:und|aber)\s+)/u);
  const conjuncts = [parts[0]!];
  const links: string[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const before = conjuncts.at(-1)!;
    const part = parts[i + 1]!;
    // "Brot und Käse mitbringe": only a part that ends with a verb is a clause.
    if (mayBeVerb(wordsOf(before).at(-1))) {
      conjuncts.push(part.replace(/^dass\s+/u, ""));
      links.push(parts[i]!);
    } else conjuncts[conjuncts.length - 1] = before + parts[i]! + part;
  }
  const mains = conjuncts.map((part, i) => oneMain(part, i > 0));
  if (mains.includes(null)) return null;
  const rest = /^,\s*aber\s/u.test(tail) ? "" : tail;
  return mains.map((main, i) => (i === 0 ? main : links[i - 1]! + main)).join("") + rest;
}

function oneMain(part: string, follows: boolean): string | null {
  const words = wordsOf(part);
  const last = words.pop();
  if (!mayBeVerb(last) || words.length === 0) return null;
  const length = subjectLength(words);
  if (length === 0 && !follows) return null;
  const [verb, prefix] = isFiniteVerb(last) ? [last, ""] : (separated(last) ?? [last, ""]);
  if (!isFiniteVerb(last) && !agrees(words.slice(0, length), verb)) return null;
  const rest = words.slice(length);
  return [...words.slice(0, length), verb, ...rest, prefix].filter(Boolean).join(" ");
}

function subjectLength(words: readonly string[]): number {
  const [first] = words;
  if (!first) return 0;
  if (first === "das" && /^(?:mit|von|am|im)$/u.test(words[1] ?? "")) {
    const noun = words.findIndex((word) => /^\p{Lu}/u.test(word));
    return noun < 0 ? 1 : noun + 1;
  }
  if (/^[Dd]ie(?:\s|$)/u.test(first) || ARTICLE.test(first)) {
    const noun = words.findIndex((word, i) => i > 0 && /^\p{Lu}/u.test(word));
    const between = words.slice(1, Math.max(1, noun));
    if (noun < 0) return PRONOUN.test(first) ? 1 : 0;
    if (/^(?:das|alles|beide|alle)$/u.test(first) && between.some((word) => !/(?:e|en|er|es)$/u.test(word))) return 1;
    return between.every((word) => /(?:e|en|er|es)$/u.test(word) || /^\d/.test(word)) ? noun + 1 : 0;
  }
  if (PRONOUN.test(first)) return 1;
  // "Tom und ich" and bare nouns are less certain.
  return /^\p{Lu}\p{L}+$/u.test(first) && words[1] !== "und" ? 1 : 0;
}

function agrees(subject: readonly string[], verb: string): boolean {
  const [first] = subject;
  if (first === undefined) return true;
  if (first === "ich") return /e$/u.test(verb);
  if (first === "wir" || first === "Sie") return /n$/u.test(verb);
  if (first === "du") return /st$/u.test(verb);
  return /(?:t|te|en|ten)$/u.test(verb);
}
