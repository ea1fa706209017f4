/** Names of months and days and words for relative days, in eight languages, lower case. */

const MONTHS = [
  "january jan januar january jänner jan. janvier janv. janv enero ene janeiro gennaio gen januari",
  "february feb februar feb. février fevrier févr févr. febrero fevereiro fev febbraio febbr februari",
  "march mar märz maerz mär mars marzo março mrz maart mrt mrt.",
  "april apr apr. avril avr avr. abril abr aprile",
  "may mai mayo maio maggio mag mei",
  "june jun juni jun. juin junio junho giugno giu",
  "july jul juli jul. juillet juil juil. julio julho luglio lug",
  "august aug aug. août aout agosto ago augustus",
  "september sep sept sept. september septembre septiembre setiembre setembro set settembre",
  "october oct oktober okt okt. octobre oct. octubre outubro out ottobre ott",
  "november nov nov. novembre noviembre novembro",
  "december dec dec. dezember dez dez. décembre decembre déc déc. diciembre dic dezembro dicembre",
];

const WEEKDAYS = [
  "sunday sun sonntag so sonntags dimanche domingo domenica zondag 日曜日 日曜",
  "monday mon montag mo montags lundi lunes segunda-feira segunda lunedì maandag 月曜日 月曜",
  "tuesday tue tues dienstag di dienstags mardi martes terça-feira terça martedì dinsdag 火曜日 火曜",
  "wednesday wed mittwoch mi mittwochs mercredi miércoles quarta-feira quarta mercoledì woensdag 水曜日 水曜",
  "thursday thu thur thurs donnerstag do donnerstags jeudi jueves quinta-feira quinta giovedì donderdag 木曜日 木曜",
  "friday fri freitag fr freitags vendredi viernes sexta-feira sexta venerdì vrijdag 金曜日 金曜",
  "saturday sat samstag sonnabend sa samstags samedi sábado sabato zaterdag 土曜日 土曜",
];

/** Days from the day of writing. */
const RELATIVE: Record<string, number> = {
  today: 0,
  tonight: 0,
  heute: 0,
  "heute abend": 0,
  "aujourd'hui": 0,
  "ce soir": 0,
  hoy: 0,
  "esta noche": 0,
  hoje: 0,
  oggi: 0,
  stasera: 0,
  vandaag: 0,
  vanavond: 0,
  今日: 0,
  本日: 0,
  tomorrow: 1,
  "morgen früh": 1,
  demain: 1,
  mañana: 1,
  amanhã: 1,
  domani: 1,
  morgen: 1,
  明日: 1,
  "day after tomorrow": 2,
  übermorgen: 2,
  "après-demain": 2,
  "pasado mañana": 2,
  "depois de amanhã": 2,
  dopodomani: 2,
  overmorgen: 2,
  明後日: 2,
  yesterday: -1,
  gestern: -1,
  hier: -1,
  ayer: -1,
  ontem: -1,
  ieri: -1,
  gisteren: -1,
  昨日: -1,
};

/** Words with several meanings, which are a weekday only beside a date. */
const SHORT_DAYS = new Set("so mo di mi do fr sa sun mon wed sat fri set quarta quinta sexta segunda terça".split(" "));
/** Short month names that are also words. */
const DOUBTFUL_MONTHS = new Set("may mai mag mar set out gen ago dic mars march ene mei".split(" "));

const isLatin = (word: string) => /^[\p{sc=Latin}.'’ -]+$/u.test(word);
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const alternatives = (words: Iterable<string>) =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");

const monthNumbers = new Map(
  MONTHS.flatMap((names, i) => [...new Set(names.split(" "))].map((name) => [name, i + 1] as const)),
);
const weekdayNumbers = new Map(WEEKDAYS.flatMap((names, i) => names.split(" ").map((name) => [name, i] as const)));

export const MONTH = alternatives(monthNumbers.keys());
export const WEEKDAY = alternatives([...weekdayNumbers.keys()].filter((word) => isLatin(word)));
export const WHOLE_WEEKDAY = alternatives(
  [...weekdayNumbers.keys()].filter((word) => isLatin(word) && !SHORT_DAYS.has(word)),
);
export const WHOLE_MONTH = alternatives([...monthNumbers.keys()].filter((word) => !DOUBTFUL_MONTHS.has(word)));
export const JAPANESE_WEEKDAY = alternatives([...weekdayNumbers.keys()].filter((word) => !isLatin(word)));
export const RELATIVE_LATIN = alternatives(Object.keys(RELATIVE).filter((word) => isLatin(word)));
export const RELATIVE_JAPANESE = alternatives(Object.keys(RELATIVE).filter((word) => !isLatin(word)));

/** Returns the number of a month, 1 to 12. */
export const monthOf = (name: string): number | null => monthNumbers.get(name.toLowerCase()) ?? null;
/** Returns the number of a weekday, 0 for Sunday. */
export const weekdayOf = (name: string): number | null => weekdayNumbers.get(name.toLowerCase()) ?? null;
/** Returns how many days from the day of writing a word means. */
export const relativeDays = (word: string): number | null =>
  RELATIVE[word.toLowerCase().replace(/’/g, "'").replace(/\s+/g, " ")] ?? null;
