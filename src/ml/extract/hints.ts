import { formsFor, formsIn, type PromiseForms } from "./promises.ts";

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

const mayHold = (text: string, forms: readonly PromiseForms[]): boolean => forms.some(({ hint }) => hint.test(text));

/** Returns whether a sentence may be a promise. May return true for one that is none. */
export const mayPromise = (sentence: string): boolean => mayHold(sentence, formsFor(sentence));
/** Returns whether a text may contain a promise. May return true for a text without one. */
export const mayHavePromise = (text: string): boolean => mayHold(text, formsIn(text));
