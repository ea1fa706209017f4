import { expect, test } from "bun:test";
import { rows } from "../invariants/finding.ts";
import { sealedColumns } from "../invariants/sealed.ts";
import { pathIds } from "./foreign-ids.ts";
import { createTwoPeople } from "./two-people.ts";

/** Opening a row takes time that finding none does not: timing would reveal that the id belongs to someone. */
test.each([
  ["api", 50],
  ["app", 5],
] as const)(
  "no row of another person is opened before the request is refused: %s",
  async (audience, least) => {
    const people = await createTwoPeople(audience);
    try {
      const { platform } = people.h;
      let spoiled = 0;
      for (const { table, column } of sealedColumns({ platform })) {
        const columns = rows<{ name: string }>(platform, `SELECT name FROM pragma_table_info('${table}')`);
        if (!columns.some(({ name }) => name === "user_id")) continue;
        spoiled += platform.db.sql
          .query(`UPDATE ${table} SET ${column} = x'00' WHERE user_id = ? AND ${column} IS NOT NULL`)
          .run(people.eve.user_id).changes;
      }
      expect(spoiled).toBeGreaterThan(20);
      const misses: string[] = [];
      let asked = 0;
      // Requests reserved for the owner are made by the person whose rows are damaged.
      for (const route of people.routes.filter(({ role }) => role !== "owner"))
        asked += await pathIds(people, route, misses);
      expect(misses).toEqual([]);
      expect(asked).toBeGreaterThan(least);
    } finally {
      people.close();
    }
  },
  60_000,
);
