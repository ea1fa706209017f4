import { conceptsNamed } from "./concepts.ts";
import { type Covered, matchIn } from "./coverage.ts";
import { isOpposed } from "./opposites.ts";
import { type Bag, bagOf, type Passage, type ReadMessage } from "./passages.ts";
import type { Question } from "./question.ts";

/** Words that turn a statement into its opposite, in eight languages. */
const NEGATION =
  /(?<!\p{L})(?:not|no|never|cannot|none|without|neither|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|ohne|pas|aucun\p{L}*|jamais|sans|nunca|sin|ningún|ninguna?|tampoco|não|nem|sem|nenhuma?|non|nessun\p{L}*|mai|senza|niet|geen|nooit|zonder)(?!\p{L})|(?:ません|ない|なし|不可|禁止)/giu;
/** "No" begins the answer to another question, and "not only" denies nothing. */
const NO_NEGATION =
  /^(?:no|nein|non|não|nee)[,.!]|(?<!\p{L})(?:not only|nicht nur|non seulement|no sólo|não só|non solo|niet alleen|no problem|kein problem|pas de problème|sin problema|sem problema|nessun problema|geen probleem|no later|no longer than|nicht später)(?!\p{L})/giu;
/** Words that forbid, and words that allow, without a negation. */
const FORBIDDEN =
  /(?<!\p{L})(?:forbidden|banned|prohibited|verboten|untersagt|interdits?|interdites?|défendu|prohibid[oa]s?|proibid[oa]s?|vietat[oa]|verboden|ausgeschlossen|excluded|exclusive|exclue?s?|escluid[oa]|esclus[oa]|excluid[oa]|failed|durchgefallen|impossible|unmöglich|imposible|impossível|impossibile|onmogelijk|refused|rejected|declined|abgelehnt|refusée?|rechazad[oa]|recusad[oa]|rifiutat[oa]|afgewezen|cancelled|abgesagt|annulée?|cancelad[oa]|annullat[oa]|afgelast|sold out|ausverkauft|épuisée?|agotad[oa]|esgotad[oa]|esaurit[oa]|uitverkocht)(?!\p{L})/giu;
/** Words that make an answer depend on something, or leave it open. */
const HEDGED =
  /(?<!\p{L})(?:if|unless|only|except|maybe|perhaps|probably|might|may be|could|should|would|hope|until|till|depends?|almost|yet|wenn|falls|sofern|außer|nur|erst|vielleicht|wahrscheinlich|vermutlich|könnte|sollte|hoffentlich|bis|ob|si|sauf|seulement|peut-être|probablement|pourrait|espère|jusqu|solo|sólo|salvo|excepto|quizás?|tal vez|probablemente|podría|ojalá|hasta|se|só|apenas|exceto|talvez|provavelmente|poderia|espero|até|soltanto|tranne|forse|probabilmente|potrebbe|spero|fino|als|tenzij|alleen|behalve|misschien|waarschijnlijk|zou|hopelijk|tot|pas)(?!\p{L})|もし|たぶん|かも|場合/iu;
