import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eventually } from "../../../test/support/eventually.ts";
import { ALL, startGmail } from "../../../test/support/gmail-script.ts";
import type { ScriptServer } from "../../../test/support/imap-script.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";
import { mailText } from "../../../test/support/mail-text.ts";
import { mirrorOf, runMirror } from "../../../test/support/mirror-fixture.ts";
import { PRIORITY } from "../../inbound/sync/connection-queue.ts";
import type { ThreadChange } from "../../mailbox/changes/changes.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Mirror } from "./mirror.ts";

describe("changes are mirrored to Gmail", () => {
  let server: ScriptServer;
  let fixture: MailFixture;
  let mirror: Mirror;

  beforeEach(async () => {
    server = await startGmail();
    const put = (id: string, labels: string[], path = ALL) =>
      server.add(path, { raw: mailText({ id, subject: id }), labels: new Set(labels), thread: `7${id.length}${id}` });
    put("One", ["\\Inbox", "Trips/Rome"]);
    put("Two", ["\\Inbox"]);
    put("Old", []);
    put("Junky", [], "[Gmail]/Spam");
    put("Thrown", [], "[Gmail]/Trash");
    await open();
  });
  afterEach(async () => {
    await fixture.close();
    await server.close();
  });
  const open = async (read_only = false) => {
    fixture = await createMailFixture({
      port: server.port,
      login: { username: "alice@mail.test", password: "any" },
      account: { read_only },
      longest_wait_ms: 200,
      config: { "mail.poll_seconds": 3600 },
    });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live");
    mirror = mirrorOf(fixture);
  };

  const message = (subject: string) => fixture.messages().find((found) => found.subject === subject)!;
  const state = (subject: string) =>
    fixture.platform.db.sql
      .query<{ state: string }, [string]>("SELECT state FROM threads WHERE id = ?")
      .get(message(subject).thread_id)!.state;
  const pending = () =>
    fixture.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM pending_changes").get()!.n;
  const change = (subject: string, wanted: ThreadChange) => {
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: "req_test" };
    fixture.mailbox.changes.update(by, message(subject).thread_id, wanted);
  };
  /** Resolves when sync has checked everything once more. */
  const synced = async () => {
    const before = fixture.account.pass;
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(() => fixture.account.pass > before);
    await fixture.supervisor.withMailbox(fixture.account.id, PRIORITY.backfill, async () => {});
  };
  const replay = () => runMirror(fixture, mirror);
  const replayed = () =>
    eventually(async () => {
      await replay();
      fixture.supervisor.syncNow(fixture.account.id);
      return pending() === 0;
    });
  const inFolder = (path: string) =>
    server.folder(path).messages.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? "");
  const labels = (subject: string) =>
    [...server.folder(ALL).messages.find(({ raw }) => raw.includes(`Subject: ${subject}\r`))!.labels].sort();
  const written = () => server.commands.filter((line) => /^UID (STORE|MOVE|COPY)|^CREATE/.test(line));
  /** Checks that our tables agree with the server and that another sync emits no event. */
  const settles = async () => {
    const eventsBefore = fixture.events().length;
    const before = fixture.messages();
    await synced();
    await synced();
    expect(fixture.messages()).toEqual(before);
    expect(fixture.events().length).toBe(eventsBefore);
    expect(fixture.events("message.received")).toEqual([]);
    expect(await replay()).toEqual({ outcome: "done" });
  };

  test("archiving removes the label \\Inbox and moves nothing; moving back to the inbox adds it again", async () => {
    change("One", { state: "archived" });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(written()).toEqual(["UID STORE 1 -X-GM-LABELS (\\Inbox)"]);
    expect(inFolder("INBOX")).toEqual(["Two"]);
    expect(labels("One")).toEqual(["Trips/Rome"]);
    expect(pending()).toBe(0);
    expect(message("One")).toMatchObject({ locations: [`${ALL}:1`], labels: ["Trips/Rome"] });
    expect(state("One")).toBe("archived");
    await settles();
    change("One", { state: "inbox" });
    await replay();
    expect(written().slice(1)).toEqual(["UID STORE 1 +X-GM-LABELS (\\Inbox)"]);
    expect(inFolder("INBOX").sort()).toEqual(["One", "Two"]);
    expect(message("One").locations).toEqual(["INBOX:1", `${ALL}:1`]);
    await settles();
    expect(state("One")).toBe("inbox");
  });

  test("a renamed label replaces the old one on Gmail, and a deleted one is removed", async () => {
    change("Two", { add_labels: ["Trips/Rome"] });
    await replayed();
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    const [label] = fixture.mailbox.labelQueries.list(by);
    const before = written().length;
    expect(fixture.mailbox.labelChanges.rename(by, label!.id, "Trips/Roma").label.id).toBe(label!.id);
    await replayed();
    expect(written().slice(before)).toEqual([
      'UID STORE 1:2 -X-GM-LABELS ("Trips/Rome")',
      'UID STORE 1:2 +X-GM-LABELS ("Trips/Roma")',
    ]);
    await settles();
    expect(message("One").labels).toEqual(["Trips/Roma"]);
    fixture.mailbox.labelChanges.remove(by, label!.id);
    await replayed();
    expect([labels("One"), labels("Two")]).toEqual([["\\Inbox"], ["\\Inbox"]]);
    await settles();
    expect(message("One").labels).toEqual([]);
  });

  test("mail that was already archived moves to the inbox", async () => {
    change("Old", { state: "inbox" });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(labels("Old")).toEqual(["\\Inbox"]);
    expect(state("Old")).toBe("inbox");
    await settles();
  });

  test("read, starred and labels are set once per message, in All Mail; several messages share a command", async () => {
    fixture.platform.db.write(() => {
      for (const subject of ["One", "Two"])
        change(subject, { read: true, starred: true, add_labels: ['Größe "L"'], state: "archived" });
    });
    change("One", { remove_labels: ["Trips/Rome"] });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(written().toSorted()).toEqual([
      'UID STORE 1 -X-GM-LABELS ("Trips/Rome")',
      "UID STORE 1:2 +FLAGS.SILENT (\\Flagged)",
      "UID STORE 1:2 +FLAGS.SILENT (\\Seen)",
      'UID STORE 1:2 +X-GM-LABELS ("Gr&APYA3w-e \\"L\\"")',
      "UID STORE 1:2 -X-GM-LABELS (\\Inbox)",
    ]);
    const opened = server.commands.filter((line) => line.startsWith("SELECT "));
    expect(new Set(opened)).toEqual(new Set([`SELECT "${ALL}"`]));
    expect(message("One")).toMatchObject({ labels: ['Größe "L"'], unread: false, starred: true });
    await settles();
    expect(message("Two")).toMatchObject({ labels: ['Größe "L"'], unread: false, starred: true });
  });

  test("to the trash and to spam by MOVE, and out of every view", async () => {
    change("One", { state: "trash" });
    change("Two", { state: "spam" });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(written().toSorted()).toEqual(['UID MOVE 1 "[Gmail]/Trash"', 'UID MOVE 2 "[Gmail]/Spam"']);
    expect(message("One").locations).toEqual(["[Gmail]/Trash:2"]);
    expect(message("Two").locations).toEqual(["[Gmail]/Spam:2"]);
    expect([inFolder("INBOX"), inFolder(ALL)]).toEqual([[], ["Old"]]);
    await settles();
    expect([state("One"), state("Two")]).toEqual(["trash", "spam"]);
  });

  test("out of the trash and out of spam: into the inbox, or into All Mail only", async () => {
    const ids = [message("Thrown").id, message("Junky").id];
    change("Thrown", { state: "inbox" });
    change("Junky", { state: "archived" });
    // The UID in the inbox is not the one in All Mail. Until the next sync the change waits and keeps the state.
    expect((await replay()).outcome).toBe("retry");
    expect(state("Thrown")).toBe("inbox");
    expect(message("Thrown").locations).toEqual([]);
    await replayed();
    expect([message("Thrown").id, message("Junky").id]).toEqual(ids);
    // The changes were made in the same millisecond, so either can reach the server first and get the lower UID.
    const uids = message("Thrown").locations[0] === "INBOX:4" ? [4, 5] : [5, 4];
    expect(message("Thrown").locations).toEqual([`INBOX:${uids[0]}`, `${ALL}:${uids[0]}`]);
    expect(message("Junky").locations).toEqual([`${ALL}:${uids[1]}`]);
    expect([state("Thrown"), state("Junky")]).toEqual(["inbox", "archived"]);
    await settles();
  });

  test("a message being moved is not taken for deleted by a sync that began before the move", async () => {
    const { id } = message("Thrown");
    change("Thrown", { state: "inbox" });
    const { accounts, locationSync } = fixture.mailbox;
    // The sync has passed All Mail. The move follows, then the end of the sync.
    const mirror = mirrorOf(fixture, () => void accounts.beginPass(fixture.account.id));
    expect((await runMirror(fixture, mirror)).outcome).toBe("retry");
    expect(locationSync.deleteMissing(fixture.account.id, fixture.account.pass, 10)).toEqual([]);
    await replayed();
    expect(message("Thrown")).toMatchObject({ id, locations: ["INBOX:4", `${ALL}:4`] });
  });

  test("snoozing replaces \\Inbox by a label of that name; waking removes it", async () => {
    change("Two", { snooze_until: fixture.platform.clock.now() + 3_600_000 });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(written()).toEqual([
      "CREATE Snoozed",
      'UID STORE 2 +X-GM-LABELS ("Snoozed")',
      "UID STORE 2 -X-GM-LABELS (\\Inbox)",
    ]);
    expect(state("Two")).toBe("snoozed");
    await settles();
    expect(message("Two")).toMatchObject({ locations: ["Snoozed:2", `${ALL}:2`].sort(), labels: [] });
    change("Two", { snooze_until: null });
    await replay();
    expect(labels("Two")).toEqual(["\\Inbox"]);
    await settles();
    expect(state("Two")).toBe("inbox");
  });

  test("a message that left All Mail in between is found again, and the change is applied there", async () => {
    change("One", { state: "archived", starred: true });
    const all = server.folder(ALL);
    server.move(all, [1], server.folder("[Gmail]/Trash"));
    expect((await replay()).outcome).toBe("retry");
    await replayed();
    expect(labels("One")).not.toContain("\\Inbox");
    expect([state("One"), message("One").starred]).toEqual(["archived", true]);
  });

  test("a label that Gmail rejects is reverted, and others are mirrored as before", async () => {
    server.answer = ({ tag, name, args }) =>
      name === "UID STORE" && args.includes('"Inbox"') ? `${tag} NO [CANNOT] Invalid label name\r\n` : null;
    change("One", { add_labels: ["Inbox"], read: true });
    expect(await replay()).toEqual({ outcome: "done" });
    expect(message("One")).toMatchObject({ labels: ["Trips/Rome"], unread: false });
    const [row] = fixture.platform.audit.list(fixture.user.id, { limit: 5, action: "thread.update.refused" });
    expect(row).toMatchObject({ after: { reason: "Invalid label name" }, request_id: "req_test" });
    server.change(ALL, 1, (message) => message.labels.delete("Trips/Rome"));
    await eventually(() => message("One").labels.length === 0);
  });

  test("an interruption between two labels is completed by the next attempt", async () => {
    change("Two", { snooze_until: fixture.platform.clock.now() + 3_600_000 });
    let refused = 0;
    server.answer = ({ tag, name, args }) =>
      name === "UID STORE" && args.includes("-X-GM-LABELS") && refused++ === 0
        ? `${tag} NO [UNAVAILABLE] later\r\n`
        : null;
    expect((await replay()).outcome).toBe("retry");
    await synced();
    expect(state("Two")).toBe("snoozed");
    expect(await replay()).toEqual({ outcome: "done" });
    expect(labels("Two")).toEqual(["Snoozed"]);
    await settles();
  });
});
