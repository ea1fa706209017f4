import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { WAKE_JOB } from "../../mailbox/changes/changes.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { GIVEN_STATES } from "./model.ts";
import { threadRoutes } from "./routes.ts";

/** Threads without received mail have no message that could move on the server, but still accept any state. */
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

const patch = (id: string, body: unknown) => h.call("PATCH", `/threads/${id}`, { body });
const state = async (id: string) => (await h.call("GET", `/threads/${id}`)).json.state;
const listed = async (query: string) =>
  (await h.call("GET", `/threads?${query}`)).json.data.map(({ id, state }: Record<string, string>) => [id, state]);
const events = () => h.platform.events.after(h.user.id, 0, 1_000).filter(({ event }) => event === "thread.updated");
const audits = () =>
  h.platform.audit.list(h.user.id, { limit: 1_000 }).filter(({ action }) => action === "thread.update");
const pending = () => h.platform.db.sql.query("SELECT field, value FROM pending_changes ORDER BY field").all();

const STATES = ["sent", "snoozed", ...GIVEN_STATES] as const;
const later = () => new Date(h.clock.now() + 3_600_000).toISOString();
const pairs = STATES.flatMap((from) => [...GIVEN_STATES, "snoozed" as const].map((to) => [from, to] as const));

async function give(id: string, to: (typeof STATES)[number]): Promise<void> {
  if (to === "sent") return;
  const body = to === "snoozed" ? { snooze_until: later() } : { state: to };
  expect((await patch(id, body)).json.state).toBe(to);
}

describe("a thread with only sent mail", () => {
  test.each(pairs)("changes from %s to %s", async (from, to) => {
    const { thread_id } = seed.deliver({ role: "sent" });
    seed.deliver({ role: "sent" });
    await give(thread_id, from);
    const before = { events: events().length, audits: audits().length };
    await give(thread_id, to);
    const moved = from !== to;
    expect(await state(thread_id)).toBe(to);
    expect(await listed(`state=${to}`)).toEqual([[thread_id, to]]);
    expect((await listed("state=sent")).map(([id]: string[]) => id)).toContain(thread_id);
    if (from !== "sent" && moved) expect(await listed(`state=${from}`)).toEqual([]);
    expect(events().slice(before.events)).toMatchObject(moved ? [{ data: { thread_id, changed: ["state"] } }] : []);
    expect(audits().length - before.audits).toBe(Number(moved));
    // Sent messages stay in their folder on the server.
    expect(pending()).toEqual([]);
  });
});

