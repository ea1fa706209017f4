import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** docs/security.md says what the database gives away, all of it. */

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/security.md");

test("every column that shows equality is named", () => {
  const columns = readdirSync(join(ROOT, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .flatMap((name) =>
      [...read(`migrations/${name}`).matchAll(/^\s+(\w+_hmac)\s+BLOB/gm)].map(([, column]) => column!),
    );
  expect(columns.length).toBeGreaterThan(15);
  expect([...new Set(columns)].filter((column) => !page.includes(column))).toEqual([]);
});

test("what the index of 0.1 gives away is said in figures, with the advice to encrypt the disk until it is removed", () => {
  for (const figure of ["91 %", "64 %", "46 %", "substitution cipher", "disk encryption"])
    expect(page).toContain(figure);
});

test("every table of the search index is named with what it shows", () => {
  const tables = [...read("migrations/0018_fulltext.sql").matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name!);
  expect(tables.length).toBeGreaterThan(4);
  expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("nothing promises that contents stay sealed or that guesses cannot be tested", () => {
  const texts = ["docs/security.md", "docs/search.md", "docs/decisions/0012-full-text-index.md", "README.md"];
  const untrue = /contents stay sealed|nobody can\s+test a guess|shows nothing without|cannot be read without/i;
  for (const path of [...texts, "src/features/door/custody.ts", "src/checkup/folder.ts"]) {
    expect([path, untrue.exec(read(path))?.[0]]).toEqual([path, undefined]);
  }
});
