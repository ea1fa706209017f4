import { fold } from "../fold.ts";

/** A word next to a number that makes the number an amount or a date. */
export type UnitDefinition =
  | {
      kind: "currency";
      code: string;
      /** True for a currency that is also written before the number. */
      isPrefix: boolean;
      /** True for "SEK", "CAD" and similar codes, which are other words in lower case ("5 Sek."). */
      needsCapitals: boolean;
    }
  | { kind: "scale"; power: number; isShort: boolean; code: string | null }
  | {
      kind: "month";
      month: number;
      /**
       * True for "out", "set" and similar words, which are more often other words: both a day and a year must be next
       * to it.
       */
      isRare: boolean;
      /** True if the word alone, in a query, may be the month. */
      isAlone: boolean;
    };

const MEANINGS = new Map<string, UnitDefinition>();

/** Full names as they are written in dates. "marco" is a first name unless it is written with its cedilla. */
const MONTHS: readonly string[] = [
  "january januar janner jaenner janvier enero gennaio januari janeiro stycznia styczen styczniu",
  "february februar feber fevrier febrero febbraio februari fevereiro lutego luty lutym",
  "march marz maerz mars marzo maart março marts marzec marcu",
  "april avril abril aprile kwietnia kwiecien kwietniu",
  "may mai mayo maggio mei maio maj maju",
  "june juni juin junio giugno junho czerwca czerwiec czerwcu",
  "july juli juillet julio luglio julho lipca lipiec lipcu",
  "august aout agosto augustus augusti sierpnia sierpien sierpniu",
  "september septembre septiembre setiembre settembre setembro wrzesnia wrzesien wrzesniu",
  "october oktober octobre octubre ottobre outubro pazdziernika pazdziernik pazdzierniku",
  "november novembre noviembre novembro listopada listopad listopadzie",
  "december dezember decembre diciembre dicembre dezembro desember grudnia grudzien grudniu",
];
/** Abbreviations, and names that are other words when they are alone. */
const SHORT_MONTHS: readonly string[] = [
  "jan janv ene",
  "feb febr fev fevr",
  "mar mrt mrz marca",
  "apr abr avr kwi",
  "maja",
  "jun giu cze",
  "jul juil",
  "aug",
  "sep sept wrz",
  "oct okt ott",
  "nov",
  "dec dez dic gru",
];
const RARE_MONTHS: readonly string[] = [
  "gen sty",
  "lut",
  "marco",
  "",
  "mag",
  "",
  "lug lip",
  "ago sie",
  "set",
  "out paz",
  "lis",
  "des",
];
/** Abbreviations that people use alone, and that are not names or other words. */
const ALONE = new Set("feb febr aug sep sept oct okt nov dec dez".split(" "));

for (const [i, names] of MONTHS.entries()) {
  for (const name of names.split(" ")) month(name, i, false, true);
  for (const name of SHORT_MONTHS[i]!.split(" ")) month(name, i, false, ALONE.has(name));
  for (const name of RARE_MONTHS[i]!.split(" ")) if (name !== "") month(name, i, true, false);
}

function month(name: string, index: number, isRare: boolean, isAlone: boolean): void {
  MEANINGS.set(name, { kind: "month", month: index + 1, isRare, isAlone });
}

/** ISO 4217 codes, which can be before or after the number. ALL, PHP, TOP and others that are words are left out. */
const CODES =
  "eur gbp usd jpy cny chf pln czk huf brl inr aud nzd hkd sgd mxn zar krw aed sar thb twd idr myr bgn uah nok dkk isk vnd";
const CODES_IN_CAPITALS = "sek cad try ron rub ils";
/** Crowns of any country: "500 kr" may be SEK, NOK, DKK or ISK. */
const CROWNS = "kr";
/** The sign ¥ stands for two currencies. */
const YEN_OR_YUAN = "yen";

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  eur: "euros euron eura",
  gbp: "pound pounds quid sterling pfund libras sterline sterlinas funtow funty",
  usd: "dollar dollars bucks dolares dolar dollari dolarow dolary",
  jpy: "yen yens",
  cny: "yuan",
  chf: "franken francs franc franchi",
  sek: "kronor",
  [CROWNS]: "kroner kronen",
  pln: "zloty zlotych zlote",
  czk: "korun koruny",
  huf: "forint",
  brl: "reais",
  inr: "rupee rupees rupien",
  rub: "rubles roubles rubel руб рублей рубля",
};
const CURRENCY_PREFIXES: Readonly<Record<string, string>> = {
  eur: "euro",
  cny: "rmb",
  chf: "sfr",
  [CROWNS]: "kr",
  inr: "rs",
  pln: "zl",
  czk: "kc",
};

for (const code of CODES.split(" ")) currency(code, code, true);
for (const code of CODES_IN_CAPITALS.split(" ")) currency(code, code, true, true);
for (const [code, words] of Object.entries(CURRENCY_WORDS))
  for (const word of words.split(" ")) currency(word, code, false);
for (const [code, words] of Object.entries(CURRENCY_PREFIXES))
  for (const word of words.split(" ")) currency(word, code, true);

function currency(word: string, code: string, isPrefix: boolean, needsCapitals = false): void {
  MEANINGS.set(fold(word), { kind: "currency", code, isPrefix, needsCapitals });
}

