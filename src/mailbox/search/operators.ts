import { invalidParam } from "../../kernel/errors.ts";
import type { Field } from "./fields.ts";
import { bytesOf, messageIdOf, periodOf, timeOf } from "./filter-values.ts";
import {
  CATEGORIES,
  categoryOf,
  type Filter,
  FLAGS,
  FOLDER_NAMES,
  flagOf,
  hasOf,
  placeOf,
  type Tag,
} from "./filters.ts";
import { TAGS } from "./tags.ts";

interface Example {
  query: string;
  /** False: the sandbox has no such mail, or what it finds depends on the date. */
  inSandbox?: false;
}

interface Described {
  /** The mail that the operator finds; Markdown, as the start of a sentence. */
  finds: string;
  /** More sentences about the values; Markdown. */
  note?: string;
  examples: readonly Example[];
}

/** Searches words in fields of the message. */
interface FieldOperator extends Described {
  fields: readonly Field[];
  /** The value `me` is the user's own addresses. */
  takesMe?: true;
}

/** Compares a value. */
interface ValueOperator extends Described {
  /** The values, if they are few. */
  values?: readonly string[];
  /** A description of the values, for the error message; by default `values`. */
  takes?: string;
  /** Returns null for a value that cannot be understood. */
  read: (value: string, nowMs: number) => Filter | Tag | null;
}

export type Operator = FieldOperator | ValueOperator;

const DAY = "a day such as 2026-03-01 or 3/31/2026";
const PERIOD = "a number followed by h, d, w, m or y, such as 30d or 6m";
const SIZE = "a size such as 500k or 10M";
const PERIODS = "`h`, `d`, `w`, `m` (30 days), `y` (365 days)";
const SIZES = "`k`, `M` and `G` are multiples of 1024; `kb`, `MB` and `MiB` work too";

/** A value as people type one: letters and digits, with single punctuation marks between them. */
const BARE = /^[\p{L}\p{M}\p{N}]+(?:[-_/:.+][\p{L}\p{M}\p{N}]+)*$/u;
/** Punctuation after a value that belongs to the sentence. */
const SENTENCE_END = /[.,;:!?]+$/;
/** Matches a text that can be a label name. */
const NAMEABLE = /[\p{L}\p{N}\p{S}]/u;

/**
 * The operators of the query language. The parser, its error messages, the description of `POST /search`, the table of
 * docs/search.md and the tests of hostile queries and of examples follow from this table. The test of prose
 * (src/features/search/prose.test.ts) has its own list of names.
 */
