import * as chrono from "chrono-node";
import type { Span } from "./sentences.ts";

/** A day that a text names. */
export interface NamedDay extends Span {
  /** YYYY-MM-DD in the writer's time zone. */
  day: string;
  text: string;
}

/** When and where a text was written. */
export interface Moment {
  /** Unix time, ms. */
  at: number;
  /** UTC offset of the writer's time zone, minutes. */
  offsetMin: number;
}

const PARSERS: Record<string, chrono.Chrono> = {
  en: chrono.en.casual,
  de: chrono.de.casual,
  fr: chrono.fr.casual,
  es: chrono.es.casual,
  it: chrono.it.casual,
  nl: chrono.nl.casual,
  pt: chrono.pt.casual,
};

/** A sentence without any of these names no day. This check is a hundred times faster than the parsers. */
const HINT =
  /\d|\b(?:today|tonight|tomorrow|tmrw|eod|cob|eow|eom|week|month|day|days|mon|tue|tues|wed|thu|thurs|fri|sat|sun|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|heute|morgen|übermorgen|woche|monat|\p{L}+tag|mittwoch|tage[n]?|demain|aujourd|semaine|mois|jours?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|hoy|mañana|semana|mes|días?|lunes|martes|miércoles|jueves|viernes|sábado|domingo|oggi|domani|settimana|mese|giorni?|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|vandaag|maand|dagen?|\p{L}+dag|hoje|amanhã|dias?|segunda|terça|quarta|quinta|sexta|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*/iu;
/** Ambiguous words. A match that consists of one of them alone is not a day. */
const DOUBTFUL = /^(?:sat|sun|mon|fri|wed|march|may|second|now|this (?:second|minute)|mar)\.?$/i;

/** Office terms for days, which the parsers do not support. */
const OFFICE: readonly [RegExp, (now: Date) => Date][] = [
  [
    /\b(?:eod|cob|(?:by )?(?:the )?(?:end of (?:the )?day|close of business)|tonight|later today|this (?:morning|afternoon|evening))\b/i,
    (now) => now,
  ],
  [/\b(?:eow|end of (?:the |this )?week|later this week)\b/i, (now) => plusDays(now, (5 - now.getUTCDay() + 7) % 7)],
  [
    /\b(?:ende der woche|bis zum wochenende|fin de (?:la )?semaine|fin de semana|fine settimana)\b/i,
    (now) => plusDays(now, (5 - now.getUTCDay() + 7) % 7),
  ],
  [/\beom\b/i, (now) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0))],
];

/**
 * The parsers need time that grows with the square of the length. In prose, a day is named within this many characters.
 */
const LONGEST_CHARS = 400;

/**
 * Returns the first day that a sentence names. "Friday" means the next one after the text was written. A month or a
 * time of day alone is not a day.
 * @param language ISO 639-1, or null; English is tried in any case
 */
export function namedDay(whole: string, written: Moment, language: string | null): NamedDay | null {
  const sentence = whole.slice(0, LONGEST_CHARS);
  if (!HINT.test(sentence)) return null;
  const local = new Date(written.at + written.offsetMin * 60_000);
  for (const [pattern, day] of OFFICE) {
    const match = pattern.exec(sentence);
    if (match)
      return { day: isoDay(day(local)), text: match[0], start: match.index, end: match.index + match[0].length };
  }
  const reference = { instant: new Date(written.at), timezone: written.offsetMin };
  for (const parser of parsersFor(language)) {
    for (const { text, index, start } of parser.parse(sentence, reference, { forwardDate: true })) {
      const certain = start.isCertain("day") || start.isCertain("weekday");
      if (!certain || DOUBTFUL.test(text) || !isPlausible(sentence, index, text)) continue;
      const [year, month, day] = [start.get("year")!, start.get("month")!, start.get("day")!];
      return { day: isoDay(new Date(Date.UTC(year, month - 1, day))), text, start: index, end: index + text.length };
    }
  }
  return null;
}

function parsersFor(language: string | null): chrono.Chrono[] {
  const own = language === null ? undefined : PARSERS[language];
  return own && language !== "en" ? [own, PARSERS.en!] : [PARSERS.en!];
}

/** Returns false for a match inside a longer number, such as a telephone number, a version or an amount. */
function isPlausible(sentence: string, index: number, text: string): boolean {
  const before = sentence.slice(Math.max(0, index - 2), index);
  const after = sentence.slice(index + text.length, index + text.length + 2);
  return !/[\d$€£#][-./]?$/.test(before) && !/^[-./]?\d|^\s?%/.test(after);
}

const plusDays = (from: Date, days: number): Date => new Date(from.getTime() + days * 86_400_000);
const isoDay = (date: Date): string => date.toISOString().slice(0, 10);
