import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startProxy } from "../support/imap-proxy.ts";
import { createMailWorld, type MailWorld } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(30_000);

describe.skipIf(!DOVECOT)("the first sync", () => {
  let server: Dovecot;
  let other: ImapFlow;
  let world: MailWorld;
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
    world = await createMailWorld({ port: server.imapPort, login: server.logins.alice });
  });
  afterAll(async () => {
    await world?.close();
    await server?.stop();
  });

  test("500 messages over several folders arrive once each, with their flags, and none is announced", async () => {
    world.start();
    await world.agrees(other, 15_000);
    expect(world.messages()).toHaveLength(500);
    expect(world.account).toMatchObject({ status: "active", sync: { phase: "live", done: 500, total: 500 } });
    expect(world.events()).toEqual([]);
    const roles = new Map(world.mailbox.folders.list(world.account).map((folder) => [folder.path, folder.role]));
    expect(Object.fromEntries(roles)).toMatchObject({
      INBOX: "inbox",
      Archive: "archive",
      "Lists/Bun": "other",
      Junk: "spam",
      Sent: "sent",
    });
    expect(world.log).toEqual([]);
  });

  test("the newest of a folder came first", () => {
    for (const folder of FOLDERS) {
      const uids = world.messages().flatMap(({ places }) => places.filter((place) => place.startsWith(`${folder}:`)));
      const order = uids.map((place) => Number(place.slice(folder.length + 1)));
      expect(order).toEqual(order.toSorted((a, b) => b - a));
    }
  });

  test("the counts of the threads add up", () => {
    const sum = world.platform.db.sql.query<{ c: number }, []>("SELECT sum(message_count) AS c FROM threads").get()!;
    expect(sum.c).toBe(500);
  });

  test("a second start reads nothing again and announces nothing", async () => {
    const before = world.messages().map(({ id, thread_id }) => ({ id, thread_id }));
    await world.reboot();
    world.start();
    await eventually(() => world.account.pass > 1);
    await world.agrees(other);
    expect(world.messages().map(({ id, thread_id }) => ({ id, thread_id }))).toEqual(before);
    expect(world.events()).toEqual([]);
  });
});

describe.skipIf(!DOVECOT)("a first sync under way", () => {
  let server: Dovecot;
  let other: ImapFlow;
  let world: MailWorld;
  const HISTORY = 1_200;

  beforeAll(async () => {
    server = await startDovecot();
    server.loadMaildir("alice", "Archive", spamAssassin(HISTORY));
    other = await server.connect("alice");
    const config = { "mail.batch_bytes": 64 * 1024 };
    world = await createMailWorld({ port: server.imapPort, login: server.logins.alice, config, log_level: "info" });
  });
  afterAll(async () => {
    await world?.close();
    await server?.stop();
  });

  test("shows how far it is, takes new mail at once, and reaches the end", async () => {
    world.start();
    const early = await eventually(() => world.account.sync.done > 0 && world.account.sync);
    expect(early).toMatchObject({ phase: "importing", total: HISTORY });
    await server.deliver("alice", mailText({ id: "meanwhile" }));
    await eventually(() => world.events("message.received").length === 1, 2_000);
    expect(world.account.sync.phase).toBe("importing");
    await world.agrees(other, 20_000);
    expect(world.messages()).toHaveLength(HISTORY + 1);
    expect(world.events("message.received")).toHaveLength(1);
    expect(world.account.sync.done).toBe(world.account.sync.total);
  });

  test("the log told how far it was, and no word of the mail", () => {
    const lines = world.log.map((line) => JSON.parse(line) as { message: string; done?: number; messages?: number });
    const told = lines.filter(({ message }) => /first sync|complete/.test(message));
    expect(told.map(({ message, done, messages }) => [message, done ?? messages])).toEqual([
      ["first sync begins", HISTORY],
      ["first sync", expect.any(Number)],
      ["mailbox complete", expect.any(Number)],
    ]);
    expect(world.log.join("\n")).not.toContain("meanwhile");
  });
});

describe.skipIf(!DOVECOT)("coming back after a long time", () => {
  test("to much new mail: whoever asks for a message meanwhile is not kept waiting", async () => {
    const server = await startDovecot();
    const config = { "mail.batch_bytes": 16 * 1024 };
    const world = await createMailWorld({ port: server.imapPort, login: server.logins.bob, config });
    try {
      const other = await server.connect("bob");
      world.start();
      await world.agrees(other);
      await world.reboot();
      server.loadMaildir("bob", "INBOX", spamAssassin(300));
      world.start();
      await eventually(() => world.messages().length > 0);
      const seen = await world.room.withMailbox(world.account.id, PRIORITY.interactive, async (client) => {
        await client.mailboxOpen("Trash");
        return world.messages().length;
      });
      expect(seen).toBeLessThan(300);
      await world.agrees(other);
      expect(world.messages()).toHaveLength(300);
    } finally {
      await world.close();
      await server.stop();
    }
  });
});

describe.skipIf(!DOVECOT)("a first sync of sparse folders", () => {
  test("gaps of millions of UIDs cost a few commands", async () => {
    const server = await startDovecot();
    const proxy = await startProxy(server.imapPort);
    const world = await createMailWorld({ port: proxy.port, login: server.logins.bob });
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
      world.start();
      await world.agrees(other);
      expect(world.messages().map(({ places }) => places[0])).toEqual(
        ["4000000000", "90000000", "1000000", "40000", "5", "1"].map((uid) => `INBOX:${uid}`),
      );
      expect(proxy.sent.match(/ UID FETCH /g)!.length).toBeLessThan(40);
    } finally {
      await world.close();
      await proxy.close();
      await server.stop();
    }
  });
});
