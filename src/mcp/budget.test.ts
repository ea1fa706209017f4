import { afterAll, beforeAll, expect, test } from "bun:test";
import { BOB, type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";
import { MAX_RESULT_BYTES } from "./budget.ts";
import { TOOLS } from "./catalog.ts";

/** Every result stays within its budget, however much there is, and says how to read the rest. */

let m: McpFixture;
let thread_id: string;
let contact_id: string;
let profile_id: string;
let draft_id: string;
let rule_id: string;

/** Three bytes and a mark for each character. */
const LONG = "長\n".repeat(9_000);
const LINE = "長".repeat(900);
const FROM = "2026-03-01T00:00:00Z";
const TO = "2026-04-05T00:00:00Z";
const MINUTE_MS = 60_000;

beforeAll(async () => {
  m = mcpFixture();
  const { h } = m;
  const people = Array.from({ length: 400 }, (_, i) => ({ name: `長長長 ${i}`, email: `p${i}@many.example` }));
  for (let i = 0; i < 60; i++) {
    const labels = Array.from({ length: 40 }, (_, n) => `長長長長 ${i} ${n}`);
    const text = `Can you send report ${i} by Friday?\n${LONG}`;
    const from = { name: LINE, email: i === 0 ? BOB : `s${i}@sender.example` };
    ({ thread_id } = m.fromBob(text, {
      from,
      subject: `Report ${LINE}`,
      labels,
      to: people,
      at: h.clock.now() - i * MINUTE_MS,
    }));
  }
  const [bob] = (await h.call("GET", "/contacts?limit=100")).json.data.filter(
    ({ email }: { email: string }) => email === BOB,
  );
  contact_id = bob.id;
  for (const { id } of (await h.call("GET", "/contacts?limit=60")).json.data) {
    await h.call("PATCH", `/contacts/${id}`, { body: { notes: LONG } });
  }
  await h.call("PATCH", `/contacts/${contact_id}`, { body: { notes: LONG } });
  for (let i = 0; i < 110; i++) {
    const set = i === 0 ? Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, LINE])) : undefined;
    const body = { domain: `c${i}.example`, name: "長".repeat(190), summary: LONG, set };
    const { json } = await h.call("POST", "/context/profiles", { body });
    if (i === 0) profile_id = json.id;
  }
  for (let i = 0; i < 5; i++) {
    await h.call("PATCH", `/context/profiles/${profile_id}`, { body: { append_note: LONG.slice(0, 9_900) } });
  }
  for (let i = 0; i < 40; i++) await h.call("PUT", `/context/variables/global${i}`, { body: { value: LINE } });
  for (let i = 0; i < 60; i++) {
    const start = h.clock.now() + MINUTE_MS;
    const attendees = people.map(({ email }) => email);
    const event = { title: LINE, start, end: start + MINUTE_MS, attendees, description: LONG, location: LINE };
    m.people.calendar.create({ ...m.person } as never, event as never);
  }
  for (let i = 0; i < 60; i++) {
    const conditions = Array.from({ length: 5 }, () => ({ field: "subject", op: "contains", value: "長".repeat(200) }));
    const { json } = await h.call("POST", "/rules", { body: { conditions, actions: [{ type: "star" }] } });
    rule_id = json.id ?? rule_id;
  }
  const recipients = people.map(({ name, email }) => `${name} <${email}>`);
  for (let i = 0; i < 55; i++) {
    const body = { to: recipients, cc: recipients, bcc: recipients.slice(0, 100), subject: LINE, body: LONG };
    draft_id = (await h.call("POST", "/drafts", { body })).json.id;
  }
}, 120_000);
afterAll(() => m.h.close());

