import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Secret } from "../../src/backup/envelope.ts";
import { type MadeBackup, type MakeOptions, makeBackup } from "../../src/backup/make.ts";
import { type Restored, restoreBackup } from "../../src/backup/restore.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { MIGRATION_NAMES } from "../../src/platform/db/migrate.ts";
import { formatKey } from "../../src/platform/sealing/master-key.ts";
import { newRecoveryKey, type RecoveryKey } from "../../src/platform/sealing/recovery-key.ts";
import { indexMessage } from "./index-message.ts";
import { type Scratch, scratchPlatform } from "./scratch-platform.ts";
import { type SeededMailbox, seedMailbox } from "./seed-mail.ts";

/** A data folder with mail, a folder for backups, and a recovery key. */
export interface BackupFixture {
  scratch: Scratch;
  mailbox: Mailbox;
  seeded: SeededMailbox;
  recovery: RecoveryKey;
  secret: Secret;
  /** Returns a path in the backup folder. */
  path(name: string): string;
  backup(name: string, more?: Partial<MakeOptions>): Promise<MadeBackup>;
  /** Restores into a folder with this name. */
  restore(name: string, into: string, more?: { secrets?: Secret[]; older?: string[] }): Promise<Restored>;
  close(): void;
}

export async function createBackupFixture(messages = 30): Promise<BackupFixture> {
  const scratch = scratchPlatform();
  const { platform, data_dir } = scratch;
  const mailbox = createMailbox(platform);
  const seeded = seedMailbox(platform, scratch.user.id, { mailbox });
  for (let i = 0; i < messages; i++) deliverWithText(scratch, mailbox, seeded, i);
  const recovery = await newRecoveryKey();
  const folder = mkdtempSync(join(tmpdir(), "postroom-backup-"));
  const path = (name: string) => join(folder, name);
  const secret: Secret = { kind: "recovery key", secret: recovery.secret };
  return {
    scratch,
    mailbox,
    seeded,
    recovery,
    secret,
    path,
    backup: (name, more = {}) =>
      makeBackup({
        data_dir,
        file: path(name),
        keys: {
          master_key: formatKey(platform.keyring.master).trim(),
          source: "file",
          passphrase_json: null,
          recovery_json: null,
        },
        readers: { master: platform.keyring.master, salt: null, recovery: recovery.recipient },
        version: "0.0.0",
        clock: scratch.clock,
        ...more,
      }),
    restore: (name, into, { secrets = [secret], older = [] } = {}) =>
      restoreBackup({ file: path(name), older, secrets, data_dir: path(into), migrations: MIGRATION_NAMES }),
    close() {
      scratch.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const BOB = { name: "Bob", email: "bob@example.net" };

/** Delivers a message whose words can be searched. */
export function deliverWithText({ platform }: Scratch, mailbox: Mailbox, into: SeededMailbox, i: number): string {
  const subject = `Invoice ${i}`;
  const text = `${crypto.randomUUID()} is the number of what we bought on day ${i}.\n`.repeat(1 + (i % 40));
  const { message_id } = into.deliver({ subject, from: BOB, text });
  indexMessage(platform.db, mailbox, message_id, { subject, from: BOB, text });
  return message_id;
}
