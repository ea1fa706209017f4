/** Normalizes numbers that are marked up or broken across lines, so that each can be read as one number. */

/** Markdown marks; but "82*1000" is a product. */
const MARKUP = /\*{2,}|(?<!\d)\*|\*(?!\d)|[_`~]+/g;
const ENTITY = /&(?:nbsp|thinsp);|&#(\d{1,5});/g;
/** "82,\n000" and "82\n000". */
const BROKEN_GROUP = /(?<=\d)(?:([.,'’])[ \t]*\r?\n|\r?\n(?=000))[ \t]*(?=\d{3}(?!\d))/g;
const MIXED_FRACTION = /(?<=\d)[ \u00a0](?:(1\/2)|(1\/4)|3\/4)(?![\d/])/g;
const PRODUCT = /(?<=\d)\s?(?:[x×*·]|times|mal|fois|por|per|keer)\s?(?:1[.,' ]?000|a thousand|tausend)(?!\d)/giu;
const MONEY = "€|\\$|£|EUR|USD|CHF|GBP|euros?";
/** "TEUR", "k€", "MUSD". */
const SCALED_MONEY = new RegExp(
  `(?<![\\p{L}\\p{N}])(T|k|M|Md|Mrd|Mio)(${MONEY})(?!\\p{L})(?:[ \\u00a0]?(\\d(?:[\\d.,'’]*\\d)?))?`,
  "giu",
);
const SCALED_MONEY_BEHIND = new RegExp(
  `(?<=\\d[ \\u00a0]?)(T|k|M|Md|Mrd|Mio)[ \\u00a0]?(?=(?:${MONEY})(?!\\p{L}))`,
  "giu",
);
/** "Prozent" within a word, as in "siebzehnprozentig". */
const PERCENT_IN_WORD = /(?<=[a-zäöüß]{3})prozent/gi;
const REPEATED =
  /(?<!\p{L})(double|doppel|doble|dobro|doppio|dubbel|triple|treble)[ -](\d|\p{L}{2,12})(?![\p{L}\d])/giu;

const SCALES: Readonly<Record<string, string>> = { t: "k", k: "k", m: "mio", md: "mrd", mrd: "mrd", mio: "mio" };
const scaleWord = (letters: string): string => SCALES[letters.toLowerCase()]!;

/** Returns the text with its numbers normalized. Positions differ from those in `text`. */
export function plainNumbers(text: string): string {
  return text
    .replace(ENTITY, (_, code) => (code ? String.fromCharCode(Number(code)) : " "))
    .replace(MARKUP, "")
    .replace(BROKEN_GROUP, (_, mark) => mark ?? " ")
    .replace(MIXED_FRACTION, (_, half, quarter) => (half ? ".5" : quarter ? ".25" : ".75"))
    .replace(PERCENT_IN_WORD, " prozent")
    .replace(PRODUCT, " k")
    .replace(SCALED_MONEY_BEHIND, (_, scale) => ` ${scaleWord(scale)} `)
    .replace(SCALED_MONEY, (_, scale, money, figures) =>
      figures ? `${money} ${figures} ${scaleWord(scale)}` : `${scaleWord(scale)} ${money}`,
    )
    .replace(REPEATED, (_, times, word) => (/^tr/i.test(times) ? `${word} ${word} ${word}` : `${word} ${word}`));
}
