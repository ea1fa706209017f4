/**
 * The fields of a message that are indexed; the date is that of the header. The order is that of the index: a field is
 * one bit of each posting. Existing indexes have these bits, so add a field at the end only. CONTRIBUTING.md ("A search
 * operator") lists the other places of a field.
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

/** Fields that only their operator searches. They are never shown: `list:dev` does not mark "dev" in a text. */
export const OPERATOR_ONLY_FIELDS: readonly Field[] = ["list", "delivered_to"];

export const FIELD_COUNT = FIELDS.length;
export const BODY = FIELDS.indexOf("body");
