import { type Act, bare, capital, type Grammar, pattern, type Reader } from "./act.ts";
import { cellPattern } from "./cells.ts";
import { announced, partsOf, readDeed, writeDeed } from "./deeds.ts";
import { GRAMMARS } from "./grammars.ts";
import { LANGUAGES, type Language, QUESTIONS, STATEMENTS, WHETHERS } from "./lexicon.ts";
import { modalQuestion, modalStatement } from "./modals.ts";
import { readNoun, writeNoun } from "./nouns.ts";
import { readTime, writeTime } from "./times.ts";

interface Languages {
  from: Language;
  to: Language;
}

const isKnown = (language: string): language is Language => (LANGUAGES as readonly string[]).includes(language);

/**
 * Returns a sentence in another language than the instruction, or null. Only what the lexicon has word for word is
 * translated, so that nothing is invented and no part is lost.
 */
export function translated(
  act: Act | null,
  from: string,
  languages: { from: string; to: string },
  reader: Reader,
): string | null {
  if (!isKnown(languages.from) || !isKnown(languages.to)) return null;
  const pair = languages as Languages;
  const source = GRAMMARS[pair.from]!;
  const target = GRAMMARS[pair.to]!;
  const written =
    act === null
      ? statement(source.plain(from, reader) ?? from, pair, reader)
      : severalOf(act, pair.from)
          .map((one) => byKind(one, pair, reader, source, target))
          .reduce((all, one) => (all === null || one === null ? null : `${all} ${capital(one)}`));
  return written === null ? null : contracted(written, pair.to);
}

const AND_ASKS = / and (?=(?<word>if|whether|when|where|how|what|who|which)\b)/iu;

/** "Ask if we should bring anything and where we can park" is two questions. */
function severalOf(act: Act, language: Language): Act[] {
  const at = language === "en" && (act.kind === "whether" || act.kind === "which") ? AND_ASKS.exec(act.text) : null;
  if (!at) return [act];
  const rest = act.text.slice(at.index + at[0].length);
  const isWhether = /^(?:if|whether)$/iu.test(at.groups!.word!);
  return [
    { ...act, text: act.text.slice(0, at.index) },
    ...severalOf(
      { kind: isWhether ? "whether" : "which", text: isWhether ? rest.replace(/^\S+ /u, "") : rest },
      language,
    ),
  ];
}

const PREPOSITION: Record<Language, string> = {
  en: "for|about|to|with",
  de: "für|wegen|um|zu[mr]?",
  fr: "pour|de|du",
  es: "por|para|a",
  it: "per|di|a",
  pt: "por|pel[oa]s?|para|a",
  nl: "voor|om|met",
};
/** Portuguese joins the preposition and the article. */
const withoutPreposition = (text: string, language: Language): string => {
  if (language === "pt") text = text.replace(/^pel(?=[oa]s? )/iu, "");
  return text.replace(pattern(`^(?:${PREPOSITION[language]}) `), "");
};

const BIRTHDAY = /birthday|geburtstag|anniversaire|cumpleaños|compleanno|aniversário|verjaardag/iu;
const HAPPY_BIRTHDAY: Record<Language, string> = {
  en: "Happy birthday!",
  de: "Alles Gute zum Geburtstag!",
  fr: "Joyeux anniversaire !",
  es: "¡Feliz cumpleaños!",
  it: "Buon compleanno!",
  pt: "Parabéns!",
  nl: "Gefeliciteerd met je verjaardag!",
};

function byKind(act: Act, pair: Languages, reader: Reader, source: Grammar, target: Grammar): string | null {
  const text = bare(act.text);
  const { kind } = act;
  const render = (words: string) => target.render({ kind, text: words }, reader);
  switch (kind) {
    case "manner":
      return "";
    case "accept":
    case "confirm":
    case "propose":
    case "decline": {
      if (text === "") return render("");
      const because = pattern(`^(?:${BECAUSE[pair.from]}) (.+)$`, "isu").exec(text);
      if (because) {
        const reason = statement(`${because[1]}.`, pair, reader);
        return reason === null ? null : `${render("")} ${capital(reason)}`;
      }
      const what = pair.from === "en" ? text.replace(/ instead$/iu, "") : text;
      return (
        inTarget(withoutPreposition(what, pair.from), pair, reader, "what", render) ??
        inTarget(what, pair, reader, "what", render)
      );
    }
    case "thank":
    case "sorry":
    case "have":
    case "about": {
      if (text === "") return render("");
      const noun = readNoun(withoutPreposition(text, pair.from), pair.from) ?? readNoun(text, pair.from);
      if (noun?.determiner === "none") noun.determiner = kind === "thank" ? "your" : kind === "sorry" ? "my" : "none";
      return noun === null ? null : render(writeNoun(noun, pair.to, "n", reader));
    }
    case "wish":
      return BIRTHDAY.test(text) ? HAPPY_BIRTHDAY[pair.to] : null;
    case "congratulate":
      return text === "" ? render("") : null;
    case "do": {
      const deed = readDeed(
        source.address(text.replace(pattern("^(?:de |d['’]|di |om |para |que )"), ""), reader),
        pair.from,
      );
      return deed && render(writeDeed(deed, pair.to, reader));
    }
    case "will": {
      const deed = readDeed(source.address(text, reader), pair.from);
      return deed && `${announced(deed, "I", pair.to, reader)}.`;
    }
    case "which": {
      const known = cellsIn(QUESTIONS, text, pair.from) ?? cellsIn(QUESTIONS, source.address(text, reader), pair.from);
      if (known)
        return render(filled(known.row[LANGUAGES.indexOf(pair.to)]!.split("/")[0]!, known.slots, pair, reader));
      return pair.from === "en" ? modalQuestion(text, pair.to, reader) : null;
    }
    case "whether":
      return whether(source.address(text, reader), pair, reader, target);
    case "tell":
    case "that":
      return statement(source.render(act, reader) ?? act.text, pair, reader);
    default:
      return null;
  }
}

