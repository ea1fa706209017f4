/** Numbers that are written in words, in the seven languages of the rest. */

const DIGITS: readonly string[] = [
  "zero|null|oh|nought|zéro|cero|nul",
  "one|eins|un|une|uno|um|uma|een|één",
  "two|zwei|zwo|deux|dos|due|dois|duas|twee",
  "three|drei|trois|tres|tre|três|drie",
  "four|vier|quatre|cuatro|quattro|quatro",
  "five|fünf|cinq|cinco|cinque|vijf",
  "six|sechs|seis|sei|zes",
  "seven|sieben|sept|siete|sette|sete|zeven",
  "eight|acht|huit|ocho|otto|oito",
  "nine|neun|neuf|nueve|nove|negen",
];
const DIGIT_OF = new Map(
  DIGITS.flatMap((words, digit) => words.split("|").map((word): [string, string] => [word, String(digit)])),
);

/** A text with a figure for each word of one: "X four seven" is "X 4 7". */
export function withFigures(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => DIGIT_OF.get(word.toLowerCase()) ?? word);
}

/**
 * Runs of digits that are each said for itself, as a figure or a word: "4 7 one one" is "4711".
 * @param fewest digits of a run
 */
export function digitsInWords(text: string, fewest = 4): string[] {
  const runs: string[] = [];
  let run = "";
  for (const token of withFigures(text).match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (/^\d+$/.test(token)) run += token;
    else {
      if (run.length >= fewest) runs.push(run);
      run = "";
    }
  }
  if (run.length >= fewest) runs.push(run);
  return runs;
}

const PARTS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion|dozen|" +
  "eine?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend|millionen?|" +
  "deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|trente|quarante|cinquante|soixante|cents?|mille|millions?|" +
  "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta|cuarenta|cincuenta|cien|ciento|cientos|mil|millón|millones|" +
  "due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti|trenta|quaranta|cinquanta|cento|mila|milione|milioni|" +
  "dois|duas|três|oito|dez|vinte|trinta|cinquenta|cem|milhão|milhões|" +
  "twee|drie|vijf|zes|zeven|negen|tien|twintig|dertig|veertig|vijftig|honderd|duizend|miljoen";
/** "neuntausendfünfhundert" is one word. Longer ones than this are none. */
const NUMBER = new RegExp(`^(?:${PARTS}|und)+$`, "u");
const LONGEST_NUMBER_CHARS = 40;
const JOINS = new Set(["and", "und", "et", "y", "e", "en", "de", "d"]);
const CURRENCIES = new Set(
  "dollar dollars euro euros pound pounds peso pesos rupee rupees franc francs franken yen yuan krone kroner kronor zloty bucks quid grand bitcoin bitcoins libra libras real reais sterline pond eur usd gbp chf".split(
    " ",
  ),
);

/** Sums of money in words, lower case with single blanks: "nine thousand euros". */
export function sumsInWords(text: string): string[] {
  const sums: string[] = [];
  let run: string[] = [];
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (run.length > 0 && CURRENCIES.has(word)) sums.push([...run, word].join(" "));
    const goes_on = isNumber(word) || (run.length > 0 && JOINS.has(word));
    run = goes_on ? [...run, word].slice(-MOST_WORDS) : [];
  }
  return sums;
}

const MOST_WORDS = 12;
const isNumber = (word: string): boolean => word.length <= LONGEST_NUMBER_CHARS && NUMBER.test(word);
