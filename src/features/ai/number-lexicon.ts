/** The words of numbers in ten languages. Accents do not count. */

export type Part =
  /**
   * Added to what stands before it: 1 to 90, and words such as "doscientos". `oneLike`: one, but also an article ("un");
   * `article`: never a number of its own ("a").
   */
  | { kind: "unit"; value: number; oneLike: boolean; article: boolean }
  | { kind: "hundred" }
  /** Multiplies what stands before it by a thousand or more. */
  | { kind: "scale"; value: number; plain: boolean }
  /** "and", "und", "et": belongs to a number only between two of its parts. */
  | { kind: "join" }
  | { kind: "half" }
  | { kind: "point" };

export interface Language {
  words: ReadonlyMap<string, readonly Part[]>;
  /** "zweiundachtzig": units come before tens. */
  unitsFirst: boolean;
  /** "soixante-dix-sept", "quatre-vingts": tens up to 19 on top of sixty and eighty. */
  vigesimal: boolean;
  /** Greedy pieces of a compound word, longest first; null: the language writes its numbers apart. */
  pieces: RegExp | null;
}

const units = (text: string) => text.split(" ");

interface Source {
  /** 0 to 19 or 20, in order; alternatives behind "|". */
  low: string;
  /** 10, 20, … 90 as far as they are not in `low`; "-" skips. */
  tens: string;
  more?: Readonly<Record<string, number>>;
  hundred: string;
  thousand: string;
  million: string;
  billion: string;
  join: string;
  half: string;
  point: string;
  /** Words for one that also serve as articles. */
  article: string;
  compound?: boolean;
  unitsFirst?: boolean;
  vigesimal?: boolean;
}

const SOURCES: readonly Source[] = [
  {
    low: "zero|oh|nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    tens: "- twenty thirty forty|fourty fifty sixty seventy eighty ninety",
    more: { dozen: 12 },
    hundred: "hundred hundreds",
    thousand: "thousand thousands grand",
    million: "million millions",
    billion: "billion billions",
    join: "and",
    half: "half",
    point: "point dot",
    article: "a an",
  },
  {
    low: "null eins|ein|eine|einen|einer zwei|zwo drei vier funf|fuenf sechs sieben acht neun zehn elf zwolf|zwoelf dreizehn vierzehn funfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn",
    tens: "- zwanzig dreißig|dreissig vierzig funfzig|fuenfzig sechzig siebzig achtzig neunzig",
    more: { dutzend: 12, anderthalb: 1.5 },
    hundred: "hundert",
    thousand: "tausend",
    million: "million millionen",
    billion: "milliarde milliarden",
    join: "und",
    half: "einhalb halbe",
    point: "komma",
    article: "ein eine einen einer",
    compound: true,
    unitsFirst: true,
  },
  {
    low: "zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    tens: "- vingt|vingts trente quarante cinquante soixante septante huitante|octante nonante",
    more: { douzaine: 12 },
    hundred: "cent cents",
    thousand: "mille mil",
    million: "million millions",
    billion: "milliard milliards",
    join: "et",
    half: "demi demie",
    point: "virgule",
    article: "un une",
    vigesimal: true,
  },
  {
    low: "cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
    tens: "- veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    more: {
      veintiuno: 21,
      veintiun: 21,
      veintidos: 22,
      veintitres: 23,
      veinticuatro: 24,
      veinticinco: 25,
      veintiseis: 26,
      veintisiete: 27,
      veintiocho: 28,
      veintinueve: 29,
      docena: 12,
      ciento: 100,
      cien: 100,
      doscientos: 200,
      trescientos: 300,
      cuatrocientos: 400,
      quinientos: 500,
      seiscientos: 600,
      setecientos: 700,
      ochocientos: 800,
      novecientos: 900,
    },
    hundred: "",
    thousand: "mil miles",
    million: "millon millones",
    billion: "millardo",
    join: "y",
    half: "medio media",
    point: "coma punto",
    article: "un una",
  },
  {
    low: "zero uno|un|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    tens: "- venti|vent trenta|trent quaranta|quarant cinquanta|cinquant sessanta|sessant settanta|settant ottanta|ottant novanta|novant",
    more: { dozzina: 12 },
    hundred: "cento",
    thousand: "mila mille",
    million: "milione milioni",
    billion: "miliardo miliardi",
    join: "e",
    half: "mezzo mezza",
    point: "virgola",
    article: "un una",
    compound: true,
  },
  {
    low: "zero um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove",
    tens: "- vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    more: {
      duzia: 12,
      cem: 100,
      cento: 100,
      duzentos: 200,
      trezentos: 300,
      quatrocentos: 400,
      quinhentos: 500,
      seiscentos: 600,
      setecentos: 700,
      oitocentos: 800,
      novecentos: 900,
    },
    hundred: "",
    thousand: "mil",
    million: "milhao milhoes",
    billion: "bilhao bilhoes",
    join: "e",
    half: "meio meia",
    point: "virgula",
    article: "um uma",
  },
  {
    low: "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    tens: "- twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    more: { dozijn: 12 },
    hundred: "honderd",
    thousand: "duizend",
    million: "miljoen",
    billion: "miljard",
    join: "en",
    half: "half halve",
    point: "komma",
    article: "een",
    compound: true,
    unitsFirst: true,
  },
  {
    low: "noll en|ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton|aderton nitton",
    tens: "- tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    more: { dussin: 12 },
    hundred: "hundra",
    thousand: "tusen",
    million: "miljon miljoner",
    billion: "miljard miljarder",
    join: "och",
    half: "halv halva",
    point: "komma",
    article: "en ett",
    compound: true,
  },
  {
    low: "zero jeden|jedna|jedno dwa|dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
    tens: "- dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    more: {
      tuzin: 12,
      półtora: 1.5,
      sto: 100,
      dwieście: 200,
      trzysta: 300,
      czterysta: 400,
      pięćset: 500,
      sześćset: 600,
      siedemset: 700,
      osiemset: 800,
      dziewięćset: 900,
    },
    hundred: "",
    thousand: "tysiąc tysiące tysięcy",
    million: "milion miliony milionów",
    billion: "miliard miliardy miliardów",
    join: "i",
    half: "pół",
    point: "przecinek",
    article: "jeden",
  },
  {
    low: "ноль|нуль один|одна|одно два|две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
    tens: "- двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
    more: {
      дюжина: 12,
      полтора: 1.5,
      сто: 100,
      двести: 200,
      триста: 300,
      четыреста: 400,
      пятьсот: 500,
      шестьсот: 600,
      семьсот: 700,
      восемьсот: 800,
      девятьсот: 900,
    },
    hundred: "",
    thousand: "тысяча тысячи тысяч",
    million: "миллион миллиона миллионов",
    billion: "миллиард миллиарда миллиардов",
    join: "и",
    half: "пол",
    point: "запятая",
    article: "один одна",
  },
];

