import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ADA, type AiScene, aiScene, BOB } from "../../../test/ai-scene.ts";
import { draftRoutes } from "../drafts/routes.ts";
import { type Authority, leaveOf } from "./authority.ts";
import type { AgentAction } from "./model.ts";
import { nextRun } from "./schedule.ts";

let s: AiScene;
const NOW = Date.parse("2026-03-02T09:00:00Z");
const daysAgo = (days: number) => NOW - days * 86_400_000;

function scene(config: object = {}): void {
  s = aiScene({ config }, (_platform, { accounts }, outbound, ai) =>
    draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draft_files, ai: ai.drafting }),
  );
}
beforeEach(() => scene());
afterEach(() => s.h.close());

/** Gives the agent leave for mail from acme.example. */
function permit(mode: string, ...allow: string[]): void {
  const actions = [
    { type: "setMode" as const, value: mode },
    ...allow.map((value) => ({ type: "allow" as const, value })),
  ];
  s.people.rules.create(
    { user_id: s.h.user.id, account_id: null, actor: { kind: "user", id: null }, request_id: null },
    { kind: "agent", conditions: [{ field: "from_domain", op: "equals", value: "acme.example" }], actions },
  );
}

async function run(): Promise<AgentAction[]> {
  const { status, json } = await s.h.call("POST", "/agent/run");
  expect(status).toBe(200);
  for (const { evidence } of json.actions) {
    if (evidence) expect(s.slice(evidence.message_id, evidence.start, evidence.end)).toBe(evidence.quote);
  }
  return json.actions;
}
const kinds = (actions: AgentAction[]) => actions.map(({ action, state }) => `${action} ${state}`);
const scope = () => ({ user_id: s.h.user.id, account_id: null });
const labels = (thread_id: string) => s.mailbox.threadQueries.get(scope(), thread_id).labels;
const state = (thread_id: string) => s.mailbox.threadQueries.owned(scope(), thread_id).state;
const category = (id: string) => s.mailbox.messageQueries.get(scope(), id).category;
const drafts = () => s.outbound.drafts.list(scope(), null, 100);
const question = (more: object = {}) =>
  s.seeded.deliver(s.fromBob("Hi Ada,\n\ncan you sign the contract by Friday?\n\nBob", { at: daysAgo(1), ...more }));
const newsletter = (more: object = {}) =>
  s.seeded.deliver(
    s.fromBob("Spring sale! Click to unsubscribe.", { at: daysAgo(1), category: "promotions", ...more }),
  );

