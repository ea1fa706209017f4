import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { createDispatcher } from "../../src/app/sending.ts";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import type { ThreadChange } from "../../src/mailbox/changes/changes.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { COPY_JOB, SETTLE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { SentCopies } from "../../src/outbound/sends/sent-copy.ts";
import { DISPATCH_JOB, SendStore } from "../../src/outbound/sends/store.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { JobRunner } from "../../src/platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mirrorOf, runMirror } from "../support/mirror-fixture.ts";
import { ACCEPTED, type Submit } from "../support/send-fixture.ts";

/** One message with a copy in the inbox and one in Sent, each with its own flags on the server. */
describe.skipIf(!DOVECOT)("mail to oneself", () => {
  let dovecot: Dovecot;
  let other: ImapFlow;
  let fixture: MailFixture;
  let outbound: Outbound;
  let runner: JobRunner | null = null;

  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterAll(() => dovecot?.stop());
  beforeEach(async () => {
    other = await dovecot.connect("alice");
    for (const { path } of await other.list()) {
      dovecot.doveadm("expunge", "-u", "alice@mail.test", "mailbox", path, "all");
    }
  });
  afterEach(async () => {
    await runner?.stop();
    runner = null;
    await fixture.close();
    other.close();
  });

  async function open(email = "alice@mail.test"): Promise<void> {
    const server = { host: "127.0.0.1", port: dovecot.imapPort, security: "none" as const };
    fixture = await createMailFixture({
      port: dovecot.imapPort,
      login: dovecot.logins.alice,
      account: { email, connection: { imap: server, smtp: server, ...dovecot.logins.alice } },
      longest_wait_ms: 100,
      config: { "mail.poll_seconds": 3600 },
    });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live", 10_000);
  }

  /** An SMTP server that delivers into the inbox at once. */
  const loopsBack: Submit = async (_account, _login, message) => {
    await message.beforeEnd?.();
    await dovecot.deliver("alice", message.raw);
    return ACCEPTED;
  };

  /** Sends through the API's scheduler. @returns the id of the send */
  async function send(to: string[], cc: string[] = [], submit = loopsBack): Promise<string> {
    const { platform, mailbox, user } = fixture;
    outbound = createOutbound(platform, mailbox);
    const dispatcher = createDispatcher(platform, mailbox, outbound, { submit });
    const handlers = { [DISPATCH_JOB]: dispatcher.handler, [SETTLE_JOB]: dispatcher.settleHandler };
    runner = new JobRunner(platform.jobs, platform.clock, platform.log, handlers);
    runner.start();
    const by = { user_id: user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    const sender = { ...by, key: { id: "key_1", created_at: 0 }, user };
    const message = { to, cc, subject: "Note to self", body: "Milk, bread." };
    const { id } = outbound.scheduler.sendNow(sender, message, { undo_window_s: 0 });
    await eventually(() => outbound.sends.get(id)!.status === "sent", 10_000);
    return id;
  }

  /** Appends our copy to Sent, with \Seen, as the mail worker does. */
  async function fileCopy(send_id: string): Promise<void> {
    const { platform, mailbox, supervisor, user } = fixture;
    const copies = new SentCopies({
      platform,
      accounts: mailbox.accounts,
      folders: mailbox.folders,
      sends: new SendStore(platform),
      files: new BlobFiles(platform),
      withMailbox: (id, task) => supervisor.withMailbox(id, PRIORITY.mirror, task),
      syncNow: (id) => supervisor.syncNow(id),
    });
    const job = { id: "job_1", kind: COPY_JOB, dedupe_key: send_id, user_id: user.id, payload: { send_id } };
    const { outcome } = await copies.copyHandler.run({ ...job, attempt: 1 });
    expect(outcome).toBe("done");
  }

  /** Waits until exactly these folders hold the one message here. */
  const isIn = (...folders: string[]) =>
    eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      const stored = fixture
        .messages()
        .flatMap((message) => message.locations.map((location) => location.replace(/:\d+$/, "")));
      if (stored.sort().join() === [...folders].sort().join()) return true;
      throw new Error(`The message is in ${stored}.`);
    }, 10_000);

  const flagsIn = async (folder: string): Promise<string[]> => {
    const client = await dovecot.connect("alice");
    const box = await client.mailboxOpen(folder, { readOnly: true });
    const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { flags: true });
    client.close();
    return found.flatMap(({ flags }) => [...flags!]).filter((flag) => flag !== "\\Recent");
  };

  /** Returns the `thread.updated` events that report a change of this aspect. */
  const announced = (aspect: string) =>
    fixture.events("thread.updated").filter(({ data }) => (data.changed as string[]).includes(aspect)).length;

  const change = (asked: ThreadChange) => {
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: "req_test" };
    fixture.mailbox.changes.update(by, fixture.messages()[0]!.thread_id, asked);
  };
  const mirrored = () =>
    eventually(async () => {
      await runMirror(fixture, mirrorOf(fixture));
      return fixture.platform.db.sql.query("SELECT 1 FROM pending_changes").get() === null;
    }, 10_000);

  /** Runs two syncs of every folder, so that every change on the server has been read. */
  const settled = async () => {
    for (let round = 0; round < 2; round++) {
      const { pass } = fixture.account;
      await eventually(() => {
        fixture.supervisor.syncNow(fixture.account.id);
        return fixture.account.pass > pass;
      }, 10_000);
    }
  };
  const only = () => fixture.messages()[0]!;

  test("is unread once, stays unread when the Sent copy appears, and is read when another program reads it", async () => {
    await open();
    const id = await send(["alice@mail.test"]);
    await isIn("INBOX", "\0sent from here (void)");
    expect(only().unread).toBe(true);
    const before = announced("read");
    await fileCopy(id);
    await isIn("INBOX", "Sent");
    await settled();
    expect([only().unread, announced("read") - before]).toEqual([true, 0]);
    expect([await flagsIn("INBOX"), await flagsIn("Sent")]).toEqual([[], ["\\Seen"]]);

    await fixture.reboot();
    fixture.start();
    await settled();
    expect([only().unread, announced("read") - before]).toEqual([true, 0]);

    await other.mailboxOpen("INBOX");
    await other.messageFlagsAdd("1", ["\\Seen"]);
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      return !only().unread;
    }, 10_000);
    expect(announced("read") - before).toBe(1);
    // A change of the Sent copy alone does not affect the copy in the inbox.
    await other.mailboxOpen("Sent");
    await other.messageFlagsRemove("1", ["\\Seen"]);
    await settled();
    expect([only().unread, announced("read") - before]).toEqual([false, 1]);
  }, 60_000);

  test.each([
    ["in Cc, under an alias", ["bob@example.net"], ["alice@mail.test"]],
    ["among others", ["bob@example.net", "alice@mail.test"], []],
  ])(
    "%s stays unread, too",
    async (_name, to, cc) => {
      await open("alice.private@mail.test");
      const id = await send(to, cc);
      await fileCopy(id);
      await isIn("INBOX", "Sent");
      await settled();
      expect([only().unread, await flagsIn("INBOX")]).toEqual([true, []]);
    },
    60_000,
  );

  test("is unread whichever copy arrives first, also when the copy of a mailing list is filed into another folder", async () => {
    await open();
    await eventually(async () => {
      await other.mailboxCreate("Lists").catch(() => {});
      return (await other.list()).some(({ path }) => path === "Lists");
    });
    const raw = (name: string) =>
      `From: Alice <alice@mail.test>\r\nTo: list@example.net\r\nSubject: ${name}\r\nMessage-ID: <${name}@mail.test>\r\n` +
      "Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n\r\nHello list.\r\n";
    const inOrder = async (name: string, first: [string, string[]], second: [string, string[]]) => {
      for (const [folder, flags] of [first, second]) {
        await other.append(folder, raw(name), flags);
        await eventually(() => {
          fixture.supervisor.syncNow(fixture.account.id);
          const stored = fixture.messages().find(({ subject }) => subject === name)?.locations ?? [];
          return stored.some((location) => location.startsWith(folder));
        }, 10_000);
      }
    };
    await inOrder("sent-first", ["Sent", ["\\Seen"]], ["INBOX", []]);
    await inOrder("inbox-first", ["INBOX", []], ["Sent", ["\\Seen"]]);
    await inOrder("list-first", ["Lists", []], ["Sent", ["\\Seen", "\\Answered"]]);
    await inOrder("read-there", ["Lists", ["\\Seen"]], ["Sent", []]);
    await settled();
    expect(fixture.messages().map(({ subject, unread, locations }) => [subject, unread, locations.length])).toEqual([
      ["sent-first", true, 2],
      ["inbox-first", true, 2],
      ["list-first", true, 2],
      ["read-there", false, 2],
    ]);
  }, 60_000);

  test("a star or label on either copy counts, and a change through the API reaches both and stays", async () => {
    await open();
    const id = await send(["alice@mail.test"]);
    await isIn("INBOX", "\0sent from here (void)");
    // Before the copy in Sent exists.
    change({ add_labels: ["Errand"] });
    await mirrored();
    await settled();
    await fileCopy(id);
    await isIn("INBOX", "Sent");
    await settled();
    expect(only()).toMatchObject({ unread: true, starred: false, labels: ["Errand"] });

    await other.mailboxOpen("Sent");
    await other.messageFlagsAdd("1", ["\\Flagged"]);
    await settled();
    expect(only()).toMatchObject({ unread: true, starred: true });

    change({ read: true, starred: false, remove_labels: ["Errand"] });
    await mirrored();
    expect([await flagsIn("INBOX"), await flagsIn("Sent")]).toEqual([["\\Seen"], ["\\Seen"]]);
    const events = fixture.events("thread.updated").length;
    await settled();
    await fixture.reboot();
    fixture.start();
    await settled();
    expect(only()).toMatchObject({ unread: false, starred: false, labels: [] });
    expect(fixture.events("thread.updated")).toHaveLength(events);
  }, 60_000);

  test("mail that an older version took for read is corrected after the upgrade", async () => {
    await open();
    const id = await send(["alice@mail.test"]);
    await fileCopy(id);
    await isIn("INBOX", "Sent");
    await settled();
    // The state after the migration of a mailbox in which the flags of the Sent copy were stored.
    const { sql } = fixture.platform.db;
    sql.run("UPDATE locations SET flags = NULL, labels = NULL, flags_hash = -1");
    sql.run("UPDATE messages SET unread = 0");
    sql.run("UPDATE threads SET unread = 0");
    await fixture.reboot();
    fixture.start();
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      return only().unread;
    }, 10_000);
  }, 60_000);

  test("when the copy in the inbox is deleted elsewhere, the read copy in Sent remains", async () => {
    await open();
    const id = await send(["alice@mail.test"]);
    await fileCopy(id);
    await isIn("INBOX", "Sent");
    await settled();
    expect(only().unread).toBe(true);
    await other.mailboxOpen("INBOX");
    await other.messageDelete("1");
    await isIn("Sent");
    expect(only().unread).toBe(false);
  }, 60_000);

  test("a copy that the provider files as unread does not make a sent message unread", async () => {
    await open();
    const id = await send(["bob@example.net"], [], async (_account, _login, message) => {
      await message.beforeEnd?.();
      await other.append("Sent", Buffer.from(message.raw));
      return ACCEPTED;
    });
    await isIn("Sent");
    await fileCopy(id);
    await settled();
    expect([only().unread, announced("read")]).toEqual([false, 0]);
  }, 60_000);

  test("a change that one copy has received waits for the other, which another program is moving", async () => {
    await open();
    const id = await send(["alice@mail.test"]);
    await fileCopy(id);
    await isIn("INBOX", "Sent");
    await settled();
    await fixture.supervisor.stop();
    await other.mailboxCreate("Kept").catch(() => {});
    await other.mailboxOpen("INBOX");
    await other.messageMove("1", "Kept");
    await fixture.reboot();
    change({ read: true });
    const mirror = mirrorOf(fixture);
    fixture.start();
    await eventually(async () => {
      await runMirror(fixture, mirror);
      fixture.supervisor.syncNow(fixture.account.id);
      return fixture.platform.db.sql.query("SELECT 1 FROM pending_changes").get() === null;
    }, 20_000);
    await isIn("Kept", "Sent");
    await settled();
    expect([only().unread, await flagsIn("Kept"), await flagsIn("Sent")]).toEqual([false, ["\\Seen"], ["\\Seen"]]);
  }, 60_000);
});
