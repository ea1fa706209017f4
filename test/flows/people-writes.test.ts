import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { calendarRoutes } from "../../src/features/calendar/routes.ts";
import { contactRoutes } from "../../src/features/contacts/routes.ts";
import { contextRoutes } from "../../src/features/context/routes.ts";
import { ruleRoutes } from "../../src/features/rules/routes.ts";
import type { Route } from "../../src/http/route.ts";
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";

/**
 * The guarantees for every write of contacts, rules, context and calendar: done once for one key, audited once, and
 * hidden from other users.
 */

interface Write {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:id` stands for the id that `make` returns. */
  path: string;
  body?: () => unknown;
  /** Creates the object of the write. @returns its id */
  make?: () => Promise<string>;
  audit: string;
  /** The path does not identify the object. */
  ownOnly?: false;
}

let s: PeopleFixture;
let routes: Route[];
beforeAll(() => {
  s = peopleFixture((people) => {
    routes = [
      ...contactRoutes(people.contacts),
      ...ruleRoutes(people.rules),
      ...contextRoutes(people.context, people.contextFiles),
      ...calendarRoutes(people.calendar),
    ];
    return routes;
  });
});
afterAll(() => s.h.close());

let made = 0;
const post = async (path: string, body: unknown): Promise<string> => (await s.h.call("POST", path, { body })).json.id;
const rule = () => ({
  conditions: [{ field: "subject", op: "contains", value: `word ${made++}` }],
  actions: [{ type: "star" }],
});
const event = () => ({ title: `Event ${made++}`, start: "2026-03-04T13:00:00Z", end: "2026-03-04T14:00:00Z" });
const profile = () => ({ domain: `client${made++}.example`, set: { tone: "warm" } });
const file = () => {
  const form = new FormData();
  form.set("file", new File([`text ${made++}`], "a.txt", { type: "text/plain" }));
  return form;
};
const cards = () => {
  const form = new FormData();
  const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nEMAIL:card${made++}@x.example\r\nEND:VCARD\r\n`;
  form.set("file", new File([card], "a.vcf", { type: "text/vcard" }));
  return form;
};
const contact = async () => {
  s.arrive({ from: { name: "", email: `p${made++}@x.example` } });
  return (await s.h.call("GET", `/contacts?q=p${made - 1}@`)).json.data[0].id as string;
};
const variable = async () => {
  const key = `key${made++}`;
  await s.h.call("PUT", `/context/variables/${key}`, { body: { value: "1" } });
  return key;
};

const twoRules = async () => {
  await post("/rules", rule());
  return await post("/rules", rule());
};
const newOrder = () => {
  const rules = s.people.rules.list({ user_id: s.h.user.id, account_id: null });
  return { ids: rules.map(({ id }) => id).toReversed() };
};

const WRITES: Write[] = [
  { method: "PATCH", path: "/contacts/:id", make: contact, body: () => ({ vip: true }), audit: "contact.update" },
  { method: "POST", path: "/contacts/import", body: cards, audit: "contact.import", ownOnly: false },
  { method: "POST", path: "/rules", body: rule, audit: "rule.create", ownOnly: false },
  { method: "DELETE", path: "/rules/:id", make: () => post("/rules", rule()), audit: "rule.delete" },
  {
    method: "PATCH",
    path: "/rules/:id",
    make: () => post("/rules", rule()),
    body: () => ({ enabled: false }),
    audit: "rule.update",
  },
  { method: "PUT", path: "/rules/order", make: twoRules, body: newOrder, audit: "rule.reorder" },
  {
    method: "POST",
    path: "/rules/:id/apply",
    make: () => post("/rules", rule()),
    body: () => ({}),
    audit: "rule.apply_all",
  },
  { method: "POST", path: "/context/profiles", body: profile, audit: "context.profile.create", ownOnly: false },
  {
    method: "PATCH",
    path: "/context/profiles/:id",
    make: () => post("/context/profiles", profile()),
    body: () => ({ append_note: "note" }),
    audit: "context.profile.update",
  },
  {
    method: "DELETE",
    path: "/context/profiles/:id",
    make: () => post("/context/profiles", profile()),
    audit: "context.profile.delete",
  },
  {
    method: "PUT",
    path: "/context/variables/:id",
    make: async () => `fresh${made++}`,
    body: () => ({ value: "1" }),
    audit: "context.variable.set",
    ownOnly: false,
  },
  { method: "DELETE", path: "/context/variables/:id", make: variable, audit: "context.variable.delete" },
  { method: "POST", path: "/context/files", body: file, audit: "context.file.add", ownOnly: false },
  {
    method: "DELETE",
    path: "/context/files/:id",
    make: () => post("/context/files", file()),
    audit: "context.file.delete",
  },
  { method: "POST", path: "/calendar/events", body: event, audit: "calendar.create", ownOnly: false },
  {
    method: "DELETE",
    path: "/calendar/events/:id",
    make: () => post("/calendar/events", event()),
    audit: "calendar.delete",
  },
];

test("the list contains every write", () => {
  const writes = routes.filter(({ kind }) => kind !== "read").map(({ method, path }) => `${method} ${path}`);
  const listed = WRITES.map(({ method, path }) => `${method} ${path}`);
  expect(writes.map((write) => write.replace(/:key$/, ":id")).sort()).toEqual(listed.sort());
});

const audited = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 1_000, action });

describe.each(WRITES)("$method $path", ({ method, path, body, make, audit }) => {
  test("is done once for one Idempotency-Key, and audited once, under the key and the request", async () => {
    const target = path.replace(":id", (await make?.()) ?? "");
    const before = audited(audit).length;
    const sent = body?.();
    const call = () =>
      s.h.call(method, target, {
        ...(sent === undefined ? {} : { body: sent }),
        headers: { "Idempotency-Key": `once ${method} ${path}` },
      });
    const first = await call();
    const second = await call();
    expect([first.status < 300, second.status]).toEqual([true, first.status]);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    const rows = audited(audit).slice(0, audited(audit).length - before);
    expect(rows).toMatchObject([{ actor: { kind: "key" }, request_id: first.headers.get("x-request-id") }]);
  });

  test("without the scope it is refused", async () => {
    const target = path.replace(":id", (await make?.()) ?? "");
    const key = s.h.newKey({ scopes: ["usage:read"] }).secret;
    const answer = await s.h.call(method, target, { key, ...(body ? { body: body() } : {}) });
    expect([answer.status, answer.json.error.code]).toEqual([403, "forbidden_scope"]);
  });
});

test.each(WRITES.filter(({ ownOnly = true }) => ownOnly))(
  "$method $path of another user's object is 404, and changes nothing",
  async ({ method, path, body, make, audit }) => {
    const target = path.replace(":id", (await make?.()) ?? "");
    const before = audited(audit).length;
    const eve = s.h.newUser("eve@example.org");
    const key = s.h.newKey({ user_id: eve.id }).secret;
    const answer = await s.h.call(method, target, { key, ...(body ? { body: body() } : {}) });
    expect([answer.status, answer.json.error.code]).toEqual([404, "not_found"]);
    expect(audited(audit)).toHaveLength(before);
    expect(s.h.platform.audit.list(eve.id, { limit: 10 }).filter(({ action }) => action === audit)).toEqual([]);
  },
);
