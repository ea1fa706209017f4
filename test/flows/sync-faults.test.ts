import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startProxy } from "../support/imap-proxy.ts";
import { createMailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(40_000);

/** Returns the same sequence of numbers in every run: 0 <= n < 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.skipIf(!DOVECOT)("a mailbox behind an unreliable connection", () => {
  let server: Dovecot;
  let other: ImapFlow;
  const CUTS = 30;

  beforeAll(async () => {
    server = await startDovecot();
    const corpus = spamAssassin(150);
    server.loadMaildir("alice", "INBOX", corpus.slice(0, 60));
    server.loadMaildir("alice", "Archive", corpus.slice(60, 120));
    server.loadMaildir("alice", "Lists", corpus.slice(120));
    other = await server.connect("alice");
  });
  afterAll(() => server?.stop());

  test("cut after any byte, again and again, it arrives complete and once", async () => {
    const random = dice(20_260_301);
    const proxy = await startProxy(server.imapPort);
    let cuts: number[] = [];
    proxy.cutAfter = () => cuts.shift() ?? null;
    const config = { "mail.batch_bytes": 64 * 1024 };
    const fixture = await createMailFixture({
      port: proxy.port,
      login: server.logins.alice,
      config,
      longest_wait_ms: 20,
    });
    const untilAllAreCut = () =>
      eventually(() => {
        fixture.supervisor.syncNow(fixture.account.id);
        return cuts.length === 0;
      }, 20_000);
    try {
      // Most cuts early, where the dialogue is dense; some deep in the messages.
      cuts = Array.from({ length: CUTS }, () => 1 + Math.floor(random() ** 3 * 100_000));
      fixture.start();
      await untilAllAreCut();
      await fixture.agrees(other, 15_000);
      expect(fixture.messages()).toHaveLength(150);
      expect(fixture.events()).toEqual([]);

      const subjects: string[] = [];
      for (let i = 0; i < 8; i++) {
        subjects.push(`Live ${i}`);
        cuts = Array.from({ length: 4 }, () => 1 + Math.floor(random() * 4_000));
        proxy.cut();
        await server.deliver("alice", mailText({ id: `live-${i}`, subject: `Live ${i}` }));
        await untilAllAreCut();
      }
      await other.mailboxOpen("Lists");
      await other.messageMove("1:10", "Archive");
      await fixture.agrees(other, 15_000);
      expect(fixture.messages()).toHaveLength(158);
      expect(
        fixture
          .events("message.received")
          .map(({ data }) => data.subject)
          .sort(),
      ).toEqual(subjects);
    } finally {
      await fixture.close();
      await proxy.close();
    }
  });

  test("an unreachable server is reported, and the mailbox recovers automatically", async () => {
    const proxy = await startProxy(server.imapPort);
    proxy.accept(false);
    const fixture = await createMailFixture({ port: proxy.port, login: server.logins.bob, longest_wait_ms: 50 });
    try {
      fixture.start();
      await eventually(() => fixture.account.status === "unreachable");
      expect(fixture.account.last_error).toMatch(/connection|closed|answer/);
      proxy.accept(true);
      await eventually(() => fixture.account.status === "active" && fixture.account.sync.phase === "live");
      expect(fixture.account.last_error).toBeNull();
      proxy.accept(false);
      proxy.cut();
      await eventually(() => fixture.account.status === "unreachable");
      await server.deliver("bob", mailText({ id: "while-away" }));
      proxy.accept(true);
      await fixture.agrees(await server.connect("bob"));
      expect(fixture.events("message.received")).toHaveLength(1);
    } finally {
      await fixture.close();
      await proxy.close();
    }
  });

  test("a refused login is reported, not repeated, and ends with the right password", async () => {
    const proxy = await startProxy(server.imapPort);
    const { username, password } = server.logins.carol;
    const fixture = await createMailFixture({ port: proxy.port, login: { username, password: "of last year" } });
    try {
      fixture.start();
      await eventually(() => fixture.account.status === "auth_failed");
      expect(fixture.account.last_error).toContain("refused the username or password");
      fixture.supervisor.reconcile();
      const { imap } = fixture.mailbox.accounts.connection(fixture.account)!;
      expect(proxy.connections).toBe(1);
      fixture.mailbox.accounts.setConnection(fixture.account, { imap, smtp: null, username, password });
      fixture.supervisor.reconcile();
      await fixture.agrees(await server.connect("carol"));
      expect(fixture.account).toMatchObject({ status: "active", last_error: null });
    } finally {
      await fixture.close();
      await proxy.close();
    }
  });
});
