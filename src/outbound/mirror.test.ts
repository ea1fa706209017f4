import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { DOVECOT, type Dovecot, type DovecotOptions, startDovecot } from "../../test/dovecot.ts";
import { eventually } from "../../test/eventually.ts";
import { type Proxy as CuttingProxy, startProxy } from "../../test/imap-proxy.ts";
import { createMailWorld, type MailWorld } from "../../test/mail-world.ts";
import { PRIORITY } from "../inbound/lane.ts";
import type { ThreadChange } from "../mailbox/changes.ts";
import { MIRROR_JOB } from "../mailbox/changes-edits.ts";
import { SYSTEM_ACTOR } from "../platform/audit.ts";
import type { AttemptOutcome } from "../platform/jobs/queue.ts";
import { labelToKeyword } from "../wire/imap/keywords.ts";
import { Mirror } from "./mirror.ts";

const count = (text: string, what: RegExp) => [...text.matchAll(what)].length;

describe.skipIf(!DOVECOT)("changes go back to the server", () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await dovecotWith();
  });

  test("read, starred, a label of any language and a move, all at once", async () => {
    const s = await scene(dovecot, ["One", "Two"]);
    const label = "Größe ✓ 量";
    s.change("One", { read: true, starred: true, add_labels: [label], state: "archived" });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.pending()).toBe(0);
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Two"]);
    const flags = (await s.onServer("Archive")).get("One")!;
    expect(flags).toContain("\\Seen");
    expect(flags).toContain("\\Flagged");
    expect(flags).toContain(labelToKeyword(label));
    const archive = s.world.messages().find(({ subject }) => subject === "One")!;
    expect(archive.places).toHaveLength(1);
    expect(archive.places[0]).toStartWith("Archive:");
    // Our own change that comes back by sync changes nothing and is told to nobody.
    const told = s.world.events("thread.updated").length;
    s.world.room.syncNow(s.world.account.id);
    await s.world.room.withMailbox(s.world.account.id, PRIORITY.backfill, async () => {});
    await s.replay();
    expect(s.thread("One")).toEqual({ state: "archived", unread: false, starred: true, labels: [label] });
    expect(s.world.events("thread.updated").length).toBe(told);
    s.change("One", { read: false, starred: false, remove_labels: [label], state: "inbox" });
    await s.replay();
    const back = (await s.onServer("INBOX")).get("One")!;
    expect([...back].filter((flag) => flag !== "\\Recent")).toEqual([]);
    expect((await s.onServer("Archive")).size).toBe(0);
    expect(s.pending()).toBe(0);
  });

  test("to trash and spam; a folder for snoozed mail is made", async () => {
    const s = await scene(dovecot, ["Old", "Junky", "Later"]);
    s.change("Old", { state: "trash" });
    s.change("Junky", { state: "spam" });
    s.change("Later", { snooze_until: s.world.platform.clock.now() + 3_600_000 });
    await s.replay();
    expect([...(await s.onServer("Trash")).keys()]).toEqual(["Old"]);
    expect([...(await s.onServer("Junk")).keys()]).toEqual(["Junky"]);
    expect([...(await s.onServer("Snoozed")).keys()]).toEqual(["Later"]);
    expect((await s.onServer("INBOX")).size).toBe(0);
    expect(s.pending()).toBe(0);
    await s.world.agrees(s.other);
    expect(["Old", "Junky", "Later"].map((subject) => s.thread(subject).state)).toEqual(["trash", "spam", "snoozed"]);
    // Moved mail is not downloaded, nor announced, as if it were new.
    expect(s.world.messages()).toHaveLength(3);
  });

  test("a plain keyword of the same name goes with the label", async () => {
    const s = await scene(dovecot, ["Tagged"]);
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["Invoices"], { uid: true });
    await s.world.agrees(s.other);
    expect(s.thread("Tagged").labels).toEqual(["Invoices"]);
    s.change("Tagged", { remove_labels: ["Invoices"] });
    await s.replay();
    expect([...(await s.onServer("INBOX")).get("Tagged")!]).not.toContain("Invoices");
    expect(s.pending()).toBe(0);
  });

  test("500 messages take a handful of commands", async () => {
    const subjects = Array.from({ length: 500 }, (_, i) => `Many ${i}`);
    const s = await scene(dovecot, subjects);
    s.world.platform.db.write(() => {
      for (const subject of subjects)
        s.change(subject, { read: true, starred: true, state: "archived", add_labels: ["Bulk"] });
    });
    const before = s.proxy.sent.length;
    const began = performance.now();
    expect(await s.replay()).toEqual({ outcome: "done" });
    const took_ms = performance.now() - began;
    const sent = s.proxy.sent.slice(before);
    // Three flags and a move; changes of another millisecond may come in a second batch.
    expect(count(sent, /UID STORE/g)).toBeLessThanOrEqual(6);
    expect(count(sent, /UID MOVE/g)).toBeLessThanOrEqual(2);
    expect(count(sent, /\r\n/g)).toBeLessThan(40);
    expect(s.pending()).toBe(0);
    expect((await s.onServer("Archive")).size).toBe(500);
    expect(took_ms).toBeLessThan(5_000);
  }, 30_000);

  test("a cut connection loses nothing and does nothing twice, wherever it comes", async () => {
    const s = await scene(dovecot, ["Cut 1", "Cut 2", "Cut 3"]);
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
    await replayed(s);
    expect(s.pending()).toBe(0);
    expect([...(await s.onServer("Trash")).keys()].sort()).toEqual(["Cut 1", "Cut 2", "Cut 3"]);
    for (const flags of (await s.onServer("Trash")).values()) expect(flags).toContain("\\Seen");
    expect(["Cut 1", "Cut 2", "Cut 3"].map((subject) => s.thread(subject).state)).toEqual(["trash", "trash", "trash"]);
    expect(s.world.messages()).toHaveLength(3);
  }, 60_000);

  test("a change made while an older one is on its way is not forgotten", async () => {
    const s = await scene(dovecot, ["Again"]);
    s.change("Again", { starred: true });
    const { withMailbox } = { withMailbox: s.world.room.withMailbox.bind(s.world.room) };
    const { accounts, folders, labels, copies } = s.world.mailbox;
    const mirror = new Mirror({
      platform: s.world.platform,
      accounts,
      folders,
      labels,
      copies,
      withMailbox: (account_id, task) =>
        withMailbox(account_id, PRIORITY.mirror, async (client) => {
          const fetchAll = client.fetchAll.bind(client);
          // The user changes their mind between the STORE and our note that it is done.
          client.fetchAll = async (...args) => {
            s.change("Again", { starred: false });
            return fetchAll(...args);
          };
          try {
            return await task(client);
          } finally {
            client.fetchAll = fetchAll;
          }
        }),
    });
    await run(mirror, s.world);
    expect(s.pending()).toBe(1);
    await s.replay();
    expect(s.pending()).toBe(0);
    expect(s.thread("Again").starred).toBe(false);
    expect([...(await s.onServer("INBOX")).get("Again")!]).not.toContain("\\Flagged");
  });

  test("where another program changed the same flag, the user's change here wins", async () => {
    const s = await scene(dovecot, ["Both"]);
    s.change("Both", { read: true });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["\\Seen"], { uid: true });
    await s.other.messageFlagsRemove("1:*", ["\\Seen"], { uid: true });
    await s.replay();
    expect([...(await s.onServer("INBOX")).get("Both")!]).toContain("\\Seen");
    expect(s.thread("Both").unread).toBe(false);
  });

  test("a message that another program moved is found again and changed there", async () => {
    const s = await scene(dovecot, ["Wanderer"]);
    s.change("Wanderer", { starred: true });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageMove("1:*", "Archive", { uid: true });
    expect((await s.replay()).outcome).toBe("retry");
    expect(s.pending()).toBe(1);
    s.world.room.syncNow(s.world.account.id);
    await replayed(s);
    expect([...(await s.onServer("Archive")).get("Wanderer")!]).toContain("\\Flagged");
    expect(s.thread("Wanderer").starred).toBe(true);
  });

  test("a read-only account is never written, and keeps the user's state", async () => {
    const s = await scene(dovecot, ["Mine"], { read_only: true });
    const before = s.proxy.sent.length;
    s.change("Mine", { read: true, state: "archived" });
    expect(await s.replay()).toEqual({ outcome: "done" });
    s.mirror.resume();
    expect(s.proxy.sent.slice(before)).not.toMatch(/STORE|MOVE|COPY|SELECT|CREATE/);
    expect(s.thread("Mine")).toMatchObject({ state: "archived", unread: false });
  });

  test("a job is queued again at start for what waits", async () => {
    const s = await scene(dovecot, ["Waiting"]);
    s.change("Waiting", { read: true });
    s.world.platform.db.sql.query("DELETE FROM jobs").run();
    s.mirror.resume();
    const job = s.world.platform.jobs.claim(MIRROR_JOB)!;
    expect(job.payload).toEqual({ account_id: s.world.account.id });
    expect(await s.mirror.handler.run(job)).toEqual({ outcome: "done" });
    expect([...(await s.onServer("INBOX")).get("Waiting")!]).toContain("\\Seen");
  });

  test("a server that is down makes the job wait longer each time, and loses nothing", async () => {
    const s = await scene(dovecot, ["Down"]);
    s.change("Down", { read: true });
    s.proxy.accept(false);
    s.proxy.cut();
    const now = s.world.platform.clock.now();
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
