import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AgentFixture, agentFixture, daysAgo, kinds } from "../../../test/support/agent-fixture.ts";
import { ADA } from "../../../test/support/ai-fixture.ts";

let s: AgentFixture;
beforeEach(() => {
  s = agentFixture();
  s.permit("autopilot");
});
afterEach(() => s.h.close());

describe("undo", () => {
  test("restores the label, the inbox and the category in one call", async () => {
    const from = { name: "Shop", email: "shop@acme.example" };
    const sale = s.seeded.deliver({ from, to: [ADA], text: "Buy now! Unsubscribe here.", at: daysAgo(1) });
    const { thread_id } = s.question();
    for (const action of await s.run()) {
      expect(action.undo).toEqual({ method: "POST", path: `/agent/actions/${action.id}/undo` });
      const { status, json } = await s.h.call("POST", action.undo!.path);
      expect([status, json.state, json.undo]).toEqual([200, "undone", null]);
    }
    expect([s.state(sale.thread_id), s.category(sale.message_id), s.labels(thread_id), s.drafts()]).toEqual([
      "inbox",
      "primary",
      [],
      [],
    ]);
    expect(s.h.platform.audit.list(s.h.user.id, { limit: 9, action: "agent.undo" })).toHaveLength(3);
  });

  test("keeps what was changed since", async () => {
    const newsletter = s.newsletter();
    const { thread_id } = s.question();
    const [triaged, first, second] = await s.run();
    const archived = [triaged, first, second].find((action) => action!.thread_id === newsletter.thread_id)!;
    await s.mailbox.changes.update(
      { ...s.scope(), actor: { kind: "user", id: null }, request_id: null },
      newsletter.thread_id,
      { state: "trash" },
    );
    await s.undo(archived.id);
    expect(s.state(newsletter.thread_id)).toBe("trash");
    const drafted = [triaged, first, second].find((action) => action!.action === "drafted")!;
    await s.h.call("PATCH", `/drafts/${drafted.draft_id}`, { body: { body: "My own words." } });
    const refused = await s.undo(drafted.id);
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_params"]);
    expect(s.drafts().map(({ body }) => body)).toEqual(["My own words."]);
    expect(drafted.thread_id).toBe(thread_id);
  });

  test("keeps a label that the thread had before the agent ran", async () => {
    const { thread_id } = s.question();
    s.mailbox.changes.update({ ...s.scope(), actor: { kind: "user", id: null }, request_id: null }, thread_id, {
      add_labels: ["Needs reply"],
    });
    const actions = await s.run();
    expect(kinds(actions)).toEqual(["drafted done"]);
    await s.undo(actions[0]!.id);
    expect(s.labels(thread_id)).toEqual(["Needs reply"]);
  });

  test("of the only action that added a label removes it, even after a second question in the thread", async () => {
    const ask = (text: string, at: number) => s.fromBob(text, { at: daysAgo(at), subject: "Contract" });
    const { thread_id } = s.seeded.converse(ask("Can you sign it?", 1), ask("Could you also date it?", 0.5));
    const actions = await s.run();
    expect(kinds(actions)).toEqual(["triaged done", "drafted done"]);
    await s.undo(actions[0]!.id);
    expect(s.labels(thread_id)).toEqual([]);
  });

  test("is refused for a draft that no longer exists", async () => {
    s.question();
    const [, drafted] = await s.run();
    await s.h.call("DELETE", `/drafts/${drafted!.draft_id}`);
    const refused = await s.undo(drafted!.id);
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_params"]);
    expect((await s.h.call("GET", "/agent/actions")).json.data[0].state).toBe("done");
  });

  test("runs once when called twice at the same time", async () => {
    const { thread_id } = s.question();
    const [triaged] = await s.run();
    const both = await Promise.all([s.undo(triaged!.id), s.undo(triaged!.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(s.labels(thread_id)).toEqual([]);
  });

  test("is refused a second time, for a suggestion, and for another user's action", async () => {
    s.question();
    const [triaged] = await s.run();
    await s.undo(triaged!.id);
    expect((await s.undo(triaged!.id)).json.error.code).toBe("invalid_params");
    const zoe = s.h.newKey({ user_id: s.h.newUser("zoe@example.org").id });
    expect((await s.h.call("POST", `/agent/actions/${triaged!.id}/undo`, { key: zoe.secret })).status).toBe(404);
  });
});
