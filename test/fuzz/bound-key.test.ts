import { expect, test } from "bun:test";
import type { IdKind } from "../../src/kernel/ids.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { pathIds } from "./foreign-ids.ts";
import { idsIn } from "./populate.ts";
import { createTwoPeople } from "./two-people.ts";

const CANARY = "secondcanary";

test("to a key of one mailbox, the same person's other mailbox is foreign, in every list and by every id", async () => {
  const people = await createTwoPeople();
  try {
    const { h, ada, eve } = people;
    const { sql } = h.platform.db;
    const [first] = sql.query<{ id: string }, [string]>("SELECT id FROM accounts WHERE user_id = ?").all(ada.user_id);
    const second = seedMailbox(h.platform, ada.user_id, { email: "second@fuzz.example" });
    for (let i = 0; i < 3; i++) {
      const from = { name: CANARY, email: `${CANARY}${i}@example.net` };
      const labels = [`${CANARY} label`];
      second.deliver({ subject: `${CANARY} ${i}`, text: `${CANARY} says so`, from, labels, flags: { seen: false } });
    }
    const idsOf = (table: string) =>
      sql
        .query<{ id: string }, [string]>(`SELECT id FROM ${table} WHERE account_id = ?`)
        .all(second.account.id)
        .map(({ id }) => id);
    const ids = new Map<IdKind, string[]>([
      ["thread", idsOf("threads")],
      ["message", idsOf("messages")],
      ["account", [second.account.id]],
      ["folder", idsOf("folders")],
      ["label", [sql.query<{ id: string }, []>("SELECT api_id AS id FROM labels ORDER BY id DESC").get()!.id]],
    ]);
    const bound = { ...ada, key: h.newKey({ user_id: ada.user_id, account_id: first!.id }).secret };
    const other = { ...eve, user_id: ada.user_id, canary: CANARY, ids, cursors: [] };
    const fixture = { ...people, ada: bound, eve: other };
    const misses: string[] = [];
    const foreign = new Set([...ids.values()].flat());
    for (const route of people.routes.filter(({ audience }) => audience !== "public")) {
      await pathIds(fixture, route, misses);
      if (route.method !== "GET" || route.path.includes(":") || route.path === "/events" || route.produces) continue;
      const { text } = await people.call(bound, "GET", route.path);
      if (text.includes(CANARY)) misses.push(`GET ${route.path} shows words of the other mailbox`);
      for (const id of idsIn(text)) if (foreign.has(id)) misses.push(`GET ${route.path} shows ${id}`);
    }
    for (const query of [CANARY.slice(0, -1), `from:${CANARY.slice(0, -1)}`, `label:${CANARY.slice(0, -1)}`]) {
      const { json } = await people.call(bound, "GET", `/search/suggest?q=${query}`);
      if (json.data.length > 0) misses.push(`GET /search/suggest completes ${query}`);
    }
    for (const query of [CANARY, `from:${CANARY}0@example.net`]) {
      const { json } = await people.call(bound, "POST", "/search", { query });
      if (json.data.length > 0) misses.push(`POST /search finds the other mailbox for ${query}`);
    }
    // Only mail belongs to one mailbox or another.
    expect(misses.filter((miss) => !miss.endsWith("to try"))).toEqual([]);
  } finally {
    people.close();
  }
}, 60_000);
