import fc from "fast-check";
import type { IdKind } from "../../src/kernel/ids.ts";
import { TOOLS } from "../../src/mcp/catalog.ts";
import { BOB } from "../support/mcp-fixture.ts";
import { fitting, type Schema } from "./schema-values.ts";

/** Arguments of tools that fit their schemas, and arguments in which a field or two do not. */

export interface McpCall {
  name: string;
  args: Record<string, unknown>;
}

/** Stands for a confirmation that `prepare_send` gives. */
export const REAL = "REAL";

/** Values that programs often fail on. */
export const ODD = fc.constantFrom<unknown>(
  ..."__proto__|constructor|toString|hasOwnProperty| |\u0000|\ud800|😀|../../etc|%00|null|0|-1|true|thr_|apv_".split(
    "|",
  ),
  null,
  true,
  -1,
  1e308,
  2 ** 53,
  0.5,
  [],
  {},
  "x".repeat(5_000),
  "2026-03-05T09:00:00Z",
  "bob@example.net",
  "delete",
  "create",
  "preview",
);

/** Stands for an id of a kind, which is chosen when the call is made: things come and go during the test. */
const idOf = (...kinds: IdKind[]) =>
  fc.tuple(fc.constantFrom(...kinds), fc.nat(1_000)).map(([kind, n]) => `{${kind}:${n}}`);

const words = fc.constantFrom(
  "hello",
  "says",
  "from:friend",
  "is:unread hello",
  "has:attachment",
  "in:sent",
  "-hello says",
);
const text = fc.oneof(fc.constantFrom("Hello", "See you on Friday.", "3fa2c1| Hello"), fc.string({ maxLength: 60 }));
const people = fc.array(fc.constantFrom(BOB, "Carol <carol@example.org>", '"D, E" <d@example.com>'), { maxLength: 3 });
const time = (day: number) => fc.integer({ min: 0, max: 9 }).map((n) => `2026-0${day}-1${n}T09:00:00Z`);
const conditions = fc.array(
  fc.constantFrom(
    { field: "from_domain", op: "equals", value: "x.example" },
    { field: "subject", op: "contains", value: "hello" },
    { field: "has_attachment", op: "equals", value: "true" },
  ),
  { minLength: 1, maxLength: 2 },
);
const actions = fc.constantFrom(
  [{ type: "addLabel", value: "X" }],
  [{ type: "markRead" }],
  [{ type: "star" }],
  [{ type: "addLabel", value: "Y" }, { type: "archive" }],
);

/** Fields that name things, or whose schema says less than the route behind it, by tool. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  search: {
    query: words,
    account_id: idOf("account"),
    after: time(1),
    before: time(5),
  },
  fetch: { id: idOf("thread", "message", "attachment", "draft", "rule") },
  list_threads: { q: words, account_id: idOf("account"), label: text },
  update_threads: {
    ids: fc.array(idOf("thread"), { minLength: 1, maxLength: 3 }),
    add_labels: fc.array(fc.constantFrom("A", "B"), { maxLength: 2 }),
    remove_labels: fc.array(fc.constantFrom("C", "D"), { maxLength: 2 }),
  },
  trash_threads: { ids: fc.array(idOf("thread"), { minLength: 1, maxLength: 3 }) },
  save_draft: { account_id: idOf("account"), to: people, cc: people, bcc: people, subject: words, body: text },
  delete_draft: { draft_id: idOf("draft") },
  prepare_send: { draft_id: idOf("draft"), scheduled_at: time(4) },
  send_draft: { draft_id: idOf("draft"), confirmation: fc.constant(REAL) },
  cancel_send: { id: idOf("send", "approval") },
  update_contact: { id: idOf("contact"), notes: text },
  get_context: { about: fc.oneof(idOf("contextProfile"), fc.constantFrom(BOB, "example.net")) },
  update_context: {
    profile_id: idOf("contextProfile"),
    set: fc.dictionary(fc.constantFrom("iban", "client.name"), fc.oneof(words, fc.constant(null)), { maxKeys: 2 }),
    append_note: text.filter((value) => value.trim() !== ""),
  },
  ask_mail: { question: words },
  list_events: { from: time(3), to: time(4) },
  change_event: { title: words, start: time(3), end: time(4), attendees: fc.constantFrom([], [BOB]) },
  change_rule: { conditions, actions },
};

/** Arguments that fit together. Fields that a shape lacks are left out, `null` takes the usual value. */
const SHAPES: Readonly<Record<string, readonly Readonly<Record<string, fc.Arbitrary<unknown> | null>>[]>> = {
  save_draft: [
    { account_id: null, to: null, cc: null, bcc: null, subject: null, body: null },
    { draft_id: idOf("draft"), subject: null, body: null },
    { reply_to_thread_id: idOf("thread"), body: null },
    { reply_to_thread_id: idOf("thread"), use_ai: fc.constant(true), instructions: words },
  ],
  change_event: [
    { action: fc.constant("create"), title: null, start: null, end: null, attendees: null },
    { action: fc.constant("delete"), id: idOf("calendarEvent") },
  ],
  change_rule: [
    { action: fc.constantFrom("preview", "create"), conditions: null, actions: null },
    { action: fc.constant("delete"), id: idOf("rule") },
  ],
};

