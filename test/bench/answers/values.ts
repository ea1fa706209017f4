/**
 * Values that an answer must contain, in a form that is compared strictly: `date 2026-03-20`, `time 9:40`, `amount 338 GBP`,
 * `number 72`, `phone 01225 555 0177`, `name Piotr`, `text diverter valve`, `yes WORDS` and `no WORDS`.
 */
const KINDS = ["date", "time", "amount", "number", "phone", "name", "text", "yes", "no"] as const;

export interface Value {
  kind: (typeof KINDS)[number];
  text: string;
}

/** Reads one value. @throws Error for an unknown kind, or a date or amount that is none */
export function readValue(source: string): Value {
  const [, kind, text] = /^(\S+) (.+)$/.exec(source.trim()) ?? [];
  const known = KINDS.find((one) => one === kind);
  const isFormed =
    (known !== "date" || /^\d{4}-\d\d-\d\d$/.test(text!)) &&
    (known !== "time" || /^\d\d?:\d\d$/.test(text!)) &&
    (known !== "amount" || /^\d+(?:\.\d+)? [A-Z]{3}$/.test(text!));
  if (!known || !isFormed) throw new Error(`no value: ${source}`);
  return { kind: known, text: text! };
}

/** Returns whether a text contains a value, in the notation of any of the eight languages. */
export function contains(text: string, { kind, text: wanted }: Value): boolean {
  const plain = normalized(text);
  switch (kind) {
    case "date":
      return hasDate(plain, wanted);
    case "time":
      return hasTime(plain, wanted);
    case "amount":
      return hasAmount(plain, wanted);
    case "number":
      return numbersIn(plain).some(({ value }) => value === Number(wanted));
    case "phone":
      return hasPhone(plain, wanted);
    case "yes":
    case "no":
      return (
        (YES_NO[kind].test(plain) && !YES_NO[kind === "yes" ? "no" : "yes"].test(plain)) || hasWords(plain, wanted)
      );
    default:
      return hasWords(plain, wanted);
  }
}

/** Returns whether an answer begins with the opposite of yes or no. */
export function contradicts(text: string, { kind }: Value): boolean {
  return (kind === "yes" && YES_NO.no.test(normalized(text))) || (kind === "no" && YES_NO.yes.test(normalized(text)));
}

const YES_NO = {
  yes: /^\P{L}*(?:yes|ja|oui|sí|si|sim|sì|はい)(?!\p{L})/u,
  no: /^\P{L}*(?:no|nein|non|não|nee|いいえ)(?!\p{L})/u,
};

const normalized = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, " ");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whole words, except that Japanese has no spaces between or beside them. */
function hasWords(plain: string, wanted: string): boolean {
  const words = normalized(wanted).trim();
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words)) {
    return plain.replace(/ /g, "").includes(words.replace(/ /g, ""));
  }
  return new RegExp(`(?<![\\p{Script=Latin}\\p{N}])${escaped(words)}(?![\\p{Script=Latin}\\p{N}])`, "u").test(plain);
}

const MONTHS = [
  "january jan januar janvier janv enero ene janeiro gennaio gen januari",
  "february feb februar février févr febrero fevereiro fev febbraio februari",
  "march mar märz mär mars marzo março maart mrt",
  "april apr avril avr abril abr aprile",
  "may mai mayo maio maggio mei",
  "june jun juni juin junio junho giugno",
  "july jul juli juillet juil julio julho luglio",
  "august aug août agosto ago augustus",
  "september sep sept septembre septiembre setembro settembre",
  "october oct oktober okt octobre octubre outubro ottobre",
  "november nov novembre noviembre novembro",
  "december dec dezember dez décembre déc diciembre dic dezembro dicembre",
].map((names) => names.split(" ").join("|"));

