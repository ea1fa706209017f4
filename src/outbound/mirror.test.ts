import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { DOVECOT, type Dovecot, type DovecotOptions, startDovecot } from "../../test/dovecot.ts";
import { type Proxy, startProxy } from "../../test/imap-proxy.ts";
import { createMailWorld, type MailWorld } from "../../test/mail-world.ts";
import { PRIORITY } from "../inbound/lane.ts";
import type { ThreadChange } from "../mailbox/changes.ts";
import { MIRROR_JOB } from "../mailbox/changes-edits.ts";
import { SYSTEM_ACTOR } from "../platform/audit.ts";
import type { AttemptOutcome } from "../platform/jobs/queue.ts";
import { labelToKeyword } from "../wire/imap/keywords.ts";
import { Mirror } from "./mirror.ts";

/** One Dovecot, one mailbox that is in step with it, another program of the same person, and the mirror between. */
interface Scene {
  dovecot: Dovecot;
  proxy: Proxy;
  world: MailWorld;
  other: ImapFlow;
  mirror: Mirror;
  /** Runs the mirror's job once, as the runner would. */
  replay(attempt?: number): Promise<AttemptOutcome>;
  /** Changes the thread of the message with this subject. */
  change(subject: string, change: ThreadChange): void;
  message(subject: string): ReturnType<MailWorld["messages"]>[number];
  thread(subject: string): { state: string; unread: boolean; starred: boolean; labels: string[] };
  /** Subjects in a folder of the server, with their flags. */
  onServer(folder: string): Promise<Map<string, Set<string>>>;
  pending(): number;
}

const dovecots: Dovecot[] = [];
let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of close.toReversed()) await end();
  close = [];
});
afterAll(async () => {
  for (const dovecot of dovecots) await dovecot.stop();
});

async function dovecotWith(options: DovecotOptions = {}): Promise<Dovecot> {
  const dovecot = await startDovecot(options);
  dovecots.push(dovecot);
  return dovecot;
}

const mail = (subject: string, extra = "") =>
  `From: Bob <bob@example.net>\r\nTo: alice@mail.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", ".")}@mirror.example>\r\n` +
  `Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n${extra}\r\nText of ${subject}.\r\n`;

async function scene(
  dovecot: Dovecot,
  subjects: string[],
  options: { read_only?: boolean; manual?: boolean } = {},
): Promise<Scene> {
  for (const { path, flags } of await wipe(dovecot))
    if (!flags.has("\\Noselect")) dovecot.doveadm("expunge", "-u", "alice@mail.test", "mailbox", path, "all");
  const other = await dovecot.connect("alice");
  for (const subject of subjects) await other.append("INBOX", mail(subject));
  const proxy = await startProxy(dovecot.imapPort);
  const world = await createMailWorld({
    port: proxy.port,
    login: dovecot.logins.alice,
    account: { read_only: options.read_only ?? false },
    longest_wait_ms: 200,
    config: { "mail.poll_seconds": 3600 },
  });
  world.start();
  await world.agrees(other);
  const mirror = mirrorOf(world);
  close.push(async () => {
    await world.close();
    await proxy.close();
    other.close();
  });
  const message = (subject: string) => world.messages().find((found) => found.subject === subject)!;
  return {
    dovecot,
    proxy,
    world,
    other,
    mirror,
    replay: (attempt = 1) => run(mirror, world, attempt),
    change: (subject, change) => {
      const by = { user_id: world.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: "req_test" };
      world.mailbox.changes.update(by, message(subject).thread_id, change);
    },
    message,
    thread: (subject) => {
      const { thread_id } = message(subject);
      const row = world.platform.db.sql
        .query<{ state: string; unread: number; starred: number }, [string]>(
          "SELECT state, unread, starred FROM threads WHERE id = ?",
        )
        .get(thread_id)!;
      return {
        state: row.state,
        unread: row.unread === 1,
        starred: row.starred === 1,
        labels: world.mailbox.labels.ofThread(thread_id),
      };
    },
    async onServer(folder) {
      const client = await dovecot.connect("alice");
      const box = await client.mailboxOpen(folder, { readOnly: true });
      const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { envelope: true, flags: true });
      client.close();
      return new Map(found.map(({ envelope, flags }) => [envelope?.subject ?? "", flags ?? new Set<string>()]));
    },
    pending: () => world.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM pending_changes").get()!.n,
  };
}

async function wipe(dovecot: Dovecot) {
  const client = await dovecot.connect("alice");
  const list = await client.list();
  client.close();
  return list;
}

function mirrorOf(world: MailWorld): Mirror {
  const { accounts, folders, labels, copies } = world.mailbox;
  return new Mirror({
    platform: world.platform,
    accounts,
    folders,
    labels,
    copies,
    withMailbox: (account_id, task) => world.room.withMailbox(account_id, PRIORITY.mirror, task),
  });
}

function run(mirror: Mirror, world: MailWorld, attempt = 1): Promise<AttemptOutcome> {
  const payload = { account_id: world.account.id };
  return mirror.handler.run({
    id: "job_1",
    kind: MIRROR_JOB,
    dedupe_key: world.account.id,
    user_id: world.user.id,
    payload,
    attempt,
  });
}

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
    expect(count(sent, /UID STORE/g)).toBe(3);
    expect(count(sent, /UID MOVE/g)).toBe(1);
    expect(count(sent, /\r\n/g)).toBeLessThan(25);
    expect(s.pending()).toBe(0);
    expect((await s.onServer("Archive")).size).toBe(500);
    expect(took_ms).toBeLessThan(5_000);
  }, 30_000);

  test("a cut connection loses nothing and does nothing twice, wherever it comes", async () => {
    const s = await scene(dovecot, ["Cut 1", "Cut 2", "Cut 3"]);
    for (const subject of ["Cut 1", "Cut 2", "Cut 3"])
      s.change(subject, { read: true, state: "trash", add_labels: ["Cut"] });
    let attempts = 0;
    for (const bytes of [0, 40, 150, 400, 700, 1000, 1300, 1600, 2000, 2500, 3000, 3500, 4000]) {
      s.proxy.cutAfter(bytes);
      s.proxy.cut();
      const outcome = await s.replay();
      expect(["done", "retry"]).toContain(outcome.outcome);
      attempts++;
    }
    s.proxy.cutAfter(null);
    s.proxy.cut();
    expect(attempts).toBe(13);
    for (let i = 0; s.pending() > 0 && i < 20; i++) {
      await s.replay();
      await s.world.agrees(s.other).catch(() => {});
    }
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
    for (let i = 0; s.pending() > 0 && i < 100; i++) {
      await Bun.sleep(20);
      await s.replay();
    }
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
