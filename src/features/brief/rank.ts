import { daysBetween } from "../../kernel/local-time.ts";

/** The features by which an open question is ranked. */
export interface UrgencyFeatures {
  /** Log-odds that it asks anything. */
  score: number;
  vip: boolean;
  /** Days since it was asked. */
  ageDays: number;
  /** Days until the day that it names; null if it names none. */
  dueInDays: number | null;
  /** Share of this person's mail that the user usually answers; null if there is too little mail. */
  answeredShare: number | null;
}

/**
 * Returns the urgency; higher is more urgent. A VIP outweighs all else, a close due date outweighs age, and very old
 * questions rank low.
 */
export function urgency(p: UrgencyFeatures): number {
  const sure = Math.min(2, Math.max(0, p.score) / 2);
  const age = p.ageDays <= 7 ? p.ageDays * 0.15 : 1.05 - (p.ageDays - 7) * 0.06;
  const due = p.dueInDays === null ? 0 : p.dueInDays < 0 ? 1 : Math.max(0, 2.5 - p.dueInDays * 0.3);
  return sure + (p.vip ? 3 : 0) + age + due + (p.answeredShare ?? 0.4) * 1.5;
}

/** Openings that depend on the previous sentence: "And could you …", "If so, …". */
const CONTEXT_DEPENDENT =
  /^(?:and|also|but|or|then|so|otherwise|if (?:so|not|it|that|this|they|you can't|you cannot)|in that case|und|auch|aber|oder|sonst|falls (?:ja|nicht|es)|et|aussi|mais|ou|sinon|si (?:oui|non)|y(?! a\b)|e|también|pero|si no|anche|ma|se (?:sì|no)|também|mas|ook|maar|zo (?:ja|niet))\b/iu;
/** Whether a sentence begins with a word that continues the one before it. */
export const startsInContext = (text: string): boolean => CONTEXT_DEPENDENT.test(text);
const CONTEXT_PENALTY = 2.5;
/** Shorter sentences do not say what they are about: "Which one?" */
const ENOUGH_WORDS = 6;
const MISSING_WORD = 0.25;

/** Scores how clear an ask is out of context: its certainty, less what it leaves to other sentences. */
export function clarity({ text, score }: { text: string; score: number }): number {
  const words = text.trim().split(/\s+/).length;
  return (
    score - (CONTEXT_DEPENDENT.test(text) ? CONTEXT_PENALTY : 0) - Math.max(0, ENOUGH_WORDS - words) * MISSING_WORD
  );
}

const DAY_NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns a day in words, relative to today: "today", "yesterday", "on Friday", "on 14 April". */
export function dayInWords(day: string, today: string): string {
  const away = daysBetween(today, day);
  if (away === 0) return "today";
  if (away === 1) return "tomorrow";
  if (away === -1) return "yesterday";
  const date = new Date(`${day}T00:00:00Z`);
  if (away > 1 && away < 7) return `on ${DAY_NAMES[date.getUTCDay()]}`;
  if (away < 0 && away > -14) return `${-away} days ago`;
  const month = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(date);
  return `on ${date.getUTCDate()} ${month}`;
}
