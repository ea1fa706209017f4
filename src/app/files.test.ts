import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mailText } from "../../test/support/mail-text.ts";
import { type Scratch, scratchPlatform } from "../../test/support/scratch-platform.ts";
import { createMailbox, type Mailbox } from "../mailbox/mailbox.ts";
import { INDEX_SIZES } from "../mailbox/search/fulltext-index.ts";
import { parseQuery } from "../mailbox/search/query.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { createImport, importedAccount, importSource } from "./files.ts";
import { MAINTENANCE_JOB } from "./fulltext.ts";

const MESSAGES = 1_100;

let scratch: Scratch;
let mailbox: Mailbox;
beforeEach(() => {
  scratch = scratchPlatform();
  mailbox = createMailbox(scratch.platform);
});
afterEach(() => scratch.close());

async function importMail(): Promise<void> {
  const { platform, user, data_dir } = scratch;
  const mbox = join(data_dir, "Inbox.mbox");
  const texts = Array.from({ length: MESSAGES }, (_, i) => mailText({ id: `old-${i}`, text: `heron${i} waits` }));
  writeFileSync(
    mbox,
    texts.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text.replaceAll("\r", "")}\n`).join("\n"),
  );
  const account = importedAccount(platform, mailbox, user.id, "old");
  await createImport(platform, mailbox, account).run(importSource({ mbox: [mbox] }), () => {});
}

const find = (words: string) =>
  mailbox.search.selection({ user_id: scratch.user.id, account_id: null }, parseQuery(`"${words}"`, 0)).length;

test("an import without a running server builds index segments for what it imports", async () => {
  await importMail();
  expect(mailbox.fullText.pendingCount(scratch.user.id)).toBeLessThan(INDEX_SIZES.flushFrom);
  expect([find("heron0"), find("heron700"), find(`heron${MESSAGES - 1}`), find("waits")]).toEqual([1, 1, 1, MESSAGES]);
});

test("an import beside a running server leaves indexing to the server", async () => {
  const lock = lockInstance(scratch.data_dir);
  await importMail();
  lock.release();
  expect(mailbox.fullText.pendingCount(scratch.user.id)).toBe(MESSAGES);
  const queued = scratch.platform.db.sql
    .query("SELECT 1 FROM jobs WHERE kind = ? AND state = 'pending'")
    .all(MAINTENANCE_JOB);
  expect(queued).toHaveLength(1);
  expect([find("heron0"), find("waits")]).toEqual([1, MESSAGES]);
});