/** Small letters without accents: "Tweeën" is "tweeen". */
export const bareWord = (word: string): string =>
  word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");

/** Scales that stand behind figures in many languages. */
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  tusen: 1e3,
  tusind: 1e3,
  tys: 1e3,
  tysiecy: 1e3,
  tysiace: 1e3,
  tisic: 1e3,
  ezer: 1e3,
  тыс: 1e3,
  тысяч: 1e3,
  тысячи: 1e3,
  тисяч: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  mio: 1e6,
  mln: 1e6,
  mn: 1e6,
  mill: 1e6,
  crore: 1e7,
  crores: 1e7,
  bn: 1e9,
  mrd: 1e9,
  mld: 1e9,
};

/** Scales of any language, behind figures only: "82 Tsd.", "3 lakh". */
export const scaleOf = (word: string): number | undefined => SCALES[word];

export const LANGUAGES: readonly Language[] = SOURCES.map((source) => {
  const words = new Map<string, readonly Part[]>();
  const add = (list: string, part: Part | ((word: string) => Part)) => {
    for (const word of list.split(/[ |]/))
      if (word !== "" && word !== "-") words.set(bareWord(word), [typeof part === "function" ? part(word) : part]);
  };
  const articles = new Set(units(source.article));
  const unit = (value: number) => (word: string) =>
    ({ kind: "unit", value, oneLike: value === 1 && articles.has(word), article: false }) as const;
  units(source.low).forEach((word, value) => {
    add(word, unit(value));
  });
  units(source.tens).forEach((word, i) => {
    add(word, unit((i + 1) * 10));
  });
  for (const [word, value] of Object.entries(source.more ?? {})) add(word, unit(value));
  for (const word of articles) {
    if (!words.has(word)) add(word, { kind: "unit", value: 1, oneLike: true, article: true });
  }
  add(source.hundred, { kind: "hundred" });
  add(source.thousand, (word) => ({ kind: "scale", value: 1e3, plain: word !== "grand" }));
  add(source.million, { kind: "scale", value: 1e6, plain: true });
  add(source.billion, { kind: "scale", value: 1e9, plain: true });
  add(source.join, { kind: "join" });
  add(source.half, { kind: "half" });
  add(source.point, { kind: "point" });
  const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length);
  return {
    words,
    unitsFirst: source.unitsFirst ?? false,
    vigesimal: source.vigesimal ?? false,
    pieces: source.compound ? new RegExp(longestFirst.join("|"), "y") : null,
  };
});
