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

interface Pending {
  message_id: string;
  field: string;
  value: string;
  previous: string;
  stamp: number;
}

const pending = () =>
  h.platform.db.sql
    .query<Pending, []>(
      "SELECT message_id, field, value, previous, stamp FROM pending_changes ORDER BY field, message_id",
    )
    .all();
const fields = (): (string | undefined)[][] =>
  pending().map(({ message_id, field, value, previous }) => [message_id, field, value, previous]);
const events = () => h.platform.events.after(h.user.id, 0, 100).map(({ event, data }) => ({ event, data }));
const audit = () => h.platform.audit.list(h.user.id, { limit: 100 }).filter((row) => row.action.startsWith("thread."));
const mirrorJobs = () => {
  const jobs = [];
  for (let job = h.platform.jobs.claim("mirror"); job; job = h.platform.jobs.claim("mirror")) jobs.push(job);
  return jobs;
};
const patch = (id: string, body: unknown, more = {}) => h.call("PATCH", `/threads/${id}`, { body, ...more });

describe("PATCH /threads/{id}", () => {
  test("archives a thread: response, state, server change, event, audit entry and job", async () => {
    const { thread_id, message_id } = seed.deliver({ flags: { seen: false }, labels: ["Work"] });
    const answer = await patch(thread_id, { state: "archived" });
    expect([answer.status, answer.json]).toEqual([
      200,
      { id: thread_id, state: "archived", labels: ["Work"], unread: true },
    ]);
    expect((await h.call("GET", `/threads/${thread_id}`)).json.state).toBe("archived");
    expect(fields()).toEqual([[message_id, "folder", "archive", "inbox"]]);
    expect(events()).toEqual([{ event: "thread.updated", data: { thread_id, changed: ["state"] } }]);
    const before = { state: "inbox", labels: ["Work"], unread: true, starred: false, snooze_until: null };
    expect(audit()).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        actor: { kind: "key", id: expect.stringMatching(/^key_/) },
        action: "thread.update",
        target: thread_id,
        before,
        after: { ...before, state: "archived" },
        request_id: answer.headers.get("x-request-id"),
        at: h.clock.now(),
      },
    ]);
    expect(mirrorJobs()).toMatchObject([{ dedupe_key: seed.account.id, payload: { account_id: seed.account.id } }]);
  });

  test.each(["inbox", "archived", "trash", "spam"] as const)("moves to %s from any state, and back", async (state) => {
    for (const role of ["inbox", "archive", "trash", "spam", "snoozed", "other"] as const) {
      const { thread_id } = seed.deliver({ role });
      const before = (await h.call("GET", `/threads/${thread_id}`)).json.state;
      expect((await patch(thread_id, { state })).json.state).toBe(state);
      expect((await h.call("GET", `/threads/${thread_id}`)).json.state).toBe(state);
      expect((await h.call("GET", `/threads?state=${state}`)).json.data[0].id).toBeString();
      if (before !== "snoozed") {
        await patch(thread_id, { state: before });
        expect((await h.call("GET", `/threads/${thread_id}`)).json.state).toBe(before);
      }
    }
  });

  test("moves only received copies", async () => {
    const { thread_id, message_ids } = seed.converse(
      {},
      { role: "sent" },
      { role: "drafts", flags: { draft: true } },
      {},
    );
    await patch(thread_id, { state: "trash" });
    expect(fields()).toEqual([
      [message_ids[0], "folder", "trash", "inbox"],
      [message_ids[3], "folder", "trash", "inbox"],
    ]);
  });

  test("combines several changes into one event, one audit row and one job", async () => {
    const { thread_id, message_ids } = seed.converse({ labels: ["Old"] }, { flags: { seen: false } });
    const answer = await patch(thread_id, {
      read: true,
      starred: true,
      state: "archived",
      add_labels: ["Zeta", " Neu ", "Neu"],
      remove_labels: ["Old", "never used"],
    });
    expect(answer.json).toEqual({ id: thread_id, state: "archived", labels: ["Neu", "Zeta"], unread: false });
    expect(events()).toEqual([
      { event: "thread.updated", data: { thread_id, changed: ["state", "labels", "read", "starred"] } },
    ]);
    expect(audit()).toHaveLength(1);
    expect(mirrorJobs()).toHaveLength(1);
    const label = (name: string) => `label:${mailbox.labels.find(h.user.id, name)}`;
    const [first, second] = message_ids;
    expect(new Set(fields().map(String))).toEqual(
      new Set(
        [
          [second, "seen", "1", "0"],
          [second, "flagged", "1", "0"],
          [first, "folder", "archive", "inbox"],
          [second, "folder", "archive", "inbox"],
          ...message_ids.flatMap((id) => [
            [id, label("Neu"), "1", "0"],
            [id, label("Zeta"), "1", "0"],
          ]),
          [first, label("Old"), "0", "1"],
        ].map(String),
      ),
    );
    expect(mailbox.labels.find(h.user.id, "never used")).toBeNull();
  });

  test.each([
    ["an empty body", {}],
    ["read on a read thread", { read: true }],
    ["unstarring what has no star", { starred: false }],
    ["the state it has", { state: "inbox" }],
    ["a label it carries, and removing one it does not", { add_labels: ["Work"], remove_labels: ["Home"] }],
    ["unsnoozing what is not snoozed", { snooze_until: null }],
  ])("%s changes nothing and emits no event", async (_, body) => {
    const { thread_id } = seed.deliver({ labels: ["Work"] });
    const answer = await patch(thread_id, body);
    expect([answer.status, answer.json]).toEqual([
      200,
      { id: thread_id, state: "inbox", labels: ["Work"], unread: false },
    ]);
    expect([fields(), events(), audit(), mirrorJobs()]).toEqual([[], [], [], []]);
  });

  test("unread marks the newest received message, not the user's own reply; star does the same, and unstar affects all", async () => {
    const { thread_id, message_ids } = seed.converse({ flags: { flagged: true } }, {}, { role: "sent" });
    expect((await patch(thread_id, { read: false })).json.unread).toBe(true);
    expect((await patch(thread_id, { starred: true })).status).toBe(200);
    expect(fields()).toEqual([[message_ids[1], "seen", "0", "1"]]);
    await patch(thread_id, { starred: false });
    expect(fields()).toEqual([
      [message_ids[0], "flagged", "0", "1"],
      [message_ids[1], "seen", "0", "1"],
    ]);
    await patch(thread_id, { starred: true });
    expect(fields()).toContainEqual([message_ids[1], "flagged", "1", "0"]);
    expect(events().map(({ data }) => "changed" in data && data.changed)).toEqual([["read"], ["starred"], ["starred"]]);
  });

  test("a second change of a field replaces a pending first one, and keeps the last state known from the server", async () => {
    const { thread_id, message_id } = seed.deliver();
    await patch(thread_id, { state: "archived" });
    const [first] = pending();
    await patch(thread_id, { state: "trash" });
    const [second] = pending();
    expect(second).toMatchObject({ message_id, field: "folder", value: "trash", previous: "inbox" });
    expect(second!.stamp).toBeGreaterThan(first!.stamp);
    await patch(thread_id, { state: "inbox" });
    expect(fields()).toEqual([[message_id, "folder", "inbox", "inbox"]]);
    expect(mirrorJobs()).toHaveLength(1);
  });

  test("archiving a thread leaves a message that was individually deleted in the trash", async () => {
    const { thread_id, message_ids } = seed.converse({ role: "trash" }, {});
    await patch(thread_id, { state: "archived" });
    expect(fields()).toEqual([[message_ids[1], "folder", "archive", "inbox"]]);
  });

  test("a retry with the same Idempotency-Key applies the change once", async () => {
    const { thread_id } = seed.deliver();
    const headers = { "Idempotency-Key": "k1" };
    const first = await patch(thread_id, { state: "archived" }, { headers });
    const again = await patch(thread_id, { state: "archived" }, { headers });
    expect(again.json).toEqual(first.json);
    expect([events().length, audit().length]).toEqual([1, 1]);
  });

  const tooMany = Array.from({ length: 51 }, (_, i) => `l${i}`);
  test.each([
    ["read", { read: "yes" }],
    ["starred", { starred: 1 }],
    ["state", { state: "snoozed" }],
    ["state", { state: "sent" }],
    ["add_labels", { add_labels: "Work" }],
    ["add_labels[1]", { add_labels: ["Work", 5] }],
    ["add_labels[1]", { add_labels: ["Work", "  "] }],
    ["add_labels[0]", { add_labels: ["x".repeat(201)] }],
    ["add_labels[0]", { add_labels: ["a\nb"] }],
    ["add_labels[0]", { add_labels: ["\u200b\u202e"] }],
    ["add_labels[0]", { add_labels: ["a\ud800"] }],
    ["add_labels[0]", { add_labels: ["\\Seen"] }],
    ["add_labels", { add_labels: tooMany }],
    ["remove_labels", { remove_labels: tooMany }],
    ["remove_labels[1]", { add_labels: ["a", "b"], remove_labels: ["c", " b"] }],
    ["snooze_until", { snooze_until: "tomorrow" }],
    ["snooze_until", { snooze_until: "2026-03-02T09:00:00Z" }],
    ["snooze_until", { snooze_until: "2026-03-02T08:59:59Z" }],
    ["snooze_until", { snooze_until: "2026-04-01T09:00:00Z", state: "inbox" }],
    ["snooze_until", { snooze_until: "2026-04-01T09:00:00Z", state: "trash", read: true }],
  ])("an invalid %s is 400 and changes nothing", async (param, body) => {
    const { thread_id } = seed.deliver({ flags: { seen: false } });
    const answer = await patch(thread_id, { read: true, ...body });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param });
    expect([fields(), events(), audit(), mirrorJobs()]).toEqual([[], [], [], []]);
  });

  const OTHER_FIELDS = { read: true, starred: true, add_labels: ["Later"], remove_labels: ["Now"] };
  test.each(["inbox", "archived", "trash", "spam"] as const)(
    "null in snooze_until can be combined with state %s and other fields",
    async (state) => {
      for (const role of ["inbox", "snoozed", "archive", "sent", "trash"] as const) {
        const { thread_id } = seed.deliver({ role, flags: { seen: false }, labels: ["Now"] });
        if (role === "snoozed") await patch(thread_id, { snooze_until: "2026-04-01T09:00:00Z" });
        const before = events().length;
        const answer = await patch(thread_id, { ...OTHER_FIELDS, state, snooze_until: null });
        expect([role, answer.status, answer.json]).toEqual([
          role,
          200,
          { id: thread_id, state, labels: ["Later"], unread: false },
        ]);
        expect((await h.call("GET", `/threads/${thread_id}`)).json).toMatchObject({
          state,
          snooze_until: null,
          starred: true,
        });
        expect(events()).toHaveLength(before + 1);
        await patch(thread_id, { ...OTHER_FIELDS, state, snooze_until: null });
        expect(events()).toHaveLength(before + 1);
      }
    },
  );

  test("null in snooze_until with a state leaves no pending wake-up", async () => {
    const { thread_id, message_ids } = seed.converse({ role: "snoozed" }, {});
    const answer = await patch(thread_id, { state: "inbox", snooze_until: null });
    expect(answer.json.state).toBe("inbox");
    expect(fields()).toEqual([[message_ids[0], "folder", "inbox", "snoozed"]]);
  });

  test("labels of 200 characters in any script are accepted", async () => {
    const { thread_id } = seed.deliver();
    const names = ["🗂️".repeat(50), "日本語 ラベル", "a/b.c\"'"];
    const { json } = await patch(thread_id, { add_labels: names });
    expect(new Set(json.labels)).toEqual(new Set(names));
    const listed = await h.call("GET", `/threads?label=${encodeURIComponent(names[1]!)}`);
    expect(listed.json.data).toHaveLength(1);
  });

  test("mail:read is not sufficient", async () => {
    const { thread_id } = seed.deliver();
    const key = h.newKey({ scopes: ["mail:read"] }).secret;
    expect((await patch(thread_id, { read: true }, { key })).json.error.code).toBe("forbidden_scope");
  });
});

