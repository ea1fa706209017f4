/** Fills a data folder with test collections, one person each, as mail in an inbox: bun fill-collections.ts DIR NAME... */
import { mailPipeline } from "../../src/app-mail.ts";
import { readContents } from "../../src/inbound/contents.ts";
import { toIncoming } from "../../src/inbound/pipeline.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { readCollection } from "./collections.ts";

const [data_dir, ...names] = process.argv.slice(2) as [string, ...string[]];
const RECEIVED_AT = Date.parse("2026-01-01T00:00:00Z");

const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
const mailbox = createMailbox(platform);
const pipeline = mailPipeline(platform, mailbox);

for (const name of names) {
  const owner = platform.users.add({
    email: `${name}@example.org`,
    plan: "autopilot",
    role: "member",
    timezone: "UTC",
  });
  const email = `box.${name}@example.org`;
  const account = mailbox.accounts.add({ user_id: owner.id, provider: "imap", email, connection: null });
  const folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
  account.sync.phase = "importing";
  const { documents } = readCollection(name);
  for (let i = 0; i < documents.length; i += 100) {
    const batch = await Promise.all(
      documents.slice(i, i + 100).map(async ({ id, title, text }, k) => {
        // The subject carries the title; the Message-ID carries the document's id to the other side of the API.
        const from = "From: Librarian <librarian@example.net>";
        const subject = `Subject: ${title.replace(/\s+/g, " ").trim()}`;
        const plain = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit";
        const head = `${from}\r\nTo: ${email}\r\n${subject}\r\nMessage-ID: <${id}@${name}.example>\r\n${plain}`;
        const { contents } = await readContents({ source: Buffer.from(`${head}\r\n\r\n${text}\r\n`) });
        return toIncoming(contents, {
          folder_id: folder.id,
          uid: i + k + 1,
          internal_date: RECEIVED_AT,
          size: text.length,
          flags: { seen: true, flagged: false, answered: false, draft: false, important: false },
          labels: [],
          flags_hash: 0,
          // Documents are no conversation, however alike their titles are.
          server_thread_id: id,
        });
      }),
    );
    platform.db.write(() => pipeline.take(account, folder, batch));
  }
  mailbox.accounts.setProgress(account.id, { phase: "live", done: documents.length, total: documents.length });
  mailbox.accounts.setStatus(account.id, "paused", null);
}
platform.close();
