import { type Act, bare, CLOSED, type Grammar, pattern, type Reader } from "./act.ts";
import { demanded } from "./demands.ts";
import { dutch } from "./dutch.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { italian } from "./italian.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";
import { pieces } from "./statements.ts";
import { whole } from "./telegraphic.ts";
import { wished } from "./wishes.ts";

/** The grammars, by ISO 639-1 code. */
export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
};

/** Words of mail that hardly occur in the other languages. */
const OF_MAIL: Readonly<Record<string, string>> = {
  en: "yes can't don't cannot do too instead attached need thanks who what how tuesday thursday hi hello dear regards thanks love cheers best kind would could please about your our here which does did just been",
  de: "hallo liebe lieber guten sehr geehrte geehrter grüße grüßen gruß danke kannst können könnten sind ihr uns unser leider schon wann wo oder als wir bis nur mal kommt kommen ihre ihren",
  fr: "bonjour salut cher chère merci cordialement amicalement bises votre nos ci-joint êtes avez peut pourriez c'est j'ai très bonne tu ton samedi",
  es: "hola estimado estimada saludo saludos abrazo gracias puede puedes le viene muy hoy aquí cómo qué cuándo también tenemos envío somos está",
  it: "ciao buongiorno gentile saluti cordiali grazie abbraccio può puoi possiamo vi le invio è perché anche della alle dell'appuntamento l'appuntamento entro hai avete sono tanti",
  pt: "olá bom dia boa tarde prezado obrigado obrigada cumprimentos beijinhos abraço pode podes você vocês não são está amanhã connosco conosco segue fazer",
  nl: "hoi hallo beste geachte groet groeten groetjes vriendelijke bedankt kunt kun jullie graag onze wij heb hebben gaan wanneer mee uw nog",
};

/** By word, the languages that have it. */
const LANGUAGES_OF = new Map<string, string[]>();
for (const [code, { words }] of Object.entries(GRAMMARS)) {
  for (const word of new Set(`${words} ${OF_MAIL[code]!}`.split(" ")))
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), code]);
}