describe("modes", () => {
  test("without a rule the agent does nothing at all", async () => {
    const { thread_id } = question();
    expect(await run()).toEqual([]);
    expect([labels(thread_id), drafts(), s.events("agent.action")]).toEqual([[], [], []]);
  });

  test("off is the same as no rule", async () => {
    permit("off", "label", "archive", "draft");
    question();
    newsletter();
    expect(await run()).toEqual([]);
  });

  test("suggest changes nothing and says what it would do", async () => {
    permit("suggest", "label", "archive", "draft", "category");
    const { thread_id } = question();
    const news = newsletter();
    const actions = await run();
    expect(kinds(actions)).toEqual(["triaged suggested", "drafted suggested", "triaged suggested"]);
    expect(actions.every(({ undo }) => undo === null)).toBe(true);
    expect([labels(thread_id), state(news.thread_id), drafts(), s.events("agent.action")]).toEqual([
      [],
      "inbox",
      [],
      [],
    ]);
  });

  test("draft writes drafts and only suggests the rest", async () => {
    permit("draft", "label", "archive", "draft");
    const { thread_id } = question();
    const news = newsletter();
    expect(kinds(await run())).toEqual(["triaged suggested", "drafted done", "triaged suggested"]);
    expect([labels(thread_id), state(news.thread_id), drafts().length]).toEqual([[], "inbox", 1]);
  });

  test("autopilot labels, archives and drafts", async () => {
    permit("autopilot");
    const { thread_id } = question();
    const news = newsletter();
    expect(kinds(await run())).toEqual(["triaged done", "drafted done", "triaged done"]);
    expect([labels(thread_id), state(thread_id), state(news.thread_id)]).toEqual([
      ["Needs reply"],
      "inbox",
      "archived",
    ]);
    expect(s.events("agent.action")).toEqual([
      { thread_id, action: "triaged", mode: "autopilot" },
      { thread_id, action: "drafted", mode: "autopilot" },
      { thread_id: news.thread_id, action: "triaged", mode: "autopilot" },
    ]);
  });

  test("an allow list takes away what it does not name", async () => {
    permit("autopilot", "label");
    const { thread_id } = question();
    const news = newsletter();
    expect(kinds(await run())).toEqual(["triaged done", "drafted suggested", "triaged suggested"]);
    expect([labels(thread_id), state(news.thread_id), drafts()]).toEqual([["Needs reply"], "inbox", []]);
  });

  test("give no more than the mode is for, whatever is allowed", () => {
    const all = ["label", "category", "archive", "draft"] as const;
    const granted = (authority: Authority | null) => all.filter((permission) => leaveOf(authority)?.may(permission));
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
  beforeEach(() => permit("autopilot"));

  test("leaves mail in the inbox that asks something, continues a conversation or comes from a VIP", async () => {
    const asks = question();
    const to = { name: "Zoe", email: "zoe@acme.example" };
    s.people.contact_store.see(s.h.user.id, { ...to, rank: 2, at: NOW });
    s.h.platform.db.sql.run("UPDATE contacts SET vip = 1, imported = 1");
    const vip = newsletter({ from: to });
    await run();
    expect([state(asks.thread_id), state(vip.thread_id)]).toEqual(["inbox", "inbox"]);
  });

  test("puts bulk mail that is not marked as such where it belongs", async () => {
    const from = { name: "Shop", email: "shop@acme.example" };
    const sale = s.seeded.deliver({
      from,
      to: [ADA],
      text: "Can you resist? Buy now! Unsubscribe here.",
      at: daysAgo(1),
    });
    const [action] = await run();
    expect([state(sale.thread_id), category(sale.message_id)]).toEqual(["archived", "promotions"]);
    expect(action!.changes).toEqual({ labels: [], category: { from: "primary", to: "promotions" }, archived: true });
    expect(drafts()).toEqual([]);
  });

  test("notes what others promised", async () => {
    const { thread_id } = s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1) }));
    await run();
    expect(labels(thread_id)).toEqual(["Waiting for"]);
  });

  test("looks at each message once, and at nothing old", async () => {
    question();
    question({ at: daysAgo(20) });
    expect(await run()).toHaveLength(2);
    expect(await run()).toEqual([]);
    question();
    expect(await run()).toHaveLength(2);
  });

  test("looks only into the inbox", async () => {
    for (const role of ["archive", "spam", "trash"]) question({ role });
    expect(await run()).toEqual([]);
  });
});

describe("drafts", () => {
  test("wait for review as a reply to the sender alone, and are never sent", async () => {
    permit("autopilot", "draft");
    const { thread_id } = question({ cc: [{ name: "Eve", email: "eve@evil.example" }] });
    const [, drafted] = await run();
    const { json } = await s.h.call("GET", `/drafts/${drafted!.draft_id}`);
    expect(json).toMatchObject({ thread_id, to: [BOB.email], cc: [], bcc: [], status: "draft", credits_spent: 1 });
    expect(json.ai).toMatchObject({ engine: "extractive", held_for_review: true });
    expect(json.body).toContain("can you sign the contract by Friday?");
    expect(s.events("draft.created")).toEqual([{ draft_id: json.id, thread_id }]);
    expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM sends").get()).toEqual({ n: 0 });
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(1);
  });

  test("are not written twice, nor beside one of the user's own", async () => {
    permit("draft");
    const { thread_id } = question();
    await s.h.call("POST", "/drafts", { body: { reply_to_thread_id: thread_id, body: "I am at it." } });
    expect(kinds(await run())).toEqual(["triaged suggested"]);
    expect(drafts()).toHaveLength(1);
  });

  test("are only suggested when the month's credits are used up", async () => {
    s.h.close();
    scene({ "ai.metered": true, "limits.autopilot.ai_credits_per_month": 1 });
    permit("draft");
    question({ subject: "one" });
    question({ subject: "two" });
    expect(kinds(await run()).filter((kind) => kind.startsWith("drafted"))).toEqual([
      "drafted done",
      "drafted suggested",
    ]);
    expect(drafts()).toHaveLength(1);
  });
});

