import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExport, createImport, importedAccount, importSource, openMailboxContent } from "../../src/app/files.ts";
import { mailPipeline } from "../../src/app/mail.ts";
import { readContainer } from "../../src/backup/container.ts";
import type { ImportCounts } from "../../src/inbound/import/import-mail.ts";
import { readContents } from "../../src/inbound/message/parsed-message.ts";
import { SyncSupervisor } from "../../src/inbound/sync/supervisor.ts";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { mailText } from "../support/mail-text.ts";
import { type Scratch, scratchPlatform } from "../support/scratch-platform.ts";
import { seedMailbox } from "../support/seed-mail.ts";

setDefaultTimeout(60_000);

let scratch: Scratch;
let mailbox: Mailbox;
let folder: string;
beforeAll(() => {
  scratch = scratchPlatform();
  mailbox = createMailbox(scratch.platform);
  folder = mkdtempSync(join(tmpdir(), "postroom-files-"));
});
afterAll(() => {
  scratch.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const account = (name: string) => importedAccount(scratch.platform, mailbox, scratch.user.id, name);
const importInto = (name: string, from: Parameters<typeof importSource>[0]): Promise<ImportCounts> =>
  createImport(scratch.platform, mailbox, account(name)).run(importSource(from), () => {});

/** Returns what is stored of a mailbox, message by message, sorted by subject. */
function stored({ id: account_id, user_id }: Account) {
  const scope = { user_id, account_id };
  const folders = new Map(
    mailbox.folders.list({ id: account_id, user_id }).map(({ id, path, role }) => [id, `${path}:${role}`]),
  );
  const rows = scratch.platform.db.sql
    .query<{ id: string; folder_id: string; answered: number }, [string]>(
      "SELECT m.id, l.folder_id, m.answered FROM messages m JOIN locations l ON l.message_id = m.id WHERE m.account_id = ?",
    )
    .all(account_id);
  return rows
    .map(({ id, folder_id, answered }) => {
      const { head, thread_id, unread, starred, labels, draft } = mailbox.messageQueries.get(scope, id);
      const flags = [unread && "unread", starred && "starred", answered === 1 && "answered", draft && "draft"].filter(
        Boolean,
      );
      return { subject: head.subject, folder: folders.get(folder_id), flags: flags.join(" "), labels, thread_id };
    })
    .sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

const mbox = (...messages: string[]) =>
  messages
    .map(
      (text) => `From a@b Mon Jan  5 10:00:00 2026\n${text.replaceAll("\r\n", "\n").replace(/^(>*From )/gm, ">$1")}\n`,
    )
    .join("");

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

async function exported(of: Account, format: "mbox" | "eml") {
  const { content, close } = openMailboxContent(scratch.platform, mailbox, of, true);
  const made = createExport(scratch.platform, mailbox, of, content);
  const bytes = await bytesOf(made.stream(format));
  close();
  return { bytes, counts: made.counts };
}

async function entriesOf(tar: Uint8Array): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, chunks } of readContainer(new Blob([new Uint8Array(tar)]).stream())) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    found.set(name, Buffer.concat(parts).toString());
  }
  return found;
}