const CALLS: Record<string, () => object[]> = {
  get_overview: () => [{}],
  search: () => [{ query: "report", limit: 50 }],
  fetch: () =>
    [thread_id, draft_id, rule_id, contact_id, profile_id].map((id) => ({
      id,
      max_chars: 20_000,
      include_quoted: true,
    })),
  list_threads: () => [{ limit: 50 }],
  update_threads: () => [{ ids: [thread_id], add_labels: ["x"] }],
  trash_threads: () => [{ ids: [thread_id] }],
  list_drafts: () => [{ limit: 50 }],
  save_draft: () => [
    { draft_id, body: "Hello" },
    { draft_id, body: LONG },
    { to: [BOB], subject: "Hi", use_ai: true, instructions: "Say hello" },
  ],
  prepare_send: () => [{ draft_id }],
  list_contacts: () => [{ limit: 50 }],
  update_contact: () => [{ id: contact_id, notes: "" }],
  get_context: () => [{}, { about: "c0.example" }],
  update_context: () => [{ profile_id, set: { key0: null, key1: null, key2: null, key3: null } }],
  get_brief: () => [{ generate: true }],
  ask_mail: () => [{ question: "When is the report due?" }],
  list_events: () => [{ from: FROM, to: TO }],
  change_event: () => [{ action: "create", title: LINE, start: FROM, end: TO, attendees: [] }],
  change_rule: () => [
    {
      action: "preview",
      conditions: [{ field: "subject", op: "contains", value: "report" }],
      actions: [{ type: "star" }],
    },
    { action: "delete", id: rule_id },
  ],
  delete_draft: () => [{ draft_id }],
};

test.each(Object.entries(CALLS))(
  "the result of %s is within the budget",
  async (name, calls) => {
    for (const args of calls()) {
      const { text, error } = await m.tool(name, args);
      if (error?.code !== "invalid_params") expect(error).toBeNull();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
      // What a tool cuts itself can be continued. The last resort cannot.
      expect(text).not.toContain("too long to be returned");
    }
  },
  30_000,
);

test("every tool was called, except those whose results have a fixed size", () => {
  const missing = TOOLS.map(({ name }) => name).filter((name) => !(name in CALLS));
  expect(missing).toEqual(["send_draft", "cancel_send"]);
});

test.each(["brief/latest", "rules", "agent/actions"])("the resource %s is within the budget", async (name) => {
  const { text, error } = await m.resource(`postroom://${name}`);
  expect(error).toBe("");
  expect(Buffer.byteLength(text!)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
});

test.each<[string, string, object]>([
  ["list_threads", "threads", { limit: 50 }],
  ["list_drafts", "drafts", { limit: 50 }],
  ["list_contacts", "contacts", { limit: 50 }],
  ["search", "results", { query: "report", limit: 50 }],
  ["get_context", "profiles", {}],
  ["list_events", "events", { from: FROM, to: TO }],
])(
  "the cuts of %s leave no gap and repeat nothing",
  async (name, field, args) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await m.ok(name, { ...args, cursor });
      ids.push(...page[field].map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
      pages++;
    } while (cursor !== undefined && pages < 100);
    expect(pages).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(50);
  },
  30_000,
);

test("notes that were cut are read with fetch, and cannot replace the whole", async () => {
  await m.h.call("PATCH", `/contacts/${contact_id}`, { body: { notes: LONG } });
  const [{ notes }] = (await m.ok("list_contacts", { q: "bob" })).contacts;
  const call = JSON.parse(/all: fetch (.*)$/.exec(notes)![1]!);
  let whole = "";
  for (let next: number | undefined = 0; next !== undefined; ) {
    const part: { text: string; next_offset?: number } = await m.ok("fetch", { ...call, offset: next });
    whole += part.text.replace(/^[0-9a-f]{6}\| /gm, "");
    next = part.next_offset;
  }
  expect(whole).toBe(LONG);
  expect(await m.fails("update_contact", { id: contact_id, notes })).toMatchObject({ param: "notes" });
  const key = m.h.newKey({ scopes: ["mail:read"] }).secret;
  expect(await m.fails("fetch", call, { key })).toMatchObject({ code: "forbidden_scope" });
  expect(await m.fails("list_events", { from: FROM, to: TO, cursor: "x" })).toMatchObject({ param: "cursor" });
});
