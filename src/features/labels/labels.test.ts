import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { threadRoutes } from "../threads/routes.ts";
import { labelRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;

beforeEach(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return [...labelRoutes(mailbox.labelQueries, mailbox.labelChanges, () => {}), ...threadRoutes(mailbox)];
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
afterEach(() => h.close());

const list = async (key?: string) => (await h.call("GET", "/labels", { key })).json.data;
const named = async (name: string, key?: string) =>
  (await list(key)).find((label: { name: string }) => label.name === name);
const idOf = async (name: string, key?: string): Promise<string> => (await named(name, key)).id;
const labelsOf = (thread_id: string) => mailbox.labels.ofThread(thread_id);
const events = () => h.platform.events.after(h.user.id, 0, 1_000).map(({ event, data }) => ({ event, data }));
const audit = (action: string) => h.platform.audit.list(h.user.id, { limit: 1_000, action });
/** Pending changes as [label, message, value]. */
const pending = () =>
  h.platform.db.sql
    .query<{ message_id: string; field: string; value: string }, []>(
      "SELECT message_id, field, value FROM pending_changes ORDER BY message_id, field",
    )
    .all()
    .map(({ message_id, field, value }) => [mailbox.labels.name(field.slice("label:".length)), message_id, value]);
/** Gives this many threads a label. @returns their ids */
const many = (count: number, label: string, mails = seed) =>
  h.platform.db.write(() => Array.from({ length: count }, () => mails.deliver({ labels: [label] }).thread_id));
const bindTo = (mails: SeededMailbox) => h.newKey({ account_id: mails.account.id }).secret;

describe("GET /labels", () => {
  test("lists labels that threads have, with counts, by name without regard to case and accents", async () => {
    seed.converse({ labels: ["zebra", "Äpfel"], flags: { seen: false } }, { labels: ["Äpfel"] });
    seed.deliver({ labels: ["Äpfel", "apple"], role: "trash" });
    const both = { account_ids: [seed.account.id], changing: false, id: expect.stringMatching(/^lbl_[0-9a-z]{26}$/) };
    expect(await list()).toEqual([
      { ...both, name: "Äpfel", thread_count: 2, unread_count: 1 },
      { ...both, name: "apple", thread_count: 1, unread_count: 0 },
      { ...both, name: "zebra", thread_count: 1, unread_count: 1 },
    ]);
  });

  test("leaves out a label that no thread has any more", async () => {
    const { thread_id } = seed.deliver({ labels: ["Once"] });
    await h.call("PATCH", `/threads/${thread_id}`, { body: { remove_labels: ["Once"] } });
    expect(await list()).toEqual([]);
  });

  test("names the mailboxes that use a label; a bound key sees only the use in its own", async () => {
    const other = seedMailbox(h.platform, h.user.id, { mailbox, email: "ada@home.example" });
    seed.deliver({ labels: ["Both", "Here"] });
    many(2, "Both", other);
    many(1, "There", other);
    expect(await named("Both")).toMatchObject({ thread_count: 3, account_ids: [seed.account.id, other.account.id] });
    const key = bindTo(seed);
    expect(await list(key)).toMatchObject([
      { name: "Both", thread_count: 1, account_ids: [seed.account.id] },
      { name: "Here", thread_count: 1 },
    ]);
  });

  test("shows no label of another user and none of the sandbox", async () => {
    seed.deliver({ labels: ["Secret"] });
    const eve = h.newUser("eve@example.org");
    expect(await list(h.newKey({ user_id: eve.id }).secret)).toEqual([]);
    expect(await list(h.newKey({ test: true }).secret)).toEqual([]);
  });
});

describe("POST /labels", () => {
  const post = (name: unknown, more = {}) => h.call("POST", "/labels", { body: { name }, ...more });

  test("creates a label without threads, which stays listed, with an audit entry", async () => {
    const answer = await post("  To do ");
    const created = { name: "To do", thread_count: 0, unread_count: 0, account_ids: [], changing: false };
    expect([answer.status, answer.json]).toEqual([200, { ...created, id: expect.stringMatching(/^lbl_/) }]);
    expect(await list()).toEqual([answer.json]);
    expect(audit("label.create")).toMatchObject([{ target: answer.json.id, before: null, after: { name: "To do" } }]);
    const { thread_id } = seed.deliver();
    await h.call("PATCH", `/threads/${thread_id}`, { body: { add_labels: ["To do"] } });
    expect(await list()).toMatchObject([{ id: answer.json.id, thread_count: 1 }]);
    await h.call("PATCH", `/threads/${thread_id}`, { body: { remove_labels: ["To do"] } });
    expect(await list()).toEqual([answer.json]);
    expect(pending().filter(([, , value]) => value === "1")).toEqual([]);
  });

  test("returns the existing label with this name and records nothing", async () => {
    seed.deliver({ labels: ["Work"] });
    const answer = await post("Work");
    expect(answer.json).toEqual(await named("Work"));
    expect((await post("work")).json.id).not.toBe(answer.json.id);
    expect(audit("label.create")).toHaveLength(1);
  });

  test("repeats its first response for the same Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "once" };
    const first = await post("Again", { headers });
    await h.call("DELETE", `/labels/${first.json.id}`);
    const second = await post("Again", { headers });
    expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ["no name", undefined],
    ["a number", 5],
    ["an empty name", ""],
    ["white space", " \u200b "],
    ["a long name", "x".repeat(201)],
    ["a control character", "a\u0007b"],
    ["a system flag", "\\Seen"],
  ])("%s is 400", async (_, name) => {
    const { status, json } = await post(name);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "name"]);
    expect(await list()).toEqual([]);
  });

  test("a label that a bound key creates is seen by that mailbox's keys and by unbound ones", async () => {
    const other = seedMailbox(h.platform, h.user.id, { mailbox, email: "ada@home.example" });
    const [here, there] = [bindTo(seed), bindTo(other)];
    const { id } = (await post("Mine", { key: here })).json;
    expect([await idOf("Mine"), await idOf("Mine", here), await list(there)]).toEqual([id, id, []]);
    // A label that is created elsewhere is not known there, so it can be created there, too.
    await post("Everywhere");
    expect(await named("Everywhere", there)).toBeUndefined();
    expect((await post("Everywhere", { key: there })).json.id).toBe(await idOf("Everywhere"));
    expect(await named("Everywhere", there)).toMatchObject({ thread_count: 0 });
  });
});