describe("an mbox", () => {
  const file = "Inbox.mbox";
  beforeAll(async () => {
    const flagged = `Status: RO\nX-Status: AF\nX-Keywords: Work Home\n${mailText({ id: "b", in_reply_to: "a", subject: "Re: About a" })}`;
    const unread = `Status: O\n${mailText({ id: "c", text: "From the start\nthe elephant" })}`;
    writeFileSync(at(file), mbox(mailText({ id: "a" }), flagged, unread));
    expect(await importInto("old", { mbox: [at(file)] })).toEqual({ read: 3, taken: 3, known: 0, cut: 0 });
  });

  test("becomes threads with flags, labels and the folder of its name", () => {
    const [first, third, reply] = stored(account("old"));
    expect(first).toMatchObject({ subject: "About a", folder: "Inbox:inbox", flags: "", labels: [] });
    expect(third).toMatchObject({ subject: "About c", flags: "unread" });
    expect(reply).toMatchObject({ subject: "Re: About a", flags: "starred answered", labels: ["Home", "Work"] });
    expect(reply!.thread_id).toBe(first!.thread_id);
  });

  test("does not confirm its senders, because a file may contain any header", async () => {
    const trace = [
      "Authentication-Results: mx1.host.example; dmarc=pass header.from=example.org",
      "Received: from out.example (out.example [203.0.113.9]) by mx1.host.example (Postfix) with ESMTPS id 1",
      "From: Ada <ada@example.org>\nTo: alice@mail.test\nSubject: Forged\nMessage-ID: <forged@example.org>",
    ];
    const text = `${trace.join("\n")}\n\nHello\n`;
    const { contents } = await readContents({ source: new TextEncoder().encode(text.replaceAll("\n", "\r\n")) });
    expect(contents.authentication?.result).toBe("pass");
    writeFileSync(at("forged.mbox"), mbox(text));
    await importInto("forged", { mbox: [at("forged.mbox")] });
    const { id: account_id, user_id } = account("forged");
    const { id } = scratch.platform.db.sql
      .query<{ id: string }, [string]>("SELECT id FROM messages WHERE account_id = ?")
      .get(account_id)!;
    expect(mailbox.messageQueries.get({ user_id, account_id }, id).head.authentication).toBeUndefined();
  });

  test("is found by its words", () => {
    const { id, user_id } = account("old");
    const found = mailbox.search.find(
      { user_id, account_id: id },
      parseQuery("elephant", scratch.clock.now()),
      10,
    ).hits;
    expect(found.length).toBe(1);
  });

  test("imports nothing the second time, and only new messages from a longer file", async () => {
    expect(await importInto("old", { mbox: [at(file)] })).toEqual({ read: 3, taken: 0, known: 3, cut: 0 });
    const more = mailText({ id: "d" });
    writeFileSync(
      at("longer/Inbox.mbox".replace("longer/", "longer-")),
      readFileSync(at(file), "utf8") + mbox(more, more),
    );
    const counts = await importInto("old", { mbox: [at("longer-Inbox.mbox")], folder: "Inbox" });
    expect(counts).toEqual({ read: 5, taken: 1, known: 4, cut: 0 });
    expect(stored(account("old"))).toHaveLength(4);
  });

  test("cannot bring in thousands of labels, nor labels that no user could set", async () => {
    const words = Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(" ");
    writeFileSync(at("Flood.mbox"), mbox(`X-Keywords: \u0001bad ${words}\n${mailText({ id: "flood" })}`));
    await importInto("flood", { mbox: [at("Flood.mbox")] });
    const labels = stored(account("flood"))[0]!.labels;
    expect(labels.length).toBe(50);
    expect(labels).not.toContain("\u0001bad");
  });

  test("is history: no events are emitted, the mailbox is not watched, and it cannot send", async () => {
    expect(scratch.platform.events.after(scratch.user.id, 0, 100)).toEqual([]);
    expect(account("old")).toMatchObject({
      provider: "imported",
      status: "active",
      read_only: true,
      is_primary: false,
    });
    const supervisor = new SyncSupervisor(scratch.platform, mailbox, mailPipeline(scratch.platform, mailbox), {
      ca: null,
    });
    supervisor.reconcile();
    expect(supervisor.connectionQueue(account("old").id)).toBeNull();
    await supervisor.stop();
  });

  test("is exported unchanged, into an mbox and into single files", async () => {
    const { bytes, counts } = await exported(account("old"), "mbox");
    expect(counts).toEqual({ total: 4, whole: 4, rebuilt: 0 });
    writeFileSync(at("again.mbox"), bytes);
    await importInto("again", { mbox: [at("again.mbox")], folder: "Inbox" });
    const plain = (name: string) => stored(account(name)).map(({ thread_id: _, ...rest }) => rest);
    expect(plain("again")).toEqual(plain("old"));
    const files = await entriesOf((await exported(account("old"), "eml")).bytes);
    const path = [...files.keys()].find((name) => name.includes("About c"))!;
    expect(path).toMatch(/^Inbox\/2026-01-05 About c msg_\w+\.eml$/);
    expect(files.get(path)).toContain("\nFrom the start\n");
    const rows = files
      .get("messages.jsonl")!
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.find((row) => row.path === path)).toMatchObject({ unread: true, starred: false, labels: [] });
  });

  test("a file that is not an mbox is refused by name", async () => {
    writeFileSync(at("picture.mbox"), "\u0089PNG\n");
    await expect(importInto("none", { mbox: [at("picture.mbox")] })).rejects.toThrow(
      "picture.mbox: This is no mbox file",
    );
  });

  test("an mbox of Gmail's Takeout is sorted by its labels", async () => {
    const labeled = (id: string, labels: string) => `X-Gmail-Labels: ${labels}\n${mailText({ id })}`;
    const text = mbox(
      labeled("g1", "Inbox,Important,Unread,Travel"),
      labeled("g2", "Archived,Starred,Opened"),
      labeled("g3", "Sent,Category Personal"),
      labeled("g4", "Spam,Unread"),
    );
    writeFileSync(at("takeout.mbox"), text);
    await importInto("takeout", { mbox: [at("takeout.mbox")] });
    expect(stored(account("takeout")).map(({ folder, flags, labels }) => [folder, flags, labels])).toEqual([
      ["INBOX:inbox", "unread", ["Travel"]],
      ["Archive:archive", "starred", []],
      ["Sent:sent", "", []],
      ["Spam:spam", "unread", []],
    ]);
  });
});

