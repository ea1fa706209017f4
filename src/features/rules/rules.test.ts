import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { messageRoutes } from "../messages/routes.ts";
import { threadRoutes } from "../threads/routes.ts";
import { ruleRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people, platform, mailbox) => [
    ...ruleRoutes(people.rules),
    ...threadRoutes(mailbox),
    ...messageRoutes(mailbox.messageQueries, {
      clock: platform.clock,
      log: platform.log,
      unsubscribes: { at: () => null },
    } as never),
  ]);
});
afterEach(() => s.h.close());

const maya = { name: "Maya Costa", email: "maya@harbourline.example" };
const invoices = {
  kind: "inbox",
  conditions: [
    { field: "from_domain", op: "equals", value: "harbourline.example" },
    { field: "subject", op: "contains", value: "invoice" },
  ],
  actions: [
    { type: "addLabel", value: "Invoices" },
    { type: "setCategory", value: "updates" },
  ],
};
const post = (body: unknown, more = {}) => s.h.call("POST", "/rules", { body, ...more });
const events = () => s.h.platform.events.after(s.h.user.id, 0, 100).map(({ event, data }) => ({ event, data }));
const audit = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 100, action });
const thread = async (id: string) => (await s.h.call("GET", `/threads/${id}`)).json;
const pending = (message_id: string) =>
  s.h.platform.db.sql
    .query<{ field: string; value: string }, [string]>(
      "SELECT field, value FROM pending_changes WHERE message_id = ? ORDER BY field",
    )
    .all(message_id)
    .map(({ field, value }) => [field.replace(/:.*/, ""), value]);
async function runJobs() {
  for (let job = s.h.platform.jobs.claim("rule-apply"); job; job = s.h.platform.jobs.claim("rule-apply")) {
    s.h.platform.jobs.finish(job, await s.people.rule_runs.handler.run(job));
  }
}

