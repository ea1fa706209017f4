import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TABLES } from "../tools/docs/schema.ts";

/** docs/security.md lists everything that the database reveals. */

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/security.md");

/** The rows of the table of equality columns: columns and width. */
const rows = [...page.matchAll(/^\| (`.+?) \| (.+?) \|/gm)].map(([, columns, width]) => ({
  columns: columns!,
  width: width!,
}));
/** Columns of random secrets, which one row lists together. */
const SECRETS = /^(api_keys|assistant_tokens|sessions|invitations|oauth_flows|calendar_feeds|passkeys|idempotency)\./;
const hashes = TABLES.flatMap((table) =>
  table.columns.flatMap(({ name, blob }) =>
    blob?.kind === "hmac" ? [{ column: `${table.name}.${name}`, bits: blob.bits }] : [],
  ),
);

test("every keyed hash is listed with its width", () => {
  const revealing = hashes.filter(({ column }) => !SECRETS.test(column));
  expect(revealing.length).toBeGreaterThan(20);
  const listed = revealing.map(({ column }) => {
    const width = rows.find((row) => row.columns.includes(`\`${column}\``))?.width;
    return { column, bits: width?.endsWith(" bits") ? Number.parseInt(width, 10) : undefined };
  });
  expect(listed).toEqual(revealing);
});

test("other rows that reveal equal values are listed", () => {
  for (const other of ["contact_messages", "conversation", "`sent_date`"]) expect(page).toContain(other);
});

test("figures say what the index of 0.1 reveals, with the advice to encrypt the disk until its removal", () => {
  for (const figure of ["91%", "64%", "46%", "substitution cipher", "disk encryption"]) expect(page).toContain(figure);
});

test("every table of the search index is named with what it reveals", () => {
  const tables = TABLES.filter(({ folder }) => folder === "src/mailbox/search").map(({ name }) => name);
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
