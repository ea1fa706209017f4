import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import { ID_PREFIXES, type IdKind } from "../../src/kernel/ids.ts";
import { TOOLS } from "../../src/mcp/catalog.ts";
import { type McpFixture, mcpFixture } from "../support/mcp-fixture.ts";
import { mcpCalls, ODD, REAL, withIds } from "./mcp-arguments.ts";
import { createObjects, idsIn, kindOf } from "./populate.ts";
import type { Person } from "./two-people.ts";

/** Two people with something of every kind each, and any call of any tool. */

const CALLS = 10_000;
/** On a machine that builds a release at the same time. */
const LONGEST_MS = 10_000;
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

/** Answers that the check of the arguments, or the protocol, gave: the tool was not run. */
const STOPPED = ["invalid_params", "protocol"];

test(`${CALLS} calls: an answer with a code, in bounded time`, async () => {
  const codes = new Map<string, number>();
  const runs = new Map(TOOLS.map(({ name }) => [name, 0]));
  const used = new Set<string>();
  const continued = new Set<string>();
  const pools = new Map([...ada.ids].map(([kind, ids]) => [kind as string, [...ids]]));
  for (const { name, args: given } of fc.sample(mcpCalls(ids()), CALLS)) {
    const args = withIds(given, pools);
    if (name === "send_draft" && args.confirmation === REAL) {
      const { value } = await m.tool("prepare_send", { draft_id: args.draft_id }, { key: ada.key });
      args.confirmation = value?.confirmation ?? "none";
    }
    const since = performance.now();
    const { error, text, value } = await m.tool(name, args, { key: ada.key, dialog: "accept" });
    const took = performance.now() - since;
    const code = error?.code ?? "ok";
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (took > LONGEST_MS) throw new Error(`${name} ${JSON.stringify(args)}: ${took} ms`);
    if (error && code !== "protocol" && !CODES.includes(code)) throw new Error(`${name}: ${text}`);
    if (code === "internal_error") throw new Error(`${name} ${JSON.stringify(args)}: ${m.h.log.at(-1)}`);
    if (text.includes(eve.canary)) throw new Error(`${name} ${JSON.stringify(args)} shows words of another`);
    if (STOPPED.includes(code)) continue;
    runs.set(name, runs.get(name)! + 1);
    for (const field of Object.keys(args)) used.add(`${name}.${field}`);
    if (value?.next_cursor) {
      await m.ok(name, { ...args, cursor: value.next_cursor }, { key: ada.key });
      continued.add(name);
    }
    for (const id of idsIn(JSON.stringify(value))) {
      const pool = pools.get(kindOf(id)!);
      if (pool && !pool.includes(id) && !text.includes('undo":"A deleted')) pool.push(id);
    }
  }
  const whole = [...runs.values()].reduce((sum, n) => sum + n, 0);
  console.info(`tool calls: ${[...codes].map(([code, count]) => `${count} ${code}`).join(", ")}`);
  console.info(`runs: ${[...runs].map(([name, count]) => `${name} ${count}`).join(", ")}`);
  expect(rejections).toEqual([]);
  expect(whole / CALLS).toBeGreaterThan(0.3);
  expect([...runs].filter(([, count]) => count < 100)).toEqual([]);
  const fields = TOOLS.flatMap(({ name, input }) => Object.keys(input.properties).map((field) => `${name}.${field}`));
  expect(fields.filter((field) => !used.has(field) && !field.endsWith(".cursor"))).toEqual([]);
  expect(continued.size).toBeGreaterThan(0);
}, 300_000);

const ids = () => [...idsOf(ada), ...idsOf(eve)];

