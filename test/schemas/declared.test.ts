import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS, migrate } from "../../src/platform/db/migrate.ts";
import { addedColumns, GRANT_TABLE_NAMES, GRANT_TABLES } from "../../src/platform/grants/covered-tables.ts";
import { TABLES } from "../../tools/docs/schema.ts";
import { ordinaryTables } from "./sample-rows.ts";

/** Each `tables.ts` declares its tables as the migrations create them. */

const ROOT = join(import.meta.dir, "../..");
const sql = new Database(":memory:", { strict: true });
migrate(sql);
afterAll(() => sql.close());

/** Tables whose folder is not the owner that their migration names. */
const MOVED: Record<string, string> = {
  ai_egress: "src/platform/ledger", // Every feature that calls a model is recorded there.
};

/** The owners that the header of a migration names; the first migration names none. */
function ownersOf(text: string): string[] {
  const header = text.slice(0, text.search(/^(?!--)/m));
  const paths = [...header.matchAll(/\bsrc\/[\w/]+(?:\{[\w,]+\})?/g)].map(([path]) => path.replace(/\/$/, ""));
  const owners = paths.flatMap((path) => {
    const [, base, names] = /^(.*)\{(.*)\}$/.exec(path) ?? [];
    return names === undefined ? [path] : names.split(",").map((name) => `${base}${name}`);
  });
  return owners.length === 0 ? ["src/platform"] : owners;
}

/** SQLite's own description, in the form of `TABLES`. */
function storedTable(name: string) {
  const columns = sql
    .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    )
    .all(name);
  const unique = sql
    .query<{ columns: string }, [string]>(
      `SELECT (SELECT group_concat(name) FROM pragma_index_info(i.name)) AS columns
       FROM pragma_index_list(?) i WHERE origin = 'u'`,
    )
    .all(name);
  return {
    columns: columns.map(({ name, type, notnull, pk }) => ({ name, type, required: notnull === 1 || pk > 0 })),
    primaryKey: columns
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map((column) => column.name),
    unique: unique.map(({ columns }) => columns).toSorted(),
  };
}

test("the migrated database has exactly the declared tables", () => {
  // `migrations` itself is created before any migration.
  expect(TABLES.map(({ name }) => name)).toEqual(ordinaryTables(sql));
  expect(TABLES.length).toBeGreaterThan(80);
});

test.each(TABLES.map((table) => [table.name, table] as const))(
  "%s is declared as the migrations create it",
  (name, table) => {
    const { columns, primaryKey, unique } = table;
    expect({
      columns: columns.map(({ name, type, required }) => ({ name, type, required })),
      primaryKey,
      unique: unique.map((some) => some.join()).toSorted(),
    }).toEqual(storedTable(name));
  },
);

test("every column of bytes says what it holds, and no other column does", () => {
  const columns = TABLES.flatMap((table) =>
    table.columns.map((column) => ({ ...column, name: `${table.name}.${column.name}` })),
  );
  expect(columns.filter(({ type, blob }) => (type === "BLOB") !== (blob !== undefined))).toEqual([]);
  expect(columns.filter(({ blob }) => blob?.kind === "sealed").length).toBeGreaterThan(45);
});

test("each table is declared in the folder that its migration names, or below", () => {
  const wrong = MIGRATIONS.flatMap(({ name, sql: text }) => {
    const owners = ownersOf(text);
    const created = [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table!);
    return created.flatMap((table) => {
      const folder = TABLES.find((declared) => declared.name === table)?.folder ?? "nowhere";
      const allowed = MOVED[table] ? [MOVED[table]] : owners;
      return allowed.some((owner) => `${folder}/`.startsWith(`${owner}/`)) ? [] : [`${name}: ${table} in ${folder}`];
    });
  });
  expect(wrong).toEqual([]);
});

test("every tables.ts is listed in tools/docs/schema.ts", () => {
  const files = [...new Bun.Glob("src/**/tables.ts").scanSync(ROOT)].toSorted();
  expect([...new Set(TABLES.map(({ folder }) => `${folder}/tables.ts`))].toSorted()).toEqual(files);
});

test("only the query builder loads declarations; all other code imports their types", () => {
  const sources = [...new Bun.Glob("src/**/*.ts").scanSync(ROOT)].filter((path) => !path.endsWith(".test.ts"));
  const loads = /^import (?!type\b)[^;]*?from "[^"]*\/tables\.ts"/m;
  const found = sources.filter((path) => loads.test(readFileSync(join(ROOT, path), "utf8")));
  expect(found.toSorted()).toEqual(["src/mailbox/queries/thread-filters.ts", "src/mailbox/queries/thread-list.ts"]);
});

test("the register of grants covers columns that exist", () => {
  const computed = new Set(["sessions.used_day"]);
  const missing = GRANT_TABLE_NAMES.flatMap((table) => {
    const known = new Set(TABLES.find(({ name }) => name === table)?.columns.map(({ name }) => name));
    const { key, columns } = GRANT_TABLES[table];
    return [...key, ...columns, ...addedColumns(table)]
      .filter((column) => !known.has(column))
      .map((column) => `${table}.${column}`);
  });
  expect(missing.filter((column) => !computed.has(column))).toEqual([]);
});
