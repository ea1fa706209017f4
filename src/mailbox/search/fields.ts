/**
 * The fields of a message that are indexed; the date is that of the header. The order is the index's: a field is a bit of
 * each posting, so rare ones are last.
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