describe("PATCH /labels/{id}", () => {
  const rename = (id: string, name: unknown, more = {}) =>
    h.call("PATCH", `/labels/${id}`, { body: { name }, ...more });

  test("renames the label on every thread: id, mirror changes, events and audit entries", async () => {
    const { thread_id: one, message_ids } = seed.converse({ labels: ["Work"] }, {}, { labels: ["Work", "Other"] });
    const two = seed.deliver({ labels: ["Work"], flags: { seen: false } });
    const id = await idOf("Work");
    const answer = await rename(id, "Job");
    const renamed = { thread_count: 2, unread_count: 1, account_ids: [seed.account.id], changing: false };
    expect([answer.status, answer.json]).toEqual([200, { id, name: "Job", ...renamed }]);
    expect([labelsOf(one), labelsOf(two.thread_id)]).toEqual([["Job", "Other"], ["Job"]]);
    const labeled = [message_ids[0], message_ids[2], two.message_id];
    expect(new Set(pending().map(String))).toEqual(
      new Set(labeled.flatMap((message) => [`Job,${message},1`, `Work,${message},0`])),
    );
    expect(events()).toEqual(
      [two.thread_id, one].map((thread_id) => ({ event: "thread.updated", data: { thread_id, changed: ["labels"] } })),
    );
    expect(audit("label.rename")).toMatchObject([
      {
        target: id,
        actor: { kind: "key" },
        before: { name: "Work" },
        after: { name: "Job" },
        request_id: answer.headers.get("x-request-id"),
      },
    ]);
    expect(audit("thread.update").map(({ target }) => target)).toEqual([one, two.thread_id]);
    expect((await h.call("GET", "/threads?label=Job")).json.data).toHaveLength(2);
    expect((await h.call("GET", "/threads?label=Work")).json.data).toEqual([]);
    expect(h.platform.jobs.claim("mirror")).not.toBeNull();
  });

  test("renaming back, and to a name that was used before, keeps the id", async () => {
    const { thread_id } = seed.deliver({ labels: ["Work"] });
    const id = await idOf("Work");
    for (const name of ["Job", "Work", "work", "Job"]) {
      expect((await rename(id, name)).json).toMatchObject({ id, name });
      expect(labelsOf(thread_id)).toEqual([name]);
    }
    expect((await list()).length).toBe(1);
  });

  test("mail that gets the old name later has a label with another id", async () => {
    seed.deliver({ labels: ["Work"] });
    const id = await idOf("Work");
    await rename(id, "Job");
    seed.deliver({ labels: ["Work"] });
    expect(await list()).toMatchObject([
      { id, name: "Job", thread_count: 1 },
      { id: expect.not.stringMatching(id), name: "Work", thread_count: 1 },
    ]);
  });

  test("renames a label that no thread has", async () => {
    const { id } = (await h.call("POST", "/labels", { body: { name: "New" } })).json;
    expect((await rename(id, "Newer")).json).toMatchObject({ id, name: "Newer", thread_count: 0 });
    expect(await list()).toMatchObject([{ id, name: "Newer" }]);
  });

  test("the same name changes nothing", async () => {
    const { thread_id } = seed.deliver({ labels: ["Work"] });
    const id = await idOf("Work");
    expect((await rename(id, " Work ")).json).toEqual(await named("Work"));
    expect([events(), audit("label.rename"), pending(), labelsOf(thread_id)]).toEqual([[], [], [], ["Work"]]);
  });

  test("a name that another label has is 409, and nothing is merged", async () => {
    const { thread_id } = seed.deliver({ labels: ["Work"] });
    await h.call("POST", "/labels", { body: { name: "Job" } });
    const { status, json } = await rename(await idOf("Work"), "Job");
    expect([status, json.error.code, json.error.param]).toEqual([409, "label_exists", "name"]);
    expect([labelsOf(thread_id), events()]).toEqual([["Work"], []]);
  });

  test.each([
    ["no name", undefined],
    ["an empty name", "  "],
    ["a backslash", "\\Flagged"],
    ["a long name", "é".repeat(201)],
  ])("%s is 400", async (_, name) => {
    seed.deliver({ labels: ["Work"] });
    const { status, json } = await rename(await idOf("Work"), name);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "name"]);
  });

  test("repeats its first response for the same Idempotency-Key", async () => {
    seed.deliver({ labels: ["Work"] });
    const headers = { "Idempotency-Key": "once" };
    const id = await idOf("Work");
    const first = await rename(id, "Job", { headers });
    await rename(id, "Other");
    expect((await rename(id, "Job", { headers })).text).toBe(first.text);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Other"]);
    expect((await rename(id, "Third", { headers })).json.error.code).toBe("idempotency_conflict");
  });

  test("in the sandbox, the messages have the new label at once", async () => {
    const sandbox = h.platform.users.sandboxOf(h.user.id);
    const mails = seedMailbox(h.platform, sandbox.id, { mailbox, provider: "sandbox" });
    const { secret: key } = h.newKey({ test: true });
    const { thread_id, message_id } = mails.deliver({ labels: ["Work"] });
    expect((await rename(await idOf("Work", key), "Job", { key })).json).toMatchObject({ name: "Job" });
    // The label is stored with the location, too, from which it would otherwise come back.
    mailbox.locationSync.combine(message_id);
    expect([labelsOf(thread_id), pending()]).toEqual([["Job"], []]);
  });
});

