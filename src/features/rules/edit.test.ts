import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { threadRoutes } from "../threads/routes.ts";
import { ruleRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people, _platform, mailbox) => [...ruleRoutes(people.rules), ...threadRoutes(mailbox)]);
});
afterEach(() => s.h.close());

const maya = { name: "Maya Costa", email: "maya@harbourline.example" };
const invoices = {
  kind: "inbox",
  conditions: [{ field: "from_domain", op: "equals", value: "harbourline.example" }],
  actions: [{ type: "addLabel", value: "Invoices" }],
};
const agent = { ...invoices, kind: "agent", actions: [{ type: "setMode", value: "autopilot" }] };
const unassigned = "rul_00000000000000000000000000";

type Options = Parameters<PeopleFixture["h"]["call"]>[2];
const call = (method: string, path: string, body?: unknown, more: Options = {}) =>
  s.h.call(method, path, { ...(body === undefined ? {} : { body }), ...more });
const create = async (body: unknown = invoices, more: Options = {}): Promise<string> => {
  const { status, json } = await call("POST", "/rules", body, more);
  expect(status).toBe(200);
  return json.id;
};
const patch = (id: string, body: unknown, more: Options = {}) => call("PATCH", `/rules/${id}`, body, more);
const order = (ids: unknown, more: Options = {}) => call("PUT", "/rules/order", { ids }, more);
const list = async (more: Options = {}) => (await call("GET", "/rules", undefined, more)).json.data;
const listed = async (more: Options = {}) =>
  (await list(more)).map(({ id, priority }: { id: string; priority: number }) => [id, priority]);
const audit = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 100, action });
const labels = async (thread_id: string) => (await call("GET", `/threads/${thread_id}`)).json.labels;
const arrive = async (subject: string) => labels(s.arrive({ from: maya, subject }).thread_id);

const apply = (id: string, body: unknown = {}) => call("POST", `/rules/${id}/apply`, body);
const progress = async (id: string) => (await call("GET", `/rules/${id}/apply`)).json;
async function runJobs() {
  for (let job = s.h.platform.jobs.claim("rule-apply"); job; job = s.h.platform.jobs.claim("rule-apply")) {
    s.h.platform.jobs.finish(job, await s.people.rule_runs.handler.run(job));
  }
}
/** Runs jobs until the first batch of a run is saved, then `between`, then the rest. */
async function runWith(between: () => Promise<unknown>) {
  const job = s.h.platform.jobs.claim("rule-apply")!;
  // The handler processes its first batch before it yields.
  const running = s.people.rule_runs.handler.run(job);
  await between();
  s.h.platform.jobs.finish(job, await running);
  await runJobs();
}
const oldMail = (n: number) => Array.from({ length: n }, (_, i) => s.arrive({ from: maya, subject: `Note ${i}` }));

