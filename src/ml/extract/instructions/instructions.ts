import { sentencesOf } from "../sentences.ts";
import { bare, capital, type Grammar, type Reader } from "./act.ts";
import { withArticle } from "./articles.ts";
import { translated } from "./foreign.ts";
import { GRAMMARS, languageOfInstructions, stepsOf, TOLD } from "./grammars.ts";
import { leaks } from "./leaks.ts";
import { prepared } from "./prepare.ts";
import { aboutRelative } from "./relatives.ts";
import { QUESTION } from "./statements.ts";

/** One sentence of a draft, and the instruction behind it. */
export interface InstructedSentence {
  text: string;
  from: string;
  /** Why the sentence is only a gap for the user's own words; null if it is a sentence. */
  gap: Gap | null;
}

/** `vague`: the instruction does not say enough. `language`: it is in another language, and not translated. */
export type Gap = "vague" | "language";

/** For whom sentences are written, and how. */
export interface Audience extends Omit<Reader, "sex"> {
  /** The language of the sentences, ISO 639-1. */
  language: string;
}

/**
 * Turns instructions into sentences addressed to the reader. "Say yes to Tuesday, ask for the invoice" becomes two.
 * An instruction that cannot be written as a whole sentence becomes a gap in square brackets, which quotes it.
 */
export function instructedSentences(instructions: string, audience: Audience): InstructedSentence[] {
  const { language } = audience;
  const target = GRAMMARS[language] ?? null;
  const given = languageOfInstructions(instructions, target ? language : "en");
  const grammar = GRAMMARS[given]!;
  const reader: Reader = { ...audience, sex: sexIn(instructions, grammar.reader) };
  if (reader.sex === "p") reader.several = true;
  const sentences = sentencesOf(instructions)
    .reduce<string[]>((all, { text }) => {
      // "Ob sie am 3. oder 4. Zeit hat" is one sentence.
      if (given === "de" && OPEN_DAY.test(all.at(-1) ?? "") && !NEXT.test(text)) all.push(`${all.pop()} ${text}`);
      else all.push(text);
      return all;
    }, [])
    .flatMap(reactionsApart)
    .flatMap((text) => text.split(given === "de" ? BEFORE_SMALL : BEFORE_SMALL_OR_AFTER_NUMBER))
    .flatMap((text) => stepsOf(prepared(text, given, reader.names), grammar, { language: given, reader }))
    .flatMap(({ act, from }, i, steps): InstructedSentence[] => {
      const own = target === grammar;
      const relative = own && act === null ? aboutRelative(from, steps[i - 1]?.from ?? "") : null;
      if (relative && !leaks(from, language)) {
        // "My mother comes, she is called Jane, she has the key": all are about her.
        steps[i]!.from = `${steps[i - 1]!.from}, ${from}`;
        return [{ text: relative, from, gap: null }];
      }
      const text = own
        ? !((act === null || act.kind === "vague") && (REACTION.test(bare(from)) || CALMING.test(from))) &&
          leaks(act === null ? from : TOLD.has(act.kind) ? act.text.replace(THAT, "") : "", language)
          ? null
          : act && !CALMING.test(from)
            ? target.render(act, reader)
            : stated(from, target, language, reader)
        : target
          ? translated(act, from, { from: given, to: language }, reader)
          : null;
      if (text === "") return [];
      if (text === null && target && !own && (act === null || TOLD.has(act.kind))) {
        // What is known of several clauses is written, and only the rest is a gap.
        const clauses = (act?.text ?? from).split(CLAUSES);
        const parts = clauses.map((part) => translated(null, part, { from: given, to: language }, reader));
        if (parts.some((part) => part !== null) && clauses.length > 1)
          return clauses.map((part, i) =>
            parts[i] === null
              ? { text: `[${capital(bare(part))}]`, from: part, gap: "language" }
              : { text: parts[i]!, from: part, gap: null },
          );
      }
      if (text !== null) {
        const dotted =
          language === "de"
            ? text.replace(/\b((?:zum|am|vom) \d{1,2})(?= \p{Ll})/gu, "$1.").replace(DATIVE, "$1 dir")
            : text;
        return [{ text: dotted.replace(/(?<!\.)\.\.$/u, "."), from, gap: null }];
      }
      return [{ text: `[${capital(bare(from))}]`, from, gap: own ? "vague" : "language" }];
    });
  return reasonsJoined(sentences, language);
}

