import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createImport, importedAccount, importSource } from "../../src/app/files.ts";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import type { LiveApp } from "./live-app.ts";
import { mailText } from "./mail-text.ts";

/** Imports an mbox of 25 messages as `postroom import` does. */
export async function importMbox(
  { app: { platform, mailbox } }: LiveApp,
  user_id: string,
  name: string,
): Promise<Account> {
  const folder = mkdtempSync(join(tmpdir(), "postroom-mbox-"));
  try {
    const mbox = join(folder, "Inbox.mbox");
    const messages = Array.from({ length: 25 }, (_, i) => mailText({ id: `old-${i}`, subject: `Old letter ${i}` }));
    writeFileSync(
      mbox,
      messages.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text.replaceAll("\r", "")}\n`).join("\n"),
    );
    const account = importedAccount(platform, mailbox, user_id, name);
    await createImport(platform, mailbox, account).run(importSource({ mbox: [mbox] }), () => {});
    return account;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
