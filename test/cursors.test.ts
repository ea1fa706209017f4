import { expect, setDefaultTimeout, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { sealCursor } from "../src/http/cursor.ts";
import type { Route } from "../src/http/route.ts";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { fill, idsOf, ownParams } from "./fuzz/own-paths.ts";
import { createTwoPeople, type TwoPeople } from "./fuzz/two-people.ts";
import type { Answer } from "./support/http-harness.ts";
import { indexMessage } from "./support/index-message.ts";

/** A cursor opens only the list that issued it: same path, same filters, same user. The test covers every list. */

setDefaultTimeout(60_000);

type Fields = Record<string, unknown>;

/** A list: how to request it, and the name of its cursor. */
interface List {
  route: Route;
  cursor: "cursor" | "after";
  fields: Record<string, TSchema>;
}

const fieldsOf = (route: Route): Record<string, TSchema> =>
  (route.query?.properties ?? route.body?.properties ?? {}) as Record<string, TSchema>;

/** Every route with a page size. A limit without a cursor is not a list in pages. */
function listsOf({ routes }: TwoPeople): List[] {
  return routes
    .map((route) => ({ route, fields: fieldsOf(route) }))
    .filter(({ fields }) => "limit" in fields && ("cursor" in fields || "after" in fields))
    .map(({ route, fields }) => ({ route, fields, cursor: "cursor" in fields ? "cursor" : "after" }));
}

function ask({ ada, call }: TwoPeople, { route }: List, fields: Fields, params = {}): Promise<Answer> {
  const path = fill(route, { ...ownParams(ada, route), ...params });
  if (route.body) return call(ada, route.method, path, fields);
  return call(ada, route.method, `${path}?${new URLSearchParams(fields as Record<string, string>)}`);
}

/** Parameters that a list requires for its first page. */
const needed = ({ route }: List): Fields => (route.path === "/search" ? { query: "hello", mode: "keyword" } : {});

/** Indexes the words of a person's mail, because the fixture's messages did not pass through the index. */
function index({ h: { platform }, ada }: TwoPeople): void {
  const mailbox = createMailbox(platform);
  const rows = platform.db.sql.query<{ id: string }, [string]>("SELECT id FROM messages WHERE user_id = ?");
  for (const { id } of rows.all(ada.user_id)) indexMessage(platform.db, mailbox, id, { text: "hello" });
}

/** Values of a field that are not its default. */
function valuesOf(name: string, schema: TSchema, { ada }: TwoPeople): unknown[] {
  if (name === "account_id") return idsOf(ada, "account");
  if (name === "profile_id") return idsOf(ada, "contextProfile");
  if (name === "types") return ["draft.created"];
  if (name === "query" || name === "q") return ["hello world"];
  if (schema.type === "boolean") return [true, false].filter((value) => value !== schema.default);
  if (schema.format === "date-time") return ["2026-03-01T00:00:00Z"];
  if (schema.anyOf)
    return schema.anyOf.map((one: TSchema) => one.const).filter((one: unknown) => one !== schema.default);
  if (schema.type === "string") return ["x"];
  if (schema.type === "integer") return [schema.minimum ?? 1];
  throw new Error(`Unknown field: what value could ${name} have?`);
}

test.each(["api", "app"] as const)(
  "cursors of %s belong to one path, one set of filters and one user",
  async (audience) => {
    const people = await createTwoPeople(audience);
    try {
      index(people);
      const lists = listsOf(people);
      const misses: string[] = [];
      let tried = 0;
      const cursors = new Map<List, string>();
      const refused = async (name: string, answer: Promise<Answer>, list: List) => {
        const { status, json } = await answer;
        tried++;
        if (status !== 400 || json.error.code !== "invalid_params" || json.error.param !== list.cursor) {
          misses.push(`${name}: ${status} ${json?.error?.param ?? ""}`);
        }
      };
      for (const list of lists) {
        const { json } = await ask(people, list, { ...needed(list), limit: 1 });
        if (typeof json.next_cursor === "string") cursors.set(list, json.next_cursor);
        else misses.push(`${list.route.path} has no second page to try`);
      }
      for (const [list, cursor] of cursors) {
        const { path, params } = list.route;
        const page = { ...needed(list), [list.cursor]: cursor };
        for (const limit of [1, 2, 100]) {
          const { status } = await ask(people, list, { ...page, limit });
          if (status !== 200) misses.push(`${path} with limit ${limit}: ${status}`);
        }
        for (const [name, schema] of Object.entries(list.fields)) {
          if (name === "limit" || name === list.cursor) continue;
          for (const value of valuesOf(name, schema, people)) {
            if (needed(list)[name] === value) continue;
            await refused(`${path} ${name}=${value}`, ask(people, list, { ...page, [name]: value }), list);
          }
        }
        for (const [name, kind] of Object.entries(params)) {
          const other = kind === "text" ? undefined : idsOf(people.ada, kind)[1];
          if (other === undefined) misses.push(`${path} has no other ${name} to try`);
          else await refused(`${path} of another ${name}`, ask(people, list, page, { [name]: other }), list);
        }
        for (const other of lists) {
          const foreign = { ...needed(other), [other.cursor]: cursor };
          if (other !== list)
            await refused(`${other.route.path} with one of ${path}`, ask(people, other, foreign), other);
        }
        const sealer = people.h.platform.keyring.forUser(people.ada.user_id);
        const old = sealCursor(sealer, path.slice(1), [1, "x"]);
        await refused(
          `${path} with one of an earlier version`,
          ask(people, list, { ...page, [list.cursor]: old }),
          list,
        );
        const theirs = people.eve.cursors.find(({ route }) => route.path === path)?.cursor;
        if (theirs)
          await refused(`${path} with another person's`, ask(people, list, { ...page, [list.cursor]: theirs }), list);
      }
      expect(misses).toEqual([]);
      expect(tried).toBeGreaterThan(audience === "api" ? 200 : 0);
    } finally {
      people.close();
    }
  },
);

test("a walk continues with another page size or unknown parameters, but not with other filters", async () => {
  const people = await createTwoPeople();
  try {
    const { ada, call } = people;
    const first = await call(ada, "GET", "/threads?state=inbox&limit=1");
    const { next_cursor: cursor } = first.json;
    for (const query of ["", "&state=inbox", "&limit=3", "&nonsense=1", "&limit=2&state=inbox&include_quoted=true"]) {
      expect([query, (await call(ada, "GET", `/threads?cursor=${cursor}${query}`)).status]).toEqual([query, 200]);
    }
    const filtered = await call(ada, "GET", "/threads?before=2030-01-01T00:00:00Z&starred=false&limit=1");
    if (!filtered.json.has_more) throw new Error("no list to walk");
    const at = `/threads?cursor=${filtered.json.next_cursor}`;
    expect((await call(ada, "GET", `${at}&starred=false&before=2030-01-01T00:00:00Z`)).status).toBe(200);
    for (const query of [
      "",
      "&starred=false",
      "&before=2030-01-01T00:00:00Z",
      "&starred=true&before=2030-01-01T00:00:00Z",
    ])
      expect([query, (await call(ada, "GET", at + query)).json.error?.param]).toEqual([query, "cursor"]);
  } finally {
    people.close();
  }
});
