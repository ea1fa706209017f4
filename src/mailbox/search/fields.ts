/** The searched fields of a message, in the order of the index, rare ones last. */
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
