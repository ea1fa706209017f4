export type Row = Record<string, string | number | boolean | null>;

/**
 * Prints rows to standard output: as JSON, or as a table.
 * @param none said on standard error instead of an empty table
 */
export function printRows(rows: readonly Row[], json: boolean | undefined, none: string): void {
  if (json) console.log(JSON.stringify(rows, null, 2));
  else if (rows.length === 0) console.error(none);
  else console.log(tableOf(rows));
}

/** Columns as wide as their longest cell. */
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
  return value === null ? "-" : shown(String(value));
}

/**
 * What strangers wrote (subjects, names, a server's words) as a terminal may show it: control characters, which would move
 * its cursor, and marks that turn the direction of what follows become spaces.
 */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
