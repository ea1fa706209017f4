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

/** Columns as wide as their longest cell. Control characters, which a mail server's words may hold, become spaces. */
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
  return value === null ? "-" : String(value).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
