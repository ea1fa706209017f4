import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { ALL, startGmail } from "../support/gmail-script.ts";
import type { ScriptServer } from "../support/imap-script.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

describe("a Gmail mailbox", () => {
  let server: ScriptServer;
  let fixture: MailFixture;
  const labels = (...names: string[]) => new Set(names);
  const seen = () => new Set(["\\Seen"]);
  const one = (id: string) => {
    const found = fixture.messages().filter((message) => message.message_id === `<${id}@flows.test>`);
    if (found.length !== 1) throw new Error(`There are ${found.length} messages ${id}.`);
    return found[0]!;
  };
  const thread = (id: string) =>
    fixture.platform.db.sql
      .query<{ state: string; message_count: number; important: number; has_sent: number }, [string]>(
        "SELECT state, message_count, important, has_sent FROM threads WHERE id = ?",
      )
      .get(one(id).thread_id)!;
  const announced = () => fixture.events("message.received").map(({ data }) => data.subject);
  const opened = () =>
    new Set(
      server.commands.filter((line) => /^(SELECT|EXAMINE) /.test(line)).map((line) => line.replace(/^\w+ "?|"?$/g, "")),
    );

  beforeAll(async () => {
    server = await startGmail();
    server.add(ALL, {
      raw: mailText({ id: "in" }),
      labels: labels("\\Inbox", "\\Important", "Trips/Rome"),
      thread: "71",
    });
    server.add(ALL, {
      raw: mailText({ id: "reply", subject: "Quite another subject", from: "alice@mail.test" }),
      flags: seen(),
      labels: labels("\\Sent"),
      thread: "71",
    });
    server.add(ALL, {
      raw: mailText({ id: "archived" }),
      flags: seen(),
      labels: labels("Reise &- Caf&AOk-", "\\Starred"),
      thread: "72",
    });
    server.add(ALL, {
      raw: mailText({ id: "sent", from: "alice@mail.test" }),
      flags: seen(),
      labels: labels("\\Sent"),
      thread: "73",
    });
    server.add(ALL, {
      raw: mailText({ id: "draft", from: "alice@mail.test" }),
      flags: new Set(["\\Draft", "\\Seen"]),
      labels: labels("\\Draft"),
      thread: "74",
    });
    server.add("[Gmail]/Spam", { raw: mailText({ id: "spam" }), thread: "75" });
    server.add("[Gmail]/Trash", { raw: mailText({ id: "trash" }), flags: seen(), thread: "76" });
    fixture = await createMailFixture({ port: server.port, login: { username: "alice@mail.test", password: "any" } });
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live");
  });
  afterAll(async () => {
    await fixture?.close();
    await server?.close();
  });

  test("only All Mail, Spam and Trash are read, and every message is here once", () => {
    expect(
      fixture
        .messages()
        .map(({ message_id }) => message_id)
        .sort(),
    ).toEqual(["archived", "draft", "in", "reply", "sent", "spam", "trash"].map((id) => `<${id}@flows.test>`));
    expect(opened()).toEqual(new Set([ALL, "[Gmail]/Spam", "[Gmail]/Trash"]));
    expect(fixture.account.sync).toEqual({ phase: "live", done: 7, total: 7 });
    expect(fixture.events()).toEqual([]);
  });

  test("labels are labels; Gmail's own set state and flags", () => {
    expect(one("in")).toMatchObject({ labels: ["Trips/Rome"], important: true, locations: ["INBOX:1", `${ALL}:1`] });
    expect(one("archived")).toMatchObject({ labels: ["Reise & Café"], starred: true, important: false });
    expect(one("draft").is_draft).toBe(true);
    const states = ["in", "archived", "sent", "draft", "spam", "trash"].map((id) => [id, thread(id).state]);
    expect(Object.fromEntries(states)).toEqual({
      in: "inbox",
      archived: "archived",
      sent: "sent",
      draft: "sent",
      spam: "spam",
      trash: "trash",
    });
    expect(thread("in").important).toBe(1);
    expect(thread("sent").has_sent).toBe(1);
  });

  test("X-GM-THRID joins messages that no header joins", () => {
    expect(one("reply").thread_id).toBe(one("in").thread_id);
    expect(thread("in").message_count).toBe(2);
  });

  test("new mail is announced once; sent mail and drafts are not", async () => {
    server.add(ALL, { raw: mailText({ id: "new", subject: "News" }), labels: labels("\\Inbox"), date: new Date() });
    server.add(ALL, {
      raw: mailText({ id: "own", from: "alice@mail.test" }),
      labels: labels("\\Sent"),
      date: new Date(),
    });
    server.add(ALL, {
      raw: mailText({ id: "own-draft", from: "alice@mail.test" }),
      labels: labels("\\Draft"),
      date: new Date(),
    });
    server.add(ALL, {
      raw: mailText({ id: "filtered", subject: "A list" }),
      labels: labels("Lists"),
      date: new Date(),
    });
    await eventually(() => fixture.messages().length === 11, 2_000);
    expect(announced()).toEqual(["News", "A list"]);
    expect(fixture.events("message.received")[1]!.data.tags).toContain("Lists");
    expect(thread("new").state).toBe("inbox");
  });

  test("archiving, labeling and moving back elsewhere are synced", async () => {
    const uid = Number(one("new").locations[0]!.split(":").at(-1));
    const { id, thread_id } = one("new");
    server.change(ALL, uid, (message) => {
      message.labels = labels("Later");
      message.flags.add("\\Seen");
    });
    await eventually(() => thread("new").state === "archived");
    expect(one("new")).toMatchObject({ id, thread_id, labels: ["Later"], unread: false });
    server.change(ALL, uid, (message) => {
      message.labels = labels("\\Inbox");
    });
    await eventually(() => thread("new").state === "inbox");
    expect(one("new")).toMatchObject({ id, labels: [] });
    expect(announced()).toEqual(["News", "A list"]);
    const changes = fixture.events("thread.updated").filter(({ data }) => data.thread_id === thread_id);
    expect(changes.map(({ data }) => data.changed)).toEqual([
      ["state", "labels", "read"],
      ["state", "labels"],
    ]);
  });

  test("a message trashed elsewhere moves to Trash; removed from Trash it is gone", async () => {
    const uid = Number(one("new").locations[0]!.split(":").at(-1));
    const { id } = one("new");
    const { raw, date } = server.folder(ALL).messages.find((message) => message.uid === uid)!;
    server.remove(ALL, uid);
    server.add("[Gmail]/Trash", { raw, date });
    await eventually(() => thread("new").state === "trash", 10_000);
    expect(one("new")).toMatchObject({ id, locations: ["[Gmail]/Trash:2"] });
    server.remove("[Gmail]/Trash", 2);
    await eventually(() => fixture.messages().every((message) => message.id !== id), 10_000);
    expect(announced()).toEqual(["News", "A list"]);
  });

  test("a new UIDVALIDITY of All Mail keeps messages, threads, labels and states", async () => {
    const shape = () =>
      fixture.messages().map(({ locations: _places, ...message }) => ({
        ...message,
        state: thread(message.message_id!.slice(1, -12)).state,
      }));
    const before = shape();
    const events = fixture.events().length;
    const all = server.folder(ALL);
    all.uidvalidity = 77_000;
    for (const message of all.messages) message.uid += 500;
    all.uidnext += 500;
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(
      () =>
        fixture.mailbox.folders.list(fixture.account).every(({ replaced_by }) => replaced_by === null) &&
        one("in").locations.includes(`${ALL}:501`),
    );
    expect(shape()).toEqual(before);
    expect(one("in").locations).toEqual(["INBOX:501", `${ALL}:501`]);
    expect(fixture.events().length).toBe(events);
  });

  test("the Snoozed label sets the thread state and is not listed as a label", async () => {
    server.addFolder("Snoozed", ["\\HasNoChildren"]);
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(() => fixture.mailbox.folders.list(fixture.account).some(({ role }) => role === "snoozed"));
    server.change(ALL, 501, (message) => {
      message.labels = labels("Snoozed", "Trips/Rome", "\\Important");
    });
    await eventually(() => thread("in").state === "snoozed");
    expect(one("in").labels).toEqual(["Trips/Rome"]);
  });

  test("with All Mail hidden from IMAP programs, folders are treated as ordinary folders", async () => {
    const before = new Map(fixture.messages().map(({ message_id, id }) => [message_id, id]));
    // Then a message is only in the folders of its labels.
    const paths = new Set(server.folders.map(({ path }) => path));
    for (const { uid, labels } of server.folder(ALL).messages) {
      if ([...labels].some((label) => label.startsWith("\\") || paths.has(label))) continue;
      server.change(ALL, uid, (message) => void message.labels.add("Trips/Rome"));
    }
    server.folders = server.folders.filter(({ path }) => path !== ALL);
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      const locations = fixture.messages().map(({ locations }) => locations);
      return locations.every((places) => places.length > 0 && places.every((place) => !place.startsWith(ALL)));
    });
    expect(new Map(fixture.messages().map(({ message_id, id }) => [message_id, id]))).toEqual(before);
    expect(announced()).toEqual(["News", "A list"]);
  });
});
