/**
 * The fields of a message that are indexed; the date is that of the header. The order is that of the index: a field is
 * one bit of each posting, so rare fields are last.
 */
export const FIELDS = [
  "subject",
  "sender",
  "recipients",
  "cc",
  "body",
  "files",
  "file_text",
  "bcc",
  "list",
  "delivered_to",
  "date",
] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT = FIELDS.length;
export const BODY = FIELDS.indexOf("body");
