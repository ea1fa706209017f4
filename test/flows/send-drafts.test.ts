import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import { createDraftSync } from "../../src/outbound/draft-sync.ts";
import { DRAFTS_JOB } from "../../src/outbound/drafts/store.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { JobRunner } from "../../src/platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";

/** Drafts here and in the Drafts folder of a real server, while another program of the same person works in it. */
describe.skipIf(!DOVECOT)("the Drafts folder", () => {
  let dovecot: Dovecot;
  let other: ImapFlow;
  let fixture: MailFixture;
  let outbound: Outbound;
  let stop: () => Promise<void>;
  /** What a test does to the connection before a job gets it. */
  let prepare: (client: ImapFlow) => void = () => {};

  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterAll(() => dovecot?.stop());
  beforeEach(async () => {
    prepare = () => {};
    other = await dovecot.connect("alice");
    for (const { path } of await other.list()) {
      dovecot.doveadm("expunge", "-u", "alice@mail.test", "mailbox", path, "all");
    }
  });
  afterEach(async () => {
    await stop();
    await fixture.close();
    other.close();
  });

  async function open(account: { read_only?: boolean; on_server_delete?: "keep" } = {}): Promise<void> {
    fixture = await createMailFixture({
      port: dovecot.imapPort,
      login: dovecot.logins.alice,
      account,
      longest_wait_ms: 100,
      config: { "mail.poll_seconds": 3600 },
    });
    await begin();
  }

  async function begin(): Promise<void> {
    outbound = createOutbound(fixture.platform, fixture.mailbox);
    const drafts = createDraftSync(fixture.platform, fixture.mailbox, {
      withMailbox: (id, task) =>
        fixture.supervisor.withMailbox(id, PRIORITY.mirror, (client) => {
          prepare(client);
          return task(client);
        }),
      syncNow: (id) => fixture.supervisor.syncNow(id),
      grace_ms: 400,
    });
    const { jobs, clock, log } = fixture.platform;
    const runner = new JobRunner(jobs, clock, log, { [DRAFTS_JOB]: drafts.handler });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live", 10_000);
    runner.start();
    drafts.start();
    stop = async () => {
      drafts.stop();
      await runner.stop();
    };
  }

  const writer = () => ({ user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: "req_test" });
  const create = (fields: object) => outbound.drafts.create(writer(), fields);
  const here = () => outbound.drafts.list(writer(), null, 100);
  const one = (id: string) => outbound.drafts.get(writer(), id);

  interface There {
    uid: number;
    flags: Set<string>;
    source: string;
  }

  async function there(): Promise<There[]> {
    const client = await dovecot.connect("alice");
    const box = await client.mailboxOpen("Drafts", { readOnly: true });
    const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { uid: true, flags: true, source: true });
    client.close();
    return found.map(({ uid, flags, source }) => ({ uid, flags: flags!, source: source!.toString() }));
  }

  /** Waits while the sync checks the folders as usual. */
  const sooner = (condition: () => boolean | Promise<boolean>) =>
    eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      return condition();
    }, 10_000);

  /** Waits for one message on the server that has all these texts. */
  const alone = (...texts: string[]) =>
    sooner(async () => {
      const found = await there();
      return found.length === 1 && texts.every((text) => found[0]!.source.includes(text));
    });

  const mail = (subject: string, text: string, more = "") =>
    `From: alice@mail.test\r\nTo: Bob <bob@example.net>\r\nSubject: ${subject}\r\n${more}\r\n${text}\r\n`;

  /** Keeps the connection busy until the returned function is called. */
  function hold(): Promise<() => void> {
    return new Promise((started) => {
      const task = () => new Promise<void>((free) => started(free));
      void fixture.supervisor.withMailbox(fixture.account.id, PRIORITY.mirror, task);
    });
  }

  async function remove(uid: number): Promise<void> {
    await other.mailboxOpen("Drafts");
    await other.messageDelete(String(uid), { uid: true });
  }

  test("what is written here appears there, follows changes, and disappears when it is deleted", async () => {
    await open();
    const { id } = create({
      to: ["Bob <bob@example.net>"],
      bcc: ["eve@example.net"],
      subject: "Lunch",
      body: "At one?",
    });
    await alone("Subject: Lunch", "At one?", "eve@example.net");
    expect([...(await there())[0]!.flags].sort()).toContain("\\Draft");
    outbound.drafts.update(writer(), id, { body: "At two?" });
    await alone("At two?");
    outbound.drafts.remove(writer(), id);
    await sooner(async () => (await there()).length === 0);
    expect(here()).toEqual([]);
    expect(fixture.events("draft.created")).toHaveLength(1);
  }, 30_000);

  test("what another program writes appears here, with its files; later changes keep the same id", async () => {
    await open();
    const parts =
      "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\nMessage-ID: <tb1@mail.test>\r\n\r\n--b\r\n" +
      "Content-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n" +
      "Content-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\n--b--\r\n";
    const head = "From: alice@mail.test\r\nTo: Bob <bob@example.net>\r\nSubject: The file\r\n";
    await other.append("Drafts", head + parts, ["\\Draft", "\\Seen"]);
    await sooner(() => here().length === 1);
    const { id } = here()[0]!;
    expect(one(id)).toMatchObject({ subject: "The file", to: ["Bob <bob@example.net>"], body: "See the file." });
    const { attachments } = one(id);
    expect(attachments).toMatchObject([{ name: "a.pdf", mime: "application/pdf", size: 5 }]);
    const [file] = await outbound.draftFiles.open(outbound.draftStore.get(id)!);
    expect(await new Response((file!.content as () => ReadableStream)()).text()).toBe("Hello");
    expect(fixture.events("draft.created").map(({ data }) => data)).toEqual([{ draft_id: id, thread_id: null }]);
    const before = (await there())[0]!.uid;
    await other.append("Drafts", head + parts.replace("See the file.", "Seen?"), ["\\Draft", "\\Seen"]);
    await remove(before);
    await sooner(() => one(id).body === "Seen?");
    expect([here().length, one(id).attachments]).toEqual([1, attachments]);
    await remove((await there())[0]!.uid);
    await sooner(() => here().length === 0);
    expect(await there()).toEqual([]);
  }, 30_000);

  test("a draft that was written here is changed on the server, and deleted there", async () => {
    await open();
    const { id } = create({ subject: "Lunch", body: "At one?" });
    await alone("At one?");
    const [{ uid, source }] = (await there()) as [There];
    const message_id = /^Message-ID: (.*)$/im.exec(source)![1]!.trim();
    await other.append("Drafts", mail("Dinner", "At eight.", `Message-ID: ${message_id}\r\n`), ["\\Draft"]);
    await remove(uid);
    await sooner(() => one(id).subject === "Dinner");
    expect(one(id)).toMatchObject({ body: "At eight.", to: ["Bob <bob@example.net>"] });
    outbound.drafts.update(writer(), id, { body: "At nine." });
    await alone("At nine.", "Dinner", message_id);
    await remove((await there())[0]!.uid);
    await sooner(() => here().length === 0);
    expect(await there()).toEqual([]);
  }, 30_000);

  test("a program that changes the Message-ID with every save keeps the draft all the same", async () => {
    await open();
    await other.append("Drafts", mail("Lunch", "One", "Message-ID: <v1@mail.test>\r\n"), ["\\Draft"]);
    await sooner(() => here().length === 1);
    const { id } = here()[0]!;
    await remove((await there())[0]!.uid);
    await other.append("Drafts", mail("Lunch", "Two", "Message-ID: <v2@mail.test>\r\n"), ["\\Draft"]);
    await sooner(() => here().length === 1 && here()[0]!.body === "Two");
    expect(here()[0]!.id).toBe(id);
  }, 30_000);

  test("concurrent changes on both sides are both kept", async () => {
    await open();
    const { id } = create({ subject: "Lunch", body: "At one?" });
    await alone("At one?");
    const [{ uid, source }] = (await there()) as [There];
    const message_id = /^Message-ID: (.*)$/im.exec(source)![1]!.trim();
    // Both have changed before the next use of the connection.
    const free = await hold();
    outbound.drafts.update(writer(), id, { body: "Ours" });
    await other.append("Drafts", mail("Lunch", "Theirs", `Message-ID: ${message_id}\r\n`), ["\\Draft"]);
    await remove(uid);
    free();
    await sooner(async () => here().length === 2 && (await there()).length === 2);
    expect(one(id).body).toBe("Ours");
    expect(
      here()
        .map(({ body }) => body)
        .sort(),
    ).toEqual(["Ours", "Theirs"]);
    const texts = (await there()).map(({ source }) => source).join();
    expect([texts.includes("Ours"), texts.includes("Theirs")]).toEqual([true, true]);
  }, 30_000);

  test("a change here takes precedence over a deletion on the server", async () => {
    await open();
    const { id } = create({ subject: "Lunch", body: "At one?" });
    await alone("At one?");
    const free = await hold();
    outbound.drafts.update(writer(), id, { body: "Still wanted" });
    await remove((await there())[0]!.uid);
    free();
    await alone("Still wanted");
    expect(here().map((draft) => draft.id)).toEqual([id]);
  }, 30_000);

  test("a copy whose location was never stored is not uploaded twice", async () => {
    await open();
    let cut = true;
    prepare = (client) => {
      if (!cut) return;
      const append = client.append.bind(client);
      client.append = async (...args) => {
        cut = false;
        client.append = append;
        await append(...args);
        client.close();
        throw new Error("the connection broke");
      };
    };
    const { id } = create({ subject: "Lunch", body: "Once" });
    await sooner(() => outbound.draftStore.get(id)!.placed === 1);
    expect([cut, (await there()).length, here().length]).toEqual([false, 1, 1]);
    outbound.drafts.update(writer(), id, { body: "Twice" });
    await alone("Twice");
  }, 30_000);

  test("a renumbered folder holds the same drafts", async () => {
    await open();
    const { id } = create({ subject: "Lunch", body: "At one?" });
    await alone("At one?");
    await fixture.supervisor.stop();
    other.close();
    dovecot.renumber("alice", "Drafts");
    await stop();
    await fixture.reboot();
    await begin();
    outbound.drafts.update(writer(), id, { body: "At two?" });
    await alone("At two?");
    expect(here().map((draft) => draft.id)).toEqual([id]);
  }, 30_000);

  test("an answer that another program began belongs to its thread", async () => {
    await open();
    const question =
      "From: Bob <bob@example.net>\r\nTo: alice@mail.test\r\nSubject: Lunch?\r\nMessage-ID: <q@example.net>\r\n\r\nWell?\r\n";
    await other.append("INBOX", question);
    await sooner(() => fixture.messages().length === 1);
    const { thread_id } = fixture.messages()[0]!;
    const reply = "In-Reply-To: <q@example.net>\r\nReferences: <q@example.net>\r\nMessage-ID: <r@mail.test>\r\n";
    await other.append("Drafts", mail("Re: Lunch?", "Yes", reply), ["\\Draft"]);
    await sooner(() => here().length === 1);
    expect(here()[0]).toMatchObject({ thread_id, in_reply_to: "<q@example.net>", references: ["<q@example.net>"] });
  }, 30_000);

  test("a draft stays in the folder while it is being sent, and leaves it afterwards", async () => {
    await open();
    const { id } = create({ to: ["bob@example.net"], subject: "Lunch", body: "At one?" });
    await alone("At one?");
    outbound.draftStore.lock(id, "snd_1");
    await remove((await there())[0]!.uid);
    await sooner(() => outbound.draftStore.get(id)!.location === null);
    expect(here()).toHaveLength(1);
    outbound.draftStore.release(id, "snd_1");
    await alone("At one?");
    outbound.draftStore.remove(id);
    await sooner(async () => (await there()).length === 0);
  }, 30_000);

  test("a draft whose send ended as unknown is kept and uploaded again, although its copy disappeared meanwhile", async () => {
    await open();
    const { id } = create({ subject: "Unknown", body: "Perhaps sent" });
    await alone("Unknown");
    outbound.draftStore.lock(id, "snd_1");
    await remove((await there())[0]!.uid);
    await sooner(() => outbound.draftStore.get(id)!.missing_at !== null);
    fixture.platform.db.write(() => outbound.draftStore.release(id, "snd_1", true));
    await alone("Unknown", "Perhaps sent");
    expect(here().map((draft) => draft.id)).toEqual([id]);
  }, 30_000);

  test("in a read-only mailbox, the server's drafts are visible, ours stay here, and nothing is written", async () => {
    await open({ read_only: true });
    create({ subject: "Ours", body: "Only here" });
    await other.append("Drafts", mail("Theirs", "From there", "Message-ID: <t@mail.test>\r\n"), ["\\Draft"]);
    await sooner(() => here().length === 2);
    const theirs = here().find(({ subject }) => subject === "Theirs")!;
    outbound.drafts.update(writer(), theirs.id, { body: "Changed here" });
    await eventually(() => fixture.platform.jobs.nextDue([DRAFTS_JOB]) === null);
    const left = await there();
    expect([left.length, left[0]!.source.includes("From there"), one(theirs.id).body]).toEqual([
      1,
      true,
      "Changed here",
    ]);
  }, 30_000);

  test("with on_server_delete = keep, drafts that are deleted on the server stay here", async () => {
    await open({ on_server_delete: "keep" });
    const { id } = create({ subject: "Kept", body: "Kept" });
    await alone("Kept");
    await remove((await there())[0]!.uid);
    await sooner(() => outbound.draftStore.get(id)!.location === null);
    expect([here().length, (await there()).length]).toEqual([1, 0]);
  }, 30_000);
});
