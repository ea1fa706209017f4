import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

const HOURS: Record<string, number> = {};
for (const names of [
  "one two three four five six seven eight nine ten eleven twelve",
  "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  "une deux trois quatre cinq six sept huit neuf dix onze douze",
  "una dos tres cuatro cinco seis siete ocho nueve diez once doce",
  "uma duas três quatro cinco seis sete oito nove dez onze doze",
  "una due tre quattro cinque sei sette otto nove dieci undici dodici",
  "één twee drie vier vijf zes zeven acht negen tien elf twaalf",
  "een",
  "ein",
]) {
  for (const [i, name] of names.split(" ").entries()) HOURS[name] ??= i + 1;
}
const HOUR = Object.keys(HOURS)
  .sort((a, b) => b.length - a.length)
  .join("|");

/** "9:40", "9.40 am", "14h20", "16h", "20.30 uur", "18 Uhr", "8:15 Uhr". */
const DIGITS =
  /(?<![\d.,:€£$/-])([01]?\d|2[0-4]) ?(?:([:h])([0-5]\d)(?!\d)|(h)(?![\p{L}\d])|([.])([0-5]\d)(?![\d.])(?= ?(?:uhr|uur|h\b|pm|am|p\.m|a\.m|,|$|\s*[.;)])))(?: ?(am|pm|a\.m\.?|p\.m\.?|uhr|uur|o'clock))?/giu;
const WHOLE = /(?<![\d.,:€£$/-])(1?\d|2[0-4]) ?(am|pm|a\.m\.?|p\.m\.?|uhr|uur|o'clock|heures?|horas|時)(?!\p{L})/giu;
const TO = /(?<=\b(?:between|zwischen|entre|tra|tussen|from|von) )(\d{1,2})(?= (?:and|und|et|y|e|en|to|bis) \d)/giu;
const AT =
  /(?<=(?<!\p{L})(?:at|um|om|gegen|às|alle|a las) )([01]?\d|2[0-4])(?![\p{L}\d]|[.:,]\d|\s?[%€£$°]|\s(?:people|persons|euros?|pounds|dollars|miles|km|percent|\p{Ll}+s)(?!\p{L}))/giu;
const JAPANESE = /(午前|午後)?(\d{1,2})時(?:(\d{1,2})分|(半))?/gu;
const WORDS: readonly [RegExp, (hour: number) => string][] = [
  [new RegExp(`half past (${HOUR}|\\d{1,2})`, "giu"), (hour) => clock(hour, 30)],
  [new RegExp(`quarter past (${HOUR}|\\d{1,2})`, "giu"), (hour) => clock(hour, 15)],
  [new RegExp(`quarter to (${HOUR}|\\d{1,2})`, "giu"), (hour) => clock(hour - 1, 45)],
  [new RegExp(`(?<!\\p{L})(?:halb|half) (${HOUR})(?!\\p{L})`, "giu"), (hour) => clock(hour - 1, 30)],
  [new RegExp(`(?<!\\p{L})viertel nach (${HOUR})(?!\\p{L})`, "giu"), (hour) => clock(hour, 15)],
  [new RegExp(`(?<!\\p{L})viertel vor (${HOUR})(?!\\p{L})`, "giu"), (hour) => clock(hour - 1, 45)],
  [new RegExp(`(?<!\\p{L})(?:kwart over) (${HOUR})(?!\\p{L})`, "giu"), (hour) => clock(hour, 15)],
  [
    new RegExp(`(?:a las|a la|às|as|alle|à) (${HOUR})(?: horas| heures)? (?:y media|e meia|e mezza|et demie)`, "giu"),
    (hour) => clock(hour, 30),
  ],
  [
    new RegExp(
      `(?<!\\p{L})(?:at|um|om|a las|a la|às|alle|gegen) (${HOUR})(?: (?:uhr|uur|o'clock))?(?![\\p{L}])(?! (?:\\p{Ll}{3,}s|days|weeks|people|euros?))`,
      "giu",
    ),
    (hour) => clock(hour, 0),
  ],
  [
    new RegExp(`(?<!\\p{L})(${HOUR}|\\d{1,2}) (?:o'clock )?in the (?:afternoon|evening)`, "giu"),
    (hour) => clock(hour + 12, 0),
  ],
  [new RegExp(`(?<!\\p{L})(${HOUR}|\\d{1,2}) (?:o'clock )?in the morning`, "giu"), (hour) => clock(hour, 0)],
  [/(?<!\p{L})(?:noon|midday|mittags?|midi|mediodía|meio-dia|mezzogiorno|正午)(?!\p{L})/giu, () => "12:00"],
];

/** Returns the times of day that a text names, in order. Normal form: HH:MM. */
export function timesOf(text: string): TypedSpan[] {
  const found: TypedSpan[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const minutes = Number(match[3] ?? match[6] ?? 0);
    found.push(spanOf("time", match[0].trimEnd(), match.index, clock(half(Number(match[1]), match[7]), minutes)));
  }
  for (const match of text.matchAll(WHOLE)) {
    if (match[2] === "時") continue;
    found.push(spanOf("time", match[0], match.index, clock(half(Number(match[1]), match[2]), 0)));
  }
  for (const match of text.matchAll(JAPANESE)) {
    const hour = Number(match[2]) + (match[1] === "午後" && Number(match[2]) < 12 ? 12 : 0);
    const minutes = match[4] ? 30 : Number(match[3] ?? 0);
    // "3時間" is a duration.
    if (text.slice(match.index + match[0].length).startsWith("間")) continue;
    found.push(spanOf("time", match[0], match.index, clock(hour, minutes)));
  }
  for (const match of text.matchAll(AT)) found.push(spanOf("time", match[0], match.index, clock(Number(match[1]), 0)));
  for (const match of text.matchAll(TO)) found.push(spanOf("time", match[0], match.index, clock(Number(match[1]), 0)));
  for (const [pattern, normal] of WORDS) {
    for (const match of text.matchAll(pattern)) {
      const hour = match[1] === undefined ? 0 : (HOURS[match[1].toLowerCase()] ?? Number(match[1]));
      found.push(spanOf("time", match[0], match.index, normal(hour)));
    }
  }
  return withoutOverlaps(found);
}

function half(hour: number, mark: string | undefined): number {
  if (/^p/i.test(mark ?? "")) return hour < 12 ? hour + 12 : hour;
  return /^a/i.test(mark ?? "") && hour === 12 ? 0 : hour;
}

function clock(hour: number, minutes: number): string {
  return `${String((hour + 24) % 24).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}