describe("a thread without received mail", () => {
  test("accepts a state while another program moves its received copy, and the copy follows", async () => {
    const { thread_id, message_id } = seed.deliver({ uid: 5 });
    seed.mailbox.locationSync.vanished(seed.folder("inbox").id, 5, 1);
    expect((await patch(thread_id, { state: "spam" })).json.state).toBe("spam");
    expect(await state(thread_id)).toBe("spam");
    const row = h.platform.db.sql.query("SELECT message_id, value FROM pending_changes").get();
    expect(row).toEqual({ message_id, value: "spam" });
  });

  test("a repeated state emits no event and writes no audit row", async () => {
    const { thread_id } = seed.deliver({ role: "sent" });
    await give(thread_id, "trash");
    const before = [events().length, audits().length];
    expect((await patch(thread_id, { state: "trash" })).json.state).toBe("trash");
    expect([events().length, audits().length]).toEqual(before);
  });

  test("keeps its state when its thread is recomputed, after a restart, and when more mail is sent in it", async () => {
    const { thread_id } = seed.converse({ role: "sent" }, { role: "sent" });
    await give(thread_id, "archived");
    h.platform.db.write(() => mailbox.threads.refresh(thread_id));
    expect(createMailbox(h.platform).threadQueries.current(thread_id)!.state).toBe("archived");
    const { thread_id: withDraft } = seed.deliver({ role: "drafts", flags: { draft: true } });
    await give(withDraft, "spam");
    expect(await state(withDraft)).toBe("spam");
  });

  test("takes its state from a reply, and drops the state that was set", async () => {
    const { thread_id } = seed.deliver({ role: "sent", messageId: "<asked@x>" });
    await give(thread_id, "trash");
    const reply = seed.deliver({ references: ["<asked@x>"], uid: 77 });
    expect([reply.thread_id, await state(thread_id)]).toEqual([thread_id, "inbox"]);
    expect(await listed("state=trash")).toEqual([]);
    // Archiving moves the reply. After the reply is deleted elsewhere, only sent mail remains.
    await give(thread_id, "archived");
    expect(pending()).toEqual([{ field: "folder", value: "archive" }]);
    h.platform.db.write(() => {
      h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(reply.message_id);
      mailbox.threads.refresh(thread_id);
    });
    expect(await state(thread_id)).toBe("sent");
  });

  test("in the sandbox, sent mail stays in its folder, too", async () => {
    const sandbox = h.platform.users.sandboxOf(h.user.id);
    const sandboxSeed = seedMailbox(h.platform, sandbox.id, { mailbox, provider: "sandbox" });
    const { thread_id } = sandboxSeed.deliver({ role: "sent" });
    const { secret: key } = h.newKey({ test: true });
    for (const state of GIVEN_STATES) {
      expect((await h.call("PATCH", `/threads/${thread_id}`, { body: { state }, key })).json.state).toBe(state);
      const { json } = await h.call("GET", `/threads?state=${state}`, { key });
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual([thread_id]);
    }
    const folderRoles = h.platform.db.sql
      .query("SELECT f.role FROM locations l JOIN folders f ON f.id = l.folder_id")
      .all();
    expect(folderRoles).toEqual([{ role: "sent" }]);
  });

  test("when merged into another thread, passes on its state and wake-up time", async () => {
    const first = seed.deliver({ role: "sent", messageId: "<one@x>" });
    const second = seed.deliver({ role: "sent", messageId: "<two@x>" });
    await patch(second.thread_id, { snooze_until: later() });
    seed.deliver({ role: "sent", references: ["<one@x>", "<two@x>"] });
    const joined = mailbox.threadQueries.current(second.thread_id)!;
    expect(joined).toMatchObject({ state: "snoozed", snooze_until: h.clock.now() + 3_600_000 });
    expect(mailbox.threadQueries.current(first.thread_id)!.id).toBe(joined.id);
  });

  test("when snoozed, returns to the inbox unread at its time", async () => {
    const { thread_id } = seed.deliver({ role: "sent" });
    expect((await patch(thread_id, { snooze_until: later() })).json.state).toBe("snoozed");
    expect(mailbox.threadQueries.current(thread_id)!.snooze_until).toBe(h.clock.now() + 3_600_000);
    h.clock.advance(3_600_000);
    const job = h.platform.jobs.claim(WAKE_JOB)!;
    expect(await mailbox.snooze.wakeHandler.run(job)).toEqual({ outcome: "done" });
    expect((await h.call("GET", `/threads/${thread_id}`)).json).toMatchObject({
      state: "inbox",
      unread: true,
      snooze_until: null,
    });
    expect(events().at(-1)!.data).toMatchObject({ changed: ["state", "read"] });
  });

  test("when unsnoozed, is in the inbox; unsnoozing one that is not snoozed changes nothing", async () => {
    const { thread_id } = seed.deliver({ role: "sent" });
    await patch(thread_id, { snooze_until: later() });
    expect((await patch(thread_id, { snooze_until: null })).json.state).toBe("inbox");
    const before = events().length;
    const { thread_id: notSnoozed } = seed.deliver({ role: "sent" });
    expect((await patch(notSnoozed, { snooze_until: null })).json.state).toBe("sent");
    expect(events()).toHaveLength(before);
  });
});
