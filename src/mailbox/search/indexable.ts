import type { Address } from "../store/envelope.ts";
import { type DocumentTerms, LONGEST_TEXT_CHARS, type TermReader } from "./documents.ts";
import type { Field } from "./fields.ts";
import { tagTerm } from "./plan.ts";
import { tagsOf } from "./tags.ts";
import { indexTerms } from "./units/calendar.ts";
import { groupedNumbers } from "./units/grouped-numbers.ts";
import { unitsOf } from "./units/units.ts";

/** A message, reduced to what is indexed. */
export interface IndexedMessage {
  subject: string;
  from: Address;
  to: readonly Address[];
  cc: readonly Address[];
  bcc: readonly Address[];
  text: string;
  /** The Date header, ms. */
  date?: number | null;
  /** Only searched for links. */
  html?: string | null;
  attachments: readonly { name: string; mime?: string }[];
  /** By lower-case name. Mail that is indexed from its stored text has only a few. */
  headers?: ReadonlyMap<string, readonly string[]>;
}

/** Returns the terms of a message: its words, and terms for its properties. @param fileText text of its attachments */
export function readTerms(reader: TermReader, message: IndexedMessage, fileText = ""): DocumentTerms {
  const { headers, ...rest } = message;
  const extra: { term: string; field: Field }[] = tagsOf(message).map((tag) => ({ term: tagTerm(tag), field: "body" }));
  const addUnits = (text: string, field: Field) => {
    const read = text.slice(0, LONGEST_TEXT_CHARS);
    const units = unitsOf(read);
    for (const { terms } of [...units, ...groupedNumbers(read, units, false)]) {
      for (const term of terms) extra.push({ term, field });
    }
  };
  addUnits(message.subject, "subject");
  addUnits(message.text, "body");
  addUnits(fileText, "file_text");
  const date = new Date(message.date ?? Number.NaN);
  // "Invoice from March" also matches an invoice that was sent in March.
  if (date.getUTCFullYear() > 0) {
    const terms = indexTerms(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
    for (const term of terms) extra.push({ term, field: "date" });
  }
  const listId = headers?.get("list-id")?.[0];
  const deliveredTo = headers?.get("delivered-to");
  return reader.read(
    { ...rest, ...(listId ? { listId } : {}), ...(deliveredTo ? { deliveredTo } : {}) },
    fileText,
    extra,
  );
}
