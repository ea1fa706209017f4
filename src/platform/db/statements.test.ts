import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { compileOnce, withStablePlan } from "./statements.ts";

test("parameters that the planner would inspect are hidden from it, and nothing else is changed", () => {
  expect(
    withStablePlan("SELECT * FROM a JOIN b USING (id) WHERE a.x = ? AND b.y=?2 AND z IS ? LIMIT ? OFFSET $from"),
  ).toBe("SELECT * FROM a JOIN b USING (id) WHERE a.x = +? AND b.y=+?2 AND z IS +? LIMIT +? OFFSET +$from");
  expect(withStablePlan("SELECT 'a = ?', \"limit ?\", this ? FROM a WHERE x >= :x AND (p, q) > (?, ?)")).toBe(
    "SELECT 'a = ?', \"limit ?\", this ? FROM a WHERE x >= +:x AND (p, q) > (?, ?)",
  );
});

/** Opens a connection that compiles each statement once. */
function opened() {
  const sql = new Database(":memory:", { strict: true });
  const end = compileOnce(sql);
  sql.run("CREATE TABLE a (id TEXT PRIMARY KEY, n INTEGER, b BLOB) STRICT");
  sql.run("CREATE TABLE b (a_id TEXT, word TEXT) STRICT");
  return { sql, end };
}

test("a quote in a comment does not start a string", () => {
  const text = "SELECT 1 -- it's\n WHERE x = 'a = ?' /* don't = ? */ AND `b = ?` = ?";
  expect(withStablePlan(text)).toBe("SELECT 1 -- it's\n WHERE x = 'a = ?' /* don't = ? */ AND `b = ?` = +?");
});

test("values of every type are found as before", () => {
  const { sql, end } = opened();
  const value = fc.record({
    n: fc.option(fc.maxSafeInteger()),
    b: fc.option(fc.uint8Array({ maxLength: 8 })),
    word: fc.option(fc.string()),
  });
  let id = 0;
  fc.assert(
    fc.property(value, ({ n, b, word }) => {
      const key = String(id++);
      sql.query("INSERT INTO a VALUES (?, ?, ?)").run(key, n, b);
      sql.query("UPDATE a SET n = ?, b = ? WHERE id = ?").run(n, b, key);
      sql.query("INSERT INTO b VALUES (?, ?)").run(key, word);
      const found = sql
        .query(
          "SELECT a.id, a.n, a.b, b.word FROM a JOIN b ON b.a_id = a.id WHERE a.id = ? AND a.n IS ? AND a.b IS ? AND b.word IS ? LIMIT ?",
        )
        .all(key, n, b, word, 2);
      expect(found).toEqual([{ id: key, n, b, word }]);
    }),
  );
  end();
  sql.close(true);
});

test("a statement is compiled once, and none is left when the connection is closed", () => {
  const { sql, end } = opened();
  const text = "SELECT a.id FROM a JOIN b ON b.a_id = a.id WHERE a.id = ? LIMIT ?";
  const first = sql.query(text);
  expect(sql.query(text)).toBe(first);
  expect(sql.prepare(text)).toBe(first);
  for (let i = 0; i < 1_500; i++) sql.query(`SELECT ${i}`).get();
  expect(sql.query(text)).not.toBe(first);
  expect(first.all("x", 1)).toEqual([]);
  first.finalize();
  end();
  Bun.gc(true);
  // `close(true)` throws if a compiled statement is left.
  sql.close(true);
});
