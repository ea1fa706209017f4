/*
 * Finds rows that may end in a page of which they do not write every byte (sqlite.org/fileformat2.html, "B-tree Cell
 * Format"). A row that is too long for its page continues on overflow pages, and SQLite writes only the needed part of
 * the last one. The rest of that page keeps earlier content, even with secure_delete.
 */

/** A column of a table, as `pragma_table_info` describes it. */
export interface Column {
  name: string;
  /** Declared type: "INTEGER", "TEXT", "BLOB", "REAL". */
  type: string;
}

/** The facts about the size of a row that are known before it is read. */
export interface StoredSize {
  /** Bytes of each TEXT and BLOB value that is not null. */
  lengths: readonly number[];
  /** All other values: numbers and nulls, of which each takes 0 to 8 bytes. */
  others: number;
}

/** Bytes of the smallest part of a long row that stays on its b-tree page. */
const smallestLocal = (pageBytes: number) => Math.floor(((pageBytes - 12) * 32) / 255) - 23;
/** Bytes of the longest row without overflow pages, for tables with or without row ids. */
const longestLocal = (pageBytes: number, withoutRowid: boolean) =>
  withoutRowid ? Math.floor(((pageBytes - 12) * 64) / 255) - 23 : pageBytes - 35;

/**
 * Returns whether the last overflow page of a row may have bytes that the row did not write. If the exact size is
 * unknown, returns true if any possible size has this effect.
 */
export function mayHaveSlack(size: StoredSize, pageBytes: number, withoutRowid: boolean): boolean {
  const shortest = payloadBytes(size);
  const spread = size.others * 8 + 2;
  const local = longestLocal(pageBytes, withoutRowid);
  if (shortest + spread <= local) return false;
  const least = smallestLocal(pageBytes);
  const perPage = pageBytes - 4;
  // A row keeps the remainder of its overflow pages on its b-tree page if it fits there. Then nothing is left over.
  const kept = least + ((((shortest - least) % perPage) + perPage) % perPage);
  return kept + spread > local;
}

function payloadBytes({ lengths, others }: StoredSize): number {
  const values = lengths.reduce((sum, length) => sum + length, 0);
  const types = lengths.reduce((sum, length) => sum + varintBytes(length * 2 + 13), 0) + others;
  return values + types + varintBytes(types + 1);
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const isLong = ({ type }: Column) => type === "TEXT" || type === "BLOB";

/** Returns the columns of a table whose values can be long. */
export function longColumns(columns: readonly Column[]): Column[] {
  return columns.filter(isLong);
}

/**
 * Returns SQL for the size of a row: one value, the lengths of its long columns as a JSON array with null for a null.
 */
export function lengthsOf(columns: readonly Column[]): string {
  return `json_array(${longColumns(columns)
    .map(({ name }) => `octet_length(${quoted(name)})`)
    .join(", ")})`;
}

/** Parses the result of `lengthsOf`. @param count columns of the table */
export function storedSize(json: string, count: number): StoredSize {
  const lengths = (JSON.parse(json) as (number | null)[]).filter((length) => length !== null);
  return { lengths, others: count - lengths.length };
}
