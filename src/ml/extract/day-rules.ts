import * as words from "./day-words.ts";

/** The forms in which days are written, as patterns and what each means. */

export const DAY_MS = 86_400_000;
/** The text before a day that is examined for prepositions. */
export const CONTEXT_CHARS = 40;

/** What a rule reads from a match: a day (days since 1970), or null where the match is none. */
type Read = (match: RegExpExecArray, text: DayText) => number | null;
export interface DayRule {
  pattern: RegExp;
  read: Read;
  /** Used only if the text names no other day: "by the end of the day tomorrow". */
  weak?: boolean;
  until?: boolean;
}

export interface DayText {
  words: string;
  original: string;
  /** The day of writing, days since 1970. */
  today: number;
  language: string | null;
}

const one = (names: Iterable<string>): string => [...names].sort((a, b) => b.length - a.length).join("|");
/** The weekdays of all languages, as alternatives of a pattern. */
export const WEEKDAY = one(words.WEEKDAYS.keys());
const EASTERN = /^[\u3040-\u9fff]/;
const WESTERN_WEEKDAY = one([...words.WEEKDAYS.keys()].filter((name) => !EASTERN.test(name)));
const SHORT_WEEKDAY = one(words.SHORT_WEEKDAYS.keys());
const MONTH = one([...words.MONTHS.keys(), ...[...words.SHORT_MONTHS.keys()].map((name) => `${name}\\.?`)]);
const LONG_MONTH = one(words.MONTHS.keys());
const NUMBER = one([...words.NUMBERS.keys(), "\\d{1,2}"]);
const ORDINAL = one(words.ORDINALS.keys());
const YEAR = "(?:,? (?:de |del |do )?((?:19|20)\\d\\d))?(?!\\p{N})";
const DATED_WEEKDAY = `(?:(?:${WESTERN_WEEKDAY}|${SHORT_WEEKDAY})\\.?,? ?\\(?(?:the |den |dem |le |el |il |dia |día |de )?)?`;
const NOT_BEFORE = "(?<![\\p{L}\\p{N}$€£#+/.:-])";
const NOT_AFTER = "(?![\\p{L}\\p{N}])";
/** "Friday afternoon", "Freitagabend", "金曜". */
const TIME_OF_DAY = "(?:morgen|früh|vormittag|mittag|nachmittag|abend|nacht|ochtend|middag|avond|nacht)?";

const monthOf = (name: string): number | undefined => {
  const bare = name.replace(/\.$/, "");
  const found = words.MONTHS.get(bare) ?? words.SHORT_MONTHS.get(bare);
  return found === undefined ? undefined : found + 1;
};
const numberOf = (text: string): number => words.NUMBERS.get(text) ?? Number(text);

/** Returns days since 1970; null for a day that does not exist. */
function dayNumber(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / DAY_MS : null;
}
const partsOf = (day: number) => {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};
/** 0 is Sunday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7);
const lastOfMonth = (year: number, month: number): number => Date.UTC(year, month, 0) / DAY_MS;

/** A day that is at most this long ago is meant where the text names no year. Others are in the future. */
const RECENT_DAYS = 62;

/** Returns the day of a month without its year: recent or in the future. */
function nearest(today: number, month: number, day: number): number | null {
  const { year } = partsOf(today);
  const past = (number: number | null) => number !== null && number < today && today - number > RECENT_DAYS;
  for (const candidate of [year - 1, year, year + 1, year + 2, year + 3, year + 4]) {
    const number = dayNumber(candidate, month, day);
    if (number !== null && !past(number)) return number;
  }
  return null;
}

