import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { CompletenessCheck } from "../../src/inbound/sync/completeness.ts";
import { CompletenessStore, completenessSentence } from "../../src/mailbox/accounts/completeness.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type ScriptServer, startScript } from "../support/imap-script.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(30_000);

const checkOf = (fixture: MailFixture) => {
  const store = new CompletenessStore(fixture.platform, fixture.mailbox.folders);
  const check = new CompletenessCheck({
    sync: fixture.supervisor.parts,
    store,
    withMailbox: (account_id, priority, task) => fixture.supervisor.withMailbox(account_id, priority, task),
  });
  return { store, check, found: () => store.of(fixture.account) };
};

const SERVERS = [
  { name: "with ESEARCH", capability: undefined },
  { name: "without any extension", capability: "IMAP4rev1" },
];

for (const { name, capability } of SERVERS) {
  describe.skipIf(!DOVECOT)(`comparing a mailbox with its server, ${name}`, () => {
    let server: Dovecot;
    let other: ImapFlow;
    let fixture: MailFixture;
    const COUNT = 40;
    const folderId = (path: string) =>
      fixture.mailbox.folders.list(fixture.account).find((folder) => folder.path === path)!.id;
    const inbox = () =>
      checkOf(fixture)
        .found()
        .folders.find(({ path }) => path === "INBOX");

    beforeAll(async () => {
      server = await startDovecot({ capability });
      server.loadMaildir(
        "alice",
        "INBOX",
        Array.from({ length: COUNT }, (_, i) => ({ raw: mailText({ id: `m${i}` }) })),
      );
      server.loadMaildir("alice", "Projects", [{ raw: mailText({ id: "p1" }) }]);
      other = await server.connect("alice");
      // Gaps in the UIDs.
      await other.mailboxOpen("INBOX");
      await other.messageDelete("3,7:11,20", { uid: true });
      await other.mailboxClose();
      fixture = await createMailFixture({ port: server.imapPort, login: server.logins.alice });
      fixture.start();
      await fixture.agrees(other);
    });
    afterAll(async () => {
      await fixture?.close();
      await server?.stop();
    });

    test("before the first comparison the status is unknown", () => {
      const found = checkOf(fixture).found();
      expect(found).toMatchObject({ complete: null, verified_at: null, folders: [] });
      expect(completenessSentence(found, 0)).toBe("The mailbox has not been compared with its server yet.");
      expect(checkOf(fixture).store.due(fixture.platform.clock.now() - 1, 0)).toEqual([fixture.account.id]);
    });

    test("the mailbox is complete", async () => {
      const { check, found, store } = checkOf(fixture);
      await check.check(fixture.account);
      expect(found()).toMatchObject({
        complete: true,
        total: { server: COUNT - 6, here: COUNT - 6, missing: 0, extra: 0 },
        unchecked: 0,
        error: null,
      });
      expect(inbox()).toMatchObject({ server: COUNT - 7, here: COUNT - 7, missing: 0, extra: 0, refused: false });
      expect(completenessSentence(found(), found().verified_at! + 185_000)).toBe(
        "34 of 34 messages are here, verified 3 minutes ago.",
      );
      expect(store.due(fixture.platform.clock.now() - 1_000, fixture.platform.clock.now() + 1_000)).toEqual([]);
      expect(store.due(fixture.platform.clock.now() + 1_000, 0)).toEqual([fixture.account.id]);
    });

    test("a message that was lost here is detected, fetched, and compared again", async () => {
      const { check, found } = checkOf(fixture);
      const { sql } = fixture.platform.db;
      const gone = sql
        .query<{ message_id: string }, [string]>(
          "DELETE FROM locations WHERE folder_id = ? AND uid IN (1, 15, 40) RETURNING message_id",
        )
        .all(folderId("INBOX"));
      for (const { message_id } of gone) sql.query("DELETE FROM messages WHERE id = ?").run(message_id);
      await check.check(fixture.account);
      expect(inbox()).toMatchObject({ server: COUNT - 7, here: COUNT - 7, missing: 0 });
      expect(found().complete).toBe(true);
      await fixture.agrees(other);
    });

    test("a message that is here and no longer on the server is removed", async () => {
      const { check } = checkOf(fixture);
      const { sql } = fixture.platform.db;
      sql
        .query(
          "INSERT INTO locations (folder_id, uid, message_id, flags_hash) SELECT folder_id, 9, message_id, 0 FROM locations WHERE folder_id = ? AND uid = 1",
        )
        .run(folderId("INBOX"));
      await check.check(fixture.account);
      expect(inbox()).toMatchObject({ here: COUNT - 7, extra: 0 });
    });

    test("an unreachable server is recorded, and the last result stays", async () => {
      const { check, found, store } = checkOf(fixture);
      const before = found();
      await fixture.supervisor.stop();
      await check.check(fixture.account);
      expect(found()).toMatchObject({
        complete: true,
        verified_at: before.verified_at,
        error: expect.stringContaining("cannot be reached"),
      });
      expect(store.triedAt(fixture.account.id)).toBeGreaterThanOrEqual(before.verified_at!);
      // Retried sooner than daily.
      expect(store.due(0, fixture.platform.clock.now() + 1_000)).toEqual([fixture.account.id]);
    });
  });
}

describe("a server that does not show all its mail", () => {
  let script: ScriptServer;
  let fixture: MailFixture;
  beforeAll(async () => {
    script = await startScript();
    script.addFolder("Shut");
    for (const id of ["a", "b", "c"]) script.add("INBOX", { raw: mailText({ id }) });
    script.add("Shut", { raw: mailText({ id: "d" }) });
    fixture = await createMailFixture({ port: script.port, login: { username: "alice", password: "secret" } });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live", 20_000);
  });
  afterAll(async () => {
    await fixture?.close();
    await script?.close();
  });

  test("a folder that it refuses, and messages that it counts but does not list, are reported", async () => {
    const { check, found } = checkOf(fixture);
    await check.check(fixture.account);
    expect(found().complete).toBe(true);
    script.answer = ({ tag, name, args, folder }) => {
      if (name === "EXAMINE" && args.includes("Shut")) return `${tag} NO [NOPERM] Not yours\r\n`;
      if (name === "UID SEARCH" && folder?.path === "INBOX") return `* SEARCH 1 2\r\n${tag} OK done\r\n`;
      return null;
    };
    await check.check(fixture.account);
    expect(found()).toMatchObject({ complete: false, error: null });
    expect(found().folders).toMatchObject([
      { path: "INBOX", server: 3, missing: 1, refused: false },
      { path: "Shut", refused: true },
    ]);
    const words = completenessSentence(found(), found().verified_at!);
    expect(words).toContain("verified just now: 1 are not here yet");
    expect(words).toContain("the server denies access to Shut");
  });
});
