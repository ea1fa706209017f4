import type { Blinding } from "./blinding.ts";
import type { Field } from "./fields.ts";
import type { Condition, Words } from "./query.ts";
import { englishStem, neutralStem } from "./stems.ts";
import { type IndexColumn, WORD_FIELDS } from "./words.ts";

/** FTS5 query expressions. They hold blinded tokens only, so nothing that a person types can be syntax. */

/** Temporary, until the sealed index replaces these columns: it has no lists and no delivery addresses. */
const COLUMNS_OF: Record<Field, readonly IndexColumn[]> = {
  subject: ["subject", "subject_stems"],
  sender: ["sender"],
  recipients: ["recipients"],
  cc: ["cc"],
  body: ["body", "body_stems"],
  files: ["files"],
  file_text: ["file_text", "file_stems"],
  bcc: ["recipients"],
  list: [],
  delivered_to: [],
};
/** No blinded word has a digit 0. */
const NO_MATCH = '"0"';

/** One word in its forms, or a phrase. */
export function wordsMatch(blinding: Blinding, { fields, tokens, prefix, exact }: Words): string {
  const columns = fields && [...new Set(fields.flatMap((field) => COLUMNS_OF[field]))];
  if (columns?.length === 0) return NO_MATCH;
  // A stem may be another word ("news", "new"): what is to stand there as it is written is not looked for among stems.
  const asWritten = exact || prefix ? (columns ?? WORD_FIELDS).filter((column) => !isStems(column)) : columns;
  const filter = asWritten === null ? "" : `{${asWritten.join(" ")}} : `;
  if (prefix) {
    const whole = tokens.slice(0, -1).map((token) => blinding.word(token));
    // `parseQuery` has seen to its being long enough.
    const begun = blinding.prefix(tokens.at(-1)!) ?? blinding.word(tokens.at(-1)!);
    return `${filter}"${[...whole, begun].join(" ")}" *`;
  }
  if (exact) return `${filter}"${tokens.map((token) => blinding.word(token)).join(" ")}"`;
  const word = tokens[0]!;
  const token = `"${blinding.word(word)}"`;
  if (columns !== null && !columns.some(isStems)) return `${filter}${token}`;
  const stems = stemsOf(word).map((stem) => `"${blinding.word(stem)}"`);
  // Names of people and files are not stemmed.
  const names = columns === null && englishStem(word) !== null ? [`{${NAMES.join(" ")}} : ${token}`] : [];
  const forms = [...stems, ...names];
  return forms.length === 1 ? `${filter}${forms[0]}` : `${filter}(${forms.join(" OR ")})`;
}

const isStems = (column: IndexColumn) => column.endsWith("_stems");

const NAMES: readonly IndexColumn[] = ["sender", "recipients", "cc", "files"];

/**
 * What the forms of a word are indexed by: its stem if it is English, the other stem if its text is not, and the word itself
 * where it has none of that kind. Wherever it stands in a text, one of these does; and in English text no more than one, for
 * what matches twice counts twice.
 */
function stemsOf(word: string): string[] {
  return [...new Set([englishStem(word) ?? word, neutralStem(word) ?? word])];
}

/** The same for two words that are forms of one another, so that they find the same. */
export function identityOf({ tokens, exact }: Words): string {
  return JSON.stringify(exact ? tokens : stemsOf(tokens[0]!));
}

/** The expression for a condition that is about words alone; null where it is about something else, too, or a negation. */
export function conditionMatch(blinding: Blinding, condition: Condition): string | null {
  switch (condition.kind) {
    case "words":
      return wordsMatch(blinding, condition);
    case "all":
    case "any": {
      const parts = condition.of.map((part) => conditionMatch(blinding, part));
      if (parts.some((part) => part === null)) return null;
      return `(${parts.join(condition.kind === "all" ? " AND " : " OR ")})`;
    }
    default:
      return null;
  }
}
