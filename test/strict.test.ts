import { expect, setDefaultTimeout, test } from "bun:test";
import { unknownFinder } from "../src/http/unknown.ts";
import { fill, ownParams } from "./fuzz/own-paths.ts";
import { createTwoPeople } from "./fuzz/two-people.ts";

/** Unknown fields and parameters, on every route. */

setDefaultTimeout(60_000);

test.each(["api", "app"] as const)(
  "Prefer: handling=strict refuses them on every route of %s, and nothing changes",
  async (audience) => {
    const people = await createTwoPeople(audience);
    try {
      const { ada, h, call, routes } = people;
      const rows = () =>
        h.platform.db.sql
          .query<{ n: number }, []>("SELECT (SELECT count(*) FROM audit) + (SELECT count(*) FROM idempotency) AS n")
          .get()!.n;
      const misses: string[] = [];
      let tried = 0;
      for (const route of routes.filter((one) => one.audience !== "public" && one.role !== "owner")) {
        const path = fill(route, ownParams(ada, route));
        const given = route.form ? new FormData() : { ...((route.examples.body as object) ?? {}) };
        // A map has no unknown keys.
        const isMap = route.body !== null && "patternProperties" in route.body;
        const takesBody = route.method !== "GET" && !isMap;
        const before = rows();
        const inQuery = await call(ada, route.method, `${path}?zebra=1`, takesBody ? given : undefined, {
          Prefer: "handling=strict",
        });
        if (given instanceof FormData) given.append("zebra", "1");
        else Object.assign(given, { zebra: 1 });
        const inBody = takesBody && (await call(ada, route.method, path, given, { Prefer: "handling=strict" }));
        for (const answer of inBody ? [inQuery, inBody] : [inQuery]) {
          tried++;
          const seen = [answer.status, answer.json?.error?.param, answer.headers.get("x-unknown-params")];
          if (!Bun.deepEquals(seen, [400, "zebra", '"zebra"'])) misses.push(`${route.method} ${route.path}: ${seen}`);
        }
        if (rows() !== before) misses.push(`${route.method} ${route.path}: something changed`);
      }
      expect(misses).toEqual([]);
      expect(tried).toBeGreaterThan(audience === "api" ? 80 : 40);
    } finally {
      people.close();
    }
  },
);

test("the examples of the description contain nothing unknown", async () => {
  const people = await createTwoPeople();
  try {
    for (const { operationId, examples, body, query, form } of people.routes) {
      if (examples.body === undefined) continue;
      const found = unknownFinder(query, body, form).find(null, examples.body, new FormData());
      expect([operationId, found?.header()]).toEqual([operationId, undefined]);
    }
  } finally {
    people.close();
  }
});
