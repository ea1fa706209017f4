import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** docs/security.md lists everything that the database reveals. */

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/security.md");

/** The rows of the table of equality columns: columns and width. */
const rows = [...page.matchAll(/^\| (`.+?) \| (.+?) \|/gm)].map(([, columns, width]) => ({
  columns: columns!,
  width: width!,
}));
/** Tables and columns of all migrations with `_hmac` in their names, as `table.column`. */
const columns = readdirSync(join(ROOT, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .flatMap((name) => [...read(`migrations/${name}`).matchAll(/^CREATE TABLE (\w+) \(([\s\S]+?)^\)/gm)])
  .flatMap(([, table, body]) =>
    [...body!.matchAll(/^\s+(\w+_hmac)\s+BLOB/gm)].map(([, column]) => `${table}.${column}`),
  );

test("every column that reveals equality is named with its table", () => {
  expect(columns.length).toBeGreaterThan(15);
  expect(columns.filter((column) => !rows.some((row) => row.columns.includes(`\`${column}\``)))).toEqual([]);
});

test("the width of each tag of a message is the stored width", () => {
  const width = (column: string) => rows.find((row) => row.columns.includes(`\`messages.${column}\``))?.width;
  const stored = { subject_hmac: 8, people: 16, sender_hmac: 12, msgid_hmac: 16, content_hmac: 8 };
  for (const [column, bits] of Object.entries(stored))
    expect([column, width(column)]).toEqual([column, `${bits} bits`]);
});

test("other rows that reveal equal values are listed", () => {
  for (const other of ["contact_messages", "conversation", "`sent_date`"]) expect(page).toContain(other);
});

test("figures say what the index of 0.1 reveals, with the advice to encrypt the disk until its removal", () => {
  for (const figure of ["91%", "64%", "46%", "substitution cipher", "disk encryption"]) expect(page).toContain(figure);
});

test("every table of the search index is named with what it reveals", () => {
  const tables = [...read("migrations/0018_fulltext.sql").matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name!);
  expect(tables.length).toBeGreaterThan(4);
  expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("nothing promises that contents stay sealed or that guesses cannot be tested", () => {
  const texts = ["docs/security.md", "docs/search.md", "docs/decisions/0012-full-text-index.md", "README.md"];
  const untrue = /contents stay sealed|nobody can\s+test a guess|shows nothing without|cannot be read without/i;
  for (const path of [...texts, "src/features/auth/key-storage.ts", "src/features/diagnostics/folder.ts"]) {
    expect([path, untrue.exec(read(path))?.[0]]).toEqual([path, undefined]);
  }
});