/** Returns how much the words of a text speak for each language. A word of several languages counts less for each. */
function scoresOf(text: string): Map<string, number> {
  const scores = new Map(Object.keys(GRAMMARS).map((code) => [code, 0]));
  for (const word of text
    .slice(0, 2_000)
    .toLowerCase()
    .match(/[\p{L}'’-]+/gu) ?? []) {
    const languages = LANGUAGES_OF.get(word) ?? [];
    for (const code of languages) scores.set(code, scores.get(code)! + 1 / languages.length);
  }
  return scores;
}

/** A recognized instruction counts as much as this many words. */
const ACT_WEIGHT = 3;

/** Returns the language that instructions are given in. @param likely the language in case of doubt */
export function languageOfInstructions(text: string, likely: string): string {
  const words = scoresOf(text);
  let best = likely;
  let most = scoreOf(likely) + 0.5;
  for (const code of Object.keys(GRAMMARS)) {
    const score = code === likely ? 0 : scoreOf(code);
    if (score > most) [best, most] = [code, score];
  }
  return best;

  function scoreOf(code: string): number {
    const grammar = GRAMMARS[code];
    if (!grammar) return 0;
    const acts = clausesOf(text, grammar)
      .flatMap((clause) => (actIn(clause, grammar) === null ? clause.split(/[,;]\s/u) : [clause]))
      .filter((clause) => actIn(clause, grammar) !== null || whole(clause, code) !== null).length;
    return words.get(code)! + acts * ACT_WEIGHT;
  }
}

/** Returns the single instructions of a sentence. */
const clausesOf = (sentence: string, { split }: Grammar): string[] =>
  sentence
    .split(split)
    .map((part) => part?.trim() ?? "")
    .filter((part) => bare(part) !== "");

/** Returns what an instruction asks for; null if it is no instruction but a statement. */
function actIn(clause: string, grammar: Grammar): Act | null {
  for (const [form, kind] of grammar.acts) {
    const match = form.exec(clause);
    if (match) return { kind, text: (match.groups?.x ?? clause.slice(match.index + match[0].length)).trim() };
  }
  return null;
}

/** An instruction, or a statement if `act` is null. */
export interface Step {
  act: Act | null;
  from: string;
}

/** Kinds whose text can have several clauses of their own. */
const REPEATED: ReadonlySet<Act["kind"]> = new Set(["whether", "which", "that"]);
/** Kinds whose text a question can follow: "ask for a quote and when it will be ready". */
const ASKING: ReadonlySet<Act["kind"]> = new Set(["have", "do", "about"]);

/** "Ask when it starts and whether I should bring anything." */
function repeated(act: Act, from: string, grammar: Grammar): Step[] {
  const again = grammar.again?.exec(act.text);
  if (!again) return [{ act, from }];
  const rest = act.text.slice(again.index + again[0].length);
  const kind: Act["kind"] =
    again.groups?.do !== undefined
      ? "do"
      : again.groups?.whether !== undefined || again.groups?.whether2 !== undefined
        ? "whether"
        : again.groups?.which
          ? "which"
          : act.kind;
  const words = kind === "which" ? `${again.groups!.which} ${rest}` : rest;
  return [
    { act: { ...act, text: act.text.slice(0, again.index) }, from },
    ...repeated({ kind, text: words.trim() }, from, grammar),
  ];
}

/** Acts that pass on a statement. */
export const TOLD: ReadonlySet<Act["kind"]> = new Set(["tell", "that"]);
const THEN = pattern("^(?:,|;)?\\s*");

/** What joins an instruction to the one before it. */
const JOINED: Readonly<Record<string, RegExp>> = {
  en: /^(?:and|but|then)(?: also| then)? (?=\p{L})/iu,
  de: /^(?:und|aber|dann)(?: auch| dann)? (?=\p{L})/iu,
  fr: /^(?:et|mais|puis)(?: aussi)? (?=\p{L})/iu,
  es: /^(?:y|pero|luego)(?: también)? (?=\p{L})/iu,
  it: /^(?:e|ma|poi)(?: anche)? (?=\p{L})/iu,
  pt: /^(?:e|mas|depois)(?: também)? (?=\p{L})/iu,
  nl: /^(?:en|maar|dan)(?: ook)? (?=\p{L})/iu,
};
const ANYONE: Reader = { formal: false, several: false, sex: null, names: [], tu: true };
/** How a statement begins that an instruction before it introduces: "… and that we are coming". */
const THAT: Readonly<Record<string, RegExp>> = {
  en: /^that (?=(?:I|we|he|she|they|it|there|the|my|our|you)\b)/iu,
  de: /^dass /iu,
  fr: /^(?:que |qu['’])/iu,
  es: /^que (?!bien|tal|pena)/iu,
  it: /^che (?!bello|bella|peccato)/iu,
  pt: /^que (?!bom|pena)/iu,
  nl: /^dat (?=(?:ik|we|wij|het|hij|ze|er|de|mijn|onze|dit|dat)\b)/iu,
};

/** How the sentence of an instruction is read: its language, and how it refers to the reader. */
interface Reading {
  language: string;
  reader: Pick<Reader, "sex">;
  /** Whether the sentence is already what a short form stands for. */
  isWhole?: boolean;
}

/** Returns the instructions and statements of a sentence, in order. */
export function stepsOf(sentence: string, grammar: Grammar, reading: Reading): Step[] {
  const { language, reader } = reading;
  sentence = sentence.replace(JOINED[language] ?? /^(?!)/u, "");
  const isAct = (text: string) => actIn(text, grammar) !== null || whole(text, language) !== null;
  const clauses = clausesOf(sentence, grammar).flatMap((clause) =>
    pieces(
      clause,
      grammar,
      language,
      reader,
      isAct,
      (text) => text.split(" ").length > 2 && grammar.plain(text, ANYONE) !== null,
    ),
  );
  for (let i = clauses.length - 1; i > 0; i--) {
    // "Ask her to check again and send a receipt": both are asked.
    const joined = `${clauses[i - 1]} and ${clauses[i]}`;
    if (!sentence.includes(joined) || actIn(clauses[i]!, grammar)?.kind !== "will") continue;
    if (actIn(clauses[i - 1]!, grammar)?.kind === "do") clauses.splice(i - 1, 2, joined);
  }
  if (clauses.length > 1) return clauses.flatMap((clause) => stepsOf(clause, grammar, reading));
  const full = reading.isWhole ? null : whole(sentence, language);
  if (full !== null) return stepsOf(full, grammar, { ...reading, isWhole: true });
  return clauses.flatMap((clause): Step[] => {
    const read = actIn(clause, grammar);
    const open = read === null || read.kind === "vague" || TOLD.has(read.kind);
    const demand = open ? demanded(read && TOLD.has(read.kind) ? read.text : clause, language, reader) : null;
    const act = demand ?? read;
    if (act === null) {
      const wish = wished(clause, language);
      if (wish) return [{ act: wish, from: clause }];
      const told = THAT[language]?.exec(clause);
      if (!told) return [{ act, from: clause }];
      const kind = language === "de" || language === "nl" ? "that" : "tell";
      return [{ act: { kind, text: clause.slice(told[0].length) }, from: clause }];
    }
    if (REPEATED.has(act.kind)) return repeated(act, clause, grammar);
    const next = ASKING.has(act.kind) ? grammar.again?.exec(act.text)?.groups : undefined;
    if (next?.which !== undefined || next?.whether !== undefined || next?.whether2 !== undefined)
      return repeated(act, clause, grammar);
    const parts = TOLD.has(act.kind) || demand ? toldParts(read ?? act, language, reader) : null;
    if (parts !== null) return parts.map((part) => ({ act: part, from: clause }));
    const beyond = beyondAct(clause, act, grammar);
    if (beyond !== null && beyond.length < clause.length)
      return [
        { act, from: bare(clause.slice(0, clause.length - beyond.length)) },
        ...stepsOf(beyond, grammar, reading),
      ];
    if (!CLOSED.has(act.kind)) return [{ act, from: clause }];
    const apart = /^[,;:–—]\s*/u.exec(act.text);
    if (apart) {
      const rest = act.text.slice(apart[0].length);
      return [
        { act: { ...act, text: "" }, from: bare(clause.slice(0, clause.length - rest.length)) },
        ...stepsOf(rest, grammar, reading),
      ];
    }
    // "Decline, I am away that week."
    const at = grammar.statement.exec(act.text);
    const full = clause.slice(clause.indexOf(act.text));
    if (at === null || act.text === "") {
      const rest = afterAct(clause, act, grammar);
      return rest === null
        ? [{ act, from: clause }]
        : [
            { act, from: bare(clause.slice(0, clause.length - rest.length)) },
            { act: null, from: rest },
          ];
    }
    const rest = full.slice(at.index + at[0].length);
    const head = act.text.slice(0, at.index);
    return [
      { act: { ...act, text: head }, from: bare(clause.slice(0, clause.length - rest.length)) },
      ...stepsOf(rest.replace(THEN, ""), grammar, reading),
    ];
  });
}

const THAT_AGAIN: Readonly<Record<string, RegExp>> = {
  fr: /(?:,|\s+et)\s+(?=que |qu['’])/giu,
  es: /(?:,\s*(?:y )?|\s+[ye]\s+)(?=que )/giu,
  it: /(?:,\s*(?:e )?|\s+e\s+)(?=che )/giu,
  pt: /(?:,\s*(?:e )?|\s+e\s+)(?=que )/giu,
};

/** "Tell her to take care, that I passed and that we are coming": one of the parts asks something; null if none does. */
function toldParts({ kind, text }: Act, language: string, reader: Reading["reader"]): Act[] | null {
  const again = THAT_AGAIN[language];
  const parts = again && TOLD.has(kind) ? text.split(again) : [];
  const acts = parts.map((part) => demanded(part, language, reader) ?? { kind, text: part });
  return parts.length > 1 && acts.some((act) => act.kind === "do") ? acts : null;
}

/** Returns what follows an act whose own text ended before the end of the clause, so that nothing is lost. */
function beyondAct(clause: string, act: Act, grammar: Grammar): string | null {
  const match = grammar.acts.find(([form]) => form.test(clause))?.[0].exec(clause);
  // What someone is told, or asked to do, follows the verb.
  if (TOLD.has(act.kind) || act.kind === "do" || match?.groups?.x === undefined) return null;
  const rest = clause.slice(match.index + match[0].length).replace(/^[\s,;:–-]+/u, "");
  return bare(rest) === "" ? null : rest;
}

/** Returns a statement behind an act whose own text ended before it, such as an infinitive at the end. */
function afterAct(clause: string, act: Act, grammar: Grammar): string | null {
  const form = grammar.acts.find(([one]) => one.test(clause))!;
  const match = form[0].exec(clause)!;
  if (match.groups?.x === undefined && act.text !== "") return null;
  const rest = clause.slice(match.index + match[0].length);
  const at = grammar.statement.exec(rest);
  return at !== null && at.index === 0 && bare(rest) !== "" ? rest.slice(at[0].length) : null;
}

/** How much a text needs to count as written in a language, and the factor by which it must lead the next one. */
const MIN_SCORE = 1.5;
const AHEAD = 1.4;

/** Returns the language of a text that may be short, by its frequent words; null if they do not show it. */
export function guessByWords(text: string): string | null {
  const [best, next] = [...scoresOf(text)].sort((a, b) => b[1] - a[1]);
  return best![1] >= MIN_SCORE && best![1] >= next![1] * AHEAD ? best![0] : null;
}
