import { mailPipeline } from "../../src/app/mail.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import type { IncomingContents } from "../../src/mailbox/store/incoming.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { OWNER } from "./postroom.ts";

const EMAIL = "ada@example.org";

/** One message for a folder. */
export interface Filled {
  contents: IncomingContents;
  /** RFC822.SIZE, bytes. */
  size: number;
  /** When the server received it, ms. */
  at: number;
}

/** The owner's one mailbox in a data folder, filled through the program's own code, without a mail server. */
export interface FilledMailbox {
  /** How many messages it has. */
  readonly stored: number;
  /** Stores the next messages in one transaction. @throws when one could not be stored */
  take(batch: readonly Filled[]): void;
  /** Makes segments of the pending messages in the full-text index, as the mail worker does beside a sync. */
  maintain(): Promise<void>;
  /** Marks the first sync of the mailbox as complete, and closes the data folder. */
  finish(): void;
}

/** Opens a data folder that has an owner; resumes an earlier filling. */
export function openFilledMailbox(data_dir: string): FilledMailbox {
  const platform = openPlatform({
    config: loadConfig({ data_dir, env: {} }),
    clock: systemClock,
    durability: "normal",
  });
  const mailbox = createMailbox(platform);
  const pipeline = mailPipeline(platform, mailbox);
  const owner = platform.users.list().find(({ email }) => email === OWNER)!;
  const account =
    mailbox.accounts.list(owner.id).find(({ email }) => email === EMAIL) ??
    mailbox.accounts.add({ user_id: owner.id, provider: "imap", email: EMAIL, connection: null });
  const folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
  account.sync.phase = "importing";
  const count = platform.db.sql.query<{ c: number }, [string]>(
    "SELECT count(*) AS c FROM locations WHERE folder_id = ?",
  );
  let stored = count.get(folder.id)!.c;
  const incoming = ({ contents, size, at }: Filled, n: number) =>
    toIncoming(contents, {
      folderId: folder.id,
      uid: n + 1,
      internalDate: at,
      size,
      flags: { seen: n % 5 !== 0, flagged: n % 50 === 0, answered: false, draft: false, important: false },
      labels: n % 20 === 0 ? [`Label ${n % 7}`] : [],
      flagsHash: 0,
      serverThreadId: null,
    });
  return {
    get stored() {
      return stored;
    },
    take(batch) {
      const messages = batch.map((filled, i) => incoming(filled, stored + i));
      const { failed } = platform.db.write(() => pipeline.take(account, folder, messages));
      if (failed > 0) throw new Error(`${failed} messages could not be stored`);
      stored += batch.length;
    },
    maintain: () => mailbox.fullText.maintain(owner.id, { rest: async () => {} }),
    finish() {
      account.sync = { phase: "live", done: stored, total: stored };
      mailbox.accounts.setProgress(account.id, account.sync);
      mailbox.accounts.setStatus(account.id, "paused", null);
      platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      platform.close();
    },
  };
}
