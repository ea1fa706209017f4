import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
import { createMailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

test("a Message-ID that occurs in two mailboxes and for two people neither joins nor hides messages", async () => {
  const [mine, work, theirs] = [await startScript(), await startScript(), await startScript()];
  const login = { username: "alice@mail.test", password: "any" };
  mine.add("INBOX", { raw: mailText({ id: "shared", subject: "Mine" }) });
  mine.add("INBOX", { raw: mailText({ id: "answer", in_reply_to: "shared", subject: "Re: Mine" }) });
  // The same Message-ID with another text, as anyone who has seen it can send.
  work.add("INBOX", { raw: mailText({ id: "shared", subject: "At work", text: "Another text." }) });
  theirs.add("INBOX", { raw: mailText({ id: "shared", subject: "Theirs", text: "A forged text." }) });
  theirs.add("INBOX", { raw: mailText({ id: "forged", in_reply_to: "answer", subject: "Re: Mine" }) });
  const fixture = await createMailFixture({ port: mine.port, login, longest_wait_ms: 50 });
  try {
    const { accounts, threadQueries } = fixture.mailbox;
    const other = fixture.platform.users.add({
      email: "eve@example.org",
      plan: "pro",
      role: "member",
      timezone: "UTC",
    });
    const connect = (user_id: string, port: number) => {
      const imap = { host: "127.0.0.1", port, security: "none" } as const;
      return accounts.add({
        user_id,
        provider: "imap",
        email: "x@mail.test",
        connection: { imap, smtp: null, ...login },
      });
    };
    const second = connect(fixture.user.id, work.port);
    const foreign = connect(other.id, theirs.port);
    fixture.start();
    await eventually(() =>
      [fixture.account.id, second.id, foreign.id].every((id) => accounts.get(id)?.sync.phase === "live"),
    );
    const subjects = (user_id: string) =>
      threadQueries
        .list({ user_id, account_id: null }, { state: "inbox" }, null, 10)
        .map(({ subject, message_count, account_id }) => [subject, message_count, account_id])
        .sort();
    expect(subjects(fixture.user.id)).toEqual(
      [
        ["At work", 1, second.id],
        ["Mine", 2, fixture.account.id],
      ].sort(),
    );
    expect(subjects(other.id)).toEqual(
      [
        ["Re: Mine", 1, foreign.id],
        ["Theirs", 1, foreign.id],
      ].sort(),
    );
  } finally {
    await fixture.close();
    await Promise.all([mine, work, theirs].map((server) => server.close()));
  }
});
