import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AgentFixture, agentFixture, daysAgo, kinds } from "../../../test/support/agent-fixture.ts";
import { ADA, BOB } from "../../../test/support/ai-fixture.ts";
import { type Authority, permissionsOf } from "./authority.ts";

let s: AgentFixture;
const NOW = daysAgo(0);
beforeEach(() => {
  s = agentFixture();
});
afterEach(() => s.h.close());

describe("modes", () => {
  test("without a rule the agent does nothing", async () => {
    const { thread_id } = s.question();
    expect(await s.run()).toEqual([]);
    expect([s.labels(thread_id), s.drafts(), s.events("agent.action")]).toEqual([[], [], []]);
    // A pass without any rule reads nothing, so that the first rule still applies to the mail of the last days.
    s.permit("autopilot", "label");
    expect(kinds(await s.run())).toEqual(["triaged done", "drafted suggested"]);
  });

  test("a paused rule covers no sender, and mail that arrived during the pause is not handled later", async () => {
    s.permit("autopilot");
    const by = { ...s.scope(), actor: { kind: "user" as const, id: null }, request_id: null };
    const [rule] = s.people.rules.list(s.scope());
    s.people.rules.update(by, rule!.id, { enabled: false });
    s.question();
    expect(await s.run()).toEqual([]);
    s.people.rules.update(by, rule!.id, { enabled: true });
    expect(await s.run()).toEqual([]);
    s.question();
    expect(kinds(await s.run())).toEqual(["triaged done", "drafted done"]);
  });

  test("with the mode off, the agent does nothing", async () => {
    s.permit("off", "label", "archive", "draft");
    s.question();
    s.newsletter();
    expect(await s.run()).toEqual([]);
  });

  test("suggest mode changes nothing and records what the agent would do", async () => {
    s.permit("suggest", "label", "archive", "draft", "category");
    const { thread_id } = s.question();
    const newsletter = s.newsletter();
    const actions = await s.run();
    expect(kinds(actions)).toEqual(["triaged suggested", "drafted suggested", "triaged suggested"]);
    expect(actions.every(({ undo }) => undo === null)).toBe(true);
    expect([s.labels(thread_id), s.state(newsletter.thread_id), s.drafts(), s.events("agent.action")]).toEqual([
      [],
      "inbox",
      [],
      [],
    ]);
  });

  test("draft mode writes drafts and only suggests the rest", async () => {
    s.permit("draft", "label", "archive", "draft");
    const { thread_id } = s.question();
    const newsletter = s.newsletter();
    expect(kinds(await s.run())).toEqual(["triaged suggested", "drafted done", "triaged suggested"]);
    expect([s.labels(thread_id), s.state(newsletter.thread_id), s.drafts().length]).toEqual([[], "inbox", 1]);
  });

  test("autopilot mode labels, archives and drafts", async () => {
    s.permit("autopilot");
    const { thread_id } = s.question();
    const newsletter = s.newsletter();
    expect(kinds(await s.run())).toEqual(["triaged done", "drafted done", "triaged done"]);
    expect([s.labels(thread_id), s.state(thread_id), s.state(newsletter.thread_id)]).toEqual([
      ["Needs reply"],
      "inbox",
      "archived",
    ]);
    expect(s.events("agent.action")).toEqual([
      { thread_id, action: "triaged", mode: "autopilot" },
      { thread_id, action: "drafted", mode: "autopilot" },
      { thread_id: newsletter.thread_id, action: "triaged", mode: "autopilot" },
    ]);
  });

  test("an allow list removes the permissions that it does not name", async () => {
    s.permit("autopilot", "label");
    const { thread_id } = s.question();
    const newsletter = s.newsletter();
    expect(kinds(await s.run())).toEqual(["triaged done", "drafted suggested", "triaged suggested"]);
    expect([s.labels(thread_id), s.state(newsletter.thread_id), s.drafts()]).toEqual([["Needs reply"], "inbox", []]);
  });

  test("a mode never grants more than its own permissions, even if the allow list names more", () => {
    const all = ["label", "category", "archive", "draft"] as const;
    const granted = (authority: Authority | null) =>
      all.filter((permission) => permissionsOf(authority)?.allows(permission));
    expect(granted(null)).toEqual([]);
    for (const allow of [[], all]) {
      expect(granted({ mode: "off", allow })).toEqual([]);
      expect(granted({ mode: "suggest", allow })).toEqual([]);
      expect(granted({ mode: "draft", allow })).toEqual(["draft"]);
      expect(granted({ mode: "autopilot", allow })).toEqual([...all]);
    }
    expect(granted({ mode: "autopilot", allow: ["label"] })).toEqual(["label"]);
    expect(granted({ mode: "draft", allow: ["archive"] })).toEqual([]);
  });
});