describe("rules", () => {
  test("are added at the end, listed in order and deleted, and every change is audited", async () => {
    const first = await post(invoices);
    expect([first.status, first.json]).toEqual([
      200,
      { id: expect.stringMatching(/^rul_/), kind: "inbox", priority: 1 },
    ]);
    const second = await post({ ...invoices, kind: "agent", actions: [{ type: "setMode", value: "draft" }] });
    expect(second.json).toMatchObject({ kind: "agent", priority: 2 });
    const { json } = await s.h.call("GET", "/rules");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([first.json.id, second.json.id]);
    expect(json.data[0]).toEqual({
      id: first.json.id,
      priority: 1,
      name: null,
      enabled: true,
      account_id: null,
      applying: false,
      ...invoices,
    });
    const gone = await s.h.call("DELETE", `/rules/${first.json.id}`);
    expect([gone.status, gone.json]).toEqual([200, { id: first.json.id, deleted: true }]);
    expect((await post(invoices)).json.priority).toBe(3);
    const audited = { priority: 1, name: null, enabled: true, ...invoices };
    expect(audit("rule.create").at(-1)).toMatchObject({ target: first.json.id, before: null, after: audited });
    expect(audit("rule.delete")).toMatchObject([{ target: first.json.id, before: audited, after: null }]);
  });

  test("a repeated Idempotency-Key creates one rule", async () => {
    const headers = { "Idempotency-Key": "once" };
    const [one, two] = [await post(invoices, { headers }), await post(invoices, { headers })];
    expect(two.json).toEqual(one.json);
    expect((await s.h.call("GET", "/rules")).json.data).toHaveLength(1);
  });

  test("belong to one user: other users cannot find them, and their mail is not affected", async () => {
    const { json } = await post(invoices);
    const eve = s.h.newUser("eve@example.org");
    const key = s.h.newKey({ user_id: eve.id }).secret;
    expect((await s.h.call("GET", "/rules", { key })).json.data).toEqual([]);
    for (const [method, path] of [
      ["DELETE", `/rules/${json.id}`],
      ["POST", `/rules/${json.id}/apply`],
      ["GET", `/rules/${json.id}/apply`],
    ] as const) {
      const answer = await s.h.call(method, path, { key, ...(method === "POST" ? { body: {} } : {}) });
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, "not_found"]);
    }
    const theirs = s.connect(eve.id, "eve@example.org");
    const { thread_id } = s.arrive({ from: maya, subject: "Invoice 7" }, theirs);
    expect((await s.h.call("GET", `/threads/${thread_id}`, { key })).json.labels).toEqual([]);
  });

  test("created with a key bound to one mailbox apply only to that mailbox", async () => {
    const second = s.connect(s.h.user.id, "ada@second.example");
    const key = s.h.newKey({ account_id: second.id }).secret;
    const { json } = await post(invoices, { key });
    expect((await thread(s.arrive({ from: maya, subject: "Invoice 1" }).thread_id)).labels).toEqual([]);
    expect((await thread(s.arrive({ from: maya, subject: "Invoice 2" }, second).thread_id)).labels).toEqual([
      "Invoices",
    ]);
    const { json: all } = await post(invoices);
    expect((await s.h.call("GET", "/rules", { key })).json.data).toMatchObject([{ id: json.id }]);
    expect((await s.h.call("DELETE", `/rules/${all.id}`, { key })).status).toBe(404);
    const foreign = [{ field: "account_id", op: "equals", value: s.account.id }];
    expect((await post({ ...invoices, conditions: foreign }, { key })).json.error.param).toBe("conditions[0].value");
  });

  test("that name a mailbox apply only to it, and only the person's own mailboxes can be named", async () => {
    const second = s.connect(s.h.user.id, "ada@second.example");
    const eve = s.h.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
    const theirs = s.connect(eve.id, "eve@elsewhere.example");
    const { json } = await post({ ...invoices, account_id: second.id });
    expect((await s.h.call("GET", "/rules")).json.data).toMatchObject([{ id: json.id, account_id: second.id }]);
    expect((await thread(s.arrive({ from: maya, subject: "Invoice 1" }).thread_id)).labels).toEqual([]);
    expect((await thread(s.arrive({ from: maya, subject: "Invoice 2" }, second).thread_id)).labels).toEqual([
      "Invoices",
    ]);
    const key = s.h.newKey({ account_id: second.id }).secret;
    expect((await post({ ...invoices, account_id: second.id }, { key })).status).toBe(200);
    for (const [account_id, more] of [
      [theirs.id, {}],
      ["acc_00000000000000000000000000", {}],
      [s.account.id, { key }],
    ] as const) {
      const answer = await post({ ...invoices, account_id }, more);
      expect([answer.status, answer.json.error.param]).toEqual([404, "account_id"]);
    }
  });

  const good = invoices.conditions[0];
  test.each([
    [{ conditions: [] }, "conditions"],
    [{ conditions: [good, { field: "sender", op: "equals", value: "x" }] }, "conditions[1].field"],
    [{ conditions: [good, { field: "subject", op: "matches", value: "x" }] }, "conditions[1].op"],
    [{ conditions: [{ field: "has_attachment", op: "contains", value: "true" }] }, "conditions[0].op"],
    [{ conditions: [{ field: "has_attachment", op: "equals", value: "yes" }] }, "conditions[0].value"],
    [{ conditions: [{ field: "category", op: "equals", value: "spam" }] }, "conditions[0].value"],
    [{ conditions: [{ field: "subject", op: "contains", value: "  " }] }, "conditions[0].value"],
    [{ conditions: [{ field: "subject", op: "contains" }] }, "conditions[0].value"],
    [{ conditions: [{ field: "subject", op: "contains", value: "x".repeat(501) }] }, "conditions[0].value"],
    [{ conditions: [{ field: "cc", op: "exists", value: "maybe" }] }, "conditions[0].value"],
    [{ conditions: [{ field: "subject", op: "contains", value: 7 }] }, "conditions[0].value"],
    [{ actions: [] }, "actions"],
    [{ actions: [{ type: "forward", value: "x@x.example" }] }, "actions[0].type"],
    [{ actions: [{ type: "setMode", value: "draft" }] }, "actions[0].type"],
    [{ actions: [{ type: "addLabel", value: "" }] }, "actions[0].value"],
    [{ actions: [{ type: "addLabel", value: "\\Seen" }] }, "actions[0].value"],
    [{ actions: [{ type: "setCategory", value: "junk" }] }, "actions[0].value"],
    [{ actions: [{ type: "archive" }, { type: "trash" }] }, "actions[1].type"],
    [{ actions: [{ type: "star" }, { type: "star" }] }, "actions[1].type"],
    [
      {
        actions: [
          { type: "addLabel", value: "A" },
          { type: "removeLabel", value: "A" },
        ],
      },
      "actions[1].type",
    ],
    [{ kind: "agent", actions: [{ type: "allow", value: "draft" }] }, "actions"],
    [{ kind: "agent", actions: [{ type: "setMode", value: "wild" }] }, "actions[0].value"],
    [{ kind: "agent", actions: [{ type: "archive" }] }, "actions[0].type"],
    [{ kind: "outbox" }, "kind"],
  ])("%j is refused at %s", async (change, param) => {
    const { status, json } = await post({ ...invoices, ...change });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
    expect((await s.h.call("GET", "/rules")).json.data).toEqual([]);
  });
});

