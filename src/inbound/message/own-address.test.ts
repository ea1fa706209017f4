import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import { readOnThisThread } from "./parsed-message.ts";
import { Pipeline, toIncoming } from "./pipeline.ts";

let scratch: Scratch;
let mailbox: Mailbox;
let account: Account;
let uid = 0;

beforeEach(() => {
  scratch = scratchPlatform();
  mailbox = createMailbox(scratch.platform);
  account = mailbox.accounts.add({
    user_id: scratch.user.id,
    provider: "imap",
    email: "ada@example.org",
    connection: null,
  });
});
afterEach(() => scratch.close());

const BULK = "List-Unsubscribe: <https://evil.example/u>\r\nPrecedence: bulk\r\n";

/** Stores mail that claims to come from the user. @returns its category and the reason */
async function take(
  role: FolderRole,
  { id = "1", more = BULK, text = "Text." }: { id?: string; more?: string; text?: string } = {},
): Promise<string> {
  const folder = mailbox.folders.upsert(account, role, "/", role);
  const header = `From: Ada <ada@example.org>\r\nTo: ada@example.org\r\nMessage-ID: <${id}@example.org>\r\n`;
  const source = Buffer.from(`${header}Subject: Big sale\r\n${more}\r\n${text}`);
  const [read] = await readOnThisThread([{ source }]);
  const incoming = toIncoming(read!.contents, {
    folderId: folder.id,
    uid: ++uid,
    internalDate: 1_000 + uid,
    size: 100,
    flags: { seen: false, flagged: false, answered: false, draft: false, important: false },
    labels: [],
    flagsHash: 0,
    serverThreadId: null,
  });
  const pipeline = new Pipeline({ version: "1", platform: scratch.platform, ...mailbox, steps: [] });
  scratch.platform.db.write(() => pipeline.take(account, folder, [incoming]));
  return category();
}

function category(): string {
  const row = scratch.platform.db.sql
    .query<{ category: string; category_reason: string }, []>(
      "SELECT category, category_reason FROM messages ORDER BY n DESC LIMIT 1",
    )
    .get()!;
  return `${row.category} ${row.category_reason.split(":")[0]}`;
}

test("bulk mail in the inbox that only claims to come from the user is bulk mail", async () => {
  expect(await take("inbox")).toBe("promotions bulk");
});

test.each(["sent", "archive", "other"] as const)(
  "mail from the user's address counts as the user's in %s",
  async (role) => {
    expect(await take(role)).toBe("primary known-correspondent");
  },
);

test("in Gmail's All Mail it counts as the user's if no label could mark it as sent", async () => {
  expect(await take("all")).toBe("primary known-correspondent");
  mailbox.folders.upsert(account, "sent", "/", "sent");
  expect(await take("all", { id: "2" })).toBe("promotions bulk");
});

test("a note to oneself, as a mail program writes it, is from a person", async () => {
  expect(await take("inbox", { more: "" })).toBe("primary person");
});

test("an inbox copy of a message in Sent counts as the user's, even if a mailing list returned it", async () => {
  await take("sent");
  expect(await take("inbox", { text: "Text.\r\n-- \r\nFooter of the list" })).toBe("primary known-correspondent");
});

test("the order in which the two copies arrive makes no difference", async () => {
  expect(await take("inbox")).toBe("promotions bulk");
  expect(await take("sent")).toBe("primary known-correspondent");
});

test("a category that the user has set since is kept", async () => {
  await take("inbox");
  scratch.platform.db.sql.run("UPDATE messages SET category = 'social', category_reason = 'rule:rul_1'");
  expect(await take("sent")).toBe("social rule");
});