describe("PATCH /rules/{id}", () => {
  test("renames a rule, and changes only the fields that are present", async () => {
    const id = await create();
    const { status, json } = await patch(id, { name: "  Bills from Harbourline " });
    const whole = {
      id,
      ...invoices,
      name: "Bills from Harbourline",
      enabled: true,
      priority: 1,
      account_id: null,
      applying: false,
    };
    expect([status, json]).toEqual([200, whole]);
    expect(await list()).toEqual([whole]);
    const actions = [{ type: "archive", value: "" }];
    expect((await patch(id, { actions: [{ type: "archive" }] })).json).toEqual({ ...whole, actions });
    expect((await patch(id, { name: null })).json).toEqual({ ...whole, actions, name: null });
    const before = { priority: 1, enabled: true, ...invoices };
    expect(audit("rule.update").at(-1)).toMatchObject({
      target: id,
      actor: { kind: "key" },
      before: { ...before, name: null },
      after: { ...before, name: "Bills from Harbourline" },
    });
  });

  test("new mail meets the edited rule, also if another thread of the program edited it", async () => {
    const id = await create();
    expect(await arrive("One")).toEqual(["Invoices"]);
    await patch(id, { actions: [{ type: "addLabel", value: "Bills" }] });
    expect(await arrive("Two")).toEqual(["Bills"]);
    await patch(id, { conditions: [{ field: "subject", op: "contains", value: "three" }] });
    expect(await arrive("Another")).toEqual([]);
    expect(await arrive("Three")).toEqual(["Bills"]);
    // As the mail worker sees a change of the main thread.
    s.h.platform.db.sql.run("UPDATE rules SET enabled = 0, revision = revision + 1");
    expect(await arrive("Three again")).toEqual([]);
  });

  test("that changes nothing is not audited", async () => {
    const id = await create({ ...invoices, name: "Bills" });
    const same = [{}, { name: "Bills" }, { enabled: true }, { conditions: invoices.conditions }, { name: " Bills " }];
    for (const body of same) expect((await patch(id, body)).status).toBe(200);
    expect(audit("rule.update")).toEqual([]);
  });

  test("a repeated Idempotency-Key changes a rule once", async () => {
    const id = await create();
    const headers = { "Idempotency-Key": "once" };
    const first = await patch(id, { enabled: false }, { headers });
    await patch(id, { enabled: true });
    const again = await patch(id, { enabled: false }, { headers });
    expect(again.json).toEqual(first.json);
    expect((await list())[0].enabled).toBe(true);
    expect(audit("rule.update")).toHaveLength(2);
  });

  const [good] = invoices.conditions;
  test.each([
    [{ name: "" }, "name"],
    [{ name: "   " }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "two\nlines" }, "name"],
    [{ name: 7 }, "name"],
    [{ enabled: "no" }, "enabled"],
    [{ enabled: null }, "enabled"],
    [{ conditions: [] }, "conditions"],
    [{ conditions: [good, { field: "subject", op: "contains", value: " " }] }, "conditions[1].value"],
    [{ conditions: [{ field: "sender", op: "equals", value: "x" }] }, "conditions[0].field"],
    [{ actions: [] }, "actions"],
    [{ actions: [{ type: "archive" }, { type: "trash" }] }, "actions[1].type"],
    [{ actions: [{ type: "setMode", value: "draft" }] }, "actions[0].type"],
    [{ actions: [{ type: "addLabel", value: "\\Seen" }] }, "actions[0].value"],
  ])("%j is refused at %s, and nothing changes", async (body, param) => {
    const id = await create();
    const before = await list();
    const { status, json } = await patch(id, { enabled: false, ...body });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
    expect(await list()).toEqual(before);
  });

  test("the kind of a rule does not change, so its actions stay those of its kind", async () => {
    const id = await create(agent);
    const { headers, json } = await patch(id, { kind: "inbox" });
    expect([json.kind, headers.get("x-unknown-params")]).toEqual(["agent", expect.stringContaining("kind")]);
    expect((await patch(id, { actions: [{ type: "archive" }] })).json.error.param).toBe("actions[0].type");
    expect((await patch(id, { actions: [{ type: "allow", value: "draft" }] })).json.error.param).toBe("actions");
  });

  test("a rule about a mailbox that was removed can still be renamed", async () => {
    const second = s.connect(s.h.user.id, "ada@second.example");
    const id = await create({ ...invoices, conditions: [{ field: "account_id", op: "equals", value: second.id }] });
    s.h.platform.db.sql.run("DELETE FROM accounts WHERE id = ?", [second.id]);
    expect((await patch(id, { name: "Old mailbox" })).status).toBe(200);
    const again = await patch(id, { conditions: [{ field: "account_id", op: "equals", value: second.id }] });
    expect([again.status, again.json.error.param]).toEqual([404, "conditions[0].value"]);
  });

  test("needs mail:write, and finds only the caller's own rules", async () => {
    const id = await create();
    const reader = s.h.newKey({ scopes: ["mail:read"] }).secret;
    expect((await patch(id, { name: "x" }, { key: reader })).json.error.code).toBe("forbidden_scope");
    const eve = s.h.newUser("eve@example.org");
    const key = s.h.newKey({ user_id: eve.id }).secret;
    for (const wrong of [id, unassigned, "nonsense"]) {
      const { status, json } = await patch(wrong, { enabled: false }, wrong === id ? { key } : {});
      expect([wrong, status, json.error.code]).toEqual([wrong, 404, "not_found"]);
    }
    const second = s.connect(s.h.user.id, "ada@second.example");
    const bound = s.h.newKey({ account_id: second.id }).secret;
    expect((await patch(id, { enabled: false }, { key: bound })).status).toBe(404);
    const own = await create(invoices, { key: bound });
    expect((await patch(own, { enabled: false }, { key: bound })).json).toMatchObject({ account_id: second.id });
    expect((await list())[0].enabled).toBe(true);
  });

  test("the name is sealed, and a rule of an earlier version has none", async () => {
    const id = await create({ ...invoices, name: "Bills of the boatyard" });
    const stored = s.h.platform.db.sql.query<{ body: Uint8Array }, []>("SELECT body FROM rules").get()!.body;
    expect(Buffer.from(stored).toString("latin1")).not.toContain("boatyard");
    expect((await list())[0].name).toBe("Bills of the boatyard");
    const old = s.h.platform.keyring
      .forUser(s.h.user.id)
      .sealJson(`rules.body:${id}`, { conditions: invoices.conditions, actions: invoices.actions });
    s.h.platform.db.sql.run("UPDATE rules SET body = ?", [old]);
    expect(await list()).toEqual([
      { id, ...invoices, name: null, enabled: true, priority: 1, account_id: null, applying: false },
    ]);
  });
});