const dated = (text: DayText, month: number | undefined, day: number, year?: string): number | null => {
  if (month === undefined) return null;
  if (year === undefined) return nearest(text.today, month, day);
  return dayNumber(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
};

/** Languages in which "3/4" is the fourth of March. */
const isMonthFirst = (language: string | null) => language === "ja" || language === "zh";
/** In English and in unknown languages, "3/4" is the reading that is near, if only one is. */
const NEAR_DAYS = 31;

function slashed(text: DayText, first: number, second: number, year?: string): number | null {
  const dayFirst = dated(text, second, first, year);
  const monthFirst = dated(text, first, second, year);
  if (isMonthFirst(text.language)) return monthFirst;
  if (text.language !== null && text.language !== "en") return dayFirst;
  if (dayFirst === null || monthFirst === null || dayFirst === monthFirst) return dayFirst ?? monthFirst;
  const isNear = (day: number) => day >= text.today && day - text.today <= NEAR_DAYS;
  if (isNear(dayFirst) === isNear(monthFirst)) return null;
  return isNear(dayFirst) ? dayFirst : monthFirst;
}

const beforeOf = ({ words: read }: DayText, index: number): string =>
  read.slice(Math.max(0, index - CONTEXT_CHARS), index);

/** Returns a day of this month or, if it is over, of the next. */
function dayOfMonth({ today }: DayText, day: number, monthsAhead: number | null): number | null {
  const { year, month } = partsOf(today);
  if (monthsAhead !== null)
    return dayNumber(year, month, day) === null && monthsAhead === 0 ? null : ahead(year, month + monthsAhead, day);
  const here = dayNumber(year, month, day);
  return here !== null && here >= today ? here : ahead(year, month + 1, day);
}
function ahead(year: number, month: number, day: number): number | null {
  return month > 12 ? dayNumber(year + 1, month - 12, day) : dayNumber(year, month, day);
}

/** Returns the weekday as its context means it: the coming one, or that of a named week. */
function weekday(name: number, match: RegExpExecArray, text: DayText, week: number | null): number | null {
  const before = beforeOf(text, match.index);
  if (words.EVERY.test(before)) return null;
  const inWeek = (weeks: number) => mondayOf(text.today) + ((name + 6) % 7) + weeks * 7;
  // On a weekend, "this Friday" is in the week that begins.
  if (week !== null) return week === 0 && inWeek(0) < text.today ? inWeek(1) : inWeek(week);
  if (words.NEXT.test(before)) return inWeek(1);
  const ahead = (name - weekdayOf(text.today) + 7) % 7;
  return text.today + (ahead === 0 && !words.THIS.test(before) ? 7 : ahead);
}

const re = (source: string): RegExp => new RegExp(source, "gu");
const rules: DayRule[] = [];
/** The rules, in the order in which they claim parts of a text. */
export const DAY_RULES: readonly DayRule[] = rules;
const rule = (source: string, read: Read, more: Partial<DayRule> = {}): void => {
  rules.push({ pattern: re(source), read, ...more });
};

// Dates in figures.
rule(`${NOT_BEFORE}(20\\d\\d)([-/.])(\\d{1,2})\\2(\\d{1,2})${NOT_AFTER}(?![-/]\\d)`, ([, year, , month, day], text) =>
  dated(text, Number(month), Number(day), year),
);
rule(`(?:(20\\d\\d)年)?(?<!\\d)(\\d{1,2})月(\\d{1,2})日`, ([, year, month, day], text) =>
  dated(text, Number(month), Number(day), year),
);
rule(`来月の?(\\d{1,2})日`, ([, day], text) => dayOfMonth(text, Number(day), 1));
rule(`今月の?(\\d{1,2})日`, ([, day], text) => dayOfMonth(text, Number(day), 0));
rule(`(?<![\\d月第])(\\d{1,2})日(?=まで|に|の|中|ごろ|[（(、]|[月火水木金土日]曜)`, ([, day], text) =>
  dayOfMonth(text, Number(day), null),
);
rule(
  `${NOT_BEFORE}${DATED_WEEKDAY}(\\d{1,2})(?:\\. ?(\\d{1,2})\\. ?|-(\\d{1,2})-)((?:20)?\\d\\d)${NOT_AFTER}(?![-/.:]\\d)`,
  ([, day, month, other, year], text) => dated(text, Number(month ?? other), Number(day), year),
);
rule(
  `${NOT_BEFORE}${DATED_WEEKDAY}(\\d{1,2})/(\\d{1,2})/((?:20)?\\d\\d)${NOT_AFTER}(?![-/.:]\\d)`,
  ([, first, second, year], text) => slashed(text, Number(first), Number(second), year),
);
rule(
  `${NOT_BEFORE}((?:${WESTERN_WEEKDAY}|${SHORT_WEEKDAY})?)(?:\\.?,? ?(?:den |dem |le |el |il |dia |de )?)(\\d{1,2})([./-])(\\d{1,2})(\\.?)(?![\\p{L}\\d%€$]|[-/.:,]\\d| ?(?:uhr|h|%|€|euro?|eur|prozent|of an?|cups?)(?!\\p{L}))`,
  (match, text) => {
    const [, named, first, mark, second, dot] = match;
    const start = match.index + match[0].length - `${first}${mark}${second}${dot}`.length;
    const isWritten =
      named !== "" ||
      words.DATED.test(beforeOf(text, start)) ||
      (mark === "." && dot === "." && text.language !== "en") ||
      isMonthFirst(text.language);
    if (!isWritten || (mark === "-" && text.language !== "nl" && text.language !== "pt")) return null;
    if (mark === "." && text.language === "en") return null;
    return mark === "/" ? slashed(text, Number(first), Number(second)) : dated(text, Number(second), Number(first));
  },
);

// Dates with the name of the month.
const TO =
  "(?: ?(?:-|–|—|/|&) ?| (?:to|and|or|bis|und|oder|au|et|ou|al|y|o|a|e|tot|en|of) (?:the |le |el |il |o |de )?)";
rule(
  `${NOT_BEFORE}${DATED_WEEKDAY}(\\d{1,2})(?:st|nd|rd|th|er|º|°|ª|\\.|e|de)?(?:${TO}\\d{1,2}(?:st|nd|rd|th|º|°|ª|\\.)?)? ?(?:of |de |del |di )?(${MONTH})${YEAR}${NOT_AFTER}`,
  ([whole, day, month, year], text) =>
    isSmallMay(whole, month!, text) ? null : dated(text, monthOf(month!), Number(day), year),
);
rule(
  `${NOT_BEFORE}${DATED_WEEKDAY}(${MONTH}) ?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:${TO}\\d{1,2}(?:st|nd|rd|th)?)?(?![\\d%€$]|[.,:]\\d| ?(?:am|pm|%|people|times|euros?|dollars?)(?!\\p{L}))${YEAR}${NOT_AFTER}`,
  (match, text) => {
    const [, month, day, year] = match;
    // In the other languages, the number comes first: "mai 20" is no day.
    if (text.language !== null && text.language !== "en") return null;
    if (
      /^(?:march|may|mar)/.test(month!) &&
      !/\p{Lu}/u.test(text.original.slice(match.index, match.index + match[0].length))
    )
      return null;
    return dated(text, monthOf(month!), Number(day), year);
  },
);
rule(
  `${NOT_BEFORE}${DATED_WEEKDAY}(${ORDINAL}) (?:of |de |di )?(${LONG_MONTH})${YEAR}${NOT_AFTER}`,
  ([, day, month, year], text) => dated(text, monthOf(month!), words.ORDINALS.get(day!)!, year),
);
const isSmallMay = (whole: string, month: string, { original, words: read }: DayText): boolean =>
  month === "may" && original[read.indexOf(whole) + whole.lastIndexOf("may")] === "m";

// Ends of months, years, weeks and days.
rule(
  `${NOT_BEFORE}(?:${words.END_OF})(${LONG_MONTH})${YEAR}${NOT_AFTER}`,
  (match, text) => {
    const [, month, year] = match;
    const number = monthOf(month!)!;
    const { year: now, month: current } = partsOf(text.today);
    return lastOfMonth(year ? Number(year) : number < current ? now + 1 : now, number);
  },
  { until: true },
);
rule(
  `(?<!\\d)(\\d{1,2})月末`,
  ([, month], text) => {
    const { year, month: current } = partsOf(text.today);
    return lastOfMonth(Number(month) < current ? year + 1 : year, Number(month));
  },
  { until: true },
);
rule(
  `${NOT_BEFORE}(?:${words.END_OF})(?:${words.NEXT_MONTH})${NOT_AFTER}|来月末`,
  (_, { today }) => {
    const { year, month } = partsOf(today);
    return lastOfMonth(year, month + 1);
  },
  { until: true },
);
rule(
  `${words.MONTH_END}|${NOT_BEFORE}(?:${words.END_OF})(?:${words.THIS_MONTH})${NOT_AFTER}`,
  (_, { today }) => {
    const { year, month } = partsOf(today);
    return lastOfMonth(year, month);
  },
  { until: true },
);
rule(
  `${words.YEAR_END}|${NOT_BEFORE}(?:${words.END_OF})(?:${words.THIS_YEAR})${NOT_AFTER}`,
  (_, { today }) => lastOfMonth(partsOf(today).year, 12),
  { until: true },
);
rule(
  `${NOT_BEFORE}(?:${words.END_OF})(?:the )?quarter${NOT_AFTER}|(?<![\\p{L}\\p{N}])quartalsende${NOT_AFTER}`,
  (_, { today }) => {
    const { year, month } = partsOf(today);
    return lastOfMonth(year, Math.ceil(month / 3) * 3);
  },
  { until: true },
);
for (const [named, weeks] of words.WEEKS) {
  rule(
    `${NOT_BEFORE}(?:${words.END_OF})(?:${named})${NOT_AFTER}|(?:${named})末`,
    (_, { today }) => mondayOf(today) + 4 + weeks * 7,
    { until: true },
  );
}
rule(
  `${NOT_BEFORE}(?:${words.END_OF})(?:${words.A_WEEK})${NOT_AFTER}|${words.WEEKS_END}|今週末`,
  (_, { today }) => today + ((5 - weekdayOf(today) + 7) % 7),
  { until: true },
);
rule(words.TODAYS_END, (_, { today }) => today, { weak: true, until: true });
rule(`(?<![\\p{L}\\p{N}])(?:${words.MIDDLE_OF})(${LONG_MONTH})${NOT_AFTER}`, (match, text) =>
  words.UNTIL.test(beforeOf(text, match.index)) ? nearest(text.today, monthOf(match[1]!)!, 15) : null,
);

// Days of a named week, weekdays with the day of the month, and weekdays.
for (const [named, weeks] of words.WEEKS) {
  const JOINED = "(?:,? ?(?:of |in der |in |de la |de |da |do |della |dello |van |on )?(?:the |der |la )?)";
  rule(`(?<![\\p{L}\\p{N}])(${WEEKDAY})${TIME_OF_DAY}${JOINED}(?:${named})${NOT_AFTER}`, (match, text) =>
    weekday(words.WEEKDAYS.get(match[1]!)!, match, text, weeks),
  );
  rule(`(?<![\\p{L}\\p{N}])(?:${named}),?の? ?(?:on |am |le |el |na |op )?(${WEEKDAY})`, (match, text) =>
    weekday(words.WEEKDAYS.get(match[1]!)!, match, text, weeks),
  );
}
const DAY_ALONE =
  "(?=\\s*(?:[.,;:!?)…]|$)|\\s+(?:at|and|or|if|so|please|when|because|but|to|would|is|was|works?|should|then|in the|latest|between|um|und|oder|an|ab|zu|à|et|ou|para|y|e|o|alle|om|en|of|vormittags|nachmittags|às|a las)(?!\\p{L}))";
rule(
  `(?<![\\p{L}\\p{N}])(${WESTERN_WEEKDAY}),? (?:the |den |dem |le |dia |día |el |il |de )?(\\d{1,2})(?:st|nd|rd|th|\\.|e|de)?(?![\\p{L}\\p{N}%€$]|[.:/-]\\d| ?(?:uhr|h|am|pm|o'clock|people|personen|personnes|%|€|:)(?!\\p{L}))`,
  (match, text) => {
    const { year, month } = partsOf(text.today);
    for (const add of [0, 1, 2]) {
      const day = ahead(year, month + add, Number(match[2]));
      if (day !== null && day >= text.today && weekdayOf(day) === words.WEEKDAYS.get(match[1]!)) return day;
    }
    return null;
  },
);
rule(
  `(?<![\\p{L}\\p{N}])(?:the |den |dem |le |el |día |dia |il |de )?(\\d{1,2})(?:st|nd|rd|th|\\.|º|er|e|de)? (?:of |des |du |del |do |van )?(?:${words.NEXT_MONTH})${NOT_AFTER}`,
  ([, day], text) => dayOfMonth(text, Number(day), 1),
);
rule(`(?<![\\p{L}\\p{N}])(\\d{1,2})(?:st|nd|rd|th|de)(?:${DAY_ALONE}| (?:of )?this month)`, (match, text) =>
  /(?:^|[^\p{L}])(?:the|de|op|before|by|on) ?$/u.test(beforeOf(text, match.index))
    ? dayOfMonth(text, Number(match[1]), null)
    : null,
);
rule(
  `(?<![\\p{L}\\p{N}])((?:avant le|pour le|d'ici le|au plus tard le|jusqu'au|le) \\d{1,2}|(?:el día|antes del|antes del día|hasta el|para el|el) \\d{1,2}|(?:no dia|até ao dia|até dia|até ao|antes do dia|dia) \\d{1,2}|(?:entro il|prima del|per il|il giorno|il) \\d{1,2}|(?:op|vóór|uiterlijk|voor) de \\d{1,2}e)${DAY_ALONE}`,
  (match, text) => (text.language === "en" ? null : dayOfMonth(text, Number(/\d+/.exec(match[1]!)![0]), null)),
);
// "bis zum 15. antworten", but not "am 15. Geburtstag".
rule("(?<![\\p{L}\\p{N}])(?:bis zum|am|zum|vor dem|spätestens am|ab dem) (\\d{1,2})\\.(?!\\d)", (match, text) =>
  /^ ?\p{Lu}/u.test(text.original.slice(match.index + match[0].length))
    ? null
    : dayOfMonth(text, Number(match[1]), null),
);
rule(
  `(?<![\\p{L}\\p{N}])(${WESTERN_WEEKDAY})${TIME_OF_DAY}(?: week| in einer woche| in 8 tagen| en huit| over een week)${NOT_AFTER}`,
  (match, text) => weekday(words.WEEKDAYS.get(match[1]!)!, match, text, null)! + 7,
);
rule(
  `(?<![\\p{L}\\p{N}])(?<!for )a week (?:from |on )?(${WESTERN_WEEKDAY}|today|tomorrow)${NOT_AFTER}`,
  (match, text) => {
    if (match[1] === "today") return text.today + 7;
    if (match[1] === "tomorrow") return text.today + 8;
    return weekday(words.WEEKDAYS.get(match[1]!)!, match, text, null)! + 7;
  },
);
rule(`(?<![\\p{L}\\p{N}])(${WESTERN_WEEKDAY})${TIME_OF_DAY}${NOT_AFTER}|(?:[月火水木金土日]曜日?)`, (match, text) =>
  weekday(words.WEEKDAYS.get(match[1] ?? match[0])!, match, text, null),
);
rule(`(?<![\\p{L}\\p{N}'])(${SHORT_WEEKDAY})${NOT_AFTER}\\.?`, (match, text) => shortWeekday(match, text));

/** "on Fri", "bis Mo", "até sexta": only after a preposition, with the capital of the language or in Portuguese. */
function shortWeekday(match: RegExpExecArray, text: DayText): number | null {
  const name = match[1]!;
  if (!words.DATED.test(beforeOf(text, match.index)) && !words.UNTIL.test(beforeOf(text, match.index))) return null;
  const isCapital = /^\p{Lu}/u.test(text.original.slice(match.index));
  const fits = /^(?:segunda|terça|quarta|quinta|sexta)$/.test(name)
    ? text.language === "pt" &&
      !/^ (?:parte|vez|vers|edi|opç|fase|semana|linha|pessoa|via|proposta)/u.test(
        text.words.slice(match.index + name.length),
      )
    : /^(?:mon|tues?|wed|thur?s?|thu|fri|sat|sun)$/.test(name)
      ? isCapital && (text.language === "en" || text.language === null)
      : /^(?:mo|di|mi|do|fr|sa|so)$/.test(name) && isCapital && text.language === "de";
  return fits ? weekday(words.SHORT_WEEKDAYS.get(name)!, match, text, null) : null;
}

// Days relative to the day of writing.
rule(
  `(?<![\\p{L}\\p{N}])(${NUMBER}) (?:days from (?:now|today)|days' time)${NOT_AFTER}`,
  ([, count], { today }) => today + numberOf(count!),
);
rule(
  `(?<![\\p{L}\\p{N}])(?<!for )(${NUMBER}) (?:weeks? from (?:now|today)|weeks' time)${NOT_AFTER}`,
  ([, count], { today }) => today + 7 * numberOf(count!),
);
for (const [pattern, days] of words.NEAR) rule(pattern.source, (_, { today }) => today + days);
const COUNTED = (unit: string) =>
  `(?<![\\p{L}\\p{N}])(?:${words.IN}) (?:the next |den nächsten |les |los próximos |i prossimi |de komende )?(${NUMBER}) (?:weitere |business |working |more )?(?:${unit})${NOT_AFTER}`;
rule(COUNTED(words.DAYS), ([, count], { today }) => today + numberOf(count!));
rule(COUNTED(words.WEEK_UNITS), ([, count], { today }) => today + 7 * numberOf(count!));
rule(`(\\d{1,2}|[一二三四五六七八九十])日(?:後|以内)`, ([, count], { today }) => today + numberOf(count!));
rule(`(\\d{1,2}|[一二三四五六七八九十])週間(?:後|以内)`, ([, count], { today }) => today + 7 * numberOf(count!));
rule(
  `(?<![\\p{L}\\p{N}])(?:within|innerhalb von|binnen|sous|entro|in den nächsten|no prazo de)(?: the next)? (24|48|72|96) ?(?:${words.HOURS})${NOT_AFTER}`,
  ([, hours], { today }) => today + Number(hours) / 24,
);
