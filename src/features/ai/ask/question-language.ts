import { guessLanguage } from "../../../mailbox/search/language.ts";

/** Words that ask in one language and mean something else in another. */
const ONLY_IN: Record<string, readonly string[]> = {
  wo: ["de"],
  wer: ["de"],
  wen: ["de"],
  chi: ["it"],
  quando: ["pt", "it"],
  onde: ["pt"],
  dove: ["it"],
  wie: ["nl"],
  porque: ["pt", "es"],
  telefon: ["de"],
  téléphone: ["fr"],
  nummer: ["de", "nl"],
  quanto: ["pt", "it"],
  quanti: ["it"],
};

/** Returns whether words that ask do not ask in the language of the question. */
export function isOtherLanguage(matched: string, language: string | null): boolean {
  const only = ONLY_IN[matched.toLowerCase()];
  return only !== undefined && language !== null && !only.includes(language);
}

/** Words that identify the language of a question, which is too short for statistics. */
const TELLING: readonly [string, RegExp][] = [
  ["en", /(?<!\p{L})(?:the|what|when|where|who|which|why|how|does|did|is|are|my|our|do|can|has|have)(?!\p{L})/giu],
  [
    "de",
    /(?<!\p{L})(?:der|die|das|den|dem|des|ein|eine|wann|wer|wie|wo|was|warum|welche[rsnm]?|ist|sind|wird|meine?|mein|kostet|viel|bis|habe|hat|ich|wir|von|für|zum|zur|im|dürfen|gibt)(?!\p{L})/giu,
  ],
  [
    "fr",
    /(?<!\p{L})(?:le|la|les|des|du|quand|qui|où|quel|quelle|combien|pourquoi|est|est-il|mon|ma|mes|quoi|à|une|un|dans|au|aux|t-il|il|elle|l['’])(?!\p{L})/giu,
  ],
  [
    "es",
    /[¿¡]{1}|[ñ]|(?<!\p{L})(?:el|los|las|cuándo|quién|dónde|qué|cuál|cuánto|cuánta|cuántos|cuántas|por qué|mi|es|está|tengo|hay|del|para|una)(?!\p{L})/giu,
  ],
  [
    "pt",
    /(?<!\p{L})(?:o|a|os|as|do|da|dos|das|quando|quem|onde|que|qual|quanto|porque|porquê|meu|minha|é|não|são|tenho|em|ao|à|até|uma|um|pela|pelo)(?!\p{L})/giu,
  ],
  [
    "it",
    /(?<!\p{L})(?:il|lo|la|gli|della|del|dei|delle|quando|chi|dove|che|quale|quanto|quanti|perché|viene|a|le|i|un|mio|mia|è|sono|devo|entro|per|al|alla|di|una|si)(?!\p{L})/giu,
  ],
  [
    "nl",
    /(?<!\p{L})(?:de|het|een|wanneer|wie|waar|wat|welke?|hoeveel|waarom|mijn|is|zijn|moet|hoe|van|op|kost|ik|we|wij|voor)(?!\p{L})/giu,
  ],
];

/** Letters and marks that hardly occur in the other languages. */
const LETTERS: Record<string, RegExp> = {
  de: /[äöüß]/iu,
  fr: /[œêûç]/iu,
  es: /[ñ¿¡]/iu,
  pt: /[ãõâ]/iu,
  it: /[èìò](?!\p{L})|erà(?!\p{L})|\p{L}{2}(?:are|ere|zione|tta|lla)(?!\p{L})/iu,
};

/** Returns the language of a question, ISO 639-1; null where its words do not tell. */
export function languageOf(text: string): string | null {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return "ja";
  const scores = TELLING.map(
    ([language, pattern]) =>
      [language, (text.match(pattern)?.length ?? 0) + (LETTERS[language]?.test(text) ? 1.5 : 0)] as const,
  ).toSorted((one, other) => other[1] - one[1]);
  const [best, second] = scores;
  if (best![1] > 0 && best![1] > second![1]) return best![0];
  return guessLanguage(text) ?? (best![1] > 0 ? best![0] : null);
}
