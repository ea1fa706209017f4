/** How a query differs from its target mail. */
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

/** A person's query, and the mails that it may mean: names of threads (sandbox), files (ham) or mails (notes). */
export type Row = [query: string, ...targets: string[]];
export type KnownItems = Partial<Record<Kind, Row[]>>;
