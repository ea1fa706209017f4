import { expect, test } from "bun:test";
import { rows } from "../invariants/finding.ts";
import { sealedColumns } from "../invariants/sealed.ts";
import { pathIds } from "./foreign-ids.ts";
import { createTwoPeople } from "./two-people.ts";

/** Opening a row takes time that finding none does not: whoever measures would learn that the id is somebody's. */
test("nothing of another person's is as much as opened before it is refused", async () => {
  const people = await createTwoPeople();
  try {
    const { platform } = people.h;
    let spoiled = 0;
    for (const { table, column } of sealedColumns({ platform })) {
      const columns = rows<{ name: string }>(platform, `SELECT name FROM pragma_table_info('${table}')`);
      if (!columns.some(({ name }) => name === "user_id") || table === "api_keys") continue;
      spoiled += platform.db.sql
        .query(`UPDATE ${table} SET ${column} = x'00' WHERE user_id = ? AND ${column} IS NOT NULL`)
        .run(people.eve.user_id).changes;
    }
    expect(spoiled).toBeGreaterThan(20);
    const misses: string[] = [];
    let asked = 0;
    for (const route of people.routes) asked += await pathIds(people, route, misses);
    expect(misses).toEqual([]);
    expect(asked).toBeGreaterThan(50);
  } finally {
    people.close();
  }
}, 60_000);
