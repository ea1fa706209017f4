import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { allAppRoutes } from "../../../test/support/all-app-routes.ts";
import { allRoutes } from "../../../test/support/all-routes.ts";
import { type ApprovalFixture, approvalFixture } from "../../../test/support/approval-fixture.ts";
import { type Answer, type Browser, createHarness, type Harness } from "../../../test/support/http-harness.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let h: Harness;
let ada: Browser;
let key: { id: string; secret: string };
let s: ApprovalFixture;
beforeEach(() => {
  h = createHarness({ routes: allRoutes, appRoutes: allAppRoutes });
  ada = h.session();
  key = h.newKey({ name: "Claude" });
  s = approvalFixture(h.platform, h.user.id, { id: key.id, name: "Claude" });
});
afterEach(() => h.close());

const code = ({ status, json }: Answer) => [status, json?.error?.code];
const approve = (id: string, by = ada) => by.call("POST", `/approvals/${id}/approve`);
const sendsOf = async () => (await h.call("GET", "/sends")).json.data;
const stateOf = async (id: string) => (await ada.call("GET", `/approvals/${id}`)).json.state;

describe("an approval", () => {
  test("shows the exact text, all recipients, the assistant and the reasons", async () => {
    const body = "<p>Dear Zoe, see <b>the offer</b>.</p>";
    const { approval_id, draft_id } = s.ask({
      subject: "Offer",
      body,
      to: ["Zoe <zoe@new.example>", "max@new.example"],
    });
    const { json } = await ada.call("GET", "/approvals", {});
    expect(json.data).toMatchObject([
      {
        id: approval_id,
        state: "waiting",
        sandbox: false,
        subject: "Offer",
        asked_by: { kind: "key", name: "Claude" },
      },
    ]);
    expect(json.data[0].recipients).toEqual(["Zoe <zoe@new.example>", "max@new.example"]);
    expect((await ada.call("GET", "/approvals/count")).json).toEqual({ waiting: 1 });
    const shown = (await ada.call("GET", `/approvals/${approval_id}`)).json;
    expect(shown).toMatchObject({ html: body, text: "Dear Zoe, see the offer.", draft_id, undo_window_s: 10 });
    expect(shown.from).toContain("ada@example.org");
    expect(shown.reasons).toContain("You have never written to zoe@new.example.");
  });

  test("is sent after it was approved, once, and the send can be undone in its undo window", async () => {
    const { approval_id } = s.ask();
    const first = await approve(approval_id);
    expect(first.status).toBe(200);
    expect(first.json.undo_until).toBe("2026-03-02T09:00:10.000Z");
    expect(code(await approve(approval_id))).toEqual([409, "approval_closed"]);
    expect((await sendsOf()).map(({ send_id }: { send_id: string }) => send_id)).toEqual([first.json.send_id]);
    expect((await ada.call("GET", "/approvals?waiting=true")).json.data).toEqual([]);
    const undone = await ada.call("POST", `//v1/sends/${first.json.send_id}/cancel`);
    expect(undone.json.status).toBe("undone");
    const [entry] = h.platform.audit.list(h.user.id, { action: "approval.approved", limit: 1 });
    expect(entry).toMatchObject({ target: approval_id, actor: { kind: "user" } });
  });

  test("of a draft that has changed is closed for good, and nothing is sent", async () => {
    const asked = s.ask();
    s.change(asked, "Dear Zoe, send me money.");
    expect(code(await approve(asked.approval_id))).toEqual([409, "approval_closed"]);
    expect(await stateOf(asked.approval_id)).toBe("void");
    expect((await ada.call("GET", "/approvals/count")).json).toEqual({ waiting: 0 });
    expect(await sendsOf()).toEqual([]);
  });

  test("that was rejected cannot be approved, and the draft stays", async () => {
    const { approval_id, draft_id } = s.ask();
    const rejected = await ada.call("POST", `/approvals/${approval_id}/reject`);
    expect([rejected.status, rejected.json.state]).toEqual([200, "rejected"]);
    expect(code(await approve(approval_id))).toEqual([409, "approval_closed"]);
    expect(code(await ada.call("POST", `/approvals/${approval_id}/reject`))).toEqual([409, "approval_closed"]);
    expect(await sendsOf()).toEqual([]);
    expect((await h.call("GET", `/drafts/${draft_id}`)).status).toBe(200);
  });

  test("expires after a day", async () => {
    const { approval_id } = s.ask();
    h.clock.advance(DAY_MS);
    expect(await stateOf(approval_id)).toBe("expired");
    expect((await ada.call("GET", "/approvals/count")).json).toEqual({ waiting: 0 });
    expect(code(await approve(approval_id))).toEqual([409, "approval_closed"]);
    expect(await sendsOf()).toEqual([]);
  });

  test("of another user is not found, for the owner either", async () => {
    const { approval_id } = s.ask();
    for (const other of [h.session("eve@example.org"), h.session("owner@example.org", "owner")]) {
      expect((await other.call("GET", "/approvals")).json.data).toEqual([]);
      for (const [method, path] of [
        ["GET", ""],
        ["POST", "/approve"],
        ["POST", "/reject"],
      ] as const) {
        expect(code(await other.call(method, `/approvals/${approval_id}${path}`))).toEqual([404, "not_found"]);
      }
    }
    expect(await stateOf(approval_id)).toBe("waiting");
  });

  test("cannot be decided with the key that asked", async () => {
    const { approval_id } = s.ask();
    const path = `//app/api/approvals/${approval_id}/approve`;
    const answer = await h.call("POST", path, { key: key.secret, headers: { "X-Postroom-App": "1" } });
    expect(answer.status).toBe(401);
    expect(await stateOf(approval_id)).toBe("waiting");
  });

  test("of the sandbox is listed with a mark, and its send belongs to the sandbox", async () => {
    const sandbox = h.platform.users.sandboxOf(h.user.id).id;
    const { id, secret } = h.newKey({ test: true });
    const { approval_id } = approvalFixture(h.platform, sandbox, { id, name: "Trial" }).ask();
    expect((await ada.call("GET", "/approvals")).json.data).toMatchObject([{ id: approval_id, sandbox: true }]);
    expect((await ada.call("GET", "/approvals/count")).json).toEqual({ waiting: 1 });
    const { json } = await approve(approval_id);
    expect((await h.call("GET", `/sends/${json.send_id}`, { key: secret })).json.status).toBe("scheduled");
    expect((await h.call("GET", `/sends/${json.send_id}`)).status).toBe(404);
  });

  test("is in the export of the person, and is deleted with old entries of the audit log", async () => {
    const { approval_id } = s.ask({ subject: "Offer" });
    const by = { actor: { kind: "user" as const, id: h.user.id }, request_id: null };
    s.sends.policies.set(h.user.id, key.id, { sends_per_day: 3 }, by);
    const response = await h.fetch("GET", "//app/api/me/export", {
      key: null,
      headers: { Cookie: ada.cookie, "X-Postroom-App": "1" },
    });
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const rows = (name: string) => JSON.parse(Buffer.from(files[name]!).toString());
    expect(rows("approvals.json")).toMatchObject([
      { id: approval_id, state: "waiting", preview: { subject: "Offer" } },
    ]);
    expect(rows("sending-policies.json")).toMatchObject([{ credential_id: key.id, sends_per_day: 3 }]);
    h.clock.advance(2 * DAY_MS);
    s.sends.store.prune(h.clock.now() - DAY_MS);
    expect(code(await ada.call("GET", `/approvals/${approval_id}`))).toEqual([404, "not_found"]);
  });

  test("that was sent without one is not listed", async () => {
    const { sends } = s;
    sends.policies.set(
      h.user.id,
      key.id,
      { confirm: "token", recipients: "anyone" },
      { actor: { kind: "user", id: null }, request_id: null },
    );
    expect(() => s.ask()).toThrow("does not wait");
    expect((await ada.call("GET", "/approvals")).json.data).toEqual([]);
  });
});