const SCALES: Readonly<Record<number, string>> = {
  3: "thousand tsd tausend mille mil mila tys tusen duizend",
  5: "lakh lakhs",
  6: "mn mio mill million millions millionen millones millon milion miliony milionow milioni milione milhoes milhao miljoen miljoner miljon mln",
  7: "crore crores",
  9: "bn billion billions mrd milliard milliarden milliards milliarde miliardi miliardo mld miljard miliardy miliardow miljarder",
  12: "billionen",
};
/** Letters that count only if they touch the number or the sign of the currency. */
const SHORT_SCALES: Readonly<Record<number, string>> = {
  3: "k",
  6: "m",
  9: "b",
};

for (const [power, words] of Object.entries(SCALES)) for (const word of words.split(" ")) scale(word, Number(power));
for (const [power, words] of Object.entries(SHORT_SCALES))
  for (const word of words.split(" ")) scale(word, Number(power), true);
scale("teur", 3, false, "eur");
scale("meur", 6, false, "eur");
scale("keur", 3, false, "eur");

function scale(word: string, power: number, isShort = false, code: string | null = null): void {
  MEANINGS.set(fold(word), { kind: "scale", power, isShort, code });
}

/**
 * The combinations of first two letters and length that occur in the lexicon. This dismisses almost all other words.
 */
const LIKELY = new Uint8Array(32 * 32 * 16);
for (const word of MEANINGS.keys()) LIKELY[likelyIndex(word, 0, word.length)] = 1;

/** Returns the index for both cases of the letters. For a single letter, what follows the word does not matter. */
function likelyIndex(text: string, start: number, end: number): number {
  const length = end - start;
  const second = length > 1 ? text.charCodeAt(start + 1) & 31 : 0;
  return ((text.charCodeAt(start) & 31) << 9) | (second << 4) | (length & 15);
}

/** Returns the meaning that the word between two offsets has next to a number. */
export function unitDefinition(text: string, start: number, end: number): UnitDefinition | undefined {
  if (end <= start) return undefined;
  let isAscii = true;
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) < 128) continue;
    isAscii = false;
    break;
  }
  if (isAscii) {
    return LIKELY[likelyIndex(text, start, end)] === 0 ? undefined : MEANINGS.get(text.slice(start, end).toLowerCase());
  }
  const word = text.slice(start, end).normalize("NFC").toLowerCase();
  return MEANINGS.get(word) ?? MEANINGS.get(fold(word));
}

const SIGNS = new Map<number, string>([
  [0x24, "usd"],
  [0xff04, "usd"],
  [0xa3, "gbp"],
  [0xffe1, "gbp"],
  [0xa5, YEN_OR_YUAN],
  [0xffe5, YEN_OR_YUAN],
  [0x20ac, "eur"],
  [0x20a9, "krw"],
  [0xffe6, "krw"],
  [0x20aa, "ils"],
  [0x20ab, "vnd"],
  [0x20b4, "uah"],
  [0x20b9, "inr"],
  [0x20a8, "inr"],
  [0x20ba, "try"],
  [0x20bd, "rub"],
  [0x20b1, "php"],
  [0x0e3f, "thb"],
]);

/** Returns the currency of a sign ("$", "€"), given its character code. */
export function currencyOfSign(code: number): string | undefined {
  return code === 0x24 || code >= 0xa3 ? SIGNS.get(code) : undefined;
}

/** Currency characters after a number: 円 元 원. */
const CURRENCY_CHARACTERS = new Map<number, string>([
  [0x5186, "jpy"],
  [0x5143, "cny"],
  [0xc6d0, "krw"],
]);
/** Ten thousand (万 萬 만) and a hundred million (億 亿 억), as powers of ten. */
const SCALE_CHARACTERS = new Map<number, number>([
  [0x4e07, 4],
  [0x842c, 4],
  [0xb9cc, 4],
  [0x5104, 8],
  [0x4ebf, 8],
  [0xc5b5, 8],
]);
const FIRST_CJK = 0x4e00;

/** Returns the currency of a Chinese, Japanese or Korean character after a number. */
export function currencyOfCharacter(code: number): string | undefined {
  return code >= FIRST_CJK ? CURRENCY_CHARACTERS.get(code) : undefined;
}

/** Returns the power of ten of a Chinese, Japanese or Korean character after a number; 0 for any other. */
export function powerOfCharacter(code: number): number {
  return code >= FIRST_CJK ? (SCALE_CHARACTERS.get(code) ?? 0) : 0;
}

const NATIONAL: Readonly<Record<string, string>> = {
  US: "usd",
  A: "aud",
  AU: "aud",
  C: "cad",
  CA: "cad",
  CAD: "cad",
  CDN: "cad",
  AUD: "aud",
  NZ: "nzd",
  HK: "hkd",
  S: "sgd",
  SG: "sgd",
  NT: "twd",
  MX: "mxn",
  R: "brl",
  CN: "cny",
  JP: "jpy",
};

/** Returns the currency of "US$", "R$", "CN¥", given the capitals before the sign. */
export function currencyOfCountry(capitals: string): string | undefined {
  return Object.hasOwn(NATIONAL, capitals) ? NATIONAL[capitals] : undefined;
}

const RELATED: Readonly<Record<string, readonly string[]>> = {
  [CROWNS]: ["sek", "nok", "dkk", "isk"],
  sek: [CROWNS],
  nok: [CROWNS],
  dkk: [CROWNS],
  isk: [CROWNS],
  [YEN_OR_YUAN]: ["jpy", "cny"],
  jpy: [YEN_OR_YUAN],
  cny: [YEN_OR_YUAN],
};

/** Returns other currencies that a query for one also means: for "kr" any crown; for SEK also "kr", but not NOK. */
export function relatedCurrencies(code: string): readonly string[] {
  return RELATED[code] ?? [];
}
