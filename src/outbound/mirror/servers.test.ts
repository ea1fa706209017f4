import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImapFlow } from "imapflow";
import { DOVECOT, type Dovecot, type DovecotOptions, startDovecot } from "../../../test/support/dovecot.ts";
import { type Fixture, type MirrorFixtureOptions, mail, openFixture } from "../../../test/support/mirror-fixture.ts";

const BASICS = "IMAP4rev1 ENABLE IDLE NAMESPACE SPECIAL-USE";

const count = (text: string, what: RegExp) => [...text.matchAll(what)].length;

describe.skipIf(!DOVECOT)("servers with missing features or permissions", () => {
  let dovecot: Dovecot;
  let s: Fixture;
  afterEach(async () => {
    await s.close();
    await dovecot.stop();
  });
  const open = async (
    options: DovecotOptions,
    subjects: string[],
    prepare: (dovecot: Dovecot) => void | Promise<void> = () => {},
    fixtureOptions: MirrorFixtureOptions = {},
  ) => {
    dovecot = await startDovecot(options);
    await prepare(dovecot);
    s = await openFixture(dovecot, subjects, { keep: true, ...fixtureOptions });
  };
  const refusals = () =>
    s.fixture.platform.audit.list(s.fixture.user.id, { limit: 50, action: "thread.update.refused" });

  test("500 messages take a handful of commands", async () => {
    const subjects = Array.from({ length: 500 }, (_, i) => `Many ${i}`);
    await open({}, [], (server) => {
      server.loadMaildir(
        "alice",
        "INBOX",
        subjects.map((subject) => ({ raw: mail(subject) })),
      );
    });
    s.fixture.platform.db.write(() => {
      for (const subject of subjects)
        s.change(subject, { read: true, starred: true, state: "archived", add_labels: ["Bulk"] });
    });
    const before = s.proxy.sent.length;
    const began = performance.now();
    expect(await s.replay()).toEqual({ outcome: "done" });
    const tookMs = performance.now() - began;
    const sent = s.proxy.sent.slice(before);
    // Three flags and a move. Changes of another millisecond may be in a second batch.
    expect(count(sent, /UID STORE/g)).toBeLessThanOrEqual(6);
    expect(count(sent, /UID MOVE/g)).toBeLessThanOrEqual(2);
    expect(count(sent, /\r\n/g)).toBeLessThan(40);
    expect(s.pending()).toBe(0);
    expect((await s.onServer("Archive")).size).toBe(500);
    expect(tookMs).toBeLessThan(5_000);
  }, 30_000);

  test("without MOVE, messages are copied and then removed", async () => {
    await open({ capability: `${BASICS} UIDPLUS CONDSTORE` }, ["Copy", "Stay"]);
    s.change("Copy", { state: "archived", starred: true });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Stay"]);
    expect([...(await s.onServer("Archive")).get("Copy")!]).toContain("\\Flagged");
    expect(s.pending()).toBe(0);
    await s.fixture.agrees(s.other);
    expect(s.fixture.messages()).toHaveLength(2);
  });

  for (const [capability, name] of [
    [`${BASICS} UIDPLUS CONDSTORE`, "without MOVE"],
    [BASICS, "without MOVE and UIDPLUS"],
  ] as const) {
    test(`${name}, a process that dies between the copy and the removal does not copy again`, async () => {
      await open({ capability }, ["Heard", "Unheard"]);
      // The response to the first copy was received, that to the second was not.
      for (const [subject, last] of [
        ["Heard", { before: "UID STORE" }],
        ["Unheard", { after: "UID COPY" }],
      ] as const) {
        s.change(subject, { state: "archived" });
        await s.run(s.mirrorWith((client) => dieAt(client, last)));
        expect([...(await s.onServer("INBOX")).keys(), ...(await s.onServer("Archive")).keys()]).toContain(subject);
        // Another mirror, as in another process, reads the journal.
        await s.replayed();
      }
      expect(await s.other.status("Archive", { messages: true })).toMatchObject({ messages: 2 });
      expect(await s.other.status("INBOX", { messages: true })).toMatchObject({ messages: 0 });
      await s.fixture.agrees(s.other);
      expect(s.fixture.messages()).toHaveLength(2);
    });
  }

  test("without MOVE, a copy made before the process died and deleted there since is made again, not lost", async () => {
    await open({ capability: `${BASICS} UIDPLUS CONDSTORE` }, ["Twice"]);
    s.change("Twice", { state: "archived" });
    await s.run(s.mirrorWith((client) => dieAt(client, { before: "UID STORE" })));
    await s.other.mailboxOpen("Archive");
    await s.other.messageDelete("1:*", { uid: true });
    await s.other.mailboxClose();
    await s.replayed();
    expect([...(await s.onServer("INBOX")).keys()]).toEqual([]);
    expect([...(await s.onServer("Archive")).keys()]).toEqual(["Twice"]);
    await s.fixture.agrees(s.other);
    expect(s.thread("Twice").state).toBe("archived");
  });

  test("without UIDPLUS, a message that another program marked as deleted is not lost when moved here", async () => {
    await open({ capability: BASICS }, ["Marked"]);
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["\\Deleted"], { uid: true });
    s.change("Marked", { state: "archived" });
    await s.replayed();
    const archive = await s.onServer("Archive");
    expect([...archive.keys()]).toEqual(["Marked"]);
    expect([...archive.get("Marked")!]).not.toContain("\\Deleted");
  });

  test("without UIDPLUS, a message trashed and restored here can be trashed again and is not lost", async () => {
    await open({ capability: BASICS }, ["Ours", "Theirs"]);
    await s.other.mailboxOpen("INBOX");
    const theirs = (await s.other.search({ header: { subject: "Theirs" } }, { uid: true })) || [];
    await s.other.messageFlagsAdd(theirs, ["\\Deleted"], { uid: true });
    s.change("Ours", { state: "trash" });
    await s.replay();
    s.change("Ours", { state: "inbox" });
    await s.replay();
    expect([...(await s.onServer("INBOX")).get("Ours")!]).not.toContain("\\Deleted");
    // Another program empties the trash.
    await s.other.mailboxOpen("Trash");
    await s.other.messageDelete("1:*", { uid: true });
    s.change("Ours", { state: "archived" });
    await s.replay();
    expect([...(await s.onServer("Archive")).keys()]).toEqual(["Ours"]);
  });

  test("without MOVE, flags set between the copy and the next attempt are set on the copy", async () => {
    await open({ capability: `${BASICS} UIDPLUS CONDSTORE` }, ["Star"]);
    s.change("Star", { state: "archived" });
    await s.run(s.mirrorWith((client) => dieAt(client, { before: "UID STORE" })));
    s.change("Star", { starred: true });
    await s.replayed();
    const archive = await s.onServer("Archive");
    expect([...archive.keys()]).toEqual(["Star"]);
    expect([...archive.get("Star")!]).toContain("\\Flagged");
    await s.fixture.agrees(s.other);
    expect(s.thread("Star")).toMatchObject({ starred: true, state: "archived" });
  });

  test("without UIDPLUS, other programs' deleted mail is not expunged with ours", async () => {
    await open({ capability: BASICS }, ["Ours", "Theirs"]);
    await s.other.mailboxOpen("INBOX");
    const theirs = (await s.other.search({ header: { subject: "Theirs" } }, { uid: true })) || [];
    await s.other.messageFlagsAdd(theirs, ["\\Deleted"], { uid: true });
    s.change("Ours", { state: "trash" });
    await s.replay();
    expect([...(await s.onServer("Trash")).keys()]).toEqual(["Ours"]);
    const inbox = await s.onServer("INBOX");
    expect([...inbox.keys()].sort()).toEqual(["Ours", "Theirs"]);
    expect([...inbox.get("Ours")!]).toContain("\\Deleted");
    expect(s.thread("Ours").state).toBe("trash");
    // It is not copied again each time, and the move ends when the other program expunges.
    await s.replay();
    expect(await s.other.status("Trash", { messages: true })).toMatchObject({ messages: 1 });
    await s.other.mailboxOpen("INBOX");
    await s.other.messageDelete("1:*", { uid: true });
    await s.replayed();
    expect(s.thread("Ours").state).toBe("trash");
  });

  test("without UIDPLUS, and nothing else deleted, the source is expunged", async () => {
    await open({ capability: BASICS }, ["Alone", "Kept"]);
    s.change("Alone", { state: "trash" });
    await s.replayed();
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Kept"]);
    expect([...(await s.onServer("Trash")).keys()]).toEqual(["Alone"]);
  });

  test("if a server reports no new UIDs, the state is kept until sync has found the message", async () => {
    await open({}, ["Silent"]);
    const mirror = s.mirrorWith(hideCopyUid);
    s.change("Silent", { state: "archived" });
    expect((await s.run(mirror)).outcome).toBe("retry");
    expect(s.pending()).toBe(1);
    expect(s.thread("Silent").state).toBe("archived");
    await s.replayed();
    expect(s.thread("Silent").state).toBe("archived");
    expect(s.fixture.messages()).toHaveLength(1);
    expect(s.message("Silent").locations[0]).toStartWith("Archive:");
    expect(s.fixture.events("message.received").filter(({ data }) => data.subject === "Silent")).toHaveLength(0);
  });

  test("if a folder cannot be created, the state is kept here and nothing is reverted", async () => {
    await open({}, ["Nap"]);
    // A file is in the place of the folder.
    writeFileSync(join(dovecot.base, "mail", "mail.test", "alice", ".Snoozed"), "");
    s.change("Nap", { snooze_until: s.fixture.platform.clock.now() + 3_600_000 });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.thread("Nap").state).toBe("snoozed");
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Nap"]);
    expect(refusals()).toEqual([]);
    // Waking needs no such folder.
    s.change("Nap", { snooze_until: null });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.pending()).toBe(0);
    expect(s.thread("Nap").state).toBe("inbox");
  });

  test("changes that a folder's permissions forbid are reverted, announced and audited; labels stay here", async () => {
    const acl = mkdtempSync(join(tmpdir(), "acl-"));
    try {
      writeFileSync(join(acl, "rights"), "Frozen user=alice@mail.test lr\nHalf user=alice@mail.test lrs\n");
      chmodSync(acl, 0o755); // for the owner of the mail to read
      const extraConfig = `plugin {\n  acl = vfile:${join(acl, "rights")}\n}\nprotocol imap {\n  mail_plugins = acl imap_acl\n}`;
      await open({ extraConfig }, [], (server) => {
        server.loadMaildir("alice", "Frozen", [{ raw: mail("Ice") }, { raw: mail("Still") }]);
        server.loadMaildir("alice", "Half", [{ raw: mail("Partly") }]);
      });
      expect(s.thread("Ice")).toEqual({ state: "archived", unread: true, starred: false, labels: [] });
      s.change("Ice", { read: true, state: "trash", add_labels: ["Cold"] });
      s.change("Partly", { read: true, starred: true, add_labels: ["Cold"] });
      const before = s.fixture.events("thread.updated").length;
      expect(await s.replay()).toEqual({ outcome: "done" });
      expect(s.pending()).toBe(0);
      expect(s.thread("Ice")).toEqual({ state: "archived", unread: true, starred: false, labels: ["Cold"] });
      expect(s.thread("Partly")).toEqual({ state: "archived", unread: false, starred: false, labels: ["Cold"] });
      expect([...(await s.onServer("Half")).get("Partly")!]).toContain("\\Seen");
      const changed = s.fixture
        .events("thread.updated")
        .slice(before)
        .map(({ data }) => data.changed.join());
      expect(changed.toSorted()).toEqual(["read", "starred", "state"]);
      const rows = refusals();
      expect(rows.map(({ before }) => (before as { field: string }).field).toSorted()).toEqual([
        "flagged",
        "folder",
        "seen",
      ]);
      expect(rows.every(({ actor, request_id }) => actor.kind === "system" && request_id === "req_test")).toBe(true);
      // Labels that are kept here survive the next sync.
      await s.other.mailboxOpen("Half");
      s.fixture.supervisor.syncNow(s.fixture.account.id);
      await s.replayed();
      expect(s.thread("Partly").labels).toEqual(["Cold"]);
    } finally {
      rmSync(acl, { recursive: true });
    }
  });

  test("Gmail's labels use its own command, once per message", async () => {
    await open({}, ["Labelled"]);
    await s.other.mailboxOpen("INBOX");
    await s.other.messageCopy("1:*", "Archive");
    await s.fixture.agrees(s.other);
    const before = s.proxy.sent.length;
    // This server does not support the command. The test checks what would be sent.
    const mirror = s.mirrorWith((client) => client.capabilities.set("X-GM-EXT-1", true));
    s.change("Labelled", { add_labels: ['Größe "L"'], read: true });
    await s.run(mirror);
    const stores = s.proxy.sent.slice(before).match(/UID STORE .*/g);
    expect(stores).toEqual(['UID STORE 1 +X-GM-LABELS ("Gr&APYA3w-e \\"L\\"")', "UID STORE 1 +FLAGS.SILENT (\\Seen)"]);
  });

  test("if a mailbox is too full for a copy, the move is reverted", async () => {
    const extraConfig = `mail_plugins = quota\nplugin {\n  quota = maildir:All\n  quota_rule = *:messages=2\n  quota_grace = 0\n}`;
    await open({ capability: `${BASICS} UIDPLUS`, extraConfig }, ["Fat 1", "Fat 2"]);
    s.change("Fat 1", { state: "archived", read: true });
    expect(await s.replay()).toEqual({ outcome: "done" });
    expect(s.pending()).toBe(0);
    expect(s.thread("Fat 1")).toMatchObject({ state: "inbox", unread: false });
    expect([...(await s.onServer("INBOX")).keys()]).toEqual(["Fat 1", "Fat 2"]);
    expect(refusals()).toHaveLength(1);
  });
});

/** Answers a MOVE as a server without UIDPLUS does. */
function hideCopyUid(client: ImapFlow): void {
  const runner = client as unknown as {
    exec: (command: string, args: unknown[], options?: { untagged?: object }) => Promise<unknown>;
  };
  const exec = runner.exec.bind(client);
  runner.exec = (command, args, options) => {
    if (command !== "UID MOVE") return exec(command, args, options);
    runner.exec = exec;
    return exec(command, args, { untagged: { OK: async () => {} } });
  };
}

/** Ends the connection and everything that wants to use it at this command. */
function dieAt(client: ImapFlow, { before, after }: { before?: string; after?: string }): void {
  const runner = client as unknown as { exec: (command: string, ...rest: unknown[]) => Promise<unknown> };
  const exec = runner.exec.bind(client);
  runner.exec = async (command, ...rest) => {
    if (command === before || command === after) {
      if (command === after) await exec(command, ...rest);
      client.close();
      throw new Error("killed");
    }
    return exec(command, ...rest);
  };
}