/** Cursors are secrets of the server. A mutation sets them. */
const NOT_GIVEN = new Set(["cursor"]);

/** Generates calls: of 20, about 10 fit, 9 have one or two odd fields, and 1 is wild. */
export function mcpCalls(ids: readonly string[]): fc.Arbitrary<McpCall> {
  const pool = fc.constantFrom(...ids);
  const odd = fc.oneof(
    { weight: 2, arbitrary: ODD },
    { weight: 1, arbitrary: pool },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  return fc
    .constantFrom(...TOOLS)
    .chain(({ name, input }) => {
      const schema = input as unknown as Schema;
      const fits = fittingCall(name, schema, pool);
      const names = [...Object.keys(schema.properties ?? {}), "nope", "__proto__"];
      const change = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(odd)), { minLength: 1, maxLength: 2 });
      const mutated = fc.tuple(fits, change).map(([args, changes]) => {
        const changed = { ...args };
        for (const [field, value] of changes) {
          if (value === null) delete changed[field];
          else Object.defineProperty(changed, field, { value, enumerable: true, configurable: true, writable: true });
        }
        return changed;
      });
      const wild = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 6 });
      return fc.tuple(
        fc.oneof({ weight: 60, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.string() }),
        fc.oneof({ weight: 10, arbitrary: fits }, { weight: 9, arbitrary: mutated }, { weight: 1, arbitrary: wild }),
      );
    })
    .map(([name, args]) => ({ name, args: args as Record<string, unknown> }));
}

function fittingCall(tool: string, schema: Schema, pool: fc.Arbitrary<string>): fc.Arbitrary<Record<string, unknown>> {
  const usual = (field: string) => FIELDS[tool]?.[field] ?? fitting(schema.properties![field]!, () => ({}), pool);
  const shapes = SHAPES[tool] ?? [
    Object.fromEntries(
      Object.keys(schema.properties ?? {})
        .filter((field) => !NOT_GIVEN.has(field))
        .map((field) => [field, null]),
    ),
  ];
  return fc.oneof(
    ...shapes.map((shape) => {
      const fields = Object.fromEntries(Object.entries(shape).map(([field, value]) => [field, value ?? usual(field)]));
      // A shape that was given is given whole.
      const required = SHAPES[tool] ? Object.keys(fields) : ((schema.required ?? []) as string[]);
      return fc.record(fields, { requiredKeys: required as never[] });
    }),
  );
}

/** Returns arguments with ids in the place of what stands for them. */
export function withIds(
  args: Record<string, unknown>,
  pools: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> {
  const filled = JSON.stringify(args).replace(/\{(\w+):(\d+)\}/g, (_, kind: string, n: string) => {
    const pool = pools.get(kind) ?? [];
    // The newest things are likely to exist still.
    return pool.at(-1 - (Number(n) % Math.max(1, Math.min(pool.length, 20)))) ?? `${kind}_unknown`;
  });
  return JSON.parse(filled) as Record<string, unknown>;
}