const OPEN_DAY = /\b(?:ob|dass|weil|wann|wie)\b[^,;]*\b\d{1,2}\.$/u;
const NEXT = /^(?:Sag|Frag|Bitte|Schreib|Dank|Ich|Wir|Und|Dann|Außerdem|Teil|Schlag)/u;

/** Where the user speaks of themselves behind what is asked of the reader. */
const OWN_CLAUSE =
  /(?<=(?:^| )(?:que|che) [^,;]{8,}), (?=(?:(?:la|lo|los|las|li|le) )?(?:tengo|estoy|necesito|ho|sono in|devo|tenho|estou|preciso)(?!\p{L}))/u;

/** "Great idea, I'll bring the salad": the reaction is a sentence of its own. */
function reactionsApart(text: string): string[] {
  const first = /^([^,;!]{3,40})[,;!] (?:(?:but|aber|mais|pero|ma|mas|maar) )?(.+)$/su.exec(text);
  if (first && (REACTION.test(first[1]!) || GLADLY.test(first[1]!))) return [first[1]!, ...reactionsApart(first[2]!)];
  const own = OWN_CLAUSE.exec(text);
  if (own) return [text.slice(0, own.index), ...reactionsApart(text.slice(own.index + own[0].length))];
  const last = /^(.+)[,;] ([^,;]{6,40})$/su.exec(text);
  return last && REACTION.test(bare(last[2]!)) ? [last[1]!, last[2]!] : [text];
}

/** Joins a clause that gives a reason to the sentence before it: it is never a sentence of its own. */
function reasonsJoined(sentences: readonly InstructedSentence[], language: string): InstructedSentence[] {
  const joined: InstructedSentence[] = [];
  const comma = language === "de" || language === "nl" ? "," : "";
  for (const one of sentences) {
    const before = joined.at(-1);
    if (before?.gap === null && one.gap === null && REASON.test(one.text) && !/[!?]$/u.test(before.text)) {
      before.text = `${bare(before.text)}${comma} ${one.text.charAt(0).toLowerCase()}${one.text.slice(1)}`;
      before.from = `${bare(before.from)}, ${one.from}`;
    } else joined.push({ ...one });
  }
  return joined;
}

/** A subordinate clause without its main clause. */
const REASON =
  /^(?:(?:weil|obwohl|falls|sodass|damit|omdat|hoewel|zodat|because|although|unless|parce qu(?:e|['’])|puisque?|porque|aunque|perché|poiché|benché|embora)(?:\b|(?<=['’])))[^,?]*\.$/iu;

/** An English sentence whose subject lacks its article: "plumber is coming". */
const LACKS_ARTICLE =
  /^(?!(?:it|he|she|they|we|you|this|that|there|all|who|what|which|and|but|one|some|most|both|everything|nothing|everyone|nobody|life|work)\b)\p{Ll}{3,} (?:is|are|was|were|has|looks|works|came|arrived|arrives|comes|starts)\b/u;