describe("triage", () => {
  beforeEach(() => s.permit("autopilot"));

  test("keeps mail in the inbox that asks something, continues a conversation or is from a VIP", async () => {
    const asks = s.question();
    const to = { name: "Zoe", email: "zoe@acme.example" };
    s.people.contactStore.recordAddress(s.h.user.id, { ...to, rank: 2, at: NOW });
    s.h.platform.db.sql.run("UPDATE contacts SET vip = 1, imported = 1");
    const vip = s.newsletter({ from: to });
    await s.run();
    expect([s.state(asks.thread_id), s.state(vip.thread_id)]).toEqual(["inbox", "inbox"]);
  });

  test("recategorizes and archives bulk mail that carries no bulk headers", async () => {
    const from = { name: "Shop", email: "shop@acme.example" };
    const sale = s.seeded.deliver({
      from,
      to: [ADA],
      text: "Can you resist? Buy now! Unsubscribe here.",
      at: daysAgo(1),
    });
    const [action] = await s.run();
    expect([s.state(sale.thread_id), s.category(sale.message_id)]).toEqual(["archived", "promotions"]);
    expect(action!.changes).toEqual({ labels: [], category: { from: "primary", to: "promotions" }, archived: true });
    expect(s.drafts()).toEqual([]);
  });

  test("labels threads in which the sender promises something", async () => {
    const { thread_id } = s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1) }));
    await s.run();
    expect(s.labels(thread_id)).toEqual(["Waiting for"]);
  });

  test("handles each message once, and skips old mail", async () => {
    s.question();
    s.question({ at: daysAgo(20) });
    expect(await s.run()).toHaveLength(2);
    expect(await s.run()).toEqual([]);
    s.question();
    expect(await s.run()).toHaveLength(2);
  });

  test("handles only mail in the inbox", async () => {
    for (const role of ["archive", "spam", "trash"]) s.question({ role });
    expect(await s.run()).toEqual([]);
  });
});

describe("drafts", () => {
  test("wait for review as a reply to the sender only, and are never sent", async () => {
    s.permit("autopilot", "draft");
    const { thread_id } = s.question({ cc: [{ name: "Eve", email: "eve@evil.example" }] });
    const [, drafted] = await s.run();
    const { json } = await s.h.call("GET", `/drafts/${drafted!.draft_id}`);
    expect(json).toMatchObject({ thread_id, to: [BOB.email], cc: [], bcc: [], status: "draft", credits_spent: 1 });
    expect(json.ai).toMatchObject({ engine: "extractive", held_for_review: true });
    expect(json.body).toContain("can you sign the contract by Friday?");
    expect(s.events("draft.created")).toEqual([{ draft_id: json.id, thread_id }]);
    expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM sends").get()).toEqual({ n: 0 });
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(1);
  });

  test("are not written twice, nor when the user already has a draft", async () => {
    s.permit("draft");
    const { thread_id } = s.question();
    await s.h.call("POST", "/drafts", { body: { reply_to_thread_id: thread_id, body: "I am at it." } });
    expect(kinds(await s.run())).toEqual(["triaged suggested"]);
    expect(s.drafts()).toHaveLength(1);
  });

  test("are only suggested when the month's credits are used up", async () => {
    s.h.close();
    s = agentFixture({ "ai.metered": true, "limits.autopilot.ai_credits_per_month": 1 });
    s.permit("draft");
    s.question({ subject: "one" });
    s.question({ subject: "two" });
    expect(kinds(await s.run()).filter((kind) => kind.startsWith("drafted"))).toEqual([
      "drafted done",
      "drafted suggested",
    ]);
    expect(s.drafts()).toHaveLength(1);
  });
});

describe("follow-ups", () => {
  const sent = (at: number) =>
    s.seeded.converse(
      s.fromBob("Here is the contract.", { at: at - 86_400_000, subject: "Contract" }),
      s.toBob("Hi Bob,\n\nthanks! Could you send me the signed version?\n\nAda", { at, subject: "Re: Contract" }),
    );

  test("are drafted for mail that asked something and got no answer", async () => {
    s.permit("draft");
    const { thread_id } = sent(daysAgo(10));
    const actions = await s.run();
    expect(kinds(actions)).toEqual(["followup done"]);
    expect(actions[0]).toMatchObject({ thread_id, reason: "No reply for 10 days." });
    const { json } = await s.h.call("GET", `/drafts/${actions[0]!.draft_id}`);
    expect(json.to).toEqual([BOB.email]);
    expect(json.body).toContain("Could you send me the signed version?");
    expect(s.events("agent.action")).toEqual([{ thread_id, action: "followup", mode: "draft" }]);
    expect(await s.run()).toEqual([]);
  });

  test("are not drafted too early, too late, after an answer or without a rule", async () => {
    s.permit("draft");
    sent(daysAgo(2));
    sent(daysAgo(40));
    s.seeded.converse(s.toBob("Could you send it?", { at: daysAgo(10) }), s.fromBob("Done.", { at: daysAgo(9) }));
    const eve = { name: "Eve", email: "eve@other.example" };
    s.seeded.converse(
      { from: eve, to: [ADA], text: "Hello.", at: daysAgo(11) },
      s.toBob("Could you send it?", { to: [eve], at: daysAgo(10) }),
    );
    expect(await s.run()).toEqual([]);
  });
});

