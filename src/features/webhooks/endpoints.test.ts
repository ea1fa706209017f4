import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createWebhookFixture, type WebhookFixture } from "../../../test/support/webhook-fixture.ts";
import { EVENT_NAMES } from "../../kernel/events.ts";

if (!OPENSSL) console.info("skipped: webhook endpoints (openssl is not installed)");

describe.skipIf(!OPENSSL)("webhook endpoints", () => {
  let authority: Authority;
  let fixture: WebhookFixture;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    fixture = await createWebhookFixture(authority);
  });
  afterEach(() => fixture.close());

  const url = "https://hooks.example.org/in";
  const create = (body: object = { url, events: ["draft.created"] }, key?: string) =>
    fixture.h.call("POST", "/webhooks", { body, key });

  test("a new endpoint shows its secret once", async () => {
    const { status, json } = await create();
    expect(status).toBe(200);
    const { secret, ...rest } = json.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).toEqual({
      id: expect.stringMatching(/^whk_/),
      url,
      events: ["draft.created"],
      status: "active",
      failure_count: 0,
      last_failure_at: null,
      disabled_at: null,
      created_at: "2026-03-02T09:00:00.000Z",
      updated_at: "2026-03-02T09:00:00.000Z",
    });
    expect((await fixture.h.call("GET", `/webhooks/${rest.id}`)).json).toEqual({ data: rest });
    const list = await fixture.h.call("GET", "/webhooks");
    expect(list.json).toEqual({ data: [rest], has_more: false, next_cursor: null });
    expect(fixture.h.platform.db.sql.query("SELECT * FROM webhook_endpoints").all().toString()).not.toContain("hooks.");
  });

  test("every event of the catalog can be subscribed to, and the ping cannot", async () => {
    expect((await create({ url, events: EVENT_NAMES })).json.data.events).toEqual([...EVENT_NAMES]);
    expect((await create({ url, events: ["draft.created", "draft.created"] })).json.data.events.length).toBe(1);
    for (const [events, param] of [
      [["webhook.test"], "events[0]"],
      [["draft.created", "nope"], "events[1]"],
      [[], "events"],
      ["draft.created", "events"],
      [undefined, "events"],
    ] as const) {
      const { status, json } = await create({ url, events });
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
    }
  });

  test.each([
    ["http://hooks.example.org/", "http:// works only for this machine"],
    ["https://192.168.1.1/", "private"],
    ["https://127.0.0.2/", "loopback"],
    ["https://2130706434/", "loopback"],
    ["https://localhost:99999/", "not a URL"],
    ["https://u:p@hooks.example.org/", "password"],
    ["hooks.example.org", "not a URL"],
    [`https://hooks.example.org/${"x".repeat(2_048)}`, ""],
  ])("%s is refused with the reason", async (bad, why) => {
    const { status, json } = await create({ url: bad, events: ["draft.created"] });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "url"]);
    expect(json.error.message).toContain(why);
    const { id } = (await create()).json.data;
    const patched = await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { url: bad } });
    expect([patched.status, patched.json.error.param]).toEqual([400, "url"]);
  });

  test("the plan limits the number of endpoints, including disabled ones", async () => {
    const user = fixture.h.newUser("pro@example.org", "pro");
    const key = fixture.h.newKey({ user_id: user.id, scopes: ["webhooks:manage"] }).secret;
    const first = (await create(undefined, key)).json.data;
    expect((await create(undefined, key)).status).toBe(200);
    await fixture.h.call("PATCH", `/webhooks/${first.id}`, { key, body: { status: "disabled" } });
    const third = await create(undefined, key);
    expect([third.status, third.json.error.code, third.json.error.type]).toEqual([
      402,
      "plan_required",
      "billing_error",
    ]);
    expect(third.json.error.message).toContain("2 webhook endpoints");
    await fixture.h.call("DELETE", `/webhooks/${first.id}`, { key });
    expect((await create(undefined, key)).status).toBe(200);
    // The sandbox has a separate count.
    const sandbox = fixture.h.platform.users.sandboxOf(user.id).id;
    const testKey = fixture.h.newKey({ user_id: sandbox, test: true }).secret;
    expect((await create(undefined, testKey)).status).toBe(200);
  });

  test("fifty concurrent requests do not exceed the plan", async () => {
    const user = fixture.h.newUser("pro@example.org", "pro");
    const key = fixture.h.newKey({ user_id: user.id, scopes: ["webhooks:manage"] }).secret;
    const replies = await Promise.all(Array.from({ length: 50 }, () => create(undefined, key)));
    expect(replies.filter(({ status }) => status === 200).length).toBe(2);
    expect(replies.filter(({ status }) => status === 402).length).toBe(48);
  });

  test("a repeated creation returns the same secret, which is stored encrypted until then", async () => {
    const headers = { "Idempotency-Key": "once" };
    const body = { url, events: ["draft.created"] };
    const first = await fixture.h.call("POST", "/webhooks", { body, headers });
    const again = await fixture.h.call("POST", "/webhooks", { body, headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const { sql } = fixture.h.platform.db;
    const tables = sql.query<{ name: string }, []>("SELECT name FROM pragma_table_list WHERE type = 'table'").all();
    const stored = tables
      .flatMap(({ name }) => sql.query(`SELECT * FROM "${name}"`).values().flat())
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)));
    expect(stored.some((value) => value.includes("whsec_") || value.includes("hooks.example.org"))).toBe(false);
    expect(fixture.h.log.join("")).not.toMatch(/whsec_|hooks\.example\.org/);
  });

  test("an update returns the documented fields", async () => {
    const { id } = (await create()).json.data;
    fixture.h.clock.advance(1_000);
    const { json } = await fixture.h.call("PATCH", `/webhooks/${id}`, {
      body: { events: ["send.failed", "brief.ready"], url: "https://other.example.org/" },
    });
    expect(json).toEqual({ data: { id, events: ["send.failed", "brief.ready"], status: "active", failure_count: 0 } });
    expect(await fixture.view(id)).toMatchObject({
      url: "https://other.example.org/",
      updated_at: "2026-03-02T09:00:01.000Z",
    });
    const off = await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(off.json.data.status).toBe("disabled");
    expect((await fixture.view(id)).disabled_at).toBe("2026-03-02T09:00:01.000Z");
    const on = await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "active" } });
    expect(on.json.data.status).toBe("active");
    expect((await fixture.view(id)).disabled_at).toBeNull();
    expect((await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { status: "paused" } })).status).toBe(400);
  });

  test("a rotation returns the new secret once", async () => {
    const { id, secret } = (await create()).json.data;
    const { json } = await fixture.h.call("POST", `/webhooks/${id}/rotate-secret`);
    expect(json).toEqual({ data: { id, status: "active", secret: expect.stringMatching(/^whsec_/) } });
    expect(json.data.secret).not.toBe(secret);
  });

  test("deletion returns 204 and deletes the history", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit();
    await fixture.settle();
    expect((await fixture.deliveries(id)).length).toBe(1);
    const answer = await fixture.h.call("DELETE", `/webhooks/${id}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
      expect((await fixture.h.call("GET", path)).status).toBe(404);
    }
    for (const table of ["webhook_endpoints", "webhook_secrets", "webhook_deliveries", "webhook_attempts"]) {
      expect(fixture.h.platform.db.sql.query(`SELECT * FROM ${table}`).all()).toEqual([]);
    }
  });

  test("the list is sorted newest first, filters by status, and ends with a null cursor", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await create()).json.data.id);
    await fixture.h.call("PATCH", `/webhooks/${ids[1]}`, { body: { status: "disabled" } });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { json } = await fixture.h.call("GET", `/webhooks?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data.map((endpoint: { id: string }) => endpoint.id));
      expect(json.has_more).toBe(json.next_cursor !== null);
      cursor = json.next_cursor;
    }
    expect(seen).toEqual(ids);
    const disabled = await fixture.h.call("GET", "/webhooks?status=disabled");
    expect(disabled.json.data.map((endpoint: { id: string }) => endpoint.id)).toEqual([ids[1]!]);
    expect((await fixture.h.call("GET", "/webhooks?status=paused")).json.error.param).toBe("status");
  });

  test("another user's endpoints are not accessible, nor a person's from the sandbox", async () => {
    const { id } = await fixture.endpoint();
    fixture.emit();
    await fixture.settle();
    const [delivery] = await fixture.deliveries(id);
    const bob = fixture.h.newUser("bob@example.org");
    const keys = [fixture.h.newKey({ user_id: bob.id }).secret, fixture.h.newKey({ test: true }).secret];
    for (const key of keys) {
      expect((await fixture.h.call("GET", "/webhooks", { key })).json.data).toEqual([]);
      for (const [method, path, body] of [
        ["GET", `/webhooks/${id}`],
        ["PATCH", `/webhooks/${id}`, { url: "http://x/" }],
        ["DELETE", `/webhooks/${id}`],
        ["POST", `/webhooks/${id}/rotate-secret`],
        ["GET", `/webhooks/${id}/deliveries`],
        ["GET", `/webhooks/${id}/deliveries/${delivery!.id}`],
        ["POST", `/webhooks/${id}/deliveries/${delivery!.id}/redeliver`],
      ] as const) {
        expect([method, path, (await fixture.h.call(method, path, { key, body })).status]).toEqual([method, path, 404]);
      }
    }
    // The delivery is also not accessible through another endpoint of the same user.
    const other = await fixture.endpoint();
    expect((await fixture.h.call("GET", `/webhooks/${other.id}/deliveries/${delivery!.id}`)).status).toBe(404);
  });

  test("a key that is bound to one mailbox is refused", async () => {
    const key = fixture.h.newKey({ account_id: "acc_01jz4t9h2m8q5r7v3w6x0y1z2a" }).secret;
    for (const [method, path] of [
      ["GET", "/webhooks"],
      ["GET", "/events"],
    ] as const) {
      const { status, json } = await fixture.h.call(method, path, { key });
      expect([status, json.error.code]).toEqual([403, "forbidden_scope"]);
    }
    expect((await create(undefined, key)).status).toBe(403);
  });

  test("every change is audited, without a secret", async () => {
    const { id } = await fixture.endpoint();
    await fixture.h.call("PATCH", `/webhooks/${id}`, { body: { events: ["send.failed"] } });
    await fixture.h.call("POST", `/webhooks/${id}/rotate-secret`);
    await fixture.h.call("DELETE", `/webhooks/${id}`);
    const rows = fixture.h.platform.audit.list(fixture.h.user.id, { limit: 20, target: id });
    expect(rows.map(({ action, actor }) => [action, actor.kind])).toEqual([
      ["webhook.delete", "key"],
      ["webhook.rotate_secret", "key"],
      ["webhook.update", "key"],
      ["webhook.create", "key"],
    ]);
    expect(rows[2]).toMatchObject({ before: { events: ["thread.updated"] }, after: { events: ["send.failed"] } });
    expect(JSON.stringify(rows)).not.toContain("whsec_");
  });
});
