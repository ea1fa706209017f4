/** Words and signs by which even a short text shows its language. Those of two languages count for both. */
const WORDS: Record<string, string> = {
  en: "the you your please thanks thank could would will is are what when who how hi hello dear can we it to for of and i'll i'm do does did have has let know this that with by on from until before tomorrow",
  de: "ich du sie wir bitte danke kannst können könnten nicht und der das ist hallo guten tag für bis mit wann was wie wer noch am im zum uns mir dir ihnen ihr passt schicke übermorgen heute hast haben den dem ein eine auf liebe lieber",
  fr: "je tu vous nous merci bonjour salut bonsoir pouvez peux pour avec est et le les des avant demain d'ici c'est quand comment où qui quel quelle une un du au ça va pas ne ton ta votre vos on se voit jeudi",
  es: "hola gracias usted puedes puede podrías para el los las por mañana antes cuando cuándo qué cómo dónde del me te lo un una con y es está buenos días tienes vienes nos hoy",
  it: "ciao grazie puoi può entro domani buongiorno buonasera che per il lo gli è ho hai mi ti di del della con non quando come dove quale quali preferisce va bene ci sei un una abbiamo le oggi",
  pt: "olá oi obrigado obrigada você podes pode até amanhã não já bom boa com uma um os da do na no para por quando como onde qual quais quer queres está estás e te lhe eu hoje depois",
  nl: "ik jij je u graag kun kunt bedankt dank het een niet voor hoi hallo beste groet van wanneer hoe waar wat wie de en met op aan om nog morgen jullie wij we heb heeft is dat kan",
};
const SIGNS: [RegExp, string][] = [
  [/[\u3040-\u30ff]/, "ja"],
  [/[¿¡ñ]/i, "es"],
  [/ß/, "de"],
  [/[ãõ]/i, "pt"],
];

const BY_WORD = new Map<string, string[]>();
for (const [language, words] of Object.entries(WORDS)) {
  for (const word of words.split(" ")) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), language]);
}

const SAMPLE_CHARS = 300;

/** Guesses the language of a text that is too short for a reliable guess; null if two languages fit equally well. */
export function shortLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE_CHARS);
  for (const [sign, language] of SIGNS) if (sign.test(sample)) return language;
  const scores = new Map<string, number>();
  for (const word of sample
    .toLowerCase()
    .replaceAll("’", "'")
    .match(/[\p{L}']+/gu) ?? []) {
    const languages = BY_WORD.get(word) ?? [];
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1]);
  return best && best[1] > (second?.[1] ?? 0) ? best[0] : null;
}