/** Reads a time that may be a bare hour: "7 would be better". */
const timeIn = (text: string, language: Language) =>
  readTime(text, language) ?? (language === "en" && /^\d{1,2}$/u.test(text) ? readTime(`at ${text}`, language) : null);

/** Translates a time or a thing, and hands it on. */
function inTarget(
  text: string,
  pair: Languages,
  reader: Reader,
  role: "when" | "what",
  render: (words: string) => string | null,
): string | null {
  const time = timeIn(text, pair.from);
  if (time) return render(writeTime(time, pair.to, role));
  const noun = readNoun(text, pair.from);
  if (noun !== null) return render(writeNoun(noun, pair.to, "n", reader));
  const parts = partsOf(text, pair.from);
  return parts?.noun && parts.time
    ? render(`${writeNoun(parts.noun, pair.to, "n", reader)} ${writeTime(parts.time, pair.to, "when")}`)
    : null;
}

const BECAUSE: Record<Language, string> = {
  en: "because|as|since",
  de: "weil|da|denn",
  fr: "parce que|car|puisque",
  es: "porque|ya que|pues",
  it: "perché|poiché",
  pt: "porque|pois|já que",
  nl: "omdat|want",
};
const LINKS: Record<Language, readonly [and: string, but: string, because: string]> = {
  en: ["and", "but", "because"],
  de: ["und", "aber", "denn"],
  fr: ["et", "mais", "car"],
  es: ["y", "pero", "porque"],
  it: ["e", "ma", "perché"],
  pt: ["e", "mas", "porque"],
  nl: ["en", "maar", "want"],
};

const YES_NO: Record<Language, readonly [yes: string, no: string]> = {
  en: ["Yes", "No"],
  de: ["ja", "nein"],
  fr: ["Oui", "Non"],
  es: ["Sí", "No"],
  it: ["Sì", "No"],
  pt: ["Sim", "Não"],
  nl: ["Ja", "Nee"],
};

