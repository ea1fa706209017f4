import { isAscii } from "./fold.ts";
import { tokenize } from "./tokens.ts";

/** Words that are frequent in one language and rare in the others, folded. */
const FUNCTION_WORDS: Record<string, string> = {
  en: "the and of to is that you for it with are this have be not was your from will can they would there has we",
  de: "der die und das ist nicht ich zu den mit sich auf fur dem ein eine wir sie von auch wird noch haben uber bei",
  fr: "le les et des est une que vous pour dans pas je nous sur avec votre plus qui au ce cette sont mais ou bien",
  es: "el los las y que es una por para con su no se del lo como pero mas este hola usted muy gracias esta nos",
  it: "il che di e gli una per non sono con della si questo ho anche ci del nel piu alla grazie come vi suo",
  pt: "o os que e uma para com nao por mais voce do da em se na obrigado como foi esta seu sua pelo ao",
  nl: "de het een en van ik niet dat je op te zijn met voor u aan om maar ook bij nog wordt deze naar uw",
  sv: "och att det som en ar pa for inte jag med av den till har vi du om kan ett fran hej",
  da: "og at det er en jeg ikke pa til med af den har vi du om kan et fra som der vil",
  pl: "i w nie na sie jest z do ze to jak co po tak za od ale przez prosze dla czy sa",
};
const LANGUAGES = Object.keys(FUNCTION_WORDS);
/** By word, the languages that have it: a set of bits, in the order of the table. */
const BY_WORD = new Map<string, number>();
for (const [i, words] of Object.values(FUNCTION_WORDS).entries()) {
  for (const word of words.split(" ")) BY_WORD.set(word, (BY_WORD.get(word) ?? 0) | (1 << i));
}

/** Scripts that identify the language, or at least rule out the languages above. */
const SCRIPTS: [RegExp, string][] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/gu, "ja"],
  [/\p{sc=Hangul}/gu, "ko"],
  [/\p{sc=Han}/gu, "zh"],
  [/\p{sc=Thai}/gu, "th"],
  [/\p{sc=Cyrillic}/gu, "ru"],
  [/\p{sc=Greek}/gu, "el"],
  [/\p{sc=Arabic}/gu, "ar"],
  [/\p{sc=Hebrew}/gu, "he"],
  [/\p{sc=Devanagari}/gu, "hi"],
];
const SAMPLE_CHARS = 2_000;
/** Share of the letters of a sample from which the text counts as written in that script. */
const SCRIPT_SHARE = 0.2;
/** Function words that a guess needs, and the factor by which it must lead the next guess. */
const MIN_WORDS = 2;
const AHEAD = 1.4;

/**
 * Returns the language of a text as an ISO 639-1 code, by script and function words; null where the text gives no
 * indication.
 */
export function guessLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE_CHARS);
  const byScript = isAscii(sample) ? null : scriptLanguage(sample);
  if (byScript !== null) return byScript;
  const scores = LANGUAGES.map(() => 0);
  for (const word of tokenize(sample)) {
    const languages = BY_WORD.get(word) ?? 0;
    // A word of several languages is weaker evidence for each of them.
    const share = (languages & (languages - 1)) === 0 ? 1 : 0.4;
    for (let i = 0; i < LANGUAGES.length; i++) if (languages & (1 << i)) scores[i]! += share;
  }
  const best = scores.indexOf(Math.max(...scores));
  const second = Math.max(...scores.filter((_, i) => i !== best));
  return scores[best]! >= MIN_WORDS && scores[best]! >= second * AHEAD ? LANGUAGES[best]! : null;
}

function scriptLanguage(sample: string): string | null {
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language] of SCRIPTS) {
    if ((sample.match(script)?.length ?? 0) > letters * SCRIPT_SHARE) return language;
  }
  return null;
}
