import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type Fixture, type MirrorFixtureOptions, openFixture } from "../../../test/support/mirror-fixture.ts";
import { PRIORITY } from "../../inbound/sync/connection-queue.ts";
import { MIRROR_JOB } from "../../mailbox/changes/edits.ts";
import { ManualClock } from "../../platform/clock.ts";
import { labelToKeyword } from "../../wire/imap/keywords.ts";

/** Resolves when sync has checked everything once more. */
async function synced(s: Fixture): Promise<void> {
  const before = s.fixture.account.pass;
  s.fixture.supervisor.syncNow(s.fixture.account.id);
  await eventually(() => s.fixture.account.pass > before);
  // The pass is over when the connection is free for work of the lowest priority.
  await s.fixture.supervisor.withMailbox(s.fixture.account.id, PRIORITY.backfill, async () => {});
}

describe.skipIf(!DOVECOT)("changes are mirrored to the server", () => {
  let dovecot: Dovecot;
  let s: Fixture;
  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterEach(() => s.close());
  afterAll(() => dovecot?.stop());
  const open = async (subjects: string[], options?: MirrorFixtureOptions) => {
    s = await openFixture(dovecot, subjects, options);
  };

  test("read, starred, a label in any language and a move, all at once", async () => {
    await open(["One", "Two"]);
    const label = "Größe ✓ 量";
    s.change("One", { read: true, starred: true, add_labels: [label], state: "archived" });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.pending()).toBe(0);
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Two"]);
    const flags = (await s.onServer("Archive")).get("One")!;
    expect(flags).toContain("\\Seen");
    expect(flags).toContain("\\Flagged");
    expect(flags).toContain(labelToKeyword(label));
    const archive = s.fixture.messages().find(({ subject }) => subject === "One")!;
    expect(archive.locations).toHaveLength(1);
    expect(archive.locations[0]).toStartWith("Archive:");
    // Our own change, when sync reads it back, changes nothing and emits no event.
    const before = s.fixture.events("thread.updated").length;
    await synced(s);
    expect(s.thread("One")).toEqual({ state: "archived", unread: false, starred: true, labels: [label] });
    expect(s.fixture.events("thread.updated").length).toBe(before);
    s.change("One", { read: false, starred: false, remove_labels: [label], state: "inbox" });
    await s.replay();
    const back = (await s.onServer("INBOX")).get("One")!;
    expect([...back].filter((flag) => flag !== "\\Recent")).toEqual([]);
    expect((await s.onServer("Archive")).size).toBe(0);
    expect(s.pending()).toBe(0);
  });

  test("to trash and spam; a folder for snoozed mail is created", async () => {
    await open(["Old", "Junky", "Later"]);
    s.change("Old", { state: "trash" });
    s.change("Junky", { state: "spam" });
    s.change("Later", { snooze_until: s.fixture.platform.clock.now() + 3_600_000 });
    await s.replay();
    expect([...(await s.onServer("Trash")).keys()]).toEqual(["Old"]);
    expect([...(await s.onServer("Junk")).keys()]).toEqual(["Junky"]);
    expect([...(await s.onServer("Snoozed")).keys()]).toEqual(["Later"]);
    expect((await s.onServer("INBOX")).size).toBe(0);
    expect(s.pending()).toBe(0);
    await s.fixture.agrees(s.other);
    expect(["Old", "Junky", "Later"].map((subject) => s.thread(subject).state)).toEqual(["trash", "spam", "snoozed"]);
    // Moved mail is neither downloaded nor announced as new.
    expect(s.fixture.messages()).toHaveLength(3);
  });

  test("flags that another program set just before a move into a newly created folder are kept", async () => {
    await open(["Later"]);
    for (const { path } of await s.other.list()) if (path === "Snoozed") await s.other.mailboxDelete(path);
    const { fixture } = s;
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      return !fixture.mailbox.folders.list(fixture.account).some(({ path }) => path === "Snoozed");
    });
    s.change("Later", { snooze_until: s.fixture.platform.clock.now() + 3_600_000 });
    const mirror = s.mirrorWith((client) => {
      const mailboxOpen = client.mailboxOpen.bind(client);
      // Sync waits for the connection, and sees the star under the new UID first.
      client.mailboxOpen = async (...args) => {
        client.mailboxOpen = mailboxOpen;
        await s.other.mailboxOpen("INBOX");
        await s.other.messageFlagsAdd("1:*", ["\\Flagged", "\\Seen"], { uid: true });
        return mailboxOpen(...args);
      };
    });
    expect(await s.run(mirror)).toEqual({ outcome: "done" });
    expect((await s.onServer("Snoozed")).get("Later")).toContain("\\Flagged");
    await synced(s);
    await s.fixture.agrees(s.other);
    expect(s.thread("Later")).toMatchObject({ state: "snoozed", starred: true, unread: false });
    expect(s.fixture.events("thread.updated").at(-1)?.data.changed).toEqual(["read", "starred"]);
  });

  test("a plain keyword of the same name is removed with the label", async () => {
    await open(["Tagged"]);
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["Invoices"], { uid: true });
    await s.fixture.agrees(s.other);
    expect(s.thread("Tagged").labels).toEqual(["Invoices"]);
    s.change("Tagged", { remove_labels: ["Invoices"] });
    await s.replay();
    expect([...(await s.onServer("INBOX")).get("Tagged")!]).not.toContain("Invoices");
    expect(s.pending()).toBe(0);
  });

  test("a broken connection loses nothing and repeats nothing, at any point", async () => {
    await open(["Cut 1", "Cut 2", "Cut 3"]);
    const subjects = ["Cut 1", "Cut 2", "Cut 3"];
    let interrupted = 0;
    for (let bytes = 0, turn = 0; bytes < 5_000; bytes += 90, turn++) {
      const state = turn % 2 === 0 ? "archived" : "trash";
      for (const subject of subjects)
        s.change(subject, { read: turn % 2 === 0, state, add_labels: [`Cut ${turn % 3}`] });
      s.proxy.cutAfter = () => bytes;
      s.proxy.cut();
      if ((await s.replay()).outcome === "retry") interrupted++;
    }
    expect(interrupted).toBeGreaterThan(10);
    for (const subject of subjects) s.change(subject, { read: true, state: "trash" });
    s.proxy.cutAfter = () => null;
    s.proxy.cut();
    await s.replayed();
    expect(s.pending()).toBe(0);
    expect([...(await s.onServer("Trash")).keys()].sort()).toEqual(["Cut 1", "Cut 2", "Cut 3"]);
    for (const flags of (await s.onServer("Trash")).values()) expect(flags).toContain("\\Seen");
    expect(["Cut 1", "Cut 2", "Cut 3"].map((subject) => s.thread(subject).state)).toEqual(["trash", "trash", "trash"]);
    expect(s.fixture.messages()).toHaveLength(3);
  }, 60_000);

  test("a change made while an older one is being mirrored is kept", async () => {
    await open(["Again"]);
    s.change("Again", { starred: true });
    const mirror = s.mirrorWith((client) => {
      const fetchAll = client.fetchAll.bind(client);
      // The user changes their mind between the STORE and our record of its success.
      client.fetchAll = (...args) => {
        client.fetchAll = fetchAll;
        s.change("Again", { starred: false });
        return fetchAll(...args);
      };
    });
    await s.run(mirror);
    expect(s.pending()).toBe(1);
    await s.replay();
    expect(s.pending()).toBe(0);
    expect(s.thread("Again").starred).toBe(false);
    expect([...(await s.onServer("INBOX")).get("Again")!]).not.toContain("\\Flagged");
  });

  test("if another program changed the same flag, the user's change here wins", async () => {
    await open(["Both"]);
    s.change("Both", { read: true });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["\\Seen"], { uid: true });
    await s.other.messageFlagsRemove("1:*", ["\\Seen"], { uid: true });
    await s.replay();
    expect([...(await s.onServer("INBOX")).get("Both")!]).toContain("\\Seen");
    expect(s.thread("Both").unread).toBe(false);
  });

  test("a message that another program moved is found again and changed there", async () => {
    await open(["Wanderer"]);
    s.change("Wanderer", { starred: true });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageMove("1:*", "Archive", { uid: true });
    expect((await s.replay()).outcome).toBe("retry");
    expect(s.pending()).toBe(1);
    s.fixture.supervisor.syncNow(s.fixture.account.id);
    await s.replayed();
    expect([...(await s.onServer("Archive")).get("Wanderer")!]).toContain("\\Flagged");
    expect(s.thread("Wanderer").starred).toBe(true);
  });

  test("a change to a message that does not reappear is dropped after some retries", async () => {
    await open(["Lost"]);
    s.change("Lost", { starred: true, state: "trash" });
    // Another program deletes it, and the user's setting is to keep what is deleted there.
    s.fixture.platform.grants.update("accounts", { id: s.fixture.account.id }, { on_server_delete: "keep" });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageDelete("1:*", { uid: true });
    await eventually(() => s.message("Lost").locations.length === 0);
    const clock = new ManualClock(s.fixture.platform.clock.now());
    const mirror = s.mirrorWith(() => {}, clock);
    let attempts = 0;
    for (; s.pending() > 0 && attempts < 100; attempts++) {
      const outcome = await s.run(mirror, attempts + 1);
      if (outcome.outcome === "retry") clock.set(outcome.run_at);
    }
    expect(attempts).toBeGreaterThanOrEqual(8);
    expect(attempts).toBeLessThan(20);
    expect(s.thread("Lost")).toMatchObject({ starred: true, state: "trash" });
  });

  test("a read-only account is never written, and keeps the user's state", async () => {
    await open(["Mine"], { read_only: true });
    const before = s.proxy.sent.length;
    s.change("Mine", { read: true, state: "archived" });
    expect(await s.replay()).toEqual({ outcome: "done" });
    s.mirror.resume();
    expect(s.proxy.sent.slice(before)).not.toMatch(/STORE|MOVE|COPY|SELECT|CREATE/);
    expect(s.thread("Mine")).toMatchObject({ state: "archived", unread: false });
  });

  test("nothing is moved into an excluded folder: the state is kept here", async () => {
    await open(["Put away"], { exclude: ["Archive"] });
    s.change("Put away", { state: "archived" });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Put away"]);
    await synced(s);
    await synced(s);
    expect(s.thread("Put away").state).toBe("archived");
    s.change("Put away", { state: "inbox" });
    await s.replay();
    expect([s.pending(), s.thread("Put away").state]).toEqual([0, "inbox"]);
  });

  test("startup queues a job for waiting changes", async () => {
    await open(["Waiting"]);
    s.change("Waiting", { read: true });
    s.fixture.platform.db.sql.query("DELETE FROM jobs").run();
    s.mirror.resume();
    const job = s.fixture.platform.jobs.claim(MIRROR_JOB)!;
    expect(job.payload).toEqual({ account_id: s.fixture.account.id });
    expect(await s.mirror.handler.run(job)).toEqual({ outcome: "done" });
    expect([...(await s.onServer("INBOX")).get("Waiting")!]).toContain("\\Seen");
  });

  test("a server that is down makes the job wait longer each time, and loses nothing", async () => {
    await open(["Down"]);
    s.change("Down", { read: true });
    s.proxy.accept(false);
    s.proxy.cut();
    const now = s.fixture.platform.clock.now();
    const waits: number[] = [];
    for (const attempt of [1, 2, 3, 20]) {
      const outcome = await s.replay(attempt);
      if (outcome.outcome === "retry") waits.push(Math.round((outcome.run_at - now) / 5_000));
    }
    expect(waits).toEqual([1, 2, 4, 60]);
    s.proxy.accept(true);
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.pending()).toBe(0);
  });
});
