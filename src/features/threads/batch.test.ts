import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { threadRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;

beforeEach(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return threadRoutes(mailbox);
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
afterEach(() => h.close());

const UNKNOWN = "thr_01jz4t9h2m8q5r7v3w6x0y1z2a";
const batch = (changes: unknown, more = {}) => h.call("POST", "/threads/batch", { body: { changes }, ...more });
const events = () => h.platform.events.after(h.user.id, 0, 1_000).map(({ event, data }) => ({ event, data }));
const audits = () => h.platform.audit.list(h.user.id, { limit: 1_000, action: "thread.update" });
const later = () => new Date(h.clock.now() + 3_600_000).toISOString();

describe("POST /threads/batch", () => {
  test("applies each change as PATCH would, in order, with its event and its audit entry", async () => {
    const one = seed.deliver({ flags: { seen: false }, labels: ["Old"] }).thread_id;
    const two = seed.deliver().thread_id;
    const three = seed.deliver().thread_id;
    const answer = await batch([
      { id: one, read: true, state: "archived", add_labels: ["New"], remove_labels: ["Old"] },
      { id: two, starred: true },
      { id: three, snooze_until: later() },
    ]);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: [
          { ok: true, id: one, state: "archived", labels: ["New"], unread: false },
          { ok: true, id: two, state: "inbox", labels: [], unread: false },
          { ok: true, id: three, state: "snoozed", labels: [], unread: false },
        ],
      },
    ]);
    expect(events()).toEqual([
      { event: "thread.updated", data: { thread_id: one, changed: ["state", "labels", "read"] } },
      { event: "thread.updated", data: { thread_id: two, changed: ["starred"] } },
      { event: "thread.updated", data: { thread_id: three, changed: ["state"] } },
    ]);
    expect(audits().map(({ target, request_id }) => [target, request_id])).toEqual(
      [three, two, one].map((id) => [id, answer.headers.get("x-request-id")]),
    );
    expect((await h.call("GET", `/threads/${two}`)).json.starred).toBe(true);
  });

  test("a change that fails has its error, changes nothing, and does not stop the others", async () => {
    const { thread_id: id } = seed.deliver();
    const past = new Date(h.clock.now() - 1_000).toISOString();
    const { status, json } = await batch([
      { id: UNKNOWN, starred: true },
      { id, starred: true, add_labels: ["ok", "\\Bad"] },
      { id, read: false, snooze_until: past },
      { id, state: "archived", snooze_until: later() },
      { id, add_labels: ["x"], remove_labels: ["x"] },
      { id, read: false },
    ]);
    const failed = (code: string, param: string) => ({
      ok: false,
      id: code === "not_found" ? UNKNOWN : id,
      error: { code, message: expect.any(String), param },
    });
    expect([status, json.data]).toEqual([
      200,
      [
        failed("not_found", "id"),
        failed("invalid_params", "add_labels[1]"),
        failed("invalid_params", "snooze_until"),
        failed("invalid_params", "snooze_until"),
        failed("invalid_params", "remove_labels[0]"),
        { ok: true, id, state: "inbox", labels: [], unread: true },
      ],
    ]);
    expect(events()).toEqual([{ event: "thread.updated", data: { thread_id: id, changed: ["read"] } }]);
    expect(audits()).toHaveLength(1);
    expect(mailbox.labels.find(h.user.id, "ok")).toBeNull();
  });

  test("reports a label that is being deleted", async () => {
    const threads = h.platform.db.write(() =>
      Array.from({ length: 60 }, () => seed.deliver({ labels: ["Work"] }).thread_id),
    );
    const [label] = mailbox.labelQueries.list({ user_id: h.user.id, account_id: null });
    const by = {
      user_id: h.user.id,
      account_id: null,
      actor: { kind: "user", id: h.user.id },
      request_id: null,
    } as const;
    mailbox.labelChanges.remove(by, label!.id);
    const { json } = await batch([{ id: threads[0], add_labels: ["Work"] }]);
    expect(json.data).toMatchObject([{ ok: false, error: { code: "label_busy", param: "add_labels" } }]);
  });

  test("applies several changes of one thread in order", async () => {
    const { thread_id: id } = seed.deliver();
    const { json } = await batch([
      { id, add_labels: ["A"] },
      { id, state: "archived" },
      { id, remove_labels: ["A"], add_labels: ["B"] },
    ]);
    expect(json.data.map(({ state, labels }: Record<string, unknown>) => [state, labels])).toEqual([
      ["inbox", ["A"]],
      ["archived", ["A"]],
      ["archived", ["B"]],
    ]);
    expect(events()).toHaveLength(3);
  });

  test("a change without an effect succeeds and records nothing", async () => {
    const { thread_id: id } = seed.deliver();
    expect((await batch([{ id }, { id, read: true }])).json.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([
      true,
      true,
    ]);
    expect([events(), audits()]).toEqual([[], []]);
  });

  test("the id of a thread that was merged into another one returns the other one's id", async () => {
    const a = seed.deliver({ messageId: "<one@x>" }).thread_id;
    const b = seed.deliver({ messageId: "<two@x>" }).thread_id;
    seed.deliver({ references: ["<one@x>", "<two@x>"] });
    const { json } = await batch([{ id: b, starred: true }]);
    expect(json.data).toMatchObject([{ ok: true, id: a }]);
  });

  test("the same Idempotency-Key gets the first outcomes again, and another body is 409", async () => {
    const { thread_id: id } = seed.deliver();
    const headers = { "Idempotency-Key": "once" };
    const changes = [
      { id, starred: true },
      { id: UNKNOWN, starred: true },
    ];
    const first = await batch(changes, { headers });
    await h.call("PATCH", `/threads/${id}`, { body: { starred: false } });
    const second = await batch(changes, { headers });
    expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    expect((await h.call("GET", `/threads/${id}`)).json.starred).toBe(false);
    const other = await batch([{ id, starred: true }], { headers });
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });

  test("two requests with one key at the same time apply the changes once", async () => {
    const ids = Array.from({ length: 5 }, () => seed.deliver().thread_id);
    const headers = { "Idempotency-Key": "at once" };
    const changes = ids.map((id) => ({ id, starred: true }));
    const [first, second] = await Promise.all([batch(changes, { headers }), batch(changes, { headers })]);
    expect([first.status, second.status, second.json.error.code]).toEqual([200, 409, "idempotency_in_progress"]);
    expect(events()).toHaveLength(5);
  });

  test("a fault ends the request; repeating it with the same key completes it", async () => {
    const ids = Array.from({ length: 3 }, () => seed.deliver().thread_id);
    const headers = { "Idempotency-Key": "after a fault" };
    const changes = ids.map((id) => ({ id, starred: true }));
    const { update } = mailbox.changes;
    mailbox.changes.update = (scope, id, change) => {
      if (id === ids[1]) throw new Error("a fault");
      return update.call(mailbox.changes, scope, id, change);
    };
    expect((await batch(changes, { headers })).status).toBe(500);
    mailbox.changes.update = update;
    const { status, json } = await batch(changes, { headers });
    expect([status, json.data.map(({ ok }: { ok: boolean }) => ok)]).toEqual([200, [true, true, true]]);
    expect(events()).toHaveLength(3);
  });

  test("counts as one request, with 100 changes", async () => {
    const ids = Array.from({ length: 100 }, () => seed.deliver().thread_id);
    const { status, json } = await batch(ids.map((id) => ({ id, state: "archived" })));
    expect([status, json.data.length, json.data.every(({ ok }: { ok: boolean }) => ok)]).toEqual([200, 100, true]);
    const remaining = async () => Number((await batch([{ id: ids[0] }])).headers.get("x-ratelimit-remaining"));
    const before = await remaining();
    expect(await remaining()).toBe(before - 1);
  });

  const fine = (id: string) => ({ id, starred: true });
  test.each([
    ["no changes", () => [], "changes"],
    ["more than 100 changes", (id: string) => Array.from({ length: 101 }, () => fine(id)), "changes"],
    ["no list", () => "x", "changes"],
    ["a change without an id", (id: string) => [fine(id), { starred: true }], "changes[1].id"],
    ["a wrong type", (id: string) => [fine(id), { id, read: "yes" }], "changes[1].read"],
    ["a wrong state", (id: string) => [fine(id), { id, state: "snoozed" }], "changes[1].state"],
    ["a wrong time", (id: string) => [fine(id), { id, snooze_until: "tomorrow" }], "changes[1].snooze_until"],
  ] as const)("%s is 400 as a whole, and nothing is changed", async (_, changes, param) => {
    const { status, json } = await batch(changes(seed.deliver().thread_id));
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
    expect(events()).toEqual([]);
  });

  test("unknown fields of a change are named, and refused on request", async () => {
    const { thread_id: id } = seed.deliver();
    const lenient = await batch([{ id, reed: true }]);
    expect([lenient.status, lenient.headers.get("x-unknown-params")]).toEqual([
      200,
      '"changes[0].reed";did-you-mean="changes[0].read"',
    ]);
    const strict = await batch([{ id, starred: true, reed: true }], { headers: { Prefer: "handling=strict" } });
    expect([strict.status, strict.json.error.param, events()]).toEqual([400, "changes[0].reed", []]);
  });

  test("threads of other users, of the sandbox and of other mailboxes of a bound key are not found", async () => {
    const { thread_id: id } = seed.deliver();
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    const sandbox = h.newKey({ test: true }).secret;
    const other = seedMailbox(h.platform, h.user.id, { mailbox, email: "b@x.example" });
    const bound = h.newKey({ account_id: other.account.id }).secret;
    for (const key of [eve, sandbox, bound]) {
      const { json } = await batch([{ id, state: "trash" }, { id: "nonsense" }], { key });
      expect(json.data.map(({ error }: { error: { code: string } }) => error.code)).toEqual(["not_found", "not_found"]);
    }
    expect((await h.call("GET", `/threads/${id}`)).json.state).toBe("inbox");
    const own = other.deliver().thread_id;
    expect((await batch([{ id: own, starred: true }], { key: bound })).json.data).toMatchObject([{ ok: true }]);
  });
});