/** Short answers to questions of the mail, which are whole without a verb: "24 pages", "d'accord pour le devis". */
const SHORT_ANSWER =
  /^(?:\d(?!\d? (?:yes|no|ja|nein|oui|non|s[íi]|sim|nee)(?!\p{L}))|(?:yes|no|sure|ok|okay|fine|agreed|sorry|d['’]accord|oui|non|pas d[e'’]|désolée?|sí|claro|vale|de acuerdo|perdona|gracias|sì|va bene|d['’]accordo|certo|scusa|grazie|sim|não|concordo|desculpa|obrigad[oa]|de acordo|tudo bem|ja|nein|klar|gern|einverstanden|danke|nee|akkoord|prima|graag)(?!\p{L}))|(?<!\p{L})(?:ok|okay|oké)$/iu;
const LONGEST_ANSWER_WORDS = 12;

/** "Sonntag kommen wir" has its subject behind the verb. */
const BARE_SUBJECT =
  /^\p{L}{3,} (?:ist|sind|liegt|liegen|kommt|kommen|stimmt|passt|fehlt|is|zijn|ligt|komt|klopt|past) (?!(?:ich|du|er|sie|es|wir|ihr|ik|je|u|hij|ze|het|we|wij|jullie) )/u;

/** Short sentences that are whole without a verb. */
const WHOLE =
  /^(?:(?:yes |yeah )?(?:sure|of course|happy to|with pleasure)|gutted|bof,? non|(?:oui )?(?:avec plaisir|bien sûr)|volontiers|magari|certo|volentieri|claro(?: que s[ií])?|con (?:mucho )?gusto|com certeza|(?:ja )?(?:tuurlijk|natuurlijk|graag)|(?:ja )?(?:klar|natürlich|sehr gerne)|(?:du|vom|from|del?|dal|van) \d[^,;]* (?:au|bis|to|al|a|tot) \d[^,;]*|no (?:problem|worries|rush|need)|all good|well done|good luck|see you(?: (?:soon|then|there|tomorrow))?|(?:ja )?(?:das )?mache? ich(?: gerne?)?|alles gut|kein (?:problem|stress|thema)|macht nichts|bis (?:bald|dann|morgen)|viel (?:spaß|erfolg|glück)|gute besserung|schönes wochenende|pas de (?:souci|problème)|bon courage|bonne chance|à (?:bientôt|demain|samedi)|no pasa nada|sin problema|hasta (?:pronto|mañana|luego)|mucha suerte|non c['’]è problema|nessun problema|figurati|a presto|a domani|in bocca al lupo|sem problema|não faz mal|até (?:logo|já|amanhã|breve)|geen probleem|maakt niet uit|tot (?:dan|snel|morgen|zaterdag)|veel (?:plezier|succes)|beterschap)$/iu;

/** What people say at once about a plan or a piece of news. */
const REACTION =
  /^(?:(?:what a |that's a |that is a )?(?:great|good|lovely|nice|brilliant|wonderful|fantastic|excellent) (?:idea|plan|news|suggestion)|(?:that |it )?(?:sounds|looks) (?:good|great|lovely|perfect|fine)(?: to me)?|(?:(?:das ist |das klingt nach |das sind )?eine? )?(?:super|gute|tolle|prima|klasse|schöne|geniale) (?:idee|sache|nachrichten?|vorschlag)|(?:das )?(?:klingt|hört sich|sieht) (?:gut|super|toll|prima)(?: aus| an)?|(?:c['’]est )?(?:une )?(?:super|bonne|excellente|très bonne|chouette|belle) (?:idée|nouvelle|initiative)|(?:ça marche|génial|parfait|super|chouette|quelle bonne nouvelle|très bien|bonne nouvelle)|(?:qué )?(?:es una )?(?:buena|gran|muy buena|excelente|estupenda|genial) (?:idea|noticia)|(?:suena bien|genial|estupendo|perfecto|qué bien|fenomenal|me parece bien)|(?:è )?(?:un['’]|che )?(?:ottima|bella|buona|bellissima) (?:idea|notizia)|(?:mi sembra ottimo|perfetto|benissimo|ottimo|fantastico|che bello)|(?:é uma )?(?:boa|ótima|excelente) (?:ideia|notícia)|(?:que bom|ótimo|perfeito|que bela ideia)|(?:dat is )?(?:een )?(?:goed|leuk|prima|super|top) (?:idee|plan|nieuws|voorstel)|(?:leuk|wat leuk|(?:oh |ach |ah |och |o )?(?:schade|wie schade|zu schade|(?:quel )?dommage|qué pena|qué lástima|(?:che )?peccato|que pena|(?:wat )?jammer|what a (?:pity|shame)|too bad)|klinkt (?:goed|leuk)|helemaal goed|perfect|wat fijn|super|top|great|perfect|lovely|brilliant|fantastic|toll|wie schön|perfekt|spitze))$/iu;

const GLADLY =
  /^(?:with pleasure|avec plaisir|con (?:mucho )?gusto|encantad[oa]|volentieri|com (?:muito )?gosto|(?:heel |ja )?graag|(?:sehr |ja )?gerne?)$/iu;

/** What calms the reader: an imperative that is meant for them. */
const CALMING =
  /^(?:please )?(?:don['’]t worry|no need to|never mind|keine sorge|mach dir keine|machen sie sich keine|ne t['’]inquiète pas|ne vous inquiétez pas|t['’]inquiète|no te preocupes|no se preocupe|non ti preoccupare|non preoccuparti|non si preoccupi|não te preocupes|não se preocupe|maak je geen zorgen|geen zorgen|maakt u zich geen zorgen)(?![\p{L}])/iu;

/** Writes a statement, question or short answer of the user's own; null if it cannot stand in a mail. */
function stated(from: string, grammar: Grammar, language: string, reader: Reader): string | null {
  if (CALMING.test(from)) return `${bare(from)}.`;
  const said =
    language === "en" && LACKS_ARTICLE.test(from)
      ? `the ${from}`
      : (language === "de" || language === "nl") && BARE_SUBJECT.test(from)
        ? withArticle(from, language).replace(/^den /u, "der ")
        : from;
  if (
    bare(said)
      .split(/, /u)
      .every((part) => WHOLE.test(part) || REACTION.test(part))
  )
    return `${language === "de" ? bare(said).replace(/(?<= )(?:idee|nachrichten?|sache|vorschlag)$/u, capital) : bare(said)}${REACTION.test(bare(said)) ? (language === "fr" ? " !" : "!") : "."}`.replace(
      /^(?=.*!$)/u,
      language === "es" ? "¡" : "",
    );
  const isQuestion = /\?\s*$/u.test(said);
  const text = grammar.plain(!isQuestion && QUESTION[language]?.test(said) ? `${bare(said)}?` : said, reader);
  if (text !== null) return text;
  const words = said.split(" ").length;
  if (!isQuestion && words <= LONGEST_ANSWER_WORDS && SHORT_ANSWER.test(bare(said))) return `${capital(bare(said))}.`;
  if (!isQuestion || words < 3) return null;
  return `${language === "es" && !said.startsWith("¿") ? "¿" : ""}${bare(said)}${language === "fr" ? " " : ""}?`;
}

/** Verbs whose "sich" is a dative. */
const DATIVE = /\b((?:wünsch|überleg|merk|leist|kauf)s?t?s? du) dich\b/giu;

const CLAUSES =
  /[,;] (?:(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar) )?| and (?=(?:I|we|it|the|you|they|my|our)\b)/u;

const THAT = /^(?:that|dass|que|qu['’]|che|dat)\s*/iu;

const ABBREVIATED =
  "(?<!(?:^|[^\\p{L}])(?:ca|bzw|usw|etc|approx|inkl|evtl|ggf|nr|no|tel|max|min|ev|vs|resp|incl|av|env|mr|mrs|dr|st)\\.)\\s+(?=\\p{Ll})";
/** Notes often begin a sentence with a small letter. */
const BEFORE_SMALL = new RegExp(
  `(?<=(?:\\p{L}{2}|\\d{3})[.!?])${ABBREVIATED}|, (?=(?:nach)?fragen,? (?:ob|wann|wo|wie|was|wer|warum)\\b)|, (?=(?:bis wann|ab wann|wann|wo|wie viel|wie lange|kann|können|ist|gibt|soll|sollen) (?:ich|wir|er|sie|es|das|die|der|ist|sind|kann|können|soll|kostet|dauert)\\b[^,?]*\\?)`,
  "u",
);
/** In German, "am 15. mit" is an ordinal number. */
const BEFORE_SMALL_OR_AFTER_NUMBER = new RegExp(`(?<=(?:\\p{L}{2}|\\d)[.!?])${ABBREVIATED}`, "u");

function sexIn(instructions: string, form: RegExp): Reader["sex"] {
  const groups = form.exec(instructions)?.groups;
  if (!groups) return null;
  const [name] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
  return name ? (name.charAt(0) as "m" | "f" | "p") : null;
}

/** Returns a sentence with its first letter as it is written after a greeting. */
export function cased(text: string, language: string, isFirst: boolean, greeting: string): string {
  const small = GRAMMARS[language]?.small;
  if (
    small &&
    isFirst &&
    greeting.trimEnd().endsWith(",") &&
    small.test(text.charAt(0).toLowerCase() + text.slice(1))
  ) {
    return text.charAt(0).toLowerCase() + text.slice(1);
  }
  return capital(text);
}
