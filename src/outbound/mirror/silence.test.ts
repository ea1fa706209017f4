import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eventually } from "../../../test/support/eventually.ts";
import { type ScriptServer, startScript } from "../../../test/support/imap-script.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";
import { mailText } from "../../../test/support/mail-text.ts";
import { mirrorOf, runMirror } from "../../../test/support/mirror-fixture.ts";
import { PRIORITY } from "../../inbound/sync/connection-queue.ts";
import type { ThreadChange } from "../../mailbox/changes/changes.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";

/** The command that gets no response, its number among commands of its kind, and whether the server executed it. */
type Case = [name: string, nth: number, done: boolean];

const FLAGS: Case[] = [
  ["SELECT", 1, false],
  ["UID STORE", 1, false],
  ["UID STORE", 2, false],
  ["UID STORE", 3, false],
  ["UID FETCH", 1, false],
  ["SELECT", 2, false],
];
const SERVERS: [kind: string, capabilities: string, cases: Case[]][] = [
  [
    "that moves",
    "IMAP4rev1 AUTH=PLAIN IDLE NAMESPACE UIDPLUS MOVE",
    [...FLAGS, ["UID MOVE", 1, false], ["UID MOVE", 1, true]],
  ],
  [
    "that copies and expunges",
    "IMAP4rev1 AUTH=PLAIN IDLE NAMESPACE UIDPLUS",
    [
      ["UID COPY", 1, false],
      ["UID COPY", 1, true],
      ["UID STORE", 3, false],
      ["UID EXPUNGE", 1, false],
      ["UID EXPUNGE", 1, true],
    ],
  ],
];

describe.each(SERVERS)("a server %s and falls silent in the middle of mirroring", (_kind, capabilities, cases) => {
  let server: ScriptServer;
  let fixture: MailFixture;
  beforeEach(async () => {
    server = await startScript({ capabilities: capabilities.split(" ") });
    server.addFolder("INBOX");
    server.addFolder("Archive", ["\\Archive"]);
    server.addFolder("Trash", ["\\Trash"]);
    server.add("INBOX", { raw: mailText({ id: "quiet", subject: "Quiet" }) });
    fixture = await createMailFixture({
      port: server.port,
      login: { username: "alice@mail.test", password: "any" },
      longest_wait_ms: 20,
      config: { "mail.poll_seconds": 3600 },
      connect: { socketTimeoutMs: 120 },
    });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live");
  });
  afterEach(async () => {
    await fixture.close();
    await server.close();
  });

  const pending = () =>
    fixture.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM pending_changes").get()!.n;

  test("is abandoned for a new connection, whichever command is unanswered; nothing is lost or done twice", async () => {
    const mirror = mirrorOf(fixture);
    const id = fixture.messages()[0]!.id;
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    for (const [turn, [name, nth, done]] of cases.entries()) {
      const [state, here, there] =
        turn % 2 === 0 ? (["archived", "Archive", "INBOX"] as const) : (["inbox", "INBOX", "Archive"] as const);
      const [read, starred] = [turn % 2 === 0, turn % 3 === 0];
      const wish: ThreadChange = { state, read, starred, add_labels: [`Turn ${turn}`] };
      fixture.mailbox.changes.update(by, fixture.messages()[0]!.thread_id, wish);
      // Once the connection is free, sync has nothing more to do.
      await fixture.supervisor.withMailbox(fixture.account.id, PRIORITY.backfill, async () => {});
      let count = 0;
      server.answer = (command) => {
        if (command.name !== name || ++count !== nth) return null;
        const { folder, args } = command;
        const uids = [Number.parseInt(args, 10)];
        if (done && name === "UID EXPUNGE") server.expunge(folder!, args);
        else if (done) (name === "UID MOVE" ? server.move : server.copy)(folder!, uids, server.folder(here));
        return "";
      };
      const began = performance.now();
      expect((await runMirror(fixture, mirror)).outcome).toBe("retry");
      expect(performance.now() - began).toBeLessThan(3_000);
      expect(count).toBe(nth);
      server.answer = () => null;
      await eventually(async () => {
        await runMirror(fixture, mirror);
        fixture.supervisor.syncNow(fixture.account.id);
        return pending() === 0 && fixture.messages()[0]!.locations.length === 1;
      });
      expect(fixture.messages()).toHaveLength(1);
      const [message] = fixture.messages();
      expect(message).toMatchObject({ id, unread: !read, starred });
      expect(message!.labels).toHaveLength(turn + 1);
      expect(message!.locations[0]).toStartWith(`${here}:`);
      expect(server.folder(here).messages).toHaveLength(1);
      expect(server.folder(there).messages).toHaveLength(0);
    }
    expect(fixture.events("message.received")).toEqual([]);
  }, 60_000);
});