describe("new mail", () => {
  test("is sorted before its event is emitted, mirrored to the server, and audited with the rule", async () => {
    const { json: rule } = await post({
      ...invoices,
      actions: [...invoices.actions, { type: "archive" }, { type: "markRead" }, { type: "star" }],
    });
    const { thread_id, message_id } = s.arrive({ from: maya, subject: "Your INVOICE" });
    expect(await thread(thread_id)).toMatchObject({ state: "archived", labels: ["Invoices"] });
    expect(events()).toEqual([
      {
        event: "message.received",
        data: expect.objectContaining({ message_id, tags: ["Invoices", "updates"] }),
      },
    ]);
    expect(pending(message_id)).toEqual([
      ["flagged", "1"],
      ["folder", "archive"],
      ["label", "1"],
      ["seen", "1"],
    ]);
    expect(s.h.platform.jobs.claim("mirror")).not.toBeNull();
    expect(audit("rule.apply")).toMatchObject([
      {
        actor: { kind: "rule", id: rule.id },
        target: thread_id,
        before: { state: "inbox", labels: [], unread: true },
        after: { state: "archived", labels: ["Invoices"], unread: false, starred: true },
      },
    ]);
    expect(audit("message.categorize")).toMatchObject([
      { actor: { kind: "rule", id: rule.id }, before: { category: "primary" }, after: { category: "updates" } },
    ]);
    expect((await s.h.call("GET", `/messages/${message_id}`)).json).toMatchObject({
      category: "updates",
      category_reason: `rule:${rule.id}`,
    });
  });

  test("passes through the rules in order: a later rule sees the earlier changes, and only the first move counts", async () => {
    await post({ ...invoices, actions: [{ type: "setCategory", value: "social" }, { type: "archive" }] });
    const social = [{ field: "category", op: "equals", value: "social" }];
    await post({
      ...invoices,
      conditions: social,
      actions: [{ type: "trash" }, { type: "addLabel", value: "Seen" }],
    });
    const { thread_id } = s.arrive({ from: maya, subject: "invoice" });
    expect(await thread(thread_id)).toMatchObject({ state: "archived", labels: ["Seen"] });
  });

  test("that no rule matches is unchanged", async () => {
    await post(invoices);
    const { thread_id } = s.arrive({ from: maya, subject: "Lunch?" });
    expect(await thread(thread_id)).toMatchObject({ state: "inbox", labels: [] });
    expect(audit("rule.apply")).toEqual([]);
  });

  test("in a thread that is already visible emits a thread change", async () => {
    const first = s.arrive({ from: maya, subject: "Lunch", messageId: "<l1@x.example>" });
    await post({
      ...invoices,
      conditions: [{ field: "body", op: "contains", value: "budget" }],
      actions: [{ type: "star" }],
    });
    s.arrive({ from: maya, subject: "Re: Lunch", references: ["<l1@x.example>"], text: "The budget!" });
    expect(events().filter(({ event }) => event === "thread.updated")).toContainEqual({
      event: "thread.updated",
      data: { thread_id: first.thread_id, changed: ["starred"] },
    });
  });

  test("is sorted only once: the user's own changes survive a re-sync", async () => {
    await post({ ...invoices, actions: [{ type: "trash" }] });
    const mail = { from: maya, subject: "invoice", messageId: "<same@x.example>", date: 5 };
    const { thread_id } = s.arrive(mail);
    await s.h.call("PATCH", `/threads/${thread_id}`, { body: { state: "inbox" } });
    // A re-sync: the same message under a new UID, then once more after the local copy was lost.
    s.arrive({ ...mail, role: "archive" });
    s.h.platform.db.sql.run("DELETE FROM messages");
    s.h.platform.db.sql.run("DELETE FROM locations");
    const again = s.arrive(mail);
    expect(await thread(again.thread_id)).toMatchObject({ state: "inbox" });
    expect(audit("rule.apply")).toHaveLength(1);
  });

  test("is stored even if a rule cannot be decrypted, which is logged", async () => {
    await post(invoices);
    s.h.platform.db.sql.run("UPDATE rules SET body = x'00'");
    const { thread_id } = s.arrive({ from: maya, subject: "invoice" });
    expect(await thread(thread_id)).toMatchObject({ state: "inbox", labels: [] });
    expect(events().map(({ event }) => event)).toEqual(["message.received"]);
    expect(s.h.log.join("\n")).toContain("a step failed for a message");
  });

  test("is the only mail that rules sort: not history, not what the user wrote, not spam", async () => {
    await post({ ...invoices, conditions: [{ field: "subject", op: "contains", value: "invoice" }] });
    const yearAgo = s.h.clock.now() - 365 * 86_400_000;
    const mails = [
      s.arrive({ from: maya, subject: "invoice", at: yearAgo }),
      s.arrive({ role: "sent", from: { name: "Ada", email: "ada@example.org" }, subject: "invoice" }),
      s.arrive({ role: "spam", from: maya, subject: "invoice 2" }),
    ];
    for (const { thread_id } of mails) expect((await thread(thread_id)).labels).toEqual([]);
  });
});