describe("caps", () => {
  test("per run leave the remaining mail for the next run", async () => {
    s.h.close();
    s = agentFixture({ "agent.actions_per_run": 2 });
    s.permit("autopilot", "label");
    for (let i = 0; i < 3; i++)
      s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1), subject: `S${i}` }));
    const first = await s.h.call("POST", "/agent/run");
    expect([first.json.actions.length, first.json.capped]).toEqual([2, true]);
    const second = await s.h.call("POST", "/agent/run");
    expect([second.json.actions.length, second.json.capped]).toEqual([1, false]);
  });

  test("per run do not cost a message its draft: the next run writes it", async () => {
    s.h.close();
    s = agentFixture({ "agent.actions_per_run": 1 });
    s.permit("autopilot");
    s.question();
    const passes = [];
    for (let i = 0; i < 3; i++) passes.push((await s.h.call("POST", "/agent/run")).json);
    expect(passes.map(({ actions, capped }) => [...kinds(actions), capped])).toEqual([
      ["triaged done", true],
      ["drafted done", false],
      [false],
    ]);
  });

  test("per day apply across all runs until the next day", async () => {
    s.h.close();
    s = agentFixture({ "agent.actions_per_day": 1 });
    s.permit("autopilot", "label");
    for (let i = 0; i < 2; i++)
      s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1), subject: `S${i}` }));
    expect(await s.run()).toHaveLength(1);
    expect(await s.run()).toHaveLength(0);
    s.h.clock.advance(86_400_000);
    expect(await s.run()).toHaveLength(1);
  });
});

describe("the action log", () => {
  test("lists actions newest first, in pages, with reasons", async () => {
    s.permit("autopilot");
    s.question();
    s.newsletter();
    await s.run();
    const first = (await s.h.call("GET", "/agent/actions?limit=2")).json;
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const second = (await s.h.call("GET", `/agent/actions?limit=2&cursor=${first.next_cursor}`)).json;
    const all = [...first.data, ...second.data];
    expect(all).toHaveLength(3);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(all.every(({ reason }) => reason.length > 10)).toBe(true);
  });

  test("names the subject and the sender of the message, as long as it exists", async () => {
    s.permit("autopilot", "label");
    const { message_id } = s.question({ subject: "Contract for spring" });
    const about = { message_id, subject: "Contract for spring", from: BOB };
    const [ran] = await s.run();
    expect(ran).toMatchObject(about);
    const listed = async () => (await s.h.call("GET", "/agent/actions")).json.data.at(-1);
    expect(await listed()).toMatchObject(about);
    expect((await s.undo(ran!.id)).json).toMatchObject({ ...about, state: "undone" });
    s.h.platform.db.sql.run("DELETE FROM messages WHERE id = ?", [message_id]);
    expect(await listed()).toMatchObject({ message_id, subject: null, from: null });
  });

  test("requires agent:read to list, and agent:run to run", async () => {
    const reader = s.h.newKey({ scopes: ["agent:read"] });
    expect((await s.h.call("GET", "/agent/actions", { key: reader.secret })).status).toBe(200);
    expect((await s.h.call("POST", "/agent/run", { key: reader.secret })).status).toBe(403);
  });
});

test("a key that is bound to one mailbox cannot run the agent and sees only the actions in that mailbox", async () => {
  s.permit("autopilot", "label");
  s.question();
  const email = "ada@other.example";
  const other = s.mailbox.accounts.add({ user_id: s.h.user.id, provider: "imap", email, connection: null });
  const { secret } = s.h.newKey({ account_id: other.id });
  expect((await s.h.call("POST", "/agent/run", { key: secret })).json.error.code).toBe("forbidden_scope");
  const [done] = await s.run();
  expect((await s.h.call("GET", "/agent/actions", { key: secret })).json.data).toEqual([]);
  expect((await s.h.call("POST", `/agent/actions/${done!.id}/undo`, { key: secret })).status).toBe(404);
});

describe("the schedule", () => {
  test("runs for users with agent rules, and plans the next pass", async () => {
    const { jobs } = s.h.platform;
    const runDue = async () => {
      for (let job = jobs.claim("agent"); job; job = jobs.claim("agent"))
        jobs.finish(job, await s.ai.jobs.agent!.run(job));
    };
    s.ai.start();
    s.question();
    s.h.clock.advance(600_000);
    await runDue();
    expect(s.events("agent.action")).toEqual([]);
    s.permit("autopilot", "label");
    s.h.clock.advance(600_000);
    await runDue();
    expect(s.events("agent.action")).toHaveLength(1);
    expect(jobs.nextDue(["agent"])).toBeGreaterThan(s.h.clock.now());
  });

  test("two concurrent passes do nothing twice", async () => {
    s.permit("autopilot");
    s.question();
    const [a, b] = await Promise.all([s.h.call("POST", "/agent/run"), s.h.call("POST", "/agent/run")]);
    expect(a.json.actions.length + b.json.actions.length).toBe(2);
    expect(s.drafts()).toHaveLength(1);
  });
});