describe("DELETE /labels/{id}", () => {
  const remove = (id: string, more = {}) => h.call("DELETE", `/labels/${id}`, more);

  test("removes the label from every thread: mirror changes, events and audit entries", async () => {
    const { thread_id, message_id } = seed.deliver({ labels: ["Work", "Other"] });
    const id = await idOf("Work");
    const answer = await remove(id);
    expect([answer.status, answer.json]).toEqual([200, { id, deleted: true }]);
    expect([labelsOf(thread_id), await named("Work")]).toEqual([["Other"], undefined]);
    expect(pending()).toEqual([["Work", message_id, "0"]]);
    expect(events()).toEqual([{ event: "thread.updated", data: { thread_id, changed: ["labels"] } }]);
    expect(audit("label.delete")).toMatchObject([{ target: id, before: { name: "Work" }, after: null }]);
    expect((await remove(id)).status).toBe(404);
    expect((await h.call("PATCH", `/labels/${id}`, { body: { name: "x" } })).status).toBe(404);
  });

  test("removes a label that no thread has", async () => {
    const { id } = (await h.call("POST", "/labels", { body: { name: "New" } })).json;
    expect((await remove(id)).json).toEqual({ id, deleted: true });
    expect([await list(), events()]).toEqual([[], []]);
  });

  test("repeats its first response for the same Idempotency-Key", async () => {
    seed.deliver({ labels: ["Work"] });
    const headers = { "Idempotency-Key": "once" };
    const id = await idOf("Work");
    const first = await remove(id, { headers });
    seed.deliver({ labels: ["Work"] });
    expect((await remove(id, { headers })).text).toBe(first.text);
    expect(await named("Work")).toMatchObject({ thread_count: 1 });
  });
});

