import { expect, setDefaultTimeout, test } from "bun:test";
import type { Route } from "../src/http/route.ts";
import type { ID_PREFIXES } from "../src/kernel/ids.ts";
import { fieldIdSlots, pathIdSlots } from "./fuzz/foreign-ids.ts";
import { idsOf, unassignedId } from "./fuzz/own-paths.ts";
import { createTwoPeople, type Person, type TwoPeople } from "./fuzz/two-people.ts";
import type { Answer } from "./support/http-harness.ts";

/**
 * An id that is unknown, someone else's or malformed is 404 in paths, queries, bodies and forms. The test covers every
 * route.
 */

setDefaultTimeout(60_000);

/** Wrong values for a field that takes an id of this kind. */
function wrongIds(kind: keyof typeof ID_PREFIXES, other: Person): Record<string, string> {
  const unknown = unassignedId(kind);
  const wrongKind = kind === "thread" ? "message" : "thread";
  return {
    unknown,
    foreign: idsOf(other, kind)[0]!,
    malformed: "nonsense",
    "too long": `${unknown}x`,
    "upper case": unknown.toUpperCase(),
    "of another kind": unassignedId(wrongKind),
    "a wildcard": "%",
    "not a word": "'; --",
    "beyond ASCII": "thr_ü☃",
    "a lone zero": "0",
  };
}

const rowsOf = ({ h }: TwoPeople) =>
  h.platform.db.sql
    .query<{ n: number }, []>("SELECT (SELECT count(*) FROM audit) + (SELECT count(*) FROM drafts) AS n")
    .get()!.n;

function expect404(name: string, answer: Answer, param: string | undefined, misses: string[]): void {
  const { code, param: named } = answer.json?.error ?? {};
  if (answer.status !== 404 || code !== "not_found") misses.push(`${name}: ${answer.status} ${code} ${named ?? ""}`);
  else if (named !== param) misses.push(`${name}: 404 that names ${named} instead of ${param}`);
}

test.each(["api", "app"] as const)("ids in queries, bodies and forms of %s", async (audience) => {
  const people = await createTwoPeople(audience);
  try {
    const misses: string[] = [];
    let tried = 0;
    for (const route of people.routes.filter(({ audience }) => audience !== "public")) {
      for (const { name, kind, other, ask } of fieldIdSlots(people, route, misses)) {
        const field = name.split(" ")[0]!;
        for (const [how, id] of Object.entries({ ...wrongIds(kind, other), empty: "" })) {
          const before = rowsOf(people);
          expect404(`${route.method} ${route.path} ${name}, ${how}`, await ask(id), field, misses);
          if (rowsOf(people) !== before)
            misses.push(`${route.method} ${route.path} ${name}, ${how}: something changed`);
          tried++;
        }
      }
    }
    expect(misses).toEqual([]);
    expect(tried).toBeGreaterThan(audience === "api" ? 80 : 20);
  } finally {
    people.close();
  }
});

test.each(["api", "app"] as const)("ids in paths of %s", async (audience) => {
  const people = await createTwoPeople(audience);
  try {
    const misses: string[] = [];
    for (const route of people.routes.filter(({ audience, role }) => audience !== "public" && role !== "owner")) {
      for (const { name, kind, other, ask } of pathIdSlots(people, route)) {
        for (const [how, id] of Object.entries(wrongIds(kind, other))) {
          const answer = await ask(encodeURIComponent(id));
          expect404(`${route.method} ${route.path} ${name}, ${how}`, answer, undefined, misses);
        }
      }
    }
    expect(misses).toEqual([]);
  } finally {
    people.close();
  }
});

test("a mailbox in a rule's condition", async () => {
  const people = await createTwoPeople();
  try {
    const { ada, eve, call } = people;
    const misses: string[] = [];
    const rule = (value: string) => ({
      kind: "inbox",
      conditions: [
        { field: "subject", op: "contains", value: "x" },
        { field: "account_id", op: "equals", value },
      ],
      actions: [{ type: "star" }],
    });
    const asks: [string, string][] = [
      ["POST", "/rules"],
      ["POST", "/rules/preview"],
      ["PATCH", `/rules/${idsOf(ada, "rule")[0]!}`],
    ];
    for (const [method, path] of asks) {
      for (const [how, id] of Object.entries(wrongIds("account", eve))) {
        const answer = await call(ada, method, path, rule(id));
        expect404(`${method} ${path}, ${how}`, answer, "conditions[1].value", misses);
      }
      const fine = await call(ada, method, path, rule(idsOf(ada, "account")[0]!));
      if (fine.status >= 300) misses.push(`${method} ${path}: one's own answers ${fine.status} ${fine.text}`);
    }
    expect(misses).toEqual([]);
  } finally {
    people.close();
  }
});

test("is checked after key, plan, scope, the daily request limit and the form of the request", async () => {
  const people = await createTwoPeople();
  try {
    const { h, ada } = people;
    const path = `/threads?account_id=${unassignedId("account")}`;
    const weak = h.newKey({ user_id: ada.user_id, scopes: ["usage:read"] }).secret;
    expect((await h.call("GET", path, { key: weak })).status).toBe(403);
    expect((await h.call("GET", path, { key: null })).status).toBe(401);
    const poor = h.newKey({ user_id: h.newUser("poor@fuzz.example", "free").id }).secret;
    expect((await h.call("GET", path, { key: poor })).status).toBe(402);
    const wrong = await h.call("GET", `${path}&limit=0`, { key: ada.key });
    expect([wrong.status, wrong.json.error.param]).toEqual([400, "limit"]);
    expect((await h.call("GET", path, { key: ada.key })).status).toBe(404);
  } finally {
    people.close();
  }
});

test("a key that is bound to a mailbox finds no other mailbox", async () => {
  const people = await createTwoPeople();
  try {
    const { h, ada } = people;
    const [account] = idsOf(ada, "account");
    const bound = h.newKey({ user_id: ada.user_id, account_id: unassignedId("account") }).secret;
    const body = { to: ["a@example.net"], subject: "x", body: "x" };
    const asks: [Route["method"], string, object?][] = [
      ["GET", `/threads?account_id=${account}`],
      ["GET", `/folders?account_id=${account}`],
      ["POST", "/search", { query: "x", mode: "keyword", account_id: account }],
      ["POST", "/drafts", { ...body, account_id: account }],
      ["POST", "/messages/send", { ...body, account_id: account }],
    ];
    const misses: string[] = [];
    for (const [method, path, sent] of asks) {
      const answer = await h.call(method, path, { key: bound, body: sent, headers: { "Idempotency-Key": path } });
      expect404(`${method} ${path}`, answer, "account_id", misses);
    }
    expect(misses).toEqual([]);
  } finally {
    people.close();
  }
});
