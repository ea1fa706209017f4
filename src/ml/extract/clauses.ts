const AND = "(?:and|but|so|then|und|aber|et|mais|y|pero|e|ma|mas|en|maar)";
/** Beginnings of clauses that ask or promise by themselves, in eight languages. */
const ASKS =
  "(?:(?:please|pls)(?!\\p{L})|(?:could|can|would|will) you|let me know|bitte|k[öo]nn(?:t?en) sie|kannst du|könntest du|pouvez|pourriez|peux|tu peux|merci de|puedes|puede|podr[ií]as?|por favor|puoi|può|potrebbe|potresti|per favore|podes|pode|poderia|consegue|kunt u|kun je|graag)";
const PROMISES =
  "(?:i'll|i will|i’ll|we'll|we will|we’ll|i'm going to|i shall|ich|wir|je|nous|j'|te|le|ti|vou|vamos|ik|wij|envio|mando|let me (?:check|ask|look))";
const BOUNDARY = new RegExp(
  `(?:[;:–—。]|,)\\s*(?:${AND}\\s+)?(?=${ASKS}|${PROMISES}(?!\\p{L}))|\\s+${AND}\\s+(?=${ASKS}|(?:i'll|i will|we'll|we will|i’ll|we’ll)(?!\\p{L}))`,
  "giu",
);

/** Splits a sentence where a request or a promise begins: "I'll send it on Monday, could you sign it by Friday?" */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  let from = 0;
  for (const { index, 0: mark } of sentence.matchAll(BOUNDARY)) {
    clauses.push(sentence.slice(from, index));
    from = index + mark.length;
  }
  return [...clauses, sentence.slice(from)].filter((clause) => /\p{L}/u.test(clause));
}
