import { expect, setDefaultTimeout, test } from "bun:test";
import { unzipSync } from "fflate";
import { APP_HEADER } from "../src/http/guard/app-guard.ts";
import { fill, ownParams } from "./fuzz/own-paths.ts";
import { isPaged } from "./fuzz/populate.ts";
import { createTwoPeople } from "./fuzz/two-people.ts";

/** Times are ISO 8601 in answers, events, audit details and exports. */

setDefaultTimeout(60_000);

/** Numbers between these bounds are times in milliseconds: 2005 to 2065. No other figure here is that large so far. */
const [FROM_MS, TO_MS] = [1.1e12, 3e12];
/** Numbers between these bounds are times in seconds, 2017 to 2033. */
const [FROM_S, TO_S] = [1.5e9, 2e9];

/** Returns the paths in a value at which a number looks like a time: "after.undo_until". */
function numericTimes(value: unknown, at = ""): string[] {
  if (typeof value === "number") {
    const looks = (value >= FROM_MS && value <= TO_MS) || (value >= FROM_S && value <= TO_S);
    return looks ? [`${at} = ${value}`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => numericTimes(child, `${at}.${name}`));
}

test("every list and every object of the API, and of the settings page", async () => {
  for (const audience of ["api", "app"] as const) {
    const people = await createTwoPeople(audience);
    try {
      const found: string[] = [];
      let asked = 0;
      for (const route of people.routes) {
        if (route.method !== "GET" || route.produces || route.audience === "public") continue;
        const answer = await people.call(
          people.ada,
          "GET",
          fill(route, ownParams(people.ada, route)) + (isPaged(route) ? "?limit=100" : ""),
        );
        if (answer.status === 200) asked++;
        found.push(...numericTimes(answer.json).map((place) => `${route.path}${place}`));
      }
      expect(found).toEqual([]);
      expect(asked).toBeGreaterThan(audience === "api" ? 25 : 15);
    } finally {
      people.close();
    }
  }
});

test("audit details show the time of a send as text, including times stored as numbers", async () => {
  const people = await createTwoPeople();
  try {
    const { ada, h } = people;
    const at = h.clock.now() + 3_600_000;
    h.platform.audit.record({
      user_id: ada.user_id,
      actor: { kind: "system", id: null },
      action: "an.earlier.version",
      target: null,
      before: {
        undo_until: at,
        scheduled_at: null,
        nested: [{ expires_at: at, date: -1 }],
        size: 1_772_445_600_000,
        start: 12,
      },
    });
    const rows = (await people.call(ada, "GET", "/audit?action=send.schedule")).json.data;
    expect(rows.length).toBe(3);
    for (const { after } of rows) expect(after.undo_until).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const [old] = (await people.call(ada, "GET", "/audit?action=an.earlier.version")).json.data;
    const text = new Date(at).toISOString();
    expect(old.before).toEqual({
      undo_until: text,
      scheduled_at: null,
      nested: [{ expires_at: text, date: "1969-12-31T23:59:59.999Z" }],
      size: 1_772_445_600_000,
      start: 12,
    });
  } finally {
    people.close();
  }
});

test("everything in a person's export", async () => {
  const people = await createTwoPeople("app");
  try {
    const { h, ada } = people;
    const browser = h.session("ada@fuzz.example");
    const headers = { Cookie: browser.cookie, [APP_HEADER]: "1" };
    const archive = await h.fetch("GET", "//app/api/me/export", {
      key: null,
      headers,
    });
    expect([browser.user.id, archive.status]).toEqual([ada.user_id, 200]);
    const files = Object.entries(unzipSync(new Uint8Array(await archive.arrayBuffer())));
    const lists = files.filter(([name]) => name.endsWith(".json"));
    expect(lists.length).toBeGreaterThan(15);
    const found = lists.flatMap(([name, bytes]) => numericTimes(JSON.parse(Buffer.from(bytes).toString()), name));
    expect(found).toEqual([]);
  } finally {
    people.close();
  }
});
