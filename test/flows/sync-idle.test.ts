import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(30_000);

/** Far longer than this test waits, so that only IDLE can notice changes. */
const NEVER_POLLED = { "mail.poll_seconds": 3_600 };

for (const capability of [undefined, "IMAP4rev1 IDLE"]) {
  describe.skipIf(!DOVECOT)(`IDLE of ${capability ?? "a server with QRESYNC"}`, () => {
    let server: Dovecot;
    let other: ImapFlow;
    let fixture: MailFixture;
    const has = (id: string) => fixture.messages().some((message) => message.message_id === `<${id}@flows.test>`);

    const isFirstOld = (message: { message_id: string | null }) => message.message_id === "<old-1@flows.test>";

    beforeAll(async () => {
      server = await startDovecot({ capability });
      const old = ["old-1", "old-2", "old-3"].map((id) => ({ raw: mailText({ id }), flags: "S" }));
      server.loadMaildir("alice", "INBOX", old);
      other = await server.connect("alice");
      fixture = await createMailFixture({ port: server.imapPort, login: server.logins.alice, config: NEVER_POLLED });
      fixture.start();
      await fixture.agrees(other);
    });
    afterAll(async () => {
      await fixture?.close();
      other?.close();
      await server?.stop();
    });

    test("keeps reporting new mail after mail was deleted", async () => {
      await server.deliver("alice", mailText({ id: "first" }));
      await eventually(() => has("first"), 5_000);
      await other.mailboxOpen("INBOX");
      await other.messageDelete("1", { uid: true });
      const gone = () => (fixture.messages().find(isFirstOld)?.locations ?? []).length === 0;
      await eventually(gone, 5_000);
      // As many arrive as were deleted, so that the server announces the same count again.
      for (const id of ["second", "third"]) {
        await server.deliver("alice", mailText({ id }));
        await eventually(() => has(id), 5_000);
      }
      expect(has("old-3")).toBe(true);
    });
  });
}