describe("a key that is bound to one mailbox", () => {
  let other: SeededMailbox;
  let key: string;
  beforeEach(() => {
    other = seedMailbox(h.platform, h.user.id, { mailbox, email: "ada@home.example" });
    key = bindTo(seed);
  });

  test("renames a label of its mailbox alone, which keeps its id", async () => {
    const { thread_id } = seed.deliver({ labels: ["Work"] });
    const id = await idOf("Work");
    const answer = await h.call("PATCH", `/labels/${id}`, { key, body: { name: "Job" } });
    expect([answer.json, labelsOf(thread_id)]).toEqual([expect.objectContaining({ id, name: "Job" }), ["Job"]]);
  });

  test("renames a shared label only in its mailbox, under another id", async () => {
    const [here] = many(1, "Work");
    const [there] = many(1, "Work", other);
    const id = await idOf("Work");
    const answer = await h.call("PATCH", `/labels/${id}`, { key, body: { name: "Job" } });
    expect(answer.json).toMatchObject({ name: "Job", thread_count: 1, account_ids: [seed.account.id] });
    expect(answer.json.id).not.toBe(id);
    expect([labelsOf(here!), labelsOf(there!)]).toEqual([["Job"], ["Work"]]);
    expect(await list()).toMatchObject([{ name: "Job" }, { id, name: "Work", account_ids: [other.account.id] }]);
    expect(await list(key)).toMatchObject([{ name: "Job" }]);
    expect((await h.call("PATCH", `/labels/${id}`, { key, body: { name: "x" } })).status).toBe(404);
  });

  test("does not learn of another mailbox's label with the new name", async () => {
    seed.deliver({ labels: ["Work"] });
    many(1, "Job", other);
    const job = await idOf("Job");
    const answer = await h.call("PATCH", `/labels/${await idOf("Work")}`, { key, body: { name: "Job" } });
    expect([answer.status, answer.json.id, answer.json.thread_count]).toEqual([200, job, 1]);
    expect(await named("Job")).toMatchObject({ id: job, thread_count: 2 });
  });

  test("deletes a shared label only in its mailbox", async () => {
    const [here] = many(1, "Work");
    const [there] = many(1, "Work", other);
    const id = await idOf("Work");
    expect((await h.call("DELETE", `/labels/${id}`, { key })).status).toBe(200);
    expect([labelsOf(here!), labelsOf(there!)]).toEqual([[], ["Work"]]);
    expect([await list(key), await idOf("Work")]).toEqual([[], id]);
  });

  test("finds no label that only another mailbox has", async () => {
    many(1, "Secret", other);
    const id = await idOf("Secret");
    for (const method of ["PATCH", "DELETE"]) {
      const { status, json } = await h.call(method, `/labels/${id}`, { key, body: { name: "x" } });
      expect([method, status, json.error.code]).toEqual([method, 404, "not_found"]);
    }
  });
});

test("unknown, foreign and malformed ids are 404", async () => {
  const { thread_id } = seed.deliver({ labels: ["Work"] });
  const id = await idOf("Work");
  const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
  const sandbox = h.newKey({ test: true }).secret;
  for (const [wrong, key] of [
    ["lbl_01jz4t9h2m8q5r7v3w6x0y1z2a", h.key],
    ["lbl_nonsense", h.key],
    [thread_id, h.key],
    [id, eve],
    [id, sandbox],
  ] as const) {
    for (const method of ["PATCH", "DELETE"]) {
      const { status, json } = await h.call(method, `/labels/${wrong}`, { key, body: { name: "Mine" } });
      expect([method, wrong, status, json.error.code]).toEqual([method, wrong, 404, "not_found"]);
    }
  }
  expect(labelsOf(thread_id)).toEqual(["Work"]);
});
