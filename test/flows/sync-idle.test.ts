import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { Watcher } from "../../src/inbound/sync/watch.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
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

describe("a connection for IDLE that opens while history is being read", () => {
  /** A first sync whose messages have been fetched, and are read only after `fetched` and the first IDLE. */
  async function firstSync(fetched: (add: (id: string) => void) => void) {
    const script = await startScript({ capabilities: ["IMAP4rev1", "IDLE", "ENABLE", "CONDSTORE"] });
    const add = (id: string) => script.add("INBOX", { raw: mailText({ id }) });
    for (const id of ["old-1", "old-2", "old-3"]) add(id);
    const login = { username: "alice@mail.test", password: "any" };
    const f = await createMailFixture({ port: script.port, login, config: NEVER_POLLED });
    let first = true;
    const watcher = new Watcher(
      {
        ...f.supervisor.parts,
        readAside: async (list) => {
          if (list.length > 0 && first) {
            first = false;
            fetched(add);
            await eventually(() => script.commands.includes("IDLE"), 10_000);
          }
          return readOnThisThread(list);
        },
      },
      f.account.id,
      { ca: null },
    );
    watcher.start();
    return {
      f,
      fetches: () => script.commands.filter((line) => line.includes("BODY.PEEK")),
      stop: async () => {
        await watcher.stop();
        await f.close();
        await script.close();
      },
    };
  }

  test("does not interrupt it, so nothing is fetched twice", async () => {
    const { f, fetches, stop } = await firstSync(() => {});
    try {
      await eventually(() => f.account.sync.phase === "live", 10_000);
      expect(f.messages()).toHaveLength(3);
      expect(fetches()).toHaveLength(1);
    } finally {
      await stop();
    }
  });

  test("reports mail that arrived before it listened", async () => {
    const { f, stop } = await firstSync((add) => add("new"));
    try {
      await eventually(() => f.messages().length === 4, 10_000);
    } finally {
      await stop();
    }
  });
});
