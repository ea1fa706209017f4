import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture } from "../support/mail-fixture.ts";
import { mail } from "../support/mirror-fixture.ts";

describe.skipIf(!DOVECOT)("the mail server's marker for important mail", () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterAll(() => dovecot?.stop());

  test("is shown on the thread while any message has it, is announced, and is no label", async () => {
    const other = await dovecot.connect("alice");
    await other.append("INBOX", mail("Contract"));
    await other.append("INBOX", mail("Other"), ["$Important"]);
    const fixture = await createMailFixture({
      port: dovecot.imapPort,
      login: dovecot.logins.alice,
      longest_wait_ms: 100,
      config: { "mail.poll_seconds": 3600 },
    });
    try {
      fixture.start();
      await fixture.agrees(other);
      const scope = { user_id: fixture.user.id, account_id: null };
      const listed = () =>
        Object.fromEntries(
          fixture.mailbox.threadQueries
            .list(scope, { state: "inbox" }, null, 10)
            .map(({ subject, important, labels }) => [subject, [important, labels.length]]),
        );
      const single = () => {
        const { thread_id } = fixture.messages().find(({ subject }) => subject === "Contract")!;
        return fixture.mailbox.threadQueries.get(scope, thread_id).important;
      };
      const becomes = (wanted: boolean) =>
        eventually(() => {
          fixture.supervisor.syncNow(fixture.account.id);
          return single() === wanted;
        }, 10_000);
      const announced = () =>
        fixture.events("thread.updated").filter(({ data }) => (data.changed as string[]).join() === "important").length;
      expect(listed()).toEqual({ Contract: [false, 0], Other: [true, 0] });
      await other.mailboxOpen("INBOX");
      await other.messageFlagsAdd("1", ["$Important"]);
      await becomes(true);
      expect([listed().Contract, announced()]).toEqual([[true, 0], 1]);
      await fixture.reboot();
      fixture.start();
      // An unmarked reply does not change the thread's marker.
      await other.append("INBOX", mail("Re Contract", "In-Reply-To: <Contract@mirror.example>\r\n"));
      await eventually(() => fixture.messages().length === 3, 10_000);
      expect([single(), announced()]).toEqual([true, 1]);
      await other.messageFlagsRemove("1", ["$Important"]);
      await becomes(false);
      expect(announced()).toBe(2);
    } finally {
      await fixture.close();
      other.close();
    }
  }, 60_000);
});