test("any address of a resource: its text or a refusal with a known code", async () => {
  const uri = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("threads", "messages", "attachments", "rules", "brief", "agent"),
        fc.constantFrom(...ids()),
      )
      .map(([place, id]) => `postroom://${place}/${id}`),
    fc
      .tuple(
        fc.constantFrom("threads/", "", "messages/", "brief/latest", "rules", "//"),
        ODD.filter(isText),
        fc.string(),
      )
      .map(([place, odd, more]) => `postroom://${place}${odd}${more}`),
    fc.constantFrom("postroom://brief/latest", "postroom://rules", "postroom://agent/actions"),
    fc.webUrl(),
    ODD,
  );
  const seen = new Map<string, number>();
  for (const given of fc.sample(uri, 1_000)) {
    const { result, error } = await m.rpc("resources/read", { uri: given }, { key: ada.key });
    const code = result ? "ok" : codeIn(error.message);
    seen.set(code, (seen.get(code) ?? 0) + 1);
    if (code === "internal_error") throw new Error(`${given}: ${m.h.log.at(-1)}`);
    expect(JSON.stringify(result ?? error)).not.toContain(eve.canary);
  }
  console.info(`resources: ${[...seen].map(([code, count]) => `${count} ${code}`).join(", ")}`);
  expect(seen.get("ok")).toBeGreaterThan(100);
  expect(rejections).toEqual([]);
}, 120_000);

const isText = (value: unknown): value is string => typeof value === "string" && value.length < 100;

/** Code of a refusal of the protocol; `protocol` for one of the SDK. */
function codeIn(message: string): string {
  const found = /"code":"(\w+)"/.exec(message)?.[1];
  if (found !== undefined && !CODES.includes(found)) throw new Error(message);
  return found ?? "protocol";
}

test("any arguments of a prompt: its text or a refusal", async () => {
  const { prompts } = (await m.rpc("prompts/list", {}, { key: ada.key })).result;
  const names: string[] = prompts.map(({ name }: { name: string }) => name);
  const call = fc.record(
    {
      name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, ODD),
      arguments: fc.oneof(fc.dictionary(fc.string(), ODD), ODD),
    },
    { requiredKeys: ["name"] },
  );
  let passed = 0;
  for (const params of fc.sample(call, 500)) {
    const { result, error } = await m.rpc("prompts/get", params, { key: ada.key });
    if (result) passed++;
    // The SDK gives this code to arguments that are not texts as well.
    else if (error.code === -32_603) expect(error.message).toContain('"code": "invalid_');
  }
  expect(passed).toBeGreaterThan(100);
  expect(rejections).toEqual([]);
}, 60_000);

test("any batch: an answer for each request in it, or a refusal of the whole", async () => {
  const pools = new Map([...ada.ids].map(([kind, ids]) => [kind as string, [...ids]]));
  const entry = fc.oneof(
    {
      weight: 4,
      arbitrary: mcpCalls(ids()).map(({ name, args }) => ({
        method: "tools/call",
        params: { name, arguments: withIds(args, pools) },
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { method: "tools/list" },
        { method: "ping" },
        { method: "nope" },
        { method: "prompts/list" },
      ),
    },
  );
  const request = fc.tuple(entry, fc.boolean()).map(([one, hasId]) => ({ jsonrpc: "2.0", ...one, hasId }));
  const batch = fc.array(fc.oneof({ weight: 9, arbitrary: request }, { weight: 1, arbitrary: ODD }), { maxLength: 12 });
  let answered = 0;
  for (const requests of fc.sample(batch, 150)) {
    const body = requests.map((one, i) => {
      if (typeof one !== "object" || one === null || !("hasId" in one)) return one;
      const { hasId, ...rest } = one as { hasId: boolean };
      return hasId ? { ...rest, id: i } : rest;
    });
    const headers = {
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2025-03-26",
    };
    const { status, text, json } = await m.h.call("POST", "//mcp", {
      key: ada.key,
      headers,
      body: JSON.stringify(body),
    });
    expect(status).toBeLessThan(500);
    expect(text).not.toContain("internal_error");
    expect(text).not.toContain(eve.canary);
    if (status !== 200) continue;
    const asked = body.filter((one) => typeof one === "object" && one !== null && "id" in one);
    const answers = Array.isArray(json) ? json.length : text === "" ? 0 : (text.match(/"jsonrpc"/g) ?? []).length;
    expect(answers).toBe(asked.length);
    answered += answers;
  }
  expect(answered).toBeGreaterThan(100);
  expect(rejections).toEqual([]);
}, 120_000);
