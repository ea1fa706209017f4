import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

/** Letters and digits together, perhaps in groups: "QW7T3L", "SV 2217", "VN-2026-0173", "CH/4471902", "300-8841-27". */
const MIXED =
  /(?<![\p{sc=Latin}\d/.@-])(?=[A-Z\d/-]*\d)(?=[A-Z\d/-]*[A-Z])[A-Z\d]{1,12}(?:[/-][A-Z\d]{1,12}){0,4}(?![\p{sc=Latin}\d@])/gu;
const SPACED = /(?<![\p{sc=Latin}\d/.@-])[A-Z]{1,4} \d{2,6}(?: \d{2,6}){0,4}(?![\p{sc=Latin}\d€£%]|[.,:]\d)/gu;
const DASHED = /(?<![\p{sc=Latin}\d/.@+-])\d{2,8}(?:-\d{2,8}){1,4}(?![\p{sc=Latin}\d])/gu;
const LONG = /(?<![\p{sc=Latin}\d/.@+€£$-])\d{5,14}(?![\p{sc=Latin}\d]|[.,]\d)/gu;
const GROUPED =
  /(?<![\p{sc=Latin}\d/.@+€£$-])\d{3,6}(?: \d{2,6}){1,4}(?![\p{sc=Latin}\d€£%]|[.,:]\d| ?(?:€|EUR|GBP|円))/gu;
/** Short numbers count only beside the word for what they number. */
const LABEL =
  "(?:no\\.?|nr\\.?|n[º°]|number|nummer|numéro|número|numero|room|zimmer|raum|chambre|salle|habitación|sala|quarto|camera|kamer|lokaal|gate|seat|sitzplatz|platz|wagen|coach|carriage|siège|place|asiento|lugar|posto|stoel|platform|gleis|voie|quai|vía|andén|linha|binario|spoor|stand|pin|code|table|tisch|unit|flat|halle|hall|pavilion|pavillon|pabellón|pavilhão|locker|pitch|emplacement|stellplatz|parcela|piazzola|standplaats|cabin|kabine|cabine|camarote|cabina|ext\\.?|terminal)";
const LABELED = new RegExp(
  `(?<=(?<!\\p{L})${LABEL}[ :#.]{1,3}(?:is |ist |est |es |é |è )?)[A-Z]?-?\\d{1,6}[A-Z]?(?![\\p{L}\\d]|[.,:]\\d)`,
  "giu",
);
const SHORT_FLOWING = /(?<![\p{sc=Latin}\d/.@-])(?:[A-Z]-?\d{1,4}|\d{1,3}[A-F])(?![\p{sc=Latin}\d@])/gu;
const JAPANESE = /(?<=番号[はが:：]?\s?)[A-Z\d][A-Z\d -]{2,16}\d/gu;

/** Returns the references in a text: of orders, bookings, flights, contracts, rooms, seats. */
export function codesOf(text: string): TypedSpan[] {
  const found: TypedSpan[] = [];
  for (const pattern of [JAPANESE, MIXED, SPACED, DASHED, GROUPED, LONG, LABELED, SHORT_FLOWING]) {
    for (const match of text.matchAll(pattern)) {
      if (isDateOrTime(match[0])) continue;
      found.push(spanOf("code", match[0], match.index, match[0].toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")));
    }
  }
  return withoutOverlaps(found);
}

const isDateOrTime = (text: string): boolean =>
  /^(?:(?:19|20)\d\d-\d\d-\d\d|(?:19|20)\d\d-(?:19|20)\d\d|\d{1,2}[AP]M|\d{1,2}H\d{0,2}|\d+(?:KG|CM|MM|KM|GB|MB|ML|M))$/.test(
    text,
  );
