import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOldFolder } from "../../../test/attack/old-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { deleteCopiesWithLegacyIndex } from "../../mailbox/search/legacy-copies.ts";
import { copiesFinding, findOldIndex } from "./old-index.ts";

let scratch: Scratch;
let folder: string;
beforeEach(() => {
  scratch = scratchPlatform();
  folder = join(scratch.data_dir, "upgrades");
  mkdirSync(folder);
});
afterEach(() => scratch.close());

async function addOldCopy(name: string): Promise<void> {
  await writeOldFolder(folder);
  renameSync(join(folder, "postroom.db"), join(folder, name));
}

const found = () => findOldIndex(scratch.platform);

test("a new installation has no old index, and copies are not mentioned", () => {
  expect(found()).toEqual({ database: false, copies: [] });
  expect(copiesFinding(scratch.data_dir, found())).toEqual([]);
});

test("copies with an old index are found, including broken and unfinished ones, and no others", async () => {
  await addOldCopy("0017_grants-2026-11-21T10-00-00.db");
  const withoutOldIndex = new Database(join(folder, "0020_next-2026-11-22T10-00-00.db"), { create: true });
  withoutOldIndex.run("CREATE TABLE words_list (n INTEGER)");
  withoutOldIndex.close();
  writeFileSync(join(folder, "0019_broken-2026-11-20T10-00-00.db"), "not a database");
  writeFileSync(join(folder, "0016_content_bounds-2026-11-20T10-00-00.db.part"), "the beginning of something");
  const before = readdirSync(folder);
  expect(found().copies.map((path) => path.slice(folder.length + 1))).toEqual([
    "0019_broken-2026-11-20T10-00-00.db",
    "0017_grants-2026-11-21T10-00-00.db",
    "0016_content_bounds-2026-11-20T10-00-00.db.part",
  ]);
  // The check creates no files.
  expect(readdirSync(folder)).toEqual(before);
});

test("the advice names the command that deletes them, and the command keeps the other copies", async () => {
  await addOldCopy("0017_grants-2026-11-21T10-00-00.db");
  new Database(join(folder, "0020_next-2026-11-22T10-00-00.db"), { create: true }).run("CREATE TABLE t (n)");
  const [finding] = copiesFinding(scratch.data_dir, found());
  expect(finding).toMatchObject({ check: "old copies", result: "advice" });
  expect(finding?.detail).toContain(`postroom doctor --delete-old-copies --data ${scratch.data_dir}`);
  expect(deleteCopiesWithLegacyIndex(scratch.data_dir)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["0020_next-2026-11-22T10-00-00.db"]);
  expect(copiesFinding(scratch.data_dir, found())).toEqual([]);
  expect(deleteCopiesWithLegacyIndex(scratch.data_dir)).toEqual([]);
});

test("an index in the database counts until its removal has overwritten all of its pages", () => {
  const { sql } = scratch.platform.db;
  sql.run("CREATE TABLE index_removal (n INTEGER PRIMARY KEY, step TEXT, place TEXT, filler BLOB)");
  expect(found().database).toBe(true);
  sql.run("DROP TABLE index_removal");
  expect(found().database).toBe(false);
  sql.run(`CREATE VIRTUAL TABLE words_${scratch.user.id} USING fts5(body, content = '')`);
  expect(found().database).toBe(true);
});
