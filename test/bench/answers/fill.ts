/**
 * Fills a data folder with the mailboxes of the set, one person each, and the sample mail, all as of TODAY:
 * bun fill.ts DIR FILE. Writes a `Filled` for each mailbox to FILE.
 */
import { writeFileSync } from "node:fs";
import { mailPipeline } from "../../../src/app/mail.ts";
import { seed } from "../../../src/app/sandbox.ts";
import { readContents } from "../../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../../src/inbound/message/pipeline.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { createMailbox } from "../../../src/mailbox/mailbox.ts";
import { ManualClock } from "../../../src/platform/clock.ts";
import { loadConfig } from "../../../src/platform/config/load.ts";
import { openPlatform } from "../../../src/platform/platform.ts";
import { composeThread } from "../../../src/sandbox/compose.ts";
import { sandboxMessages, sandboxThreads } from "../../../src/sandbox/sample-mail.ts";
import { headerOf } from "../known-items/known-items.ts";
import { briefMails } from "./briefs.ts";
import { MAILBOXES, type Mail, mailsOf } from "./mails.ts";
import { SPLITS, TODAY } from "./questions.ts";

/** A mailbox in the data folder. */
export interface Filled {
  key: string;
  /** Ids of messages by the name of the mail; mails of the sample mail are "THREAD/NUMBER". */
  ids: Record<string, string>;
}

const FLAGS = { seen: true, flagged: false, answered: false, draft: false, important: false };

const [data_dir, file] = process.argv.slice(2) as [string, string];
const clock = new ManualClock(TODAY.getTime());
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock, durability: "normal" });
const mailbox = createMailbox(platform);
const filled: Record<string, Filled> = { sandbox: await fillSandbox() };
for (const name of MAILBOXES) filled[name] = await fillMailbox(name, mailsOf(name));
for (const split of SPLITS) filled[`briefs-${split}`] = await fillMailbox(`briefs-${split}`, briefMails(split));
platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
platform.close();
writeFileSync(file, JSON.stringify(filled));

function addPerson(name: string, role: "owner" | "member") {
  return platform.users.add({ email: `${name}@example.org`, plan: "autopilot", role, timezone: "Europe/Lisbon" });
}

function keyFor(user_id: string, test: boolean): string {
  return platform.keys.create({ name: "bench", user_id, scopes: [...SCOPES], test }).secret;
}

async function fillSandbox(): Promise<Filled> {
  const user_id = platform.users.sandboxOf(addPerson("owner", "owner").id).id;
  await seed(platform, mailbox, user_id);
  const account = mailbox.accounts.list(user_id)[0]!;
  const folders = new Map(mailbox.folders.list(account).map((folder) => [folder.role as string, folder.id]));
  const names = new Map<string, string>();
  for (const thread of sandboxThreads()) {
    for (const [i, { raw }] of (await composeThread(thread, TODAY)).entries()) {
      names.set(headerOf(raw, "Message-ID"), `${thread.id}/${i + 1}`);
    }
  }
  const uids = new Map<string, number>();
  const ids: Record<string, string> = {};
  for (const { folder, raw } of await sandboxMessages(TODAY)) {
    const uid = (uids.get(folder) ?? 0) + 1;
    uids.set(folder, uid);
    ids[names.get(headerOf(raw, "Message-ID"))!] = mailbox.locations.at(folders.get(folder)!, uid)!.message_id;
  }
  return { key: keyFor(user_id, true), ids };
}

async function fillMailbox(name: string, mails: readonly Mail[]): Promise<Filled> {
  const { id: user_id } = addPerson(name, "member");
  withoutSampleMail(user_id);
  const owner = mails.map((mail) => (mail.outgoing ? mail.from : mail.to[0]!))[0]!;
  const account = mailbox.accounts.add({ user_id, provider: "imap", email: owner.email, connection: null });
  const inbox = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
  const sent = mailbox.folders.upsert(account, "Sent", "/", "sent");
  account.sync.phase = "importing";
  const pipeline = mailPipeline(platform, mailbox);
  const ids: Record<string, string> = {};
  for (const [i, { name: mail, raw, at, outgoing }] of mails.toSorted((a, b) => a.at - b.at).entries()) {
    const folder = outgoing ? sent : inbox;
    const { contents } = await readContents({ source: raw });
    const incoming = toIncoming(contents, {
      folderId: folder.id,
      uid: i + 1,
      internalDate: at,
      size: raw.length,
      flags: FLAGS,
      labels: [],
      flagsHash: 0,
      serverThreadId: null,
    });
    platform.db.write(() => pipeline.take(account, folder, [incoming]));
    ids[mail] = mailbox.locations.at(folder.id, i + 1)!.message_id;
  }
  mailbox.accounts.setProgress(account.id, { phase: "live", done: mails.length, total: mails.length });
  mailbox.accounts.setStatus(account.id, "paused", null);
  return { key: keyFor(user_id, false), ids };
}

/** Marks the sandbox of a person as filled, so that the server does not fill it. */
function withoutSampleMail(person: string): void {
  const user_id = platform.users.sandboxOf(person).id;
  const { id } = mailbox.accounts.add({
    user_id,
    provider: "sandbox",
    email: "alex@sandbox.example",
    connection: null,
  });
  mailbox.accounts.setProgress(id, { phase: "live", done: 0, total: 0 });
}