describe("accounts that are not mirrored", () => {
  test("a read-only mailbox keeps the change locally and sends nothing to the server", async () => {
    const readOnly = seedMailbox(h.platform, h.user.id, { mailbox, email: "ro@example.org", read_only: true });
    const { thread_id, message_id } = readOnly.deliver({ flags: { seen: false } });
    expect((await patch(thread_id, { read: true, state: "archived" })).json).toMatchObject({
      state: "archived",
      unread: false,
    });
    expect(mirrorJobs()).toEqual([]);
    // The rows stay, so that the next sync does not revert the change.
    h.platform.db.write(() => {
      const flags = { seen: false, flagged: false, answered: false, draft: false, important: false };
      const [place] = mailbox.locations.ofMessages(readOnly.account, [message_id]).get(message_id) ?? [];
      const at = { folderId: readOnly.folder("inbox").id, uid: place?.uid ?? 1 };
      mailbox.locationSync.applyFlags(h.user.id, { ...at, flags, labels: [], views: [], flagsHash: 1 });
      mailbox.locationSync.refreshAll(h.user.id, [thread_id], true);
    });
    expect((await h.call("GET", `/threads/${thread_id}`)).json).toMatchObject({ state: "archived", unread: false });
  });

  test("the sandbox moves its messages between its own folders immediately", async () => {
    const sandbox = h.platform.users.sandboxOf(h.user.id);
    const sandboxSeed = seedMailbox(h.platform, sandbox.id, { mailbox, provider: "sandbox" });
    const { thread_id, message_ids } = sandboxSeed.converse({}, { role: "sent" });
    sandboxSeed.deliver({ role: "archive" });
    const { secret: key } = h.newKey({ test: true });
    const roleOf = (id: string) =>
      h.platform.db.sql
        .query<{ role: string }, [string]>(
          "SELECT f.role FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = ?",
        )
        .all(id)
        .map(({ role }) => role);
    for (const state of ["archived", "trash", "spam", "inbox"]) {
      expect((await patch(thread_id, { state }, { key })).json.state).toBe(state);
      expect((await h.call("GET", `/threads/${thread_id}`, { key })).json.state).toBe(state);
    }
    await patch(thread_id, { state: "archived", read: false, add_labels: ["x"] }, { key });
    expect([roleOf(message_ids[0]!), roleOf(message_ids[1]!)]).toEqual([["archive"], ["sent"]]);
    expect([fields(), mirrorJobs()]).toEqual([[], []]);
    expect(h.platform.events.after(sandbox.id, 0, 100)).toHaveLength(5);
    expect(events()).toEqual([]);
  });
});