describe("follow-ups", () => {
  const sent = (at: number) =>
    s.seeded.converse(
      s.fromBob("Here is the contract.", { at: at - 86_400_000, subject: "Contract" }),
      s.toBob("Hi Bob,\n\nthanks! Could you send me the signed version?\n\nAda", { at, subject: "Re: Contract" }),
    );

  test("are drafted for mail that asked something and that nobody answered", async () => {
    permit("draft");
    const { thread_id } = sent(daysAgo(10));
    const actions = await run();
    expect(kinds(actions)).toEqual(["followup done"]);
    expect(actions[0]).toMatchObject({ thread_id, reason: "Nobody has answered for 10 days." });
    const { json } = await s.h.call("GET", `/drafts/${actions[0]!.draft_id}`);
    expect(json.to).toEqual([BOB.email]);
    expect(json.body).toContain("Could you send me the signed version?");
    expect(s.events("agent.action")).toEqual([{ thread_id, action: "followup", mode: "draft" }]);
    expect(await run()).toEqual([]);
  });

  test("are not, where it is too early, too late, answered, or nobody gave leave", async () => {
    permit("draft");
    sent(daysAgo(2));
    sent(daysAgo(40));
    s.seeded.converse(s.toBob("Could you send it?", { at: daysAgo(10) }), s.fromBob("Done.", { at: daysAgo(9) }));
    const eve = { name: "Eve", email: "eve@other.example" };
    s.seeded.converse(
      { from: eve, to: [ADA], text: "Hello.", at: daysAgo(11) },
      s.toBob("Could you send it?", { to: [eve], at: daysAgo(10) }),
    );
    expect(await run()).toEqual([]);
  });
});

describe("undo", () => {
  beforeEach(() => permit("autopilot"));
  const undo = (id: string) => s.h.call("POST", `/agent/actions/${id}/undo`);

  test("takes a label, the archiving and the category back in one call", async () => {
    const from = { name: "Shop", email: "shop@acme.example" };
    const sale = s.seeded.deliver({ from, to: [ADA], text: "Buy now! Unsubscribe here.", at: daysAgo(1) });
    const { thread_id } = question();
    for (const action of await run()) {
      expect(action.undo).toEqual({ method: "POST", path: `/agent/actions/${action.id}/undo` });
      const { status, json } = await s.h.call("POST", action.undo!.path);
      expect([status, json.state, json.undo]).toEqual([200, "undone", null]);
    }
    expect([state(sale.thread_id), category(sale.message_id), labels(thread_id), drafts()]).toEqual([
      "inbox",
      "primary",
      [],
      [],
    ]);
    expect(s.h.platform.audit.list(s.h.user.id, { limit: 9, action: "agent.undo" })).toHaveLength(3);
  });

  test("leaves what was changed since", async () => {
    const news = newsletter();
    const { thread_id } = question();
    const [triaged, first, second] = await run();
    const archived = [triaged, first, second].find((action) => action!.thread_id === news.thread_id)!;
    await s.mailbox.changes.update(
      { ...scope(), actor: { kind: "user", id: null }, request_id: null },
      news.thread_id,
      { state: "trash" },
    );
    await undo(archived.id);
    expect(state(news.thread_id)).toBe("trash");
    const drafted = [triaged, first, second].find((action) => action!.action === "drafted")!;
    await s.h.call("PATCH", `/drafts/${drafted.draft_id}`, { body: { body: "My own words." } });
    const refused = await undo(drafted.id);
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_params"]);
    expect(drafts().map(({ body }) => body)).toEqual(["My own words."]);
    expect(drafted.thread_id).toBe(thread_id);
  });

  test("is refused a second time, for a suggestion, and for another user's action", async () => {
    question();
    const [triaged] = await run();
    await undo(triaged!.id);
    expect((await undo(triaged!.id)).json.error.code).toBe("invalid_params");
    const zoe = s.h.newKey({ user_id: s.h.newUser("zoe@example.org").id });
    expect((await s.h.call("POST", `/agent/actions/${triaged!.id}/undo`, { key: zoe.secret })).status).toBe(404);
  });
});

