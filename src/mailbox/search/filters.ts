import { invalidParam } from "../../kernel/errors.ts";

/** A condition on what is known of a message besides its words. Times are ms. */
export type Filter =
  | { kind: "filter"; field: "in"; place: Place }
  | { kind: "filter"; field: "is"; flag: "unread" | "read" | "starred" }
  | { kind: "filter"; field: "attachment" }
  | { kind: "filter"; field: "label"; name: string }
  | { kind: "filter"; field: "before" | "after"; at: number };

const PLACES = ["inbox", "archived", "sent", "drafts", "snoozed", "trash", "spam", "anywhere"] as const;
export type Place = (typeof PLACES)[number];
const OTHER_NAMES: Record<string, Place> = { archive: "archived", draft: "drafts", junk: "spam", all: "anywhere" };
const FLAGS = ["unread", "read", "starred"] as const;

const DAY_MS = 86_400_000;
const UNITS_MS: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS, m: 30 * DAY_MS, y: 365 * DAY_MS };
const LONGEST_PERIOD_MS = 1_000 * 365 * DAY_MS;

/** A value as people type one: letters and digits, with single marks between them. */
const BARE = /^[\p{L}\p{M}\p{N}]+(?:[-_/:.+][\p{L}\p{M}\p{N}]+)*$/u;
/** Marks of a sentence behind a value, which are no part of it. */
const SENTENCE_END = /[.,;:!?]+$/;
/** Something that a label could be called. */
const NAMEABLE = /[\p{L}\p{N}\p{S}]/u;

const DAY = "a day such as 2026-03-01";
const PERIOD = "a number with h, d, w, m or y, such as 30d or 6m";
const WANTED: Record<string, string> = {
  in: PLACES.join(", "),
  is: FLAGS.join(", "),
  has: "attachment",
  before: DAY,
  after: DAY,
  older_than: PERIOD,
  newer_than: PERIOD,
};

/**
 * Reads the value of an operator that is not a field.
 * @returns null where it cannot be meant as a value, as in `is:tomorrow's`: then it is text
 * @throws ApiError invalid_params (`query`) for a value that cannot be understood, as in `before:Friday`
 */
export function readFilter(operator: string, value: string, quoted: boolean, now_ms: number): Filter | null {
  const found =
    understood(operator, value.trim(), now_ms) ?? understood(operator, value.replace(SENTENCE_END, ""), now_ms);
  if (found) return found;
  const wanted = WANTED[operator];
  if (wanted === undefined || !(quoted ? NAMEABLE.test(value) : BARE.test(value))) return null;
  throw invalidParam(
    "query",
    `\`${operator}:\` takes ${wanted}. To search for this text, put all of it in quotes: "${operator}:${value}".`,
  );
}

/** Null where it is not understood. */
function understood(operator: string, value: string, now_ms: number): Filter | null {
  const word = value.toLowerCase();
  switch (operator) {
    case "in": {
      const place = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : PLACES.find((name) => name === word);
      return place ? { kind: "filter", field: "in", place } : null;
    }
    case "is": {
      const flag = FLAGS.find((name) => name === word);
      return flag ? { kind: "filter", field: "is", flag } : null;
    }
    case "has":
      return /^attachments?$/.test(word) ? { kind: "filter", field: "attachment" } : null;
    case "label":
      return NAMEABLE.test(value) ? { kind: "filter", field: "label", name: value } : null;
    case "before":
    case "after": {
      const at = dayOf(word);
      return at === null ? null : { kind: "filter", field: operator, at };
    }
    default: {
      const period = periodOf(word);
      const field = operator === "older_than" ? "before" : "after";
      return period === null ? null : { kind: "filter", field, at: now_ms - period };
    }
  }
}

/** A day in UTC: 2026-03-01, 2026/3/1, or a time as ISO 8601 writes it. */
function dayOf(word: string): number | null {
  const day = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(word);
  const text = day ? `${day[1]}-${day[2]!.padStart(2, "0")}-${day[3]!.padStart(2, "0")}T00:00:00Z` : word.toUpperCase();
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  const real = day === null || (!Number.isNaN(at) && new Date(at).getUTCDate() === Number(day[3]));
  return Number.isNaN(at) || !real ? null : at;
}

function periodOf(word: string): number | null {
  const [, count, unit] = /^(\d{1,6})([hdwmy])$/.exec(word) ?? [];
  const period = Number(count) * (UNITS_MS[unit ?? ""] ?? Number.NaN);
  return period <= LONGEST_PERIOD_MS ? period : null;
}
