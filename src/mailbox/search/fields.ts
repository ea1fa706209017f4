/** The fields of a message that are indexed. The order is the index's: a field is a bit of each posting, so rare ones are last. */
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
] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT = FIELDS.length;
export const BODY = FIELDS.indexOf("body");
