/**
 * Cheap checks that decide whether a text deserves closer analysis. The patterns avoid Unicode classes, which makes
 * them ten times as fast as those of the analysis. What they miss is measured with the labeled sentences (docs/ai.md).
 */

/**
 * Matches a question mark, a word that is common in requests, or a verb after names and numbers at the start. Each
 * character there can match in only one way: with two ways, matching "1: 1: 1: …" would not end.
 */
export const MAY_ASK =
  /[?？؟]|か[。．]?\s*$|\b(?:please|pls|plz|kindly|let|need|needs|asap|appreciate|grateful|wonder|wondering|should|must|suggest|propose|recommend|like|love|want|you|your|we can|happy|contact|join|help|send|copy|schedule|meeting|meet|lunch|dinner|discuss|call|thoughts|forget|remember|bitte|merci|svp|favor|favore|alstublieft|graag|preciso|podr|pode|puede|kunt|kun|puoi|k[oö]nn|brauch|besoin|necesit|bisogno|pouvez|pourri|potre)|^[^a-z]*(?:[a-z][\w'’]{0,13}[,:] [^a-z]*)*(?:give|e-?mail|tell|forward|fax|check|confirm|review|add|ask|remind|make|set|take|bring|get|find|look|advise|provide|include|print|sign|return|complete|fill|submit|update|change|fix|remove|keep|reply|respond|prepare|draft|come|choose|select|book|order|pay|approve|arrange|follow|don['’]t|do not|be sure|verify|go|see|use|read|try)\b/i;

/** The first person with a form of the future tense. */
const FUTURE =
  /\b(?:i|we)(?:['’]ll|['’]m (?:going|gonna)|['’]re (?:going|gonna)| will| shall| am going| are going| promise| commit| undertake| plan to| intend| owe| guarantee)\b|\byou(?:['’]ll| will| should| have| got) (?:have|receive|get|my word)\b|\b(?:will do|on it|consider it done|leave it|count on|expect (?:it|them|the|my|our))\b/i;
/** First-person forms and verbs of giving, in the other six languages. */
const FUTURE_ELSEWHERE =
  /\b(?:ich|wir|ik|wij|je|nous|voy|vamos|vou|glielo|gliela|enviarei|farei|ligarei|mandarei|confirmarei|(?:envio|mando)-(?:lhe|te)|(?:te|le|les|os|se|lo|la|ti|vi) (?:(?:lo|la|los|las) )?(?:env|mand|llam|confirm|avis|dir|har|pas|contest|invi|chiam|facci|far|conferm|port))/i;

/** Returns whether a text may contain a promise. May return true for a text without one. */
export function mayPromise(text: string): boolean {
  return FUTURE.test(text) || FUTURE_ELSEWHERE.test(text);
}
