import { invalidParam } from "../../kernel/errors.ts";
import type { Category } from "../categories/category.ts";
import { bytesOf, messageIdOf, periodOf, timeOf } from "./filter-values.ts";
import { TAGS, type TagName } from "./tags.ts";

/** A condition on a column of the message. Times are ms; sizes are bytes, both bounds included. */
export type Filter =
  | { kind: "filter"; field: "in"; place: Place }
  | { kind: "filter"; field: "is"; flag: Flag }
  | { kind: "filter"; field: "attachment" }
  | { kind: "filter"; field: "label"; name: string }
  | { kind: "filter"; field: "before" | "after"; at: number }
  | { kind: "filter"; field: "size"; atLeast?: number; atMost?: number }
  | { kind: "filter"; field: "category"; category: Category }
  /** Without angle brackets. */
  | { kind: "filter"; field: "message_id"; id: string };

/** A property of the message that the index stores: has:pdf. */
export interface Tag {
  kind: "tag";
  name: TagName;
}

const PLACES = ["inbox", "archived", "sent", "drafts", "snoozed", "trash", "spam", "anywhere"] as const;
export type Place = (typeof PLACES)[number];
const OTHER_PLACES: Record<string, Place> = { archive: "archived", draft: "drafts", junk: "spam", all: "anywhere" };
const FLAGS = ["unread", "read", "starred", "important"] as const;
type Flag = (typeof FLAGS)[number];

const CATEGORIES: readonly Category[] = ["primary", "social", "promotions", "updates"];
/** Gmail's names, mapped to the categories here (docs/categories.md). */
const OTHER_CATEGORIES: Record<string, Category> = {
  personal: "primary",
  promotion: "promotions",
  update: "updates",
  forum: "updates",
  forums: "updates",
};

/** A value as people type one: letters and digits, with single punctuation marks between them. */
const BARE = /^[\p{L}\p{M}\p{N}]+(?:[-_/:.+][\p{L}\p{M}\p{N}]+)*$/u;
/** Punctuation after a value that belongs to the sentence. */
const SENTENCE_END = /[.,;:!?]+$/;
/** What can be a label name. */
const NAMEABLE = /[\p{L}\p{N}\p{S}]/u;

const DAY = "a day such as 2026-03-01 or 3/31/2026";
const PERIOD = "a number followed by h, d, w, m or y, such as 30d or 6m";
const SIZE = "a size such as 500k or 10M";
/** Operators that are filters, with a description of the values they take. */
const WANTED = {
  in: PLACES.join(", "),
  is: FLAGS.join(", "),
  has: ["attachment", ...TAGS].join(", "),
  label: "the name of a label",
  before: DAY,
  after: DAY,
  older: `${DAY}, or ${PERIOD}`,
  newer: `${DAY}, or ${PERIOD}`,
  older_than: PERIOD,
  newer_than: PERIOD,
  larger: SIZE,
  smaller: SIZE,
  size: SIZE,
  category: CATEGORIES.join(", "),
  rfc822msgid: "a Message-ID such as <1234@example.org>",
} as const;
type Operator = keyof typeof WANTED;
export const FILTER_OPERATORS = Object.keys(WANTED) as Operator[];

/**
 * Parses the value of an operator that is a filter.
 * @returns null where it cannot be meant as a value, as in `is:tomorrow's`; it is then treated as text
 * @throws ApiError invalid_params (`query`) for a value that cannot be parsed, as in `before:Friday`
 */
export function readFilter(operator: Operator, value: string, quoted: boolean, nowMs: number): Filter | Tag | null {
  const found = filterOf(operator, value, nowMs);
  if (found || !(quoted ? NAMEABLE.test(value) : BARE.test(value))) return found;
  throw invalidParam(
    "query",
    `The operator \`${operator}:\` takes ${WANTED[operator]}. To search for this text instead, enclose it in ` +
      `quotation marks: "${operator}:${value}".`,
  );
}

/** Parses a value that may also be text, such as one in parentheses. Returns null where it cannot be parsed. */
export function filterOf(operator: Operator, value: string, nowMs: number): Filter | Tag | null {
  // A punctuation mark at the end most likely belongs to the sentence. A Message-ID is tried only without it; one in
  // angle brackets has none.
  const whole = operator === "rfc822msgid" ? null : understood(operator, value.trim(), nowMs);
  return whole ?? understood(operator, value.trim().replace(SENTENCE_END, ""), nowMs);
}

function understood(operator: Operator, value: string, nowMs: number): Filter | Tag | null {
  const word = value.toLowerCase();
  switch (operator) {
    case "in": {
      const place = oneOf(PLACES, word) ?? otherName(OTHER_PLACES, word);
      return place && { kind: "filter", field: "in", place };
    }
    case "is": {
      const flag = oneOf(FLAGS, word);
      return flag && { kind: "filter", field: "is", flag };
    }
    case "has":
      return hasOf(word.replace(/s$/, ""));
    case "label":
      return NAMEABLE.test(value) ? { kind: "filter", field: "label", name: value } : null;
    case "category": {
      const category = oneOf(CATEGORIES, word) ?? otherName(OTHER_CATEGORIES, word);
      return category && { kind: "filter", field: "category", category };
    }
    case "rfc822msgid": {
      const id = messageIdOf(value);
      return id === null ? null : { kind: "filter", field: "message_id", id };
    }
    case "larger":
    case "smaller":
    case "size":
      return sizeOf(operator, bytesOf(word));
    default:
      return timeFilter(operator, word, nowMs);
  }
}

function hasOf(name: string): Filter | Tag | null {
  if (name === "attachment") return { kind: "filter", field: "attachment" };
  const tag = oneOf(TAGS, name);
  return tag && { kind: "tag", name: tag };
}

/** Returns the size filter with the same meaning as in Gmail: larger than, smaller than, at least. */
function sizeOf(operator: "larger" | "smaller" | "size", bytes: number | null): Filter | null {
  if (bytes === null) return null;
  if (operator === "smaller") return { kind: "filter", field: "size", atMost: bytes - 1 };
  return { kind: "filter", field: "size", atLeast: operator === "larger" ? bytes + 1 : bytes };
}

type TimeOperator = "before" | "after" | "older" | "newer" | "older_than" | "newer_than";

function timeFilter(operator: TimeOperator, value: string, nowMs: number): Filter | null {
  const takesDay = !operator.endsWith("_than");
  const takesPeriod = operator !== "before" && operator !== "after";
  const day = takesDay ? timeOf(value) : null;
  const period = takesPeriod && day === null ? periodOf(value) : null;
  const at = period === null ? day : nowMs - period;
  const field = operator === "before" || operator.startsWith("older") ? "before" : "after";
  return at === null ? null : { kind: "filter", field, at };
}

function oneOf<T extends string>(names: readonly T[], word: string): T | null {
  return names.find((name) => name === word) ?? null;
}

function otherName<T>(names: Record<string, T>, word: string): T | null {
  return Object.hasOwn(names, word) ? names[word]! : null;
}
