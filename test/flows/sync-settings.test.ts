import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import type { NewAccount } from "../../src/mailbox/accounts/accounts.ts";
import { DOVECOT, type Dovecot, startDovecot, type TestUser } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startProxy } from "../support/imap-proxy.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

describe.skipIf(!DOVECOT)("account settings", () => {
  let server: Dovecot;
  beforeAll(async () => {
    server = await startDovecot();
  });
  afterAll(() => server?.stop());

  async function inFixture(
    user: TestUser,
    account: Partial<NewAccount>,
    body: (fixture: MailFixture, other: ImapFlow) => Promise<void>,
  ): Promise<void> {
    const fixture = await createMailFixture({ port: server.imapPort, login: server.logins[user], account });
    try {
      await body(fixture, await server.connect(user));
    } finally {
      await fixture.close();
    }
  }

  test("an excluded folder is never read; excluding one later removes its mail, and including it again restores the mail", async () => {
    server.loadMaildir("alice", "Private", [{ raw: mailText({ id: "private-1" }) }]);
    server.loadMaildir("alice", "INBOX", [{ raw: mailText({ id: "open-1" }) }]);
    await inFixture("alice", { exclude: ["Private"] }, async (fixture, other) => {
      const ids = () => fixture.messages().map(({ message_id }) => message_id);
      const setExclude = (exclude: string[]) => {
        const { email, aliases } = fixture.account;
        fixture.mailbox.accounts.setProfile(fixture.account, { email, aliases, exclude });
      };
      fixture.start();
      await fixture.agrees(other);
      expect(ids()).toEqual(["<open-1@flows.test>"]);
      setExclude([]);
      await fixture.agrees(other);
      expect(ids()).toEqual(["<open-1@flows.test>", "<private-1@flows.test>"]);
      setExclude(["Private"]);
      await fixture.agrees(other);
      expect(ids()).toEqual(["<open-1@flows.test>"]);
      expect(fixture.events("message.received")).toEqual([]);
    });
  });

  test("with on_server_delete = keep, mail that is deleted on the server stays here, and its thread keeps its state", async () => {
    server.loadMaildir("bob", "INBOX", [{ raw: mailText({ id: "kept-1" }) }, { raw: mailText({ id: "kept-2" }) }]);
    await inFixture("bob", { on_server_delete: "keep" }, async (fixture, other) => {
      fixture.start();
      await fixture.agrees(other);
      await other.mailboxOpen("INBOX");
      await other.messageDelete("1");
      await fixture.agrees(other);
      const pass = fixture.account.pass;
      await eventually(async () => {
        fixture.supervisor.syncNow(fixture.account.id);
        return fixture.account.pass > pass + 3;
      });
      expect(fixture.messages().map(({ message_id, locations }) => [message_id, locations])).toEqual([
        ["<kept-2@flows.test>", ["INBOX:2"]],
        ["<kept-1@flows.test>", []],
      ]);
      const states = fixture.platform.db.sql.query<{ state: string }, []>("SELECT state FROM threads").all();
      expect(states).toEqual([{ state: "inbox" }, { state: "inbox" }]);
    });
  });

  test("reading never writes to a server", async () => {
    server.loadMaildir("carol", "INBOX", [{ raw: mailText({ id: "unseen-1" }) }]);
    const proxy = await startProxy(server.imapPort);
    const fixture = await createMailFixture({
      port: proxy.port,
      login: server.logins.carol,
      account: { read_only: true },
    });
    try {
      fixture.start();
      await fixture.agrees(await server.connect("carol"));
      expect(fixture.messages()[0]!.unread).toBe(true);
      expect(proxy.sent).not.toMatch(/ (SELECT|STORE|APPEND|EXPUNGE|MOVE|COPY|CREATE|DELETE|RENAME|SUBSCRIBE) /);
      expect(proxy.sent).not.toMatch(/ BODY\[/);
    } finally {
      await fixture.close();
      await proxy.close();
    }
  });
});

describe.skipIf(!DOVECOT)("a message of 20 MB", () => {
  test("arrives with its text and the names of its attachments, which stay on the server", async () => {
    const server = await startDovecot();
    const proxy = await startProxy(server.imapPort);
    const fixture = await createMailFixture({ port: proxy.port, login: server.logins.alice });
    try {
      server.loadMaildir("alice", "INBOX", [{ raw: bigMessage(20_000_000) }]);
      fixture.start();
      await fixture.agrees(await server.connect("alice"));
      expect(proxy.bytesDown).toBeLessThan(64 * 1024);
      const scope = { user_id: fixture.user.id, account_id: null };
      const message = fixture.mailbox.messageQueries.get(scope, fixture.messages()[0]!.id);
      expect(message).toMatchObject({ body_text: "Both plans are attached." });
      expect(message.attachments.map(({ name }) => name)).toEqual(["ground.pdf", "roof.pdf"]);
    } finally {
      await fixture.close();
      await proxy.close();
      await server.stop();
    }
  });
});

function bigMessage(bytes: number): string {
  const line = `${"QUJD".repeat(19)}\r\n`;
  const attachment = (name: string, size: number) =>
    [
      "--cut",
      `Content-Type: application/pdf; name="${name}"`,
      "Content-Transfer-Encoding: base64",
      `Content-Disposition: attachment; filename="${name}"`,
      "",
      line.repeat(Math.ceil(size / line.length)),
    ].join("\r\n");
  return [
    "From: Bea <bea@example.net>",
    "To: alice@mail.test",
    "Subject: The plans",
    "Message-ID: <big@flows.test>",
    "Date: Mon, 5 Jan 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="cut"',
    "",
    "--cut",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Both plans are attached.",
    attachment("ground.pdf", bytes / 2),
    attachment("roof.pdf", bytes / 2),
    "--cut--",
    "",
  ].join("\r\n");
}