/** A French negation has two words, of which "pas" is one; a hedge in Dutch is the other word of the same letters. */
const FRENCH_NEGATION =
  /(?<!\p{L})(?:ne|n['’])(?= |\p{L})[^.!?]{1,40}(?<!\p{L})(?:pas|plus|jamais|aucun\p{L}*)(?!\p{L})/iu;
/** A question that expects the opposite has no plain yes. */
const NEGATIVE_QUESTION =
  /(?<!\p{L})(?:not|\p{L}+n['’]t|no longer|never|nicht|kein\p{L}*|nie|pas|jamais|não|nunca|non|niet|geen|nooit)(?!\p{L})|^¿no /iu;
const BETWEEN =
  /[,;:、；](?=\s)|(?<=\s)(?:but|aber|mais|pero|mas|ma|maar|because|weil|car|porque|perché|omdat|as|da|since|so)(?=\s)/giu;
/** A word of permission in the question, or of welcome in the mail, stands for the other. */
const PERMISSION = conceptsNamed("allowed");
const WELCOME =
  /(?<!\p{L})(?:welcome|allowed|permitted|fine|willkommen|erlaubt|gestattet|gern gesehen|bienvenue?s?|permise?|autorisée?|bienvenid[oa]s?|permitid[oa]s?|bem-vind[oa]s?|benvenut[oaie]|ammess[oaie]|permess[oaie]|welkom|toegestaan)(?!\p{L})/iu;
const MOST_CLAUSES = 12;
/** The share of a word in the sentence after, or anywhere in a short message. */
const COVERED = 0.7;
/** A word of the same meaning in the subject or the sender. */
const HEADED = 0.75;
/** The share of a word in the sentence before, in the subject or the sender. */
const NEAR = 0.84;

/** What a candidate says. */
interface Said {
  passage: Passage;
  read: Pick<ReadMessage, "message">;
  covered: readonly Covered[];
  isOpposite: boolean;
}

/** The answer to a question that begins with a verb. */
export type Polarity = "Yes" | "No";

/**
 * Returns whether a sentence says yes or no; null where that is not certain: it depends on something, denies twice, or
 * leaves out what is asked.
 */
export function polarityOf(
  { type, terms, text }: Question,
  { passage, read, isOpposite, covered }: Said,
): Polarity | null {
  if (type !== "yes-no" || NEGATIVE_QUESTION.test(text) || passage.isQuestion) return null;
  const clause = clauseAbout(terms, passage.text);
  const isFrench = FRENCH_NEGATION.test(clause);
  if (HEDGED.test(isFrench ? clause.replace(FRENCH_NEGATION, " ") : clause)) return null;
  // "No Porto" is Portuguese for "in Porto".
  const said = read.message.language() === "pt" ? clause.replace(/(?<!\p{L})no (?=\p{L})/giu, " ") : clause;
  const plain = said.trim().replace(NO_NEGATION, " ");
  const negations = isFrench ? 1 : [...plain.matchAll(NEGATION)].length;
  // "Failed" is the opposite of "passed". It does not deny it a second time.
  const denials = negations + Math.max([...plain.matchAll(FORBIDDEN)].length, isOpposite ? 1 : 0);
  if (denials > 1) return null;
  const counted = terms.filter(({ role }) => role === "essential" || role === "action");
  const isMissing = (term: (typeof terms)[number]) =>
    (covered.find((one) => one.term === term)?.share ?? 0) < COVERED && !(isOpposite && isOpposed(term, passage.bag));
  const missing = counted.filter(isMissing);
  if (missing.some(({ role }) => role === "essential")) return null;
  // "No pets" answers whether one may bring a pet.
  const isPermission =
    terms.some(({ concepts }) => [...concepts].some((concept) => PERMISSION.has(concept))) || MAY.test(text);
  if (missing.length > 0 && !(isPermission && (denials === 1 || WELCOME.test(clause)))) return null;
  if (denials === 1) return "No";
  // What a sentence does not deny is only so if it is about the thing itself.
  const isAllowed = isPermission && WELCOME.test(clause);
  const isNear = ({ term, share, isHeader }: Covered) =>
    share >= (isHeader ? HEADED : NEAR) || (term.role !== "essential" && (term.role !== "action" || isAllowed));
  if (!covered.every(isNear)) return null;
  // What may be done is not said by a sentence about what is.
  return isPermission && !WELCOME.test(clause) && !MAY.test(clause) ? null : "Yes";
}

const MAY =
  /(?<!\p{L})(?:can|may|could|allowed|able|dürfen|darf|dürft|kann|können|peut|peux|puis|pouvons|peuvent|puede[ns]?|puedo|podemos|se puede|pode[ms]?|posso|podemos|può|possiamo|possono|si può|mag|mogen|kan|kunnen)(?!\p{L})/iu;

/** Returns the part of a sentence that has most words of the question. */
function clauseAbout(terms: Question["terms"], text: string): string {
  const cuts = [...text.matchAll(BETWEEN)].slice(0, MOST_CLAUSES).map(({ index }) => index);
  const bounds = [0, ...cuts, text.length];
  const clauses = bounds.slice(1).map((end, i) => text.slice(bounds[i]!, end));
  const countIn = (bag: Bag) => terms.filter((term) => term.role !== "light" && matchIn(bag, term) > 0).length;
  const counts = clauses.map((clause) => countIn(bagOf(clause)));
  const most = Math.max(...counts);
  // Where the words are spread over parts, all of the sentence counts.
  return most > 0 && most >= countIn(bagOf(text)) ? clauses[counts.indexOf(most)]! : text;
}