describe("a paused rule", () => {
  test("is created paused or paused later, and acts on new mail only after it is resumed", async () => {
    const id = await create({ ...invoices, enabled: false });
    expect(await arrive("One")).toEqual([]);
    expect((await patch(id, { enabled: true })).json.enabled).toBe(true);
    expect(await arrive("Two")).toEqual(["Invoices"]);
    await patch(id, { enabled: false });
    expect(await arrive("Three")).toEqual([]);
  });

  test("can be previewed, but not applied to existing mail", async () => {
    const { thread_id } = s.arrive({ from: maya, subject: "Note" });
    const id = await create({ ...invoices, enabled: false });
    const { json } = await call("POST", "/rules/preview", { ...invoices, days: 30 });
    expect(json).toMatchObject({ matched: 1, changed: 1 });
    const refused = await apply(id);
    expect([refused.status, refused.json.error]).toMatchObject([
      400,
      { code: "invalid_params", param: "id", message: "This rule is paused. Turn it on, then apply it." },
    ]);
    await runJobs();
    expect(await labels(thread_id)).toEqual([]);
    await patch(id, { enabled: true });
    expect((await apply(id)).status).toBe(202);
    await runJobs();
    expect(await labels(thread_id)).toEqual(["Invoices"]);
  });

  test("of kind agent covers no sender, and the next rule that matches decides", async () => {
    const id = await create(agent);
    const { message_id } = s.arrive({ from: maya });
    const mode = () => s.people.ruleEngine.authorityOver(s.h.user.id, message_id)?.mode;
    expect(mode()).toBe("autopilot");
    await patch(id, { enabled: false });
    expect(mode()).toBeUndefined();
    const second = await create({ ...agent, actions: [{ type: "setMode", value: "suggest" }] });
    expect(mode()).toBe("suggest");
    await patch(id, { enabled: true });
    expect(mode()).toBe("autopilot");
    await order([second, id]);
    expect(mode()).toBe("suggest");
  });
});

describe("a run over existing mail", () => {
  test("continues with the rule as it was when the rule is edited", async () => {
    const mails = oldMail(120);
    const id = await create();
    await apply(id);
    await runWith(() => patch(id, { name: "Junk", actions: [{ type: "trash" }] }));
    expect(await progress(id)).toMatchObject({ state: "done", done: 120, changed: 120 });
    for (const { thread_id } of [mails[0]!, mails[119]!]) {
      expect((await call("GET", `/threads/${thread_id}`)).json).toMatchObject({ state: "inbox", labels: ["Invoices"] });
    }
  });

  test("begins again with the edited rule when the rule is applied again", async () => {
    const mails = oldMail(120);
    const id = await create();
    await apply(id);
    await runWith(async () => {
      expect((await apply(id)).json.done).toBe(50);
      await patch(id, { actions: [{ type: "addLabel", value: "Bills" }] });
      expect((await apply(id)).json).toMatchObject({ state: "running", done: 0, total: 120 });
    });
    expect(await progress(id)).toMatchObject({ state: "done", done: 120, changed: 120 });
    expect(await labels(mails[119]!.thread_id)).toEqual(["Bills", "Invoices"]);
    expect(await labels(mails[0]!.thread_id)).toEqual(["Bills"]);
  });

  test("stops when the rule is paused, and does not resume with it", async () => {
    const mails = oldMail(120);
    const id = await create();
    await apply(id);
    await runWith(() => patch(id, { enabled: false }));
    const stopped = { state: "stopped", done: 50, total: 120, changed: 50, finished_at: expect.any(String) };
    expect(await progress(id)).toMatchObject(stopped);
    await patch(id, { enabled: true });
    await runJobs();
    expect(await progress(id)).toMatchObject(stopped);
    expect(await labels(mails[0]!.thread_id)).toEqual([]);
    await apply(id);
    await runJobs();
    expect(await progress(id)).toMatchObject({ state: "done", done: 120, changed: 70 });
  });

  test("that began before the upgrade continues with the rule itself", async () => {
    const [mail] = oldMail(1);
    const id = await create();
    await apply(id);
    s.h.platform.db.sql.run("UPDATE rule_runs SET body = NULL");
    await runJobs();
    expect(await labels(mail!.thread_id)).toEqual(["Invoices"]);
  });
});

