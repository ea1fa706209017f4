import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";

/** A part of a sum: a deposit of 30 %. */
export const SHARE = /\d ?%|\d (?:percent|per cent|prozent|pour cent|por ciento|por cento|per cento|procent)/iu;

/** Verbs and nouns of money right before a number. */
const BEFORE =
  /(?<!\p{L})(?:costs?|price(?: is)?|fee(?: is)?|charges?|pay(?:s|ing)?|paid|another|owes?|kostet|kosten|zahlen|zahlt|bezahlen|macht|coûte(?:nt)?|coûtera|paie(?:nt)?|payer|cuestan?|cobran?|pagan?|pagar|custam?|costa(?:no)?|pagano|pagare|kost(?:en)?|betaalt|betalen|betaal)(?:,| it's| es sind| davon| about| around| etwa| ungefähr| environ| unos| cerca de| circa| ongeveer| another| noch| dann| nur)* $|(?<!\p{L})(?:is|are|be|ist|sind|est|es|é|è) $/iu;
/** What follows a sum without its currency. */
const AFTER =
  /^ (?:cash|in cash|all in|each|a head|per |a (?:week|month|day|night|year)|in bar|bar(?!\p{L})|pro |im (?:monat|jahr)|leihen|überweisen|comptant|par |en efectivo|al mes|por |em dinheiro|in contanti|al mese|a testa|contant|per maand)/iu;
/** A new price after its verb: "I've dropped it to 10,900". */
const CHANGED_TO =
  /(?<!\p{L})(?:dropped|lowered|raised|reduced|increased|cut|down|up|gesenkt|erhöht|baissé|augmenté|bajado|subido|baixei|subiu|abbassato|aumentato|verlaagd|verhoogd)(?: (?:the|my|our|den|le|el|o|il|de) \p{L}+| it)? (?:to|auf|à|a|para|naar) $/iu;
/** What costs nothing. */
const FREE =
  /(?<!\p{L})(?:free of charge|no charge|for free|kostenlos|kostenfrei|gratis|gratuitement|sans frais|sin coste|de graça|gratuitamente|kosteloos|無料)(?!\p{L})/giu;
/** In a longer sentence, something else may be free. */
const LONGEST_FREE_CHARS = 80;
const LENT =
  /(?<!\p{L})(?:lend|borrow|transfer|owe|leihen|überweisen|vorstrecken|prêter|virer|prestar|transferir|emprestar|bonificare|lenen|overmaken)(?!\p{L})/iu;
const ENDS = /^(?:[,.;!?)]|$| (?:and|but|und|aber|et|mais|y|pero|e|mas|ma|en|maar) )/iu;

/** Returns the numbers of a text that are sums although their currency is left out: "the service is 120 cash". */
export function bareAmounts(text: string, writtenAt: number): TypedSpan[] {
  const free = (text.length > LONGEST_FREE_CHARS ? [] : [...text.matchAll(FREE)]).map(({ 0: own, index }) => ({
    kind: "amount" as const,
    text: own,
    start: index,
    end: index + own.length,
    normal: "0",
  }));
  const numbers = spansOf(text, "count", writtenAt)
    .filter(({ text: own, start, end }) => {
      if (!/^\d/.test(own)) return false;
      const [before, after] = [text.slice(0, start), text.slice(end)];
      const isPriced = BEFORE.test(before);
      const isOfVerb = /(?:is|are|be|ist|sind|est|es|é|è) $/iu.test(before);
      if (CHANGED_TO.test(before) && ENDS.test(after)) return true;
      if (isPriced && (AFTER.test(after) || (!isOfVerb && ENDS.test(after)))) return true;
      return LENT.test(text) && (ENDS.test(after) || AFTER.test(after)) && own.length >= 2;
    })
    .map((span) => ({ ...span, kind: "amount" as const, normal: `${span.normal} -` }));
  return [...free, ...numbers];
}
