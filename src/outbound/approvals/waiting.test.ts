import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BOB, type Connection, type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";

/** Sends of assistants that wait for a person: how many can wait, and what ends them. */

let m: McpFixture;
beforeEach(() => {
  m = mcpFixture();
  m.writtenTo(BOB);
});
afterEach(() => m.h.close());

const MINUTE_MS = 60_000;
const yes: Connection = { dialog: "accept" };

async function draft(more: object = {}): Promise<string> {
  return (await m.ok("save_draft", { to: [BOB], subject: "Hi", body: "See you on Friday.", ...more })).id;
}

const prepare = (draft_id: string, more: object = {}, connection?: Connection) =>
  m.ok("prepare_send", { draft_id, ...more }, connection);

const keyId = () => m.h.platform.keys.list([m.h.user.id])[0]!.id;
const policy = (given: object, id = keyId()) =>
  m.sends.policies.set(m.h.user.id, id, given, { actor: m.person.actor, request_id: null });

describe("approvals that wait", () => {
  const ask = async (draft_id: string, options: object = {}, connection: Connection = {}) => {
    const { confirmation } = await prepare(draft_id, options, connection);
    return m.ok("send_draft", { draft_id, confirmation }, connection);
  };
  const waiting = () => m.sends.store.list(m.h.user.id, { waiting: true, limit: 1_000 });
  const stateOf = (id: string) => m.sends.owned(m.h.user.id, id).state;
  const by = { kind: "system", id: null } as const;

  test("are one for each draft and assistant, however often it asks", async () => {
    const id = await draft();
    const answers = [];
    for (let i = 0; i < 30; i++) answers.push(await ask(id));
    expect(new Set(answers.map(({ approval_id }) => approval_id)).size).toBe(1);
    expect([waiting().length, m.count("send_approvals")]).toEqual([1, 1]);
    expect(m.events("approval.requested")).toHaveLength(1);
  });

  test("are replaced after a change of the draft or of the schedule", async () => {
    const id = await draft();
    const first = await ask(id);
    await m.ok("save_draft", { draft_id: id, body: "Other" });
    const second = await ask(id);
    const third = await ask(id, { scheduled_at: "2026-03-04T09:00:00Z" });
    expect(waiting().map((approval) => approval.id)).toEqual([third.approval_id]);
    expect([stateOf(first.approval_id), stateOf(second.approval_id)]).toEqual(["void", "void"]);
    expect(m.audit("approval.void").map(({ target }) => target)).toEqual([second.approval_id, first.approval_id]);
  });

  test("are at most 20 for each assistant", async () => {
    for (let i = 0; i < 20; i++) await ask(await draft());
    const next = await draft();
    const { confirmation } = await prepare(next);
    const error = await m.fails("send_draft", { draft_id: next, confirmation });
    expect(error).toMatchObject({ code: "quota_exceeded", retry_after_s: 24 * 60 * 60 });
    expect(error.message).toContain("20");
    expect((await ask(next, {}, { key: m.h.newKey().secret })).status).toBe("waiting_for_approval");
    m.sends.reject(m.person, waiting().at(-1)!.id);
    expect(await m.ok("send_draft", { draft_id: next, confirmation })).toMatchObject({
      status: "waiting_for_approval",
    });
  });

  test("do not count when their drafts were deleted", async () => {
    for (let i = 0; i < 20; i++) {
      const id = await draft();
      await ask(id);
      await m.ok("delete_draft", { draft_id: id });
    }
    expect((await ask(await draft())).status).toBe("waiting_for_approval");
    expect(waiting()).toHaveLength(1);
  });

  test("are shown to their assistant, however many others wait", async () => {
    const id = (await ask(await draft())).approval_id;
    for (let i = 0; i < 6; i++) {
      const { id: other } = m.h.newKey();
      const sender = {
        ...{ ...m.person, key: { id: other, created_at: 0 }, readsContext: false },
        asker: { kind: "key" as const, id: other, name: "Other" },
      };
      for (let k = 0; k < 20; k++) {
        const draft_id = m.outbound.drafts.compose(sender, { to: [BOB], subject: "Hi", body: "Hello" });
        const { confirmation } = m.sends.prepare(sender, draft_id, { undo_window_s: 10, scheduled_at: null });
        expect(m.sends.send(sender, draft_id, confirmation, false).state).toBe("waiting");
      }
    }
    const { id: mine } = m.sends.owned(m.h.user.id, id);
    const sender = { ...m.person, key: { id: keyId(), created_at: 0 } };
    expect(m.sends.waitingFor(sender).map((approval) => approval.id)).toEqual([mine]);
  });

  test("are void once the draft was sent, whoever asked", async () => {
    const id = await draft();
    const first = await ask(id);
    const second = await ask(id, {}, { key: m.h.newKey().secret });
    const other = await ask(await draft());
    m.sends.approve(m.person, first.approval_id);
    expect([stateOf(first.approval_id), stateOf(second.approval_id)]).toEqual(["approved", "void"]);
    expect(() => m.sends.approve(m.person, second.approval_id)).toThrow(
      expect.objectContaining({ code: "approval_closed" }),
    );
    expect(waiting().map((approval) => approval.id)).toEqual([other.approval_id]);
    expect(m.count("sends")).toBe(1);
    const third = await draft();
    const fourth = await ask(third);
    const { confirmation } = await prepare(third);
    await m.ok("send_draft", { draft_id: third, confirmation }, yes);
    expect(stateOf(fourth.approval_id)).toBe("void");
  });

  test("are withdrawn when the key is revoked, and its policy is removed", async () => {
    const key = m.h.newKey();
    policy({ sends_per_day: 3 }, key.id);
    const { approval_id } = await ask(await draft(), {}, { key: key.secret });
    const other = await ask(await draft());
    m.h.platform.keys.revoke(key.id, m.person.actor, "req_1");
    expect(stateOf(approval_id)).toBe("withdrawn");
    expect(waiting().map(({ id }) => id)).toEqual([other.approval_id]);
    expect(m.audit("approval.withdrawn")[0]).toMatchObject({ actor: m.person.actor, request_id: "req_1" });
    expect(m.count("sending_policies")).toBe(0);
    expect(m.h.platform.grants.differences()).toEqual([]);
    expect(() => m.sends.approve(m.person, approval_id)).toThrow(expect.objectContaining({ code: "approval_closed" }));
  });

  test("are withdrawn when the connection is revoked", async () => {
    const { platform, user } = m.h;
    const client = { id: "c", name: "Claude", uri: null, redirect_host: "localhost", verified: false };
    const scopes = ["mail:read", "mail:send", "drafts:write"] as const;
    const { id } = platform.connections.grant(
      { user_id: user.id, client, scopes, asked: scopes, account_id: null },
      { actor: by },
    );
    const payload = { grantId: id, aud: "http://localhost/mcp", scope: scopes.join(" ") };
    const expires_at = m.h.clock.now() + 60 * MINUTE_MS;
    platform.assistantTokens.put("AccessToken", "token", { connection_id: id, user_id: user.id, payload, expires_at });
    policy({ sends_per_day: 3 }, id);
    const { approval_id } = await ask(await draft(), {}, { key: "token" });
    platform.connections.revoke(id);
    expect(stateOf(approval_id)).toBe("withdrawn");
    expect(m.count("sending_policies")).toBe(0);
  });

  test("are withdrawn at the next look if another process revoked the key", async () => {
    const key = m.h.newKey();
    policy({ sends_per_day: 3 }, key.id);
    const { approval_id } = await ask(await draft(), {}, { key: key.secret });
    const { platform } = m.h;
    platform.grants.update("api_keys", { id: key.id }, { revoked_at: m.h.clock.now() });
    expect(() => m.sends.closeIfChanged(m.person, approval_id)).toThrow(
      expect.objectContaining({ code: "approval_closed" }),
    );
    expect(stateOf(approval_id)).toBe("withdrawn");
    m.sends.prune(0);
    expect(m.count("sending_policies")).toBe(0);
  });

  test("keep no copy of a message that was sent without one", async () => {
    const id = await draft({ subject: "Private" });
    const { confirmation } = await prepare(id);
    await m.ok("send_draft", { draft_id: id, confirmation }, yes);
    const [kept] = [...m.sends.store.all(m.h.user.id)];
    expect(kept).toMatchObject({ state: "confirmed", draft_id: id });
    expect(JSON.stringify(kept)).not.toMatch(/Private|Friday|bob@/);
  });
});
