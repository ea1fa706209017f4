import { type Grammar, pattern } from "./act.ts";
import { demanded } from "./demands.ts";
import { isFiniteVerb, mayBeVerb, wordsOf } from "./german-clauses.ts";
import { whole } from "./telegraphic.ts";
import { wished } from "./wishes.ts";

/** Words that begin a clause on which the next one depends: "if it rains, we stay at home". */
const SUBORDINATE: Readonly<Record<string, RegExp>> = {
  en: pattern("\\b(?:if|when|while|although|since|unless|until|as soon as|once|as long as)\\b"),
  de: pattern("\\b(?:wenn|falls|obwohl|sobald|während|nachdem|bevor|solange|um)\\b"),
  fr: pattern("\\b(?:si|quand|lorsque|puisque|pendant que|dès que|comme|pour que)\\b|\\bs['’]il"),
  es: pattern("\\b(?:si|cuando|aunque|mientras|en cuanto|como)\\b"),
  it: pattern("\\b(?:se|quando|mentre|appena|siccome|anche se)\\b"),
  pt: pattern("\\b(?:se|quando|embora|enquanto|assim que|como)\\b"),
  nl: pattern("\\b(?:als|wanneer|zodra|terwijl|hoewel|tenzij|om)\\b"),
};
/** "Ask him if": the clause behind it is asked, not a condition. */
const ASKED = /^(?:\S+ ){1,4}?(?:if|whether|when|ob|wann|si|quand|cuándo|se|quando|of|wanneer)(?= )/iu;
const AND: Readonly<Record<string, string>> = {
  en: "and|but|then|also",
  de: "und|aber|dann|auch|sonst",
  fr: "et|mais|puis|aussi",
  es: "y|pero|luego|también|e",
  it: "e|ma|poi|anche",
  pt: "e|mas|depois|também",
  nl: "en|maar|dan|ook",
};
/** Real questions, with their verb before the subject. */
export const QUESTION: Readonly<Record<string, RegExp>> = {
  en: /^(?:(?:where|what|who|when|how)['’]s |(?:how (?:much|many|long|late|about)(?: \p{L}+)?|what time|what|when|where|how|why) (?:is|are|do|does|did|can|could|should|shall|will|would) |who else\b|(?:can|could|would|do|does|will|shall|should|is|are) (?:you|he|she|they|we|I|it|there)\b)/iu,
  de: /^(?:(?:wann|wo|wie|wie ?viele? \p{L}+|was|wer|warum|woher|wohin) (?:ist|sind|kann|können|soll|sollen|hast|haben|kommt|kommst|gibt|geht|macht|machst|seid|bist|wäre)\b|(?:kann|soll|darf|können|sollen|kannst|hast|hat|haben|gibt|geht|passt|wäre|ist|seid|bist|braucht|brauchst|kommt|kommst) (?:ich|wir|du|er|sie|es|das|ihr|dir|euch|Ihnen)\b)/iu,
  fr: /^(?:(?:peux|pourrais|veux|as|es|viens|sais|penses|connais)-tu\b|(?:pouvez|pourriez|voulez|avez|êtes|venez|savez)-vous\b|est-ce qu|qu['’]est-ce qu|(?:quand|où|comment|combien|qui|à quelle heure) (?:est-ce|es|est|peut|peux|pouvons|dois|sont)\b)/iu,
  es: /^¿/u,
  it: /^(?:quando|dove|come|quanto|cosa|chi|a che ora) (?:è|sono|viene|vieni|devo|posso|possiamo|ci|costa|porto)(?!\p{L}).*\?/iu,
  pt: /^(?:quando|onde|como|quanto|quem|a que horas) (?:é|são|vem|vens|devo|posso|custa)(?!\p{L}).*\?/iu,
  nl: /^(?:(?:wanneer|waar|hoe|wat|wie|hoe laat|hoeveel \p{L}+) (?:is|zijn|kan|kunnen|moet|moeten|heb|komt|kom|gaat)\b|(?:kan|mag|moet|kun|zal|kunnen) (?:ik|we|je|u|hij|ze)\b)/iu,
};

/** Whether a German or Dutch clause has its verb where a main clause has it; relative clauses do not. */
function isMain(clause: string): boolean {
  const words = wordsOf(clause.split(/[,;]/u)[0]!);
  const dutch = /^(?:ben|bent|is|zijn|heb|hebt|heeft|hebben|kan|kun|moet|wil|zal|ga|gaat|kom|komt|doe|vind|mag)$/iu;
  const finite = (word: string | undefined) => word !== undefined && (isFiniteVerb(word) || dutch.test(word));
  if (finite(words[1]) || mayBeVerb(words[1]) || /^(?:bin|habe|kann|ben|heb|kan|moet)$/iu.test(words[0] ?? ""))
    return true;
  if (/^(?:ik|ich|we|wij|wir)$/iu.test(words[0] ?? "") && words.length <= 6 && !finite(words.at(-1))) return true;
  return [2, 3].some((i) => i < words.length - 1 && finite(words[i]));
}

/** Returns the single instructions of a clause that a list joins without a verb of instruction: "I'm in, I'll bring beer". */
export function pieces(
  clause: string,
  grammar: Grammar,
  language: string,
  reader: Parameters<typeof demanded>[2],
  isAct: (text: string) => boolean,
  isStatement: (text: string) => boolean,
): string[] {
  const and = AND[language] ?? "and";
  const separator = pattern(`(\\s*[,;]\\s+(?:(?:${and}) )*|\\s+[-–—]\\s+)|\\s+(?:${and}) (?=\\p{L})`, "giu");
  const found: string[] = [];
  let start = 0;
  for (const match of clause.matchAll(separator)) {
    const head = clause.slice(start, match.index);
    const rest = clause.slice(match.index + match[0].length);
    const first = rest.split(/[,;]\s/u)[0]!;
    const comma = match[1] !== undefined;
    const complete = wordsOf(head).length > 1 || isAct(head);
    const depends = SUBORDINATE[language]?.test(head.replace(ASKED, "")) ?? false;
    const isNew =
      demanded(first, language, reader) !== null ||
      (/\p{L}/u.test(match[0]) && TELLS_MORE.test(rest)) ||
      (!comma && TOLD_TO.test(rest)) ||
      (BUT.test(match[0]) && wordsOf(head).length > 1 && whole(first, language) !== null) ||
      (comma && complete && !depends && startsStep(rest, first, grammar, language)) ||
      (comma && isAct(head) && !depends && ARTICLE.test(first) && isStatement(first));
    if (!isNew || head === "") continue;
    found.push(head);
    start = match.index + match[0].length;
  }
  found.push(clause.slice(start));
  return found;
}

/** An infinitive with "to her", as it follows another in a list: "… y asegurarle que". */
const TOLD_TO = /^(?:\p{L}+[aei]rles?|\p{L}+[aei]r(?:gli|le)|\p{L}+[aei]r-lhes?) (?:que|che|si|se|di)\b/iu;
const BUT = /^[\s,;]*(?:but|aber|mais|pero|ma|mas|maar) $/iu;
/** "… and that I am bringing the beer". */
const TELLS_MORE =
  /^(?:(?:that|dass|dat|que|che) (?:I|we|ich|wir|ik|yo|nosotros|io|noi|eu|nós|je|nous)(?!\p{L})|que j['’])/iu;
/** A new statement that begins with a noun, in notes often without its article. */
const BARE_NOUN =
  /^(?!(?:it|he|she|they|we|you|this|that|there|all|who|what|which|and|but|one|some|most|both)\b)(?:\p{L}{3,}|\d[\d.,]* ?%?) (?:would be|is|are|was|were|has|looks?|works?|came|arrived|arrives|comes|starts|ist|sind|liegt|kommt|stimmt|folgen|kommen|liegen|fehlen|fehlt|passt|volgen|staat|ligt|komt|heeft|zijn)\b/iu;
const ARTICLE =
  /^(?:the|my|our|der|die|das|meine?|unsere?|le|la|les|mon|ma|mes|notre|nos|el|los|las|mi|mis|nuestr[oa]s?|il|lo|i|gli|[oa]s?|il mio|la mia|o meu|a minha|de|het|mijn|onze|ons|l['’]\p{L}+) /iu;

function startsStep(rest: string, first: string, grammar: Grammar, language: string): boolean {
  if (whole(first, language) !== null || QUESTION[language]?.test(rest)) return true;
  if (
    wished(first, language) !== null ||
    ((language === "en" || language === "nl" || language === "de") && BARE_NOUN.test(rest))
  )
    return true;
  const at = grammar.statement.exec(`, ${rest}`);
  return at !== null && at.index === 0 && (!["de", "nl"].includes(language) || isMain(rest));
}