describe("caps", () => {
  test("of a run leave the rest for the next one", async () => {
    s.h.close();
    scene({ "agent.actions_per_run": 2 });
    permit("autopilot", "label");
    for (let i = 0; i < 3; i++)
      s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1), subject: `S${i}` }));
    const first = await s.h.call("POST", "/agent/run");
    expect([first.json.actions.length, first.json.capped]).toEqual([2, true]);
    const second = await s.h.call("POST", "/agent/run");
    expect([second.json.actions.length, second.json.capped]).toEqual([1, false]);
  });

  test("of a day hold over all runs, until the next day", async () => {
    s.h.close();
    scene({ "agent.actions_per_day": 1 });
    permit("autopilot", "label");
    for (let i = 0; i < 2; i++)
      s.seeded.deliver(s.fromBob("I'll send you the contract tomorrow.", { at: daysAgo(1), subject: `S${i}` }));
    expect(await run()).toHaveLength(1);
    expect(await run()).toHaveLength(0);
    s.h.clock.advance(86_400_000);
    expect(await run()).toHaveLength(1);
  });
});

describe("the log", () => {
  test("lists newest first, in pages, with reasons", async () => {
    permit("autopilot");
    question();
    newsletter();
    await run();
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

  test("needs agent:read, running and undoing agent:run", async () => {
    const reader = s.h.newKey({ scopes: ["agent:read"] });
    expect((await s.h.call("GET", "/agent/actions", { key: reader.secret })).status).toBe(200);
    expect((await s.h.call("POST", "/agent/run", { key: reader.secret })).status).toBe(403);
  });
});

test("a key that is bound to one mailbox does not run it, and sees only what was done there", async () => {
  permit("autopilot", "label");
  question();
  const email = "ada@other.example";
  const other = s.mailbox.accounts.add({ user_id: s.h.user.id, provider: "imap", email, connection: null });
  const { secret } = s.h.newKey({ account_id: other.id });
  expect((await s.h.call("POST", "/agent/run", { key: secret })).json.error.code).toBe("forbidden_scope");
  const [done] = await run();
  expect((await s.h.call("GET", "/agent/actions", { key: secret })).json.data).toEqual([]);
  expect((await s.h.call("POST", `/agent/actions/${done!.id}/undo`, { key: secret })).status).toBe(404);
});

describe("the schedule", () => {
  test("is a cron expression in UTC, or nothing", () => {
    expect(new Date(nextRun("*/10 * * * *", Date.parse("2026-03-02T09:03:00Z"))!).toISOString()).toBe(
      "2026-03-02T09:10:00.000Z",
    );
    expect(nextRun("", NOW)).toBeNull();
  });

  test("runs for users with agent rules, and plans the next pass", async () => {
    const { jobs } = s.h.platform;
    const runDue = async () => {
      for (let job = jobs.claim("agent"); job; job = jobs.claim("agent"))
        jobs.finish(job, await s.ai.jobs.agent!.run(job));
    };
    s.ai.start();
    question();
    s.h.clock.advance(600_000);
    await runDue();
    expect(s.events("agent.action")).toEqual([]);
    permit("autopilot", "label");
    s.h.clock.advance(600_000);
    await runDue();
    expect(s.events("agent.action")).toHaveLength(1);
    expect(jobs.nextDue(["agent"])).toBeGreaterThan(s.h.clock.now());
  });

  test("two passes at once do nothing twice", async () => {
    permit("autopilot");
    question();
    const [a, b] = await Promise.all([s.h.call("POST", "/agent/run"), s.h.call("POST", "/agent/run")]);
    expect(a.json.actions.length + b.json.actions.length).toBe(2);
    expect(drafts()).toHaveLength(1);
  });
});