const TABLE = {
  from: {
    fields: ["sender"],
    takesMe: true,
    finds: "a sender, by name, address, domain (`from:noorbakker.example`) or part of these",
    examples: [{ query: "from:noor" }, { query: 'from:"noor bakker"' }],
  },
  to: {
    fields: ["recipients", "bcc"],
    takesMe: true,
    finds: "a recipient in To or Bcc",
    examples: [{ query: "to:noor" }],
  },
  cc: { fields: ["cc"], takesMe: true, finds: "a recipient in Cc", examples: [{ query: "cc:priya" }] },
  bcc: {
    fields: ["bcc"],
    takesMe: true,
    finds: "a recipient in Bcc",
    examples: [{ query: "bcc:noor", inSandbox: false }],
  },
  deliveredto: {
    fields: ["delivered_to"],
    takesMe: true,
    finds: "the address in the header Delivered-To",
    note: "Mail stored by version 0.1 is not found this way",
    examples: [{ query: "deliveredto:alex@sandbox.example" }],
  },
  subject: {
    fields: ["subject"],
    finds: "words in the subject, in all forms",
    examples: [{ query: "subject:invoice" }],
  },
  filename: {
    fields: ["files"],
    finds: "words in the names of attachments, including extensions",
    examples: [{ query: "filename:pdf" }],
  },
  list: { fields: ["list"], finds: "a mailing list, by its name or address", examples: [{ query: "list:a11y-talk" }] },
  label: {
    takes: "the name of a label",
    read: (value) => (NAMEABLE.test(value) ? { kind: "filter", field: "label", name: value } : null),
    finds: "messages with this label",
    examples: [
      { query: "label:Work", inSandbox: false },
      { query: 'label:"To do"', inSandbox: false },
    ],
  },
  category: {
    values: CATEGORIES,
    read: categoryOf,
    finds: "a [category](categories.md)",
    note: "`personal` is `primary`, `forums` is `updates`",
    examples: [{ query: "category:promotions" }],
  },
  in: { values: FOLDER_NAMES, read: placeOf, finds: "where the conversation is", examples: [{ query: "in:inbox" }] },
  is: { values: FLAGS, read: flagOf, finds: "the state of the message", examples: [{ query: "is:unread" }] },
  has: {
    values: ["attachment", ...TAGS],
    read: hasOf,
    finds: "an attachment of any kind or of one kind, or a web link (`link`)",
    note: "Plurals work too",
    examples: [{ query: "has:pdf" }],
  },
  before: {
    takes: DAY,
    read: (value) => received("before", timeOf(value)),
    finds: "received before this day",
    note: "Days are in UTC",
    examples: [{ query: "before:2026-11-01", inSandbox: false }],
  },
  after: {
    takes: DAY,
    read: (value) => received("after", timeOf(value)),
    finds: "received on this day or later",
    examples: [{ query: "after:2026-10-01", inSandbox: false }],
  },
  older: {
    takes: `${DAY}, or ${PERIOD}`,
    read: (value, nowMs) => received("before", timeOf(value) ?? ago(value, nowMs)),
    finds: "with a day, the same as `before:`; with a period, the same as `older_than:`",
    examples: [{ query: "older:2026-11-01", inSandbox: false }],
  },
  newer: {
    takes: `${DAY}, or ${PERIOD}`,
    read: (value, nowMs) => received("after", timeOf(value) ?? ago(value, nowMs)),
    finds: "with a day, the same as `after:`; with a period, the same as `newer_than:`",
    examples: [{ query: "newer:7d" }],
  },
  older_than: {
    takes: PERIOD,
    read: (value, nowMs) => received("before", ago(value, nowMs)),
    finds: `received longer ago than this period: ${PERIODS}`,
    examples: [{ query: "older_than:6m" }],
  },
  newer_than: {
    takes: PERIOD,
    read: (value, nowMs) => received("after", ago(value, nowMs)),
    finds: "received more recently than this period",
    examples: [{ query: "newer_than:36h" }],
  },
  larger: {
    takes: SIZE,
    read: (value) => sized(value, (bytes) => ({ atLeast: bytes + 1 })),
    finds: "more bytes",
    note: SIZES,
    examples: [{ query: "larger:10k" }],
  },
  smaller: {
    takes: SIZE,
    read: (value) => sized(value, (bytes) => ({ atMost: bytes - 1 })),
    finds: "fewer bytes",
    examples: [{ query: "smaller:2k" }],
  },
  size: {
    takes: SIZE,
    // Gmail compares in the same way.
    read: (value) => sized(value, (bytes) => ({ atLeast: bytes })),
    finds: "at least this many bytes",
    examples: [{ query: "size:12000" }],
  },
  rfc822msgid: {
    takes: "a Message-ID such as <1234@example.org>",
    read: (value) => {
      // A punctuation mark at the end most likely belongs to the sentence.
      const id = messageIdOf(value.replace(SENTENCE_END, ""));
      return id === null ? null : { kind: "filter", field: "message_id", id };
    },
    finds: "the message with this Message-ID",
    examples: [{ query: "rfc822msgid:<1234@example.org>", inSandbox: false }],
  },
} satisfies Record<string, Operator>;

export const OPERATORS: ReadonlyMap<string, Operator> = new Map(Object.entries(TABLE));

/**
 * Parses the value of an operator.
 * @returns null where it cannot be meant as a value, as in `is:tomorrow's`; it is then treated as text
 * @throws ApiError invalid_params (`query`) for a value that cannot be parsed, as in `before:Friday`
 */
export function readFilter(name: string, value: string, quoted: boolean, nowMs: number): Filter | Tag | null {
  const found = filterOf(name, value, nowMs);
  if (found || !(quoted ? NAMEABLE.test(value) : BARE.test(value))) return found;
  const { takes, values = [] } = valueOperator(name);
  throw invalidParam(
    "query",
    `The operator \`${name}:\` takes ${takes ?? values.join(", ")}. To search for this text instead, enclose it in ` +
      `quotation marks: "${name}:${value}".`,
  );
}

/** Parses a value that may also be text, such as one in parentheses. Returns null where it cannot be parsed. */
export function filterOf(name: string, value: string, nowMs: number): Filter | Tag | null {
  const { read } = valueOperator(name);
  return read(value.trim(), nowMs) ?? read(value.trim().replace(SENTENCE_END, ""), nowMs);
}

function valueOperator(name: string): ValueOperator {
  const operator = OPERATORS.get(name);
  if (!operator || "fields" in operator) throw new Error(`${name}: has no value that is compared`);
  return operator;
}

function received(field: "before" | "after", at: number | null): Filter | null {
  return at === null ? null : { kind: "filter", field, at };
}

/** Returns the time that is a period before now; ms. */
function ago(value: string, nowMs: number): number | null {
  const period = periodOf(value);
  return period === null ? null : nowMs - period;
}

function sized(value: string, boundsOf: (bytes: number) => { atLeast?: number; atMost?: number }): Filter | null {
  const bytes = bytesOf(value);
  return bytes === null ? null : { kind: "filter", field: "size", ...boundsOf(bytes) };
}
