/** How a query differs from the mail that it is after. */
export const KINDS = [
  "remembered words",
  "other words",
  "typing errors",
  "English inflections",
  "German inflections",
  "French inflections",
  "parts of words",
  "names",
  "amounts",
  "dates",
  "questions",
  "one word",
  "word order",
  "attachments",
] as const;
export type Kind = (typeof KINDS)[number];

/** What a person types, and the mails that they may mean: names of threads (sandbox), files (ham) or mails (notes). */
export type Row = [query: string, ...targets: string[]];
export type KnownItems = Partial<Record<Kind, Row[]>>;
