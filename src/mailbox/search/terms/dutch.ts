const hardened = (letter: string) => (letter === "v" ? "f" : letter === "z" ? "s" : letter);
const softened = (letter: string) => (letter === "f" ? "v" : letter === "s" ? "z" : letter);

const OPEN = /^(.*?[^aeiou])([aeou])([bdfgklmnprstvz])(en|ing|ingen)$/;
const LONG = /^(.*?)([aeou])\2([bdfgklmnprst])(d|t|)$/;
const CLOSED = /^(.*[^aeiou][aeiou])([bdfgklmnprst])(d|t|)$/;
const DOUBLED = /^(.*[^aeiou][aeiou])([bdfgklmnprst])\2(en|ing|ingen)$/;
const VOICELESS = /^(.*(?:ie|ij|ui|eu|oe|ou|[lnr]))([fs])$/;
const VOICED = /^(.*(?:ie|ij|ui|eu|oe|ou|[lnr]))([vz])en$/;
const OPEN_ENDINGS = ["en", "ing", "ingen"];
const CLOSED_ENDINGS = ["", "d", "t"];

/**
 * Returns candidates for Dutch forms that change their spelling. A long vowel is doubled before a single final
 * consonant (factuur, facturen; betaald, betalen), a consonant is doubled after a short vowel (bon, bonnen; besteld,
 * bestellen), and f and s become v and z (brief, brieven). Most candidates are not words.
 */
export function dutchForms(word: string): string[] {
  const forms: string[] = [];
  const open = OPEN.exec(word);
  if (open) for (const end of CLOSED_ENDINGS) forms.push(`${open[1]}${open[2]}${open[2]}${hardened(open[3]!)}${end}`);
  const long = LONG.exec(word);
  if (long) for (const end of OPEN_ENDINGS) forms.push(`${long[1]}${long[2]}${softened(long[3]!)}${end}`);
  const closed = CLOSED.exec(word);
  if (closed) for (const end of OPEN_ENDINGS) forms.push(`${closed[1]}${closed[2]}${closed[2]}${end}`);
  const doubled = DOUBLED.exec(word);
  if (doubled) for (const end of CLOSED_ENDINGS) forms.push(`${doubled[1]}${doubled[2]}${end}`);
  const voiceless = VOICELESS.exec(word);
  if (voiceless) forms.push(`${voiceless[1]}${softened(voiceless[2]!)}en`);
  const voiced = VOICED.exec(word);
  if (voiced) forms.push(`${voiced[1]}${hardened(voiced[2]!)}`);
  return forms;
}
