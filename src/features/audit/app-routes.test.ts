import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allAppRoutes } from "../../../test/support/all-app-routes.ts";
import { allRoutes } from "../../../test/support/all-routes.ts";
import { approvalFixture } from "../../../test/support/approval-fixture.ts";
import { type Browser, createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { DONE, sentenceOf } from "../../../web/app/pages/audit/sentences.ts";

let h: Harness;
let ada: Browser;
beforeEach(() => {
  h = createHarness({ routes: allRoutes, appRoutes: allAppRoutes });
  ada = h.session();
});
afterEach(() => h.close());

async function entry(action: string, by = ada) {
  const { status, json } = await by.call("GET", `/audit?limit=1&action=${action}`);
  expect(status).toBe(200);
  return json.data[0];
}

test("an entry of a tool names the connection, the tool and the message, and links the approval", async () => {
  const client = { id: "c", name: "Claude", uri: null, redirect_host: "localhost", verified: false };
  const scopes = ["mail:send"] as const;
  const connection = h.platform.connections.grant(
    { user_id: h.user.id, client, scopes, asked: scopes, account_id: null },
    { actor: { kind: "user", id: h.user.id } },
  );
  const s = approvalFixture(h.platform, h.user.id, { id: connection.id, name: "Claude" });
  const { approval_id } = s.ask({ subject: "Offer" });
  const actor = { kind: "assistant", id: connection.id, tool: "send_draft" } as const;
  h.platform.audit.record({ user_id: h.user.id, actor, action: "test.request", target: approval_id });
  const given = await entry("test.request");
  expect(given).toMatchObject({ actor, target: approval_id, actor_name: "Claude", target_name: "Offer" });
  expect(sentenceOf({ ...given, action: "approval.request" })).toEqual({
    who: "Claude, send_draft",
    did: "asked for approval to send",
    object: "Offer",
    page: `approvals/${approval_id}`,
  });
  expect(sentenceOf(await entry("connection.create"))).toMatchObject({ who: "You", object: "Claude" });
});

test("an entry names a key, also after it was revoked", async () => {
  const { id } = h.newKey({ name: "laptop" });
  h.platform.keys.revoke(id, { kind: "user", id: h.user.id });
  expect(sentenceOf(await entry("key.revoke"))).toEqual({
    ...{ who: "You", did: "revoked the API key", object: "laptop", page: "keys" },
  });
  const actor = { kind: "key", id } as const;
  h.platform.audit.record({
    user_id: h.user.id,
    actor,
    action: "draft.delete",
    target: null,
    before: { subject: "Hi" },
  });
  expect(sentenceOf(await entry("draft.delete"))).toMatchObject({ who: "laptop", object: "Hi", page: null });
});

test("an entry never names what belongs to another person", async () => {
  const eve = h.newUser("eve@example.org");
  const key = h.newKey({ name: "secret name", user_id: eve.id });
  const { approval_id, draft_id, account_id } = approvalFixture(h.platform, eve.id, { ...key, name: "x" }).ask();
  for (const id of [key.id, approval_id, draft_id, account_id, eve.id]) {
    const actor = { kind: "key", id: key.id } as const;
    h.platform.audit.record({ user_id: h.user.id, actor, action: "send.refused", target: id });
    expect(await entry("send.refused")).toMatchObject({ actor_name: null, target_name: null, target_page: null });
  }
});

test("the log of another person is not shown, and there is none without a session", async () => {
  const { json } = await h.session("eve@example.org").call("GET", "/audit?action=key.create");
  expect(json.data).toEqual([]);
  const headers = { "X-Postroom-App": "1" };
  expect((await h.call("GET", "//app/api/audit", { headers })).status).toBe(401);
});

test("every action that is recorded with a constant name has a sentence", () => {
  const src = join(import.meta.dir, "../..");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const recorded = files
    .map((name) => readFileSync(join(src, name), "utf8"))
    .filter((text) => /audit/i.test(text))
    .flatMap((text) => [
      ...text.matchAll(/(?:\baction: |#(?:record(?:Both)?|store)\([^"]{0,80}?)"([a-z_]+\.[a-z_.]+)"/g),
    ])
    .map(([, action]) => action!);
  expect(recorded.length).toBeGreaterThan(20);
  expect(recorded.filter((action) => !(action in DONE))).toEqual([]);
});
