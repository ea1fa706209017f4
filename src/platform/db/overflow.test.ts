import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mayHaveSlack, storedSize } from "./overflow.ts";

const DECLARED = {
  true: "k INTEGER PRIMARY KEY, a BLOB, b TEXT, c INTEGER) WITHOUT ROWID",
  false: "k INTEGER PRIMARY KEY, a BLOB, b TEXT, c INTEGER)",
};

/** Returns the unused bytes of overflow pages according to SQLite. */
const unused = (sql: Database) =>
  Number(sql.query("SELECT max(unused) FROM dbstat WHERE name = 't' AND pagetype = 'overflow'").values()[0]![0] ?? 0);

test.each([false, true])(
  "finds every row with slack on an overflow page, and few others (without row ids: %s)",
  (withoutRowid) => {
    const sql = new Database(":memory:");
    sql.run(`CREATE TABLE t (${DECLARED[`${withoutRowid}`]}`);
    const pageBytes = Number(sql.query("PRAGMA page_size").values()[0]![0]);
    const missed: number[] = [];
    let found = 0;
    let extra = 0;
    for (let length = 100; length < 20_000; length += 37) {
      sql.run("DELETE FROM t");
      const b = length % 3 === 0 ? null : "x".repeat(length % 50);
      sql.query("INSERT INTO t VALUES (?, ?, ?, ?)").run(length, new Uint8Array(length), b, length % 2 ? 0 : 2 ** 40);
      const may = mayHaveSlack(storedSize(JSON.stringify([length, b?.length ?? null]), 4), pageBytes, withoutRowid);
      const has = unused(sql) > 0;
      if (has && !may) missed.push(length);
      if (has) found++;
      if (may && !has) extra++;
    }
    sql.close();
    expect(missed).toEqual([]);
    expect(found).toBeGreaterThan(30);
    expect(extra).toBeLessThan(30);
  },
);
