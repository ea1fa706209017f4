export type Row = Record<string, string | number | boolean | null>;

/**
 * Prints rows to standard output: as JSON, or as a table.
 * @param none message for standard error instead of an empty table
 */
export function printRows(rows: readonly Row[], json: boolean | undefined, none: string): void {
  if (json) console.log(JSON.stringify(rows, null, 2));
  else if (rows.length === 0) console.error(none);
  else console.log(tableOf(rows));
}

/** Returns a table whose columns are as wide as their longest cell. */
export function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? null)))];
  const widths = names.map((_, i) => Math.max(...cells.map((line) => Bun.stringWidth(line[i]!))));
  const pad = (text: string, width: number) => text + " ".repeat(width - Bun.stringWidth(text));
  return cells
    .map((line) =>
      line
        .map((text, i) => pad(text, widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(value: Row[string]): string {
  return value === null ? "-" : terminalSafe(String(value));
}

/**
 * Makes text from strangers (subjects, names, server replies) safe for a terminal. Control characters, which can move
 * the cursor, and marks that change the text direction become spaces.
 */
export function terminalSafe(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