describe("PUT /rules/order", () => {
  test("assigns the priorities 1 to n in one step, and new mail passes through the rules in the new order", async () => {
    const first = await create({ ...invoices, actions: [{ type: "archive" }] });
    const gone = await create();
    const second = await create({ ...invoices, actions: [{ type: "trash" }] });
    const third = await create(agent);
    await call("DELETE", `/rules/${gone}`);
    const { status, json } = await order([third, second, first]);
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, [third, second, first]]);
    expect(json.data).toEqual(await list());
    expect(await listed()).toEqual([
      [third, 1],
      [second, 2],
      [first, 3],
    ]);
    const { thread_id } = s.arrive({ from: maya });
    expect((await call("GET", `/threads/${thread_id}`)).json.state).toBe("trash");
    const entry = (id: string, priority: number) => ({ id, priority });
    expect(audit("rule.reorder")).toMatchObject([
      {
        target: null,
        before: { order: [entry(first, 1), entry(second, 3), entry(third, 4)] },
        after: { order: [entry(third, 1), entry(second, 2), entry(first, 3)] },
      },
    ]);
    expect(await create()).toBe((await list()).at(-1).id);
    expect((await listed()).at(-1)[1]).toBe(4);
  });

  test("the same order again changes nothing and is not audited", async () => {
    const ids = [await create(), await create()];
    expect((await order(ids)).status).toBe(200);
    expect(audit("rule.reorder")).toEqual([]);
    const headers = { "Idempotency-Key": "once" };
    await order(ids.toReversed(), { headers });
    await order(ids.toReversed(), { headers });
    expect(audit("rule.reorder")).toHaveLength(1);
  });

  test("without any rule, an empty order is accepted", async () => {
    expect((await order([])).json).toEqual({ data: [] });
  });

  test("a rule that is missing, occurs twice, or is not the caller's is refused, and nothing changes", async () => {
    const [first, second] = [await create(), await create(agent)];
    const eve = s.h.newUser("eve@example.org");
    const theirs = await create(invoices, { key: s.h.newKey({ user_id: eve.id }).secret });
    const before = await listed();
    const cases: [unknown, number, string][] = [
      [[second], 400, "ids"],
      [[], 400, "ids"],
      [[second, second], 400, "ids[1]"],
      [[second, first, second], 400, "ids[2]"],
      [[second, first, theirs], 404, "ids[2]"],
      [[second, unassigned], 404, "ids[1]"],
      [["nonsense", first, second], 404, "ids[0]"],
      [[second, 7], 400, "ids[1]"],
      [undefined, 400, "ids"],
      ["all", 400, "ids"],
    ];
    for (const [ids, status, param] of cases) {
      const answer = await order(ids);
      expect([ids, answer.status, answer.json.error.param]).toEqual([ids, status, param]);
    }
    expect((await order([second])).json.error.message).toContain(first);
    expect(await listed()).toEqual(before);
    const reader = s.h.newKey({ scopes: ["mail:read"] }).secret;
    expect((await order([second, first], { key: reader })).status).toBe(403);
  });

  test("with a key bound to one mailbox, only the rules of that mailbox exchange their priorities", async () => {
    const account = s.connect(s.h.user.id, "ada@second.example");
    const key = s.h.newKey({ account_id: account.id }).secret;
    const ids: string[] = [];
    for (const bound of [true, false, true, false, true]) ids.push(await create(invoices, bound ? { key } : {}));
    const [a, one, b, two, c] = ids as [string, string, string, string, string];
    expect(await listed({ key })).toEqual([
      [a, 1],
      [b, 3],
      [c, 5],
    ]);
    expect((await order([a, one, b, two, c], { key })).json.error.param).toBe("ids[1]");
    const { json } = await order([c, a, b], { key });
    expect(json.data.map(({ id, priority }: { id: string; priority: number }) => [id, priority])).toEqual([
      [c, 1],
      [a, 3],
      [b, 5],
    ]);
    expect((await listed()).map(([id]: [string, number]) => id)).toEqual([c, one, a, two, b]);
  });
});