describe("preview and apply", () => {
  test("several previews at once run one after the other, and an invalid one does not block the next", async () => {
    s.arrive({ from: maya, subject: "Invoice 1" });
    const ask = (days: number) => s.h.call("POST", "/rules/preview", { body: { ...invoices, days } });
    const answers = await Promise.all([ask(30), ask(0), ask(30), ask(3_650)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200]);
    expect(answers.filter(({ status }) => status === 200).map(({ json }) => json.matched)).toEqual([1, 1, 1]);
  });

  test("preview counts and shows examples, and changes nothing", async () => {
    s.arrive({ from: maya, subject: "Invoice 1", labels: ["Invoices"] });
    const two = s.arrive({ from: maya, subject: "Invoice 2" });
    s.arrive({ from: maya, subject: "Lunch" });
    s.arrive({ from: maya, subject: "Invoice old", at: s.h.clock.now() - 40 * 86_400_000 });
    const before = audit("rule.apply").length;
    const { status, json } = await s.h.call("POST", "/rules/preview", { body: { ...invoices, days: 30 } });
    expect([status, json]).toEqual([
      200,
      {
        scanned: 3,
        matched: 2,
        changed: 2,
        actions: { addLabel: 1, setCategory: 2 },
        examples: [
          expect.objectContaining({
            message_id: two.message_id,
            thread_id: two.thread_id,
            from: maya.email,
            subject: "Invoice 2",
            actions: invoices.actions,
          }),
          expect.objectContaining({ subject: "Invoice 1", actions: [invoices.actions[1]] }),
        ],
      },
    ]);
    expect((await thread(two.thread_id)).labels).toEqual([]);
    expect(audit("rule.apply")).toHaveLength(before);
    const wrong = await s.h.call("POST", "/rules/preview", { body: { ...invoices, days: 0 } });
    expect(wrong.json.error.param).toBe("days");
  });

  test("apply processes existing mail in the background and reports its progress", async () => {
    const mails = Array.from({ length: 120 }, (_, i) =>
      s.arrive({ from: maya, subject: `${i % 2 ? "Invoice" : "Note"} ${i}` }),
    );
    const { json: rule } = await post(invoices);
    expect((await s.h.call("GET", `/rules/${rule.id}/apply`)).status).toBe(404);
    const begun = await s.h.call("POST", `/rules/${rule.id}/apply`, { body: { days: 30 } });
    expect([begun.status, begun.json]).toEqual([
      202,
      expect.objectContaining({ id: rule.id, state: "running", done: 0, total: 120, finished_at: null }),
    ]);
    // A second call during the run starts nothing.
    await s.h.call("POST", `/rules/${rule.id}/apply`, { body: {} });
    const applying = async () => (await s.h.call("GET", "/rules")).json.data[0].applying;
    expect(await applying()).toBe(true);
    await runJobs();
    expect(await applying()).toBe(false);
    expect((await s.h.call("GET", `/rules/${rule.id}/apply`)).json).toMatchObject({
      state: "done",
      done: 120,
      total: 120,
      matched: 60,
      changed: 60,
    });
    expect((await thread(mails[1]!.thread_id)).labels).toEqual(["Invoices"]);
    expect((await thread(mails[0]!.thread_id)).labels).toEqual([]);
    expect(audit("rule.apply_all")).toHaveLength(2);
    // A second run finds nothing to change.
    await s.h.call("POST", `/rules/${rule.id}/apply`, { body: {} });
    await runJobs();
    expect((await s.h.call("GET", `/rules/${rule.id}/apply`)).json).toMatchObject({ matched: 60, changed: 0 });
  });

  test("deleting a rule stops its run", async () => {
    s.arrive({ from: maya, subject: "Invoice 1" });
    const { json: rule } = await post(invoices);
    await s.h.call("POST", `/rules/${rule.id}/apply`, { body: {} });
    await s.h.call("DELETE", `/rules/${rule.id}`);
    await runJobs();
    expect(audit("rule.apply")).toEqual([]);
  });

  test("agent rules cannot be applied to existing mail, but determine what the agent may do", async () => {
    const { json: rule } = await post({
      kind: "agent",
      conditions: [invoices.conditions[0]],
      actions: [
        { type: "setMode", value: "autopilot" },
        { type: "allow", value: "label" },
        { type: "allow", value: "draft" },
      ],
    });
    const refused = await s.h.call("POST", `/rules/${rule.id}/apply`, { body: {} });
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_params"]);
    const { message_id } = s.arrive({ from: maya });
    const authority = (id: string) => s.people.ruleEngine.authorityOver(s.h.user.id, id);
    expect(authority(message_id)).toEqual({ rule_id: rule.id, mode: "autopilot", allow: ["label", "draft"] });
    expect(authority(s.arrive().message_id)).toBeNull();
  });
});