/** A year beside the date must be the right one. A day and month without a year suffice. */
function hasDate(plain: string, iso: string): boolean {
  const [year, month, day] = iso.split("-").map(Number) as [number, number, number];
  const names = MONTHS[month - 1];
  const d = `0?${day}`;
  const m = `0?${month}`;
  const of = "(?: of| de| d')? ?";
  const then = "(?:,? (?:of |de |del )?((?:19|20)\\d\\d))?";
  const patterns = [
    `(?<!\\d)${d}(?:st|nd|rd|th|er|\\.|º|°)?${of}(?:${names})(?!\\p{L})\\.?${then}`,
    `(?<!\\p{L})(?:${names})\\.? ${d}(?:st|nd|rd|th)?(?!\\d|:\\d)${then}`,
    `(?:(\\d{4}) ?年 ?)?(?<!\\d)${m} ?月 ?${d} ?日`,
    `(?<!\\d|[./-])${d}[./]${m}(?:[./]((?:19|20)\\d\\d)|\\.(?!\\d))?(?![./-]?\\d)`,
    `(?<!\\d)((?:19|20)\\d\\d)-${m}-${d}(?!\\d)`,
  ];
  return patterns.some((pattern) =>
    [...plain.matchAll(new RegExp(pattern, "gu"))].some(([, at]) => at === undefined || Number(at) === year),
  );
}

function hasTime(plain: string, wanted: string): boolean {
  const [hours, minutes] = wanted.split(":") as [string, string];
  const h = Number(hours);
  const forms = [`0?${h}(?:[:.h]| uhr |時)${minutes}(?!\\d)(?! ?pm)`];
  const twelve = h % 12 === 0 ? 12 : h % 12;
  const half = h < 12 ? "a\\.?m" : "p\\.?m";
  forms.push(`0?${twelve}[:.]${minutes} ?${half}`);
  if (minutes === "00") {
    forms.push(`0?${h} ?(?:h|uhr|時|o'clock)(?!\\d)`, `${twelve} ?${half}`);
    forms.push(`${h < 12 ? "午前" : "午後"}${h % 12}時(?!\\d)`);
  }
  return new RegExp(`(?<![\\d.:,/])(?:${forms.join("|")})`, "u").test(plain);
}

/** Returns the numbers of a text in the notation of any language. */
function numbersIn(plain: string): { value: number; start: number; end: number }[] {
  return [...plain.matchAll(/\d+(?:[.,'](?=\d)\d+| (?=\d{3}(?!\d))\d{3})*/g)].map((match) => {
    const [text] = match;
    const digits = text.replace(/[ ']/g, "");
    const last = /[.,](\d+)$/.exec(digits);
    // Three digits after the last mark are thousands, unless a zero is before it; otherwise they are decimals.
    const isDecimal = last !== null && (last[1]!.length !== 3 || /^0[.,]/.test(digits));
    const whole = isDecimal ? digits.slice(0, last.index) : digits;
    const value = Number(`${whole.replace(/[.,]/g, "")}${isDecimal ? `.${last[1]}` : ""}`);
    return { value, start: match.index, end: match.index + text.length };
  });
}

const CURRENCIES: Record<string, string> = {
  GBP: "£|gbp|pounds?",
  EUR: "€|eur|euros?",
  JPY: "¥|jpy|円|yen",
};

function hasAmount(plain: string, wanted: string): boolean {
  const [amount, currency] = wanted.split(" ") as [string, string];
  const sign = CURRENCIES[currency] ?? currency.toLowerCase();
  return numbersIn(plain).some(({ value, start, end }) => {
    if (value !== Number(amount)) return false;
    const before = new RegExp(`(?:${sign}) ?$`).test(plain.slice(0, start));
    return before || new RegExp(`^ ?(?:${sign})(?!\\p{L})`, "u").test(plain.slice(end));
  });
}

/** Compares the national part, so that a country code may be missing. */
function hasPhone(plain: string, wanted: string): boolean {
  const national = wanted.replace(/\D/g, "").replace(/^0/, "").slice(-9);
  return [...plain.matchAll(/\+?\d(?:[ ()./-]{0,2}\d){5,}/g)].some(([found]) =>
    found.replace(/\D/g, "").endsWith(national),
  );
}
