import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startProxy } from "../support/imap-proxy.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(30_000);

describe.skipIf(!DOVECOT)("the first sync", () => {
  let server: Dovecot;
  let other: ImapFlow;
  let fixture: MailFixture;
  const FOLDERS = ["INBOX", "Archive", "Lists/Bun", "Junk"];

  beforeAll(async () => {
    server = await startDovecot();
    const corpus = spamAssassin(500);
    for (const [i, folder] of FOLDERS.entries()) {
      const mine = corpus.filter((_, n) => n % FOLDERS.length === i);
      server.loadMaildir(
        "alice",
        folder,
        mine.map(({ raw }, n) => ({
          raw,
          date: new Date(Date.parse("2025-01-01T00:00:00Z") + n * 3_600_000),
          flags: ["", "S", "FS", "RS"][n % 4]!,
        })),
      );
    }
    other = await server.connect("alice");
    fixture = await createMailFixture({ port: server.imapPort, login: server.logins.alice });
  });
  afterAll(async () => {
    await fixture?.close();
    await server?.stop();
  });

  test("500 messages over several folders arrive once each, with their flags, and none is announced", async () => {
    fixture.start();
    await fixture.agrees(other, 15_000);
    expect(fixture.messages()).toHaveLength(500);
    expect(fixture.account).toMatchObject({ status: "active", sync: { phase: "live", done: 500, total: 500 } });
    expect(fixture.events()).toEqual([]);
    const roles = new Map(fixture.mailbox.folders.list(fixture.account).map((folder) => [folder.path, folder.role]));
    expect(Object.fromEntries(roles)).toMatchObject({
      INBOX: "inbox",
      Archive: "archive",
      "Lists/Bun": "other",
      Junk: "spam",
      Sent: "sent",
    });
    expect(fixture.log).toEqual([]);
  });

  test("the newest messages of a folder arrive first", () => {
    for (const folder of FOLDERS) {
      const uids = fixture
        .messages()
        .flatMap(({ locations }) => locations.filter((location) => location.startsWith(`${folder}:`)));
      const order = uids.map((location) => Number(location.slice(folder.length + 1)));
      expect(order).toEqual(order.toSorted((a, b) => b - a));
    }
  });

  test("the counts of the threads add up", () => {
    const sum = fixture.platform.db.sql.query<{ c: number }, []>("SELECT sum(message_count) AS c FROM threads").get()!;
    expect(sum.c).toBe(500);
  });

  test("a second start reads nothing again and announces nothing", async () => {
    const before = fixture.messages().map(({ id, thread_id }) => ({ id, thread_id }));
    await fixture.reboot();
    fixture.start();
    await eventually(() => fixture.account.pass > 1);
    await fixture.agrees(other);
    expect(fixture.messages().map(({ id, thread_id }) => ({ id, thread_id }))).toEqual(before);
    expect(fixture.events()).toEqual([]);
  });
});

describe.skipIf(!DOVECOT)("a first sync under way", () => {
  let server: Dovecot;
  let other: ImapFlow;
  let fixture: MailFixture;
  const HISTORY = 1_200;

  beforeAll(async () => {
    server = await startDovecot();
    server.loadMaildir("alice", "Archive", spamAssassin(HISTORY));
    other = await server.connect("alice");
    const config = { "mail.batch_bytes": 64 * 1024 };
    fixture = await createMailFixture({ port: server.imapPort, login: server.logins.alice, config, logLevel: "info" });
  });
  afterAll(async () => {
    await fixture?.close();
    await server?.stop();
  });

  test("reports its progress, takes new mail at once, and completes", async () => {
    fixture.start();
    const early = await eventually(() => fixture.account.sync.done > 0 && fixture.account.sync);
    expect(early).toMatchObject({ phase: "importing", total: HISTORY });
    await server.deliver("alice", mailText({ id: "meanwhile" }));
    await eventually(() => fixture.events("message.received").length === 1, 2_000);
    expect(fixture.account.sync.phase).toBe("importing");
    await fixture.agrees(other, 20_000);
    expect(fixture.messages()).toHaveLength(HISTORY + 1);
    expect(fixture.events("message.received")).toHaveLength(1);
    expect(fixture.account.sync.done).toBe(fixture.account.sync.total);
  });

  test("the log reports the progress, and no word of the mail", () => {
    const lines = fixture.log.map((line) => JSON.parse(line) as { message: string; done?: number; messages?: number });
    const reported = lines.filter(({ message }) => /first sync|complete/.test(message));
    expect(reported.map(({ message, done, messages }) => [message, done ?? messages])).toEqual([
      ["first sync begins", HISTORY],
      ["first sync", expect.any(Number)],
      ["mailbox complete", expect.any(Number)],
    ]);
    expect(fixture.log.join("\n")).not.toContain("meanwhile");
  });
});

describe.skipIf(!DOVECOT)("reconnecting after a long time", () => {
  test("to much new mail: requests for a message are not kept waiting", async () => {
    const server = await startDovecot();
    const config = { "mail.batch_bytes": 16 * 1024 };
    const fixture = await createMailFixture({ port: server.imapPort, login: server.logins.bob, config });
    try {
      const other = await server.connect("bob");
      fixture.start();
      await fixture.agrees(other);
      await fixture.reboot();
      server.loadMaildir("bob", "INBOX", spamAssassin(300));
      fixture.start();
      await eventually(() => fixture.messages().length > 0);
      const seen = await fixture.supervisor.withMailbox(fixture.account.id, PRIORITY.interactive, async (client) => {
        await client.mailboxOpen("Trash");
        return fixture.messages().length;
      });
      expect(seen).toBeLessThan(300);
      await fixture.agrees(other);
      expect(fixture.messages()).toHaveLength(300);
    } finally {
      await fixture.close();
      await server.stop();
    }
  });
});

describe.skipIf(!DOVECOT)("a first sync of sparse folders", () => {
  test("gaps of millions of UIDs cost a few commands", async () => {
    const server = await startDovecot();
    const proxy = await startProxy(server.imapPort);
    const fixture = await createMailFixture({ port: proxy.port, login: server.logins.bob });
    try {
      const other = await server.connect("bob");
      const next = (uid: number) =>
        server.doveadm("mailbox", "update", "--min-next-uid", String(uid), "-u", server.logins.bob.username, "INBOX");
      for (const [i, uid] of [1, 5, 40_000, 1_000_000, 90_000_000, 4_000_000_000].entries()) {
        if (uid > 1) next(uid);
        await other.append(
          "INBOX",
          mailText({ id: `sparse-${i}` }),
          [],
          new Date(Date.parse("2026-01-01") + i * 60_000),
        );
      }
      fixture.start();
      await fixture.agrees(other);
      expect(fixture.messages().map(({ locations }) => locations[0])).toEqual(
        ["4000000000", "90000000", "1000000", "40000", "5", "1"].map((uid) => `INBOX:${uid}`),
      );
      expect(proxy.sent.match(/ UID FETCH /g)!.length).toBeLessThan(40);
    } finally {
      await fixture.close();
      await proxy.close();
      await server.stop();
    }
  });
});
