import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import { ID_PREFIXES, type IdKind } from "../../src/kernel/ids.ts";
import { TOOLS } from "../../src/mcp/catalog.ts";
import { type McpFixture, mcpFixture } from "../support/mcp-fixture.ts";
import { createObjects } from "./populate.ts";
import type { Person } from "./two-people.ts";

/** Two people with something of every kind each, and any call of any tool. */

const CALLS = 10_000;
const LONGEST_MS = 2_000;
const CODES: readonly string[] = [...ERROR_CODES, "approval_required", "approval_closed"];

let m: McpFixture;
let ada: Person;
let eve: Person;
const rejections: unknown[] = [];
const note = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  m = mcpFixture({ config: { "limits.autopilot.webhook_endpoints": 1_000, "webhooks.allow": ["hooks.example"] } });
  const { platform } = m.h;
  const add = async (name: string): Promise<Person> => {
    const user = platform.users.add({
      email: `${name}@fuzz.example`,
      plan: "autopilot",
      role: "member",
      timezone: "UTC",
    });
    const canary = `${name}canary${crypto.randomUUID().slice(0, 8)}`;
    const key = m.h.newKey({ user_id: user.id }).secret;
    const person = { name, user_id: user.id, key, words: [], canary, ids: new Map(), cursors: [] };
    const headers = () => ({ "Idempotency-Key": crypto.randomUUID() });
    await createObjects(
      m.h,
      m.routes,
      (who, method, path, body) => m.h.call(method, path, { key: who.key, body, headers: headers() }),
      person,
    );
    return person;
  };
  ada = await add("ada");
  eve = await add("eve");
}, 60_000);
afterAll(() => {
  process.off("unhandledRejection", note);
  m.h.close();
});

const idsOf = (person: Person) => [...person.ids.values()].flat();
/** Arguments that name a thing. */
const TAKES_ID: Record<string, (id: string) => object> = {
  fetch: (id) => ({ id }),
  update_threads: (id) => ({ ids: [id], starred: true }),
  trash_threads: (id) => ({ ids: [id] }),
  save_draft: (id) => ({ draft_id: id, subject: "x" }),
  delete_draft: (id) => ({ draft_id: id }),
  prepare_send: (id) => ({ draft_id: id }),
  send_draft: (id) => ({ draft_id: id, confirmation: "x" }),
  cancel_send: (id) => ({ id }),
  update_contact: (id) => ({ id, vip: true }),
  get_context: (id) => ({ about: id }),
  update_context: (id) => ({ profile_id: id, append_note: "x" }),
  change_event: (id) => ({ action: "delete", id }),
  change_rule: (id) => ({ action: "delete", id }),
};
const MORE: [string, (id: string) => object][] = [
  ["save_draft", (id) => ({ reply_to_thread_id: id })],
  ["save_draft", (id) => ({ account_id: id })],
  ["list_threads", (id) => ({ account_id: id })],
  ["search", (id) => ({ query: "x", account_id: id })],
];

test("an id of someone else is as unknown as one that does not exist, for every tool and resource", async () => {
  const test_key = m.h.newKey({ test: true, user_id: m.h.platform.users.sandboxOf(ada.user_id).id }).secret;
  const misses: string[] = [];
  for (const key of [ada.key, test_key]) {
    for (const [kind, ids] of eve.ids as Map<IdKind, string[]>) {
      const [id] = ids;
      if (id === undefined || !(kind in ID_PREFIXES)) continue;
      const random = m.h.platform.newId(kind);
      for (const [tool, args] of [...Object.entries(TAKES_ID), ...MORE]) {
        const [foreign, unknown] = [await m.tool(tool, args(id), { key }), await m.tool(tool, args(random), { key })];
        const plain = ({ error, text }: typeof foreign) =>
          JSON.stringify([error, error ? "" : text])
            .replaceAll(id, "ID")
            .replaceAll(random, "ID")
            .replace(/req_\w+|[0-9a-f]{6}[|#]/g, "");
        if (plain(foreign) !== plain(unknown)) misses.push(`${tool} ${kind}: ${plain(foreign)} ${plain(unknown)}`);
        if (foreign.text.includes(eve.canary)) misses.push(`${tool} ${kind} shows words of another`);
      }
      for (const place of ["threads", "messages", "attachments"]) {
        const { text } = await m.resource(`postroom://${place}/${id}`, { key });
        if (text !== null) misses.push(`${place}/${id}: ${text}`);
      }
    }
    for (const place of ["brief/latest", "rules", "agent/actions"]) {
      const { text } = await m.resource(`postroom://${place}`, { key });
      if (text?.includes(eve.canary)) misses.push(`${place} shows words of another`);
    }
  }
  expect(misses).toEqual([]);
}, 60_000);

test(`${CALLS} calls: an answer with a code, in bounded time`, async () => {
  const odd = fc.constantFrom<unknown>(
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
  const ids = fc.constantFrom(...idsOf(ada), ...idsOf(eve));
  const value: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 4, arbitrary: odd },
    { weight: 4, arbitrary: ids },
    { weight: 1, arbitrary: fc.array(ids, { maxLength: 30 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.integer() },
  );
  const call = fc
    .constantFrom(...TOOLS)
    .chain((tool) =>
      fc.tuple(
        fc.oneof({ weight: 30, arbitrary: fc.constant(tool.name) }, { weight: 1, arbitrary: fc.string() }),
        fc.dictionary(
          fc.oneof(
            { weight: 20, arbitrary: fc.constantFrom(...Object.keys(tool.input.properties), "cursor") },
            { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "nope") },
          ),
          value,
          { maxKeys: 6 },
        ),
      ),
    );
  const codes = new Map<string, number>();
  for (const [name, args] of fc.sample(call, CALLS)) {
    const since = performance.now();
    const { error, text } = await m.tool(name, args as object, { key: ada.key });
    const took = performance.now() - since;
    const code = error?.code ?? "ok";
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (took > LONGEST_MS) throw new Error(`${name} ${JSON.stringify(args)}: ${took} ms`);
    if (error && code !== "protocol" && !CODES.includes(code)) throw new Error(`${name}: ${text}`);
    if (code === "internal_error") throw new Error(`${name} ${JSON.stringify(args)}: ${m.h.log.at(-1)}`);
    if (text.includes(eve.canary)) throw new Error(`${name} ${JSON.stringify(args)} shows words of another`);
  }
  expect(rejections).toEqual([]);
  console.info(`tool calls: ${[...codes].map(([code, count]) => `${count} ${code}`).join(", ")}`);
}, 120_000);
