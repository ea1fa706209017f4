import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { UserError } from "../../kernel/errors.ts";
import { migrate } from "./migrate.ts";
import { openDb } from "./open.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-migrate-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const schema = (sql: Database) =>
  sql.query("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name").values();

test("a second run changes nothing", () => {
  const db = openDb(join(dir, "a.db"), "full", { migrateNow: true });
  const before = schema(db.sql);
  expect(before.length).toBeGreaterThan(10);
  migrate(db.sql);
  expect(schema(db.sql)).toEqual(before);
  db.close();
});

test("a database of a newer Postroom is refused and not changed", () => {
  const db = openDb(join(dir, "a.db"), "full", { migrateNow: true });
  db.sql.run("INSERT INTO migrations (name) VALUES ('9999_future')");
  expect(() => migrate(db.sql)).toThrow(UserError);
  expect(() => migrate(db.sql)).toThrow("newer Postroom (it has migration 9999_future)");
  db.close();
});

test("every table is strict, and every reference is valid", () => {
  const db = openDb(join(dir, "a.db"), "full", { migrateNow: true });
  const lax = db.sql
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  expect(lax).toEqual(["migrations"]);
  expect(db.sql.query("PRAGMA foreign_key_check").all()).toEqual([]);
  db.close();
});

test("when several processes open a new folder at once, all find it ready", async () => {
  const path = join(dir, "new.db");
  const code = `const { openDb } = await import(process.argv[1]); openDb(process.argv[2], "full", { migrateNow: true }).close();`;
  const open = join(import.meta.dir, "open.ts");
  const children = [1, 2, 3].map(() =>
    Bun.spawn([process.execPath, "-e", code, open, path], { stdout: "ignore", stderr: "pipe" }),
  );
  await eventually(() => children.every((child) => child.exitCode !== null), 15_000);
  const complaints = await Promise.all(children.map((child) => new Response(child.stderr).text()));
  expect(complaints).toEqual(["", "", ""]);
  const db = openDb(path, "full");
  expect(db.sql.query("SELECT count(*) AS n FROM users").get()).toEqual({ n: 0 });
  db.close();
}, 20_000);
