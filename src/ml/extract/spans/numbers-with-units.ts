import { amountsOf } from "../amounts.ts";
import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

/** Small numbers as words, in seven languages. Words that are mostly articles are left out. */
const WORDS: Record<string, number> = {};
for (const names of [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
  "null - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
  "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
  "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
  "- - dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove vinte",
  "- - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
  "nul - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
  "- - duas",
]) {
  for (const [i, name] of names.split(" ").entries()) if (name !== "-") WORDS[name] ??= i;
}
for (const [name, value] of Object.entries({
  dozen: 12,
  dutzend: 12,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  dreißig: 30,
  vierzig: 40,
  fünfzig: 50,
  hundert: 100,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  cent: 100,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  cien: 100,
  trinta: 30,
  quarenta: 40,
  cinquenta: 50,
  cem: 100,
  trenta: 30,
  quaranta: 40,
  cinquanta: 50,
  cento: 100,
  dertig: 30,
  veertig: 40,
  vijftig: 50,
  honderd: 100,
})) {
  WORDS[name] = value;
}
const WORD = Object.keys(WORDS)
  .sort((a, b) => b.length - a.length)
  .join("|");
/** Numbers over twenty: "twenty-three", "vingt-trois", "dreiundzwanzig", "vinte e três", "drieëntwintig". */
const COMPOUND = `(?:(?:ciento|cento e|cento|cent|hundert|honderd|(?:a |one |two |three )?hundred and)[ -]?(?:${WORD})|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|vingt|trente|quarante|cinquante|soixante)[- ](?:et[- ])?(?:${WORD})|(?:ein|${WORD})und(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)|(?:een|${WORD})(?:en|ën)(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|treinta|cuarenta|cincuenta|sesenta|ochenta) [ey] (?:um|uma|un|una|uno|${WORD})|veinti(?:un|ún|una|dós|trés|cuatro|cinco|séis|siete|ocho|nueve)|venti(?:due|tré|quattro|cinque|sei|sette|otto|nove))`;
const DIGITS = "\\d{1,3}(?:[.,'’ \\u00a0]\\d{3}){1,4}(?:[.,]\\d{1,2})?(?!\\d)|\\d{1,9}(?:[.,]\\d{1,3})?";
const NUMBER = `(?<![\\p{L}\\d.,/:-])(?:${DIGITS}|${COMPOUND}|(?:${WORD})(?: and a half| einhalb)?|(?:zwei|drei|vier|fünf|einer|ein)einhalb)`;

const TIME_UNIT =
  "minutes?|mins?|hours?|days?|nights?|weeks?|months?|years?|minuten?|stunden?|tagen?|tage|nächten?|wochen?|monaten?|jahren?|monate|jahre|heures?|jours?|nuits?|semaines?|mois|ans?|années?|minutos?|horas?|días?|noches?|semanas?|meses|años?|dias?|noites?|anos?|minuti|ore|giorni|notti|settimane?|mesi|anni|uren|uur|dagen|nachten|weken|maanden|jaar|minuut|working days|business days|werktagen?|分間?|時間|日間|泊|週間|か月|ヶ月|年間";
const UNIT =
  "kg|kilos?|kilogramm?s?|kilograms?|chili|quilos?|g|gr|grams?|gramm|grammes?|gramos|tonnes?|t|lbs?|pounds|oz|mm|cm|m|metres?|meters?|meter|metros|mètres?|metri|km|kilometres?|kilometers?|kilometer|miles?|m²|m2|sqm|qm|square metres?|square meters?|square feet|vierkante meters?|mètres? carrés?|metros? cuadrados?|metros? quadrados?|metri quadr(?:i|ati)|quadratmeter|m³|l|litres?|liters?|liter|litros|litri|ml|kwh|gb|mb|mbit/s|%|percent|prozent|pour cent|por ciento|por cento|per cento|procent|°c|°|degrees|grad|grados|graus|gradi|pages?|seiten|páginas|pagine|pagina's|words|wörter|wörtern|mots|palabras|palavras|parole|woorden|キロ|グラム|センチ|メートル|ページ";
const COUNTER = "人|名|個|本|枚|台|回|冊|部|セット|箱|点|件|つ";

const DURATION = new RegExp(`${NUMBER}(?:[ -]| ?)(?:${TIME_UNIT})(?!\\p{sc=Latin})`, "giu");
const MEASURE = new RegExp(`${NUMBER} ?(?:${UNIT})(?![\\p{sc=Latin}\\d])`, "giu");
const COUNT = new RegExp(`${NUMBER}(?:${COUNTER})?(?![\\p{sc=Latin}\\d]|[.,:/-]\\d)`, "giu");

/** Returns the numbers with a meaning that a text states: money, durations, measures, and other numbers as counts. */
export function numbersOf(text: string): TypedSpan[] {
  const amounts = amountsOf(text).map(({ text: own, start, value, currency }) =>
    spanOf("amount", own, start, `${value} ${currency}`),
  );
  const all = (kind: "duration" | "measure" | "count", pattern: RegExp) =>
    [...text.matchAll(pattern)].map((match) => spanOf(kind, match[0], match.index, normalOf(match[0])));
  return withoutOverlaps([
    ...amounts,
    ...all("duration", DURATION),
    ...all("measure", MEASURE),
    ...all("count", COUNT),
  ]);
}

/** Returns a number as digits with its unit, lower case. */
function normalOf(text: string): string {
  const [, word, rest] = /^(\p{sc=Latin}[\p{L}-]*|[\d.,'’ \u00a0]*\d)(.*)$/su.exec(text.trim()) ?? [];
  if (word === undefined) return text.toLowerCase();
  const value = WORDS[word.toLowerCase()] ?? numberOf(word);
  return `${value} ${rest!.replace(/^[ -]+/, "").toLowerCase()}`.trim();
}

function numberOf(text: string): number | string {
  if (!/^\d/.test(text)) return text.toLowerCase();
  const decimal = /[.,](\d{1,2})$/.exec(text);
  const whole = (decimal ? text.slice(0, decimal.index) : text).replace(/\D/g, "");
  return Number(`${whole}.${decimal?.[1] ?? "0"}`);
}