describe("the list of assistants", () => {
  test("has the usable keys with a scope for tools, and their policies", async () => {
    h.newKey({ name: "webhooks only", scopes: ["webhooks:manage"] });
    const gone = h.newKey({ name: "gone" });
    h.platform.keys.revoke(gone.id, { kind: "user", id: h.user.id }, null);
    h.newKey({ name: "trial", test: true });
    const { json } = await ada.call("GET", "/assistants");
    expect([json.plan, json.allowed]).toEqual(["autopilot", true]);
    const names = json.data.map(({ name, sandbox }: { name: string; sandbox: boolean }) => [name, sandbox]);
    expect(names.sort()).toEqual([
      ["Claude", false],
      ["test", false],
      ["trial", true],
    ]);
    expect(json.data.find(({ id }: { id: string }) => id === key.id)).toMatchObject({
      kind: "key",
      last_used_at: null,
      policy: { confirm: "ask", recipients: "known", sends_per_day: 20 },
    });
  });

  test("says which keys work with the API, too, where the policies do not apply", async () => {
    const only = h.newKey({ name: "only tools", tools_only: true });
    const { json } = await ada.call("GET", "/assistants");
    const limited = (id: string) => json.data.find((row: { id: string }) => row.id === id).tools_only;
    expect([limited(only.id), limited(key.id)]).toEqual([true, false]);
  });

  test("says if the plan has no tools", async () => {
    h.platform.users.setPlan(h.user.id, "pro");
    expect((await ada.call("GET", "/assistants")).json).toMatchObject({ plan: "pro", allowed: false });
  });
});

describe("a sending policy", () => {
  const patch = (body: object, { by = ada, id = key.id } = {}) =>
    by.call("PATCH", `/assistants/${id}/policy`, { body });

  test("is changed by the person whose key it is, and recorded", async () => {
    const { status, json } = await patch({ confirm: "approve", sends_per_day: 3 });
    expect([status, json]).toEqual([200, { confirm: "approve", recipients: "known", sends_per_day: 3 }]);
    const [entry] = h.platform.audit.list(h.user.id, { action: "assistant.policy", limit: 1 });
    expect(entry).toMatchObject({ target: key.id, actor: { kind: "user" } });
    for (const by of [h.session("eve@example.org"), h.session("owner@example.org", "owner")]) {
      expect(code(await patch({ confirm: "token" }, { by }))).toEqual([404, "not_found"]);
    }
    expect(code(await patch({ confirm: "ask" }, { id: "key_unknown" }))).toEqual([404, "not_found"]);
  });

  test.each([{ confirm: "token" }, { recipients: "anyone" }, { sends_per_day: 21 }])(
    "is loosened only after a recent authentication: %j",
    async (body) => {
      h.clock.advance(16 * MINUTE_MS);
      expect(code(await patch(body))).toEqual([401, "proof_required"]);
      expect((await patch({ confirm: "approve", recipients: "known", sends_per_day: 1 })).status).toBe(200);
      expect(code(await patch({ confirm: "ask" }))).toEqual([401, "proof_required"]);
    },
  );

  test.each([{}, { sends_per_day: 0 }, { sends_per_day: 1_001 }, { confirm: "never" }])(
    "with impossible values is refused: %j",
    async (body) => {
      expect(code(await patch(body))).toEqual([400, "invalid_params"]);
    },
  );
});