test("a Maildir brings its folders and flags, and a second import adds nothing", async () => {
  const put = (path: string, id: string) => {
    mkdirSync(join(at("Maildir"), path, ".."), { recursive: true });
    writeFileSync(join(at("Maildir"), path), mailText({ id }));
  };
  put("cur/1767607200.M1P2.host:2,RS", "m1");
  put("new/1767607300.M1P2.host", "m2");
  put(".Sent/cur/1767607400.M1P2.host:2,S", "m3");
  put(".Projects.Big/cur/1767607500.M1P2.host:2,FS", "m4");
  put("Tree/Deep/cur/1767607600.M1P2.host:2,ST", "m5");
  const from = { maildir: at("Maildir") };
  expect(await importInto("laptop", from)).toEqual({ read: 5, taken: 5, known: 0, cut: 0 });
  expect(await importInto("laptop", from)).toEqual({ read: 5, taken: 0, known: 5, cut: 0 });
  expect(stored(account("laptop")).map(({ folder, flags }) => [folder, flags])).toEqual([
    ["INBOX:inbox", "answered"],
    ["INBOX:inbox", "unread"],
    ["Sent:sent", ""],
    ["Projects/Big:other", "starred"],
    ["Trash:trash", ""],
  ]);
  expect(() => importSource({ maildir: `${folder}/Maildir/new` })).toThrow("is not a Maildir");
});

test("mail whose source is only on its server is composed from what is stored, and says so", async () => {
  const { account: connected, deliver } = seedMailbox(scratch.platform, scratch.user.id, {
    mailbox,
    email: "alice@mail.test",
  });
  const attachment = {
    index: 0,
    part: "2",
    encoding: "base64",
    name: "Plan\r\nX: y.pdf",
    mime: "application/pdf",
    size: 77_000,
    contentId: null,
    disposition: "attachment" as const,
  };
  deliver({
    subject: "Grüße",
    from: { name: "Bob", email: "bob@example.net" },
    text: "From here\n",
    attachments: [attachment],
  });
  const { bytes, counts } = await exported(connected, "mbox");
  expect(counts).toEqual({ total: 1, whole: 0, rebuilt: 1 });
  const text = bytes.toString();
  expect(text).toContain("\nX-Postroom-Rebuilt: the source was unavailable");
  expect(text).toMatch(/\nX-Postroom-Missing-Attachment: Plan X: y\.pdf; size=77000\n/);
  expect(text).toContain("\n>From here");
  writeFileSync(at("rebuilt.mbox"), bytes);
  await importInto("rebuilt", { mbox: [at("rebuilt.mbox")] });
  expect(stored(account("rebuilt"))[0]).toMatchObject({ subject: "Grüße" });
});

test("the name of a connected mailbox cannot be taken", () => {
  expect(() => account("alice@mail.test")).toThrow("connected mailbox (alice@mail.test)");
});
