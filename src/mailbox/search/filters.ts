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

/**
 * Reads the value of an operator that is no field.
 * @throws ApiError invalid_params (`query`) with what is wanted instead
 */
export function readFilter(operator: string, value: string, now_ms: number): Filter {
  const word = value.trim().toLowerCase();
  switch (operator) {
    case "in": {
      const place = OTHER_NAMES[word] ?? oneOf(operator, PLACES, word);
      return { kind: "filter", field: "in", place };
    }
    case "is":
      return { kind: "filter", field: "is", flag: oneOf(operator, FLAGS, word) };
    case "has":
      oneOf(operator, ["attachment"], word.replace(/^attachments$/, "attachment"));
      return { kind: "filter", field: "attachment" };
    case "label":
      if (word === "") throw invalidParam("query", "Say which label after `label:`.");
      return { kind: "filter", field: "label", name: value.trim() };
    case "before":
    case "after":
      return { kind: "filter", field: operator, at: dayOf(operator, word) };
    case "older_than":
      return { kind: "filter", field: "before", at: now_ms - periodOf(operator, word) };
    default:
      return { kind: "filter", field: "after", at: now_ms - periodOf(operator, word) };
  }
}

function oneOf<T extends string>(operator: string, choices: readonly T[], word: string): T {
  const found = choices.find((choice) => choice === word);
  if (found === undefined) throw invalidParam("query", `\`${operator}:\` takes ${choices.join(", ")}.`);
  return found;
}

/** A day in UTC: 2026-03-01, 2026/3/1, or a time as ISO 8601 writes it. */
function dayOf(operator: string, word: string): number {
  const day = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(word);
  const text = day ? `${day[1]}-${day[2]!.padStart(2, "0")}-${day[3]!.padStart(2, "0")}T00:00:00Z` : word.toUpperCase();
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  const real = day === null || (!Number.isNaN(at) && new Date(at).getUTCDate() === Number(day[3]));
  if (Number.isNaN(at) || !real) throw invalidParam("query", `\`${operator}:\` takes a day such as 2026-03-01.`);
  return at;
}

function periodOf(operator: string, word: string): number {
  const [, count, unit] = /^(\d{1,6})([hdwmy])$/.exec(word) ?? [];
  const period = Number(count) * (UNITS_MS[unit ?? ""] ?? Number.NaN);
  if (!(period <= LONGEST_PERIOD_MS)) {
    throw invalidParam("query", `\`${operator}:\` takes a number with h, d, w, m or y, such as 30d or 6m.`);
  }
  return period;
}
