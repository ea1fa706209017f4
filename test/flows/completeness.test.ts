import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { CompletenessCheck } from "../../src/inbound/completeness.ts";
import { CompletenessStore, completenessSentence } from "../../src/mailbox/completeness.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../dovecot.ts";
import { eventually } from "../eventually.ts";
import { type ScriptServer, startScript } from "../imap-script.ts";
import { mailText } from "../mail-text.ts";
import { createMailWorld, type MailWorld } from "../mail-world.ts";

setDefaultTimeout(30_000);

const checkOf = (world: MailWorld) => {
  const store = new CompletenessStore(world.platform, world.mailbox.folders);
  const check = new CompletenessCheck({
    sync: world.room.parts,
    store,
    withMailbox: (account_id, priority, task) => world.room.withMailbox(account_id, priority, task),
  });
  return { store, check, found: () => store.of(world.account) };
};

const SERVERS = [
  { name: "with ESEARCH", capability: undefined },
  { name: "without any extension", capability: "IMAP4rev1" },
];

for (const { name, capability } of SERVERS) {
  describe.skipIf(!DOVECOT)(`comparing a mailbox with its server, ${name}`, () => {
    let server: Dovecot;
    let other: ImapFlow;
    let world: MailWorld;
    const COUNT = 40;
    const folderId = (path: string) =>
      world.mailbox.folders.list(world.account).find((folder) => folder.path === path)!.id;
    const inbox = () =>
      checkOf(world)
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
      world = await createMailWorld({ port: server.imapPort, login: server.logins.alice });
      world.start();
      await world.agrees(other);
    });
    afterAll(async () => {
      await world?.close();
      await server?.stop();
    });

    test("before the first comparison nothing is claimed", () => {
      const found = checkOf(world).found();
      expect(found).toMatchObject({ complete: null, verified_at: null, folders: [] });
      expect(completenessSentence(found, 0)).toBe("The mailbox has not been compared with its server yet.");
      expect(checkOf(world).store.due(world.platform.clock.now() - 1, 0)).toEqual([world.account.id]);
    });

    test("all of it is here", async () => {
      const { check, found, store } = checkOf(world);
      await check.check(world.account);
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
      expect(store.due(world.platform.clock.now() - 1_000, world.platform.clock.now() + 1_000)).toEqual([]);
      expect(store.due(world.platform.clock.now() + 1_000, 0)).toEqual([world.account.id]);
    });

    test("what was lost here is found missing, fetched, and compared again", async () => {
      const { check, found } = checkOf(world);
      const { sql } = world.platform.db;
      const gone = sql
        .query<{ message_id: string }, [string]>(
          "DELETE FROM locations WHERE folder_id = ? AND uid IN (1, 15, 40) RETURNING message_id",
        )
        .all(folderId("INBOX"));
      for (const { message_id } of gone) sql.query("DELETE FROM messages WHERE id = ?").run(message_id);
      await check.check(world.account);
      expect(inbox()).toMatchObject({ server: COUNT - 7, here: COUNT - 7, missing: 0 });
      expect(found().complete).toBe(true);
      await world.agrees(other);
    });

    test("what is here and not there any more is given up", async () => {
      const { check } = checkOf(world);
      const { sql } = world.platform.db;
      sql
        .query(
          "INSERT INTO locations (folder_id, uid, message_id, flags_hash) SELECT folder_id, 9, message_id, 0 FROM locations WHERE folder_id = ? AND uid = 1",
        )
        .run(folderId("INBOX"));
      await check.check(world.account);
      expect(inbox()).toMatchObject({ here: COUNT - 7, extra: 0 });
    });

    test("a server that is away is noted, and the last result stays", async () => {
      const { check, found, store } = checkOf(world);
      const before = found();
      await world.room.stop();
      await check.check(world.account);
      expect(found()).toMatchObject({
        complete: true,
        verified_at: before.verified_at,
        error: expect.stringContaining("cannot be reached"),
      });
      expect(store.triedAt(world.account.id)).toBeGreaterThanOrEqual(before.verified_at!);
      // It is tried again sooner than daily.
      expect(store.due(0, world.platform.clock.now() + 1_000)).toEqual([world.account.id]);
    });
  });
}

describe("a server that does not show all it has", () => {
  let script: ScriptServer;
  let world: MailWorld;
  beforeAll(async () => {
    script = await startScript();
    script.addFolder("Shut");
    for (const id of ["a", "b", "c"]) script.add("INBOX", { raw: mailText({ id }) });
    script.add("Shut", { raw: mailText({ id: "d" }) });
    world = await createMailWorld({ port: script.port, login: { username: "alice", password: "secret" } });
    world.start();
    await eventually(() => world.account.sync.phase === "live", 20_000);
  });
  afterAll(async () => {
    await world?.close();
    await script?.close();
  });

  test("a folder that it refuses, and messages that it counts but does not list, are told", async () => {
    const { check, found } = checkOf(world);
    await check.check(world.account);
    expect(found().complete).toBe(true);
    script.answer = ({ tag, name, args, folder }) => {
      if (name === "EXAMINE" && args.includes("Shut")) return `${tag} NO [NOPERM] Not yours\r\n`;
      if (name === "UID SEARCH" && folder?.path === "INBOX") return `* SEARCH 1 2\r\n${tag} OK done\r\n`;
      return null;
    };
    await check.check(world.account);
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