/** Translates a statement that may have several parts; null if one of them is not known. */
function statement(text: string | null, pair: Languages, reader: Reader): string | null {
  if (text === null || bare(text) === "") return null;
  const said = bare(text)
    .replace(/’/gu, "'")
    .replace(pair.from === "en" ? /^unfortunately,? (?=(?:I|we) (?:can't|cannot)\b)/iu : /^(?!)/u, "")
    .replace(pair.from === "en" ? /^sorry,? (?:but )?(?=(?:I|we) (?:can't|cannot|won't|don't)\b)/iu : /^(?!)/u, "");
  const whole = oneStatement(said, pair, reader);
  if (whole !== null) return /\?$/u.test(whole) ? whole : `${bare(whole)}.`;
  const yes = pair.from === "en" ? /^(?:(yes|yeah|sure|of course)|(no)),? /iu.exec(said) : null;
  if (yes) {
    const rest = statement(said.slice(yes[0].length), pair, reader);
    return (
      rest &&
      `${YES_NO[pair.to][yes[1] ? 0 : 1]}, ${rest.replace(/^(?!I\b)\p{Lu}(?=\p{Ll}|['’ ])/u, (c) => c.toLowerCase())}`
    );
  }
  const [and, but] = LINKS[pair.from];
  const link = pattern(`^(.+?)(?:,? (?:(${and})|(${but})|(${BECAUSE[pair.from]})) |(?:,|;) )(.+)$`, "isu");
  const match = link.exec(said);
  if (!match) return null;
  const [, first, isAnd, isBut, isBecause, rest] = match;
  const [one, other] = [oneStatement(first!, pair, reader), statement(rest!, pair, reader)];
  if (one === null || other === null) return null;
  const words = LINKS[pair.to];
  const small = (sentence: string) =>
    /^(?:I\b|I')/u.test(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (isBut) return `${bare(one)}, ${words[1]} ${small(other)}`;
  if (isBecause) return `${bare(one)}${["de", "nl"].includes(pair.to) ? "," : ""} ${words[2]} ${small(other)}`;
  return isAnd ? `${bare(one)} ${words[0]} ${small(other)}` : `${bare(one)}. ${capital(other)}`;
}

function oneStatement(said: string, pair: Languages, reader: Reader): string | null {
  const known = cellsIn(STATEMENTS, said, pair.from);
  if (known) return filled(known.row[LANGUAGES.indexOf(pair.to)]!.split("/")[0]!, known.slots, pair, reader);
  const time = readTime(said, pair.from);
  if (time) return writeTime(time, pair.to, "when");
  const please = pair.from === "en" ? /^please (.+)$/isu.exec(said) : null;
  if (please) {
    const deed = readDeed(please[1]!, "en");
    return deed && GRAMMARS[pair.to]!.render({ kind: "do", text: writeDeed(deed, pair.to, reader) }, reader);
  }
  if (pair.from === "en") {
    const ask = /^(?:(.+?) )?(can|could|should|may) (I|we|you) (.+)$/isu.exec(said);
    const found = ask && modalQuestion([ask[1], ask[3], ask[2], ask[4]].filter(Boolean).join(" "), pair.to, reader);
    if (found) return found;
    const sorry = /^(?:I'm|I am|we are|we're) (?:so |very )?sorry (?:for|about) (.+)$/isu.exec(said);
    const noun = sorry && readNoun(sorry[1]!, "en");
    if (noun) return GRAMMARS[pair.to]!.render({ kind: "sorry", text: writeNoun(noun, pair.to, "n", reader) }, reader);
  }
  const form = WILL[pair.from].exec(said);
  if (!form) return pair.from === "en" ? modalStatement(said, pair.to, reader) : null;
  const rest = said.slice(form[0].length);
  const deed = readDeed(GRAMMARS[pair.from]!.address(rest, reader), pair.from) ?? readDeed(rest, pair.from);
  return deed && announced(deed, form.groups?.we ? "we" : "I", pair.to, reader);
}

/** Sentences that announce what the user does. Languages without a word for it are not read. */
const WILL: Record<Language, RegExp> = {
  en: /^(?:I(?:'ll| will| am going to|'m going to)|(?<we>we(?:'ll| will| are going to|'re going to))) /iu,
  de: /^(?:ich werde|(?<we>wir werden)) /iu,
  fr: /^(?:je vais|(?<we>nous allons)) /iu,
  es: /^(?:voy a|(?<we>vamos a)) /iu,
  it: /^(?!)/u,
  pt: /^(?:vou|(?<we>vamos)) (?=\p{L}+r)/iu,
  nl: /^(?:ik zal|ik ga|(?<we>we zullen|wij zullen|we gaan)) /iu,
};

/** Questions whether the reader can do something, as the grammar of the language addresses the reader. */
const CAN: Record<Language, RegExp> = {
  en: /^you (?:can|could|would be able to|are able to) (?<x>.+)$/isu,
  de: /^(?:Sie|du|ihr) (?<x>.+?) (?:können|kannst|könnt|könnten|könntest|könntet)$/isu,
  fr: /^(?:vous|tu) (?:pouvez|peux|pourriez|pourrais) (?<x>.+)$/isu,
  es: /^(?:puede|puedes|podría|podrías|pueden) (?<x>.+)$/isu,
  it: /^(?:può|puoi|potrebbe|potresti|potete) (?<x>.+)$/isu,
  pt: /^(?:pode|podes|poderia|podia|podias) (?<x>.+)$/isu,
  nl: /^(?:u|je|jullie) (?:(?<x>.+?) (?:kunt|kan|kunnen)|(?:kunt|kan|kunnen) (?<y>.+)|(?<z>.+?) (?:kunt|kan|kunnen) (?<v>\p{L}+))$/isu,
};
const CAN_YOU: Record<Language, readonly [formal: string, informal: string, several: string]> = {
  en: ["Can you", "Can you", "Can you"],
  de: ["können Sie", "kannst du", "könnt ihr"],
  fr: ["Pouvez-vous", "Peux-tu", "Pouvez-vous"],
  es: ["¿Puede", "¿Puedes", "¿Pueden"],
  it: ["Può", "Puoi", "Potete"],
  pt: ["Pode", "Podes", "Podem"],
  nl: ["Kunt u", "Kun je", "Kunnen jullie"],
};

function whether(text: string, pair: Languages, reader: Reader, target: Grammar): string | null {
  const said = bare(text).replace(/’/gu, "'");
  const can = CAN[pair.from].exec(said);
  if (can) {
    const groups = can.groups!;
    const deed = readDeed(groups.x ?? groups.y ?? `${groups.z} ${groups.v}`, pair.from);
    if (!deed) return null;
    const [formal, informal, several] = CAN_YOU[pair.to];
    const start =
      reader.formal && pair.to !== "pt"
        ? formal
        : reader.several
          ? several
          : reader.formal || (pair.to === "pt" && !reader.tu)
            ? formal
            : informal;
    return `${start} ${writeDeed(deed, pair.to, reader)}${pair.to === "fr" ? " ?" : "?"}`;
  }
  const known = cellsIn(WHETHERS, said, pair.from);
  if (!known) return pair.from === "en" ? modalQuestion(said, pair.to, reader) : null;
  const clause = filled(known.row[LANGUAGES.indexOf(pair.to)]!.split("/")[0]!, known.slots, pair, reader);
  return clause && target.render({ kind: "whether", text: clause }, { ...reader, sex: "f" });
}

interface Known {
  row: string[];
  slots: Record<string, string>;
}

/** Finds the row whose sentence in a language is this one. */
function cellsIn(table: readonly string[][], said: string, language: Language): Known | null {
  for (const row of table) {
    for (const cell of row[LANGUAGES.indexOf(language)]!.split("/")) {
      const match = cellPattern(cell).exec(said);
      if (!match) continue;
      const slots = Object.fromEntries(
        Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined),
      ) as Record<string, string>;
      if (slots.n !== undefined && cell.includes("{t}")) {
        // Where the thing ends and the time begins is not in the pattern.
        const words = [slots.n, slots.t].filter(Boolean).join(" ").split(" ");
        const at = words.findLastIndex(
          (_, i) =>
            readNoun(words.slice(0, i + 1).join(" "), language) !== null &&
            (i === words.length - 1 || timeIn(words.slice(i + 1).join(" "), language) !== null),
        );
        if (at < 0) continue;
        slots.n = words.slice(0, at + 1).join(" ");
        if (at < words.length - 1) slots.t = words.slice(at + 1).join(" ");
        else delete slots.t;
      }
      const time = slots.t ?? slots.T;
      if (time !== undefined && timeIn(time, language) === null) continue;
      if (slots.n !== undefined && readNoun(slots.n, language) === null) continue;
      return { row, slots };
    }
  }
  return null;
}

function filled(cell: string, slots: Record<string, string>, pair: Languages, reader: Reader): string {
  const when = slots.t === undefined ? "" : ` ${writeTime(timeIn(slots.t, pair.from)!, pair.to, "when")}`;
  const what =
    slots.T === undefined
      ? ""
      : writeTime(timeIn(slots.T, pair.from)!, pair.to, "what")
          .replace(/^den /u, "der ")
          .replace(/^[uo]m (?=\d)/u, "");
  const noun = slots.n === undefined ? null : readNoun(slots.n, pair.from);
  const { formal, several } = reader;
  return cell
    .replace(/<([^#>]*)#([^#>]*)#([^>]*)>/gu, (_, sie: string, du: string, ihr: string) =>
      several && !(formal && pair.to === "de") ? ihr : formal || (pair.to === "pt" && !reader.tu) ? sie : du,
    )
    .replace("{t}", when)
    .replace("{T}", what)
    .replace("{N}", slots.N ?? "")
    .replace(/\{([nsSd])\}/u, (_, role: string) =>
      noun ? writeNoun(noun, pair.to, role.toLowerCase() as "n" | "s" | "d", reader) : "",
    );
}

/** Joins prepositions and articles. */
function contracted(text: string, language: Language): string {
  if (language === "it") {
    return text
      .replace(/\bil (?=(?:8|11)\b)/gu, "l'")
      .replace(/\b(di|a|da|su|in) (il|lo|la|i|gli|le) /giu, (_, word: string, article: string) => {
        const stem = { di: "de", a: "a", da: "da", su: "su", in: "ne" }[word.toLowerCase()]!;
        return `${stem}${{ il: "l", lo: "llo", la: "lla", i: "i", gli: "gli", le: "lle" }[article.toLowerCase()]} `;
      });
  }
  if (language === "pt") return text.replace(/\bde (os?|as?) /giu, "d$1 ");
  if (language === "fr")
    return text
      .replace(/\bque (?=à )/giu, "qu'")
      .replace(/^À (?:à|le) /u, "À ")
      .replace(/\bde le /giu, "du ")
      .replace(/\bde les /giu, "des ")
      .replace(/\bde des /giu, "de ")
      .replace(/\bde (?=[aeiouéèh]\p{L}{3,})/giu, "d'");
  if (language === "es") return text.replace(/\bde el /giu, "del ").replace(/\ba el /giu, "al ");
  return text;
}
