import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

const TITLES =
  "mr mrs ms miss dr prof sir frau herr herrn mme mlle madame monsieur sr sra srta señor señora senhor senhora dona don doña dom sig signor signora dott dottor dottoressa mevrouw meneer mw dhr auntie aunt uncle tante onkel tía tío tia tio zia zio coach pastor";
const TITLE = `(?:${TITLES.split(" ")
  .map((title) => `[${title[0]}${title[0]!.toUpperCase()}]${title.slice(1)}`)
  .join("|")})\\.?(?:ª|º)?`;
const WORD = "\\p{Lu}[\\p{L}'’]+(?:-\\p{Lu}[\\p{L}'’]+)?";
const LINK = "(?:de|da|do|dos|das|del|della|di|van|von|der|den|du|la|le|el|al|y|O'|Mc)";
const TITLED = new RegExp(`(?<!\\p{L})${TITLE} (?:(?:Dr|Prof)\\.? )?${WORD}(?: (?:${LINK} )?${WORD}){0,2}`, "gu");
const FULL = new RegExp(`(?<!\\p{L})${WORD}(?: (?:\\p{Lu}\\.|${LINK}|${WORD})){0,3} ${WORD}(?!\\p{L})`, "gu");
const SINGLE = new RegExp(`(?<!\\p{L})${WORD}(?!\\p{L})`, "gu");
const JAPANESE = /[\p{sc=Han}\p{sc=Katakana}ー々]{1,8}(?:さん|様|氏|先生|君|ちゃん)/gu;

/** Returns words that may be the name of a person, a company or a place: titled, of several words, or single. */
export function namesOf(text: string): TypedSpan[] {
  const of = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => nameSpan(match[0], match.index));
  const titled = of(TITLED).filter(({ text: own }) => /\s\p{Lu}/u.test(own));
  const single = of(SINGLE).filter(({ start }) => !isSentenceStart(text, start));
  return withoutOverlaps([...of(JAPANESE), ...titled, ...of(FULL), ...single]);
}

const nameSpan = (text: string, start: number): TypedSpan =>
  spanOf("name", text, start, text.toLowerCase().replace(/\s+/g, " "));

const isSentenceStart = (text: string, start: number): boolean =>
  /(?:^|[.!?:;\n]\s*|[“"„«(]\s*)$/u.test(text.slice(0, start));
