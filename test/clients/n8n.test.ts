import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EVENT_NAMES } from "../../src/kernel/events.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import {
  type Context,
  functionsOf,
  type Json,
  type NodeType,
  nodeOf,
  operationNames,
  toInstant,
} from "./n8n-context.ts";

setDefaultTimeout(60_000);

const CLIENT = resolve(import.meta.dir, "../../clients/n8n");
const manifest = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));

describe("the package", () => {
  test("has no dependencies, pins its tools, and has the version of Postroom", () => {
    const { dependencies, devDependencies, version } = manifest;
    expect(dependencies).toBeUndefined();
    for (const pinned of Object.values(devDependencies)) expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
    expect(version).toBe(JSON.parse(readFileSync(join(CLIENT, "../../package.json"), "utf8")).version);
  });

  test("names existing files, each node with its codex file and icons", () => {
    for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
      const source = join(CLIENT, path.replace(/^dist\//, "").replace(/\.js$/, ".ts"));
      expect({ source, exists: existsSync(source) }).toEqual({ source, exists: true });
    }
    for (const path of manifest.n8n.nodes) {
      const codex = join(CLIENT, path.replace(/^dist\//, "").replace(/\.js$/, ".json"));
      expect(JSON.parse(readFileSync(codex, "utf8")).node).toStartWith("n8n-nodes-postroom.postroom");
    }
    for (const icon of ["postroom.svg", "postroom.dark.svg"])
      expect(existsSync(join(CLIENT, "icons", icon))).toBe(true);
  });

  test("offers exactly the implemented operations", async () => {
    const { description } = await nodeOf("Postroom");
    const offered = description.properties
      .filter(({ name }: Json) => name === "operation")
      .flatMap(({ displayOptions, options }: Json) =>
        options.map(({ value }: Json) => `${displayOptions.show.resource[0]}:${value}`),
      );
    expect(offered.sort()).toEqual((await operationNames()).sort());
    expect(description.usableAsTool).toBe(true);
  });

  test("shows each field for operations that exist", async () => {
    const { description } = await nodeOf("Postroom");
    const names = await operationNames();
    for (const { displayOptions, name } of description.properties) {
      for (const operation of displayOptions?.show.operation ?? []) {
        expect({ name, known: names.includes(`${displayOptions.show.resource[0]}:${operation}`) }).toEqual({
          name,
          known: true,
        });
      }
    }
  });

  test("offers exactly the events of the catalog in both triggers", async () => {
    for (const name of ["PostroomTrigger", "PostroomEventLogTrigger"]) {
      const { description } = await nodeOf(name);
      const { options } = description.properties.find((one: Json) => one.name === "events");
      expect(options.map(({ value }: Json) => value).sort()).toEqual([...EVENT_NAMES].sort());
    }
  });
});

test("times without a zone are in the time zone of the workflow, also around a change of the clocks", async () => {
  for (const [value, expected] of [
    ["2026-12-01T08:00:00", "2026-12-01T07:00:00.000Z"],
    ["2026-07-01 08:00:00", "2026-07-01T06:00:00.000Z"],
    ["2026-03-29T03:30:00", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25T03:30:00", "2026-10-25T02:30:00.000Z"],
    ["2026-12-01", "2026-11-30T23:00:00.000Z"],
    ["2026-12-01T08:00:00Z", "2026-12-01T08:00:00.000Z"],
    ["2026-12-01T08:00:00+02:00", "2026-12-01T06:00:00.000Z"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [{ valueOf: () => 1000 }, "1970-01-01T00:00:01.000Z"],
  ]) {
    expect(await toInstant(value, "Europe/Berlin")).toBe(expected as string);
  }
  for (const odd of ["tomorrow", "", null, 7, "2026-13-01T08:00:00"]) {
    expect(toInstant(odd, "Europe/Berlin")).rejects.toThrow("is not a time");
  }
});

describe("against a real server", () => {
  let live: LiveApp;
  let server: { url: string; key: string };
  let action: NodeType;
  beforeAll(async () => {
    live = await startLiveApp();
    server = { url: `http://127.0.0.1:${live.app.server.port}/`, key: live.newKey({ test: true }) };
    action = await nodeOf("Postroom");
  });
  afterAll(() => live.close());

  /** Runs the action node. @returns the objects of its output */
  async function run(parameters: Json, context: Partial<Context> = {}): Promise<Json[]> {
    const [items] = await action.execute.call(functionsOf(server, { parameters, ...context }));
    return items!.map(({ json }) => json);
  }
  const get = async (path: string) => (await live.call("GET", path, { key: server.key })).json;

  test("lists are read page by page, up to the limit or all", async () => {
    for (let n = 0; n < 105; n++) await live.call("POST", "/drafts", { key: server.key, body: { subject: `${n}` } });
    const drafts = { resource: "draft", operation: "getAll" };
    expect(await run({ ...drafts, limit: 3 })).toHaveLength(3);
    expect(await run({ ...drafts, limit: 103 })).toHaveLength(103);
    const all = await run({ ...drafts, returnAll: true });
    expect(all.length).toBeGreaterThan(104);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const thread = { resource: "thread", operation: "getAll" };
    const unread = await run({ ...thread, returnAll: true, filters: { unread: true, state: "inbox" } });
    expect(unread.every((one) => one.unread && one.state === "inbox")).toBe(true);
    const found = await run({
      resource: "mail",
      operation: "search",
      query: "in:inbox",
      limit: 30,
      options: { mode: "keyword" },
    });
    expect(found).toHaveLength(30);
    const [account] = await action.methods.loadOptions.getAccounts.call(functionsOf(server, {}));
    expect(await run({ ...thread, limit: 1, filters: { accountId: account!.value } })).toHaveLength(1);
  });

  test("threads are archived, snoozed, labeled, starred, read and moved to the trash", async () => {
    const [{ id }] = (await get("/threads?state=inbox&limit=1")).data;
    const change = (operation: string, more: Json = {}) =>
      run({ resource: "thread", operation, threadId: id, ...more });
    const stored = () => get(`/threads/${id}`);
    expect((await change("archive"))[0]).toMatchObject({ id, state: "archived" });
    await change("markRead");
    await change("star");
    await change("label", { addLabels: "invoice, to read", removeLabels: "" });
    expect(await stored()).toMatchObject({ unread: false, starred: true });
    expect((await stored()).labels).toEqual(expect.arrayContaining(["invoice", "to read"]));
    await change("label", { removeLabels: ["invoice"] });
    expect((await stored()).labels).not.toContain("invoice");
    await change("unstar");
    await change("markUnread");
    expect(await stored()).toMatchObject({ unread: true, starred: false });
    await change("snooze", { snoozeUntil: "2031-01-02T08:00:00" });
    expect(await stored()).toMatchObject({ state: "snoozed", snooze_until: "2031-01-02T07:00:00.000Z" });
    for (const [operation, state] of [
      ["trash", "trash"],
      ["spam", "spam"],
      ["moveToInbox", "inbox"],
    ] as const) {
      expect((await change(operation))[0]!.state).toBe(state);
    }
    const messages = await run({ resource: "message", operation: "getAll", threadId: id, returnAll: true });
    const [message] = await run({ resource: "message", operation: "get", messageId: messages[0]!.id });
    expect(message).toMatchObject({ thread_id: id });
    expect((await run({ resource: "thread", operation: "get", threadId: id }))[0]!.id).toBe(id);
  });

  test("drafts are created, updated, generated, sent and deleted, and a send is canceled", async () => {
    const [draft] = await run({
      resource: "draft",
      operation: "create",
      to: '"Acme, Inc." <a@acme.example>, b@acme.example',
      subject: "One",
    });
    expect(draft).toMatchObject({ to: ['"Acme, Inc." <a@acme.example>', "b@acme.example"], subject: "One" });
    const draftId = draft!.id;
    await run({
      resource: "draft",
      operation: "update",
      draftId,
      updateFields: { subject: "", body: "Text", to: "c@acme.example" },
    });
    const [updated] = await run({ resource: "draft", operation: "get", draftId });
    expect(updated).toMatchObject({ subject: "", body: "Text", to: ["c@acme.example"] });
    expect(await run({ resource: "draft", operation: "getAll", limit: 10 })).not.toHaveLength(0);
    const [sent] = await run({ resource: "draft", operation: "send", draftId, options: { undoWindow: 30 } });
    expect(sent).toMatchObject({ status: "scheduled" });
    const sendId = sent!.send_id;
    expect((await run({ resource: "send", operation: "get", sendId }))[0]).toMatchObject({ draft_id: draftId });
    expect(
      await run({ resource: "send", operation: "getAll", returnAll: true, filters: { status: "scheduled" } }),
    ).toHaveLength(1);
    expect((await run({ resource: "send", operation: "cancel", sendId }))[0]).toMatchObject({ status: "undone" });
    expect((await run({ resource: "draft", operation: "delete", draftId }))[0]).toEqual({ id: draftId, deleted: true });
    const [{ id: replyToThreadId }] = (await get("/threads?limit=1")).data;
    const generated = { resource: "draft", operation: "generate", replyToThreadId, instructions: "Accept." };
    expect((await run(generated, { executionId: "ai" }))[0]).toMatchObject({ thread_id: replyToThreadId });
    const answers = await run({ resource: "mail", operation: "ask", question: "Who sent an invoice?" });
    expect(answers[0]).toHaveProperty("answered");
  });

  test("labels are created, listed, renamed and deleted", async () => {
    const [label] = await run({ resource: "label", operation: "create", name: "from n8n" });
    expect((await run({ resource: "label", operation: "getAll", returnAll: true })).map(({ id }) => id)).toContain(
      label!.id,
    );
    expect(await run({ resource: "label", operation: "getAll", limit: 1 })).toHaveLength(1);
    const [renamed] = await run({ resource: "label", operation: "rename", labelId: label!.id, name: "by n8n" });
    expect(renamed!.name).toBe("by n8n");
    expect((await run({ resource: "label", operation: "delete", labelId: renamed!.id }))[0]).toMatchObject({
      deleted: true,
    });
  });

  test("a retry within an execution sends once; other items, rounds and executions send again", async () => {
    const parameters = {
      resource: "message",
      operation: "send",
      to: "maria@acme.example",
      subject: "Once",
      body: "x",
      options: { undoWindow: 30 },
    };
    const first = await run(parameters, { items: [{}, {}] });
    const again = await run(parameters, { items: [{}, {}] });
    expect(again).toEqual(first);
    const others = [...(await run(parameters, { runIndex: 1 })), ...(await run(parameters, { executionId: "2" }))];
    const ids = [...first, ...others].map(({ send_id }) => send_id);
    expect(new Set(ids).size).toBe(4);
    const own = { ...parameters, options: { undoWindow: 30, idempotencyKey: "order-1" } };
    const byKey = [...(await run(own)), ...(await run(own, { executionId: "3" }))];
    expect(byKey[0]!.send_id).toBe(byKey[1]!.send_id);
  });

  test("an error has the message, code, parameter and request id of the API", async () => {
    const unknown = { resource: "thread", operation: "get", threadId: "thr_unknown" };
    const error: Json = await run(unknown).catch((thrown) => thrown);
    expect(error).toMatchObject({ httpCode: "404", context: { postroom: { code: "not_found", status: 404 } } });
    expect(error.description).toMatch(/^Postroom answered 404 \(code not_found, request req_\w+\)\.$/);
    const send = { resource: "message", operation: "send", to: "nobody", subject: "x" };
    const [outcome, ok] = await run(send, {
      continueOnFail: true,
      executionId: "bad",
      items: [{}, { parameters: { to: "a@acme.example", options: { undoWindow: 30 } } }],
    });
    expect(outcome).toMatchObject({ code: "invalid_params", param: "to[0]", status: 400 });
    expect(outcome!.error).toBe(outcome!.message);
    expect(ok).toHaveProperty("send_id");
    const snooze = { resource: "thread", operation: "snooze", threadId: "thr_x", snoozeUntil: "soon" };
    expect(run(snooze)).rejects.toThrow('"soon" is not a time');
    const wrongKey = action.execute.call(
      functionsOf({ ...server, key: "service_test_wrong" }, { parameters: unknown }),
    );
    expect(wrongKey).rejects.toMatchObject({ httpCode: "401" });
  });

  /** Delivers a message to the sandbox. */
  const deliver = (subject: string) =>
    live.call("POST", "/messages/send", {
      key: server.key,
      headers: { "Idempotency-Key": crypto.randomUUID() },
      body: { to: ["maria@acme.example"], subject, body: "Hello", undo_window_s: 0 },
    });

  test("the webhook trigger registers an endpoint, accepts signed events once, and removes the endpoint", async () => {
    const trigger = await nodeOf("PostroomTrigger");
    const data: Json = {};
    const started: Json[] = [];
    const deliveries: { body: Buffer; headers: Record<string, string> }[] = [];
    /** Passes a request to the node as n8n does. @returns the status of the answer */
    const receive = async (body: Buffer, headers: Record<string, string>, mode: Context["mode"] = "webhook") => {
      let status = 200;
      const answer = (code: number) => {
        status = code;
        return { json: () => {} };
      };
      const functions = {
        ...functionsOf(server, { data, mode }),
        getRequestObject: () => ({ rawBody: body }),
        getHeaderData: () => headers,
        getResponseObject: () => ({ status: answer }),
      };
      const { workflowData } = await trigger.webhook.call(functions);
      for (const { json } of workflowData?.[0] ?? []) started.push(json);
      return status;
    };
    using n8n = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const delivery = {
          body: Buffer.from(await request.arrayBuffer()),
          headers: Object.fromEntries(request.headers),
        };
        deliveries.push(delivery);
        return new Response(null, { status: await receive(delivery.body, delivery.headers) });
      },
    });
    const webhookUrl = `http://127.0.0.1:${n8n.port}/webhook/x`;
    const hook = (name: "checkExists" | "create" | "delete", changes: Partial<Context> = {}) =>
      trigger.webhookMethods.default[name].call(
        functionsOf(server, { data, webhookUrl, parameters: { events: ["message.received"] }, ...changes }),
      );
    const endpoints = async () => (await get("/webhooks")).data.map(({ url }: Json) => url);

    expect(await hook("checkExists")).toBe(false);
    await hook("create");
    expect(await hook("checkExists")).toBe(true);
    // A crash before n8n has stored the secret leaves an endpoint whose secret no one has.
    delete data.production;
    expect(await hook("checkExists")).toBe(false);
    await hook("create");
    expect(await endpoints()).toEqual([webhookUrl]);
    // "Listen for test event" has another endpoint, and its end leaves that of the active workflow.
    const manual = { mode: "manual", webhookUrl: `${webhookUrl}-test` } as const;
    await hook("create", manual);
    expect(await endpoints()).toHaveLength(2);
    await hook("delete", manual);
    expect(await endpoints()).toEqual([webhookUrl]);
    // A changed address or changed events need a new endpoint; a disabled one is enabled.
    expect(await hook("checkExists", { webhookUrl: "http://127.0.0.1:1/" })).toBe(false);
    expect(await hook("checkExists", { parameters: { events: ["send.failed"] } })).toBe(false);
    await live.call("PATCH", `/webhooks/${data.production.id}`, { key: server.key, body: { status: "disabled" } });
    expect(await hook("checkExists")).toBe(true);
    expect((await get(`/webhooks/${data.production.id}`)).data.status).toBe("active");

    await deliver("To n8n");
    await eventually(() => started.length > 0, 30_000);
    expect(started[0]).toMatchObject({ event: "message.received", data: { subject: "To n8n" } });
    const { body, headers } = deliveries[0]!;
    const count = started.length;
    expect(await receive(body, headers)).toBe(200);
    expect(started).toHaveLength(count);
    expect(await receive(Buffer.concat([body, Buffer.from(" ")]), headers)).toBe(401);
    expect(await receive(body, {})).toBe(401);
    const signature = headers["x-service-signature"]!;
    const old = signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - 301}`);
    expect(await receive(body, { "x-service-signature": old })).toBe(401);
    expect(await receive(body, headers, "manual")).toBe(401);
    expect(started).toHaveLength(count);

    await hook("delete");
    expect(data.production).toBeUndefined();
    expect(await endpoints()).toEqual([]);
    await hook("delete");
  });

  test("the event log trigger starts at the end of the log, misses nothing, and resumes from its stored position", async () => {
    const trigger = await nodeOf("PostroomEventLogTrigger");
    let data: Json = {};
    const poll = async (changes: Partial<Context> = {}) => {
      const functions = functionsOf(server, { data, parameters: { events: ["message.received"] }, ...changes });
      const items = (await trigger.poll.call(functions))?.[0] ?? [];
      return { subjects: items.map(({ json }) => json.data.subject), warnings: functions.warnings };
    };
    expect((await poll()).subjects).toEqual([]);
    for (const subject of ["First", "Second"]) await deliver(subject);
    const seen: string[] = [];
    await eventually(async () => {
      seen.push(...(await poll()).subjects);
      return seen.length >= 2;
    }, 30_000);
    expect(seen.sort()).toEqual(["First", "Second"]);
    expect((await poll()).subjects).toEqual([]);

    // n8n stores the data of the workflow as JSON, and stops.
    data = JSON.parse(JSON.stringify(data));
    await deliver("While n8n was stopped");
    await eventually(async () => (await get("/threads?q=subject%3Astopped")).data.length > 0, 30_000);
    await eventually(async () => {
      seen.push(...(await poll()).subjects);
      return seen.includes("While n8n was stopped");
    }, 30_000);

    // A manual test shows events and does not move the position.
    const position = JSON.stringify(data);
    expect((await poll({ mode: "manual" })).subjects.length).toBeGreaterThan(0);
    expect(JSON.stringify(data)).toBe(position);
    // A position belongs to its events.
    expect((await poll({ parameters: { events: ["message.received", "send.failed"] } })).subjects).toEqual([]);
    expect(data.types).toBe("message.received,send.failed");
    data.cursor = "broken";
    const refused = await poll({ parameters: { events: ["message.received", "send.failed"] } });
    expect(refused).toEqual({ subjects: [], warnings: [expect.stringContaining("refused the stored position")] });
    expect(data.cursor).not.toBe("broken");
  });
});
