import { seedSandbox } from "../inbound/import/local-delivery.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import { isDiskFull } from "../platform/disk-full.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { mailPipeline } from "./mail.ts";

const SEED_RETRY_MS = 60_000;

/** Fills a person's sandbox, unless the person is removed first. On a full disk, retries every minute. */
export async function seedPerson(platform: Platform, mailbox: Mailbox, id: string): Promise<void> {
  const { users, clock, log } = platform;
  try {
    if (users.get(id)) await seed(platform, mailbox, users.sandboxOf(id).id);
  } catch (error) {
    if (!users.get(id)) return;
    if (!isDiskFull(error)) throw error;
    log.warn("the sample mail will be stored later, because the disk is full");
    const failed = (again: unknown) => log.error("the sample mail could not be stored", errorFields(again));
    clock.after(SEED_RETRY_MS, () => void seedPerson(platform, mailbox, id).catch(failed));
  }
}

/** Fills a sandbox user's mailbox with the sample mail, once. */
export function seed(platform: Platform, mailbox: Mailbox, user_id: string): Promise<void> {
  const { accounts, folders, locations } = mailbox;
  const files = new BlobFiles(platform);
  const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
  return seedSandbox(
    { platform, accounts, folders, locations, pipeline: mailPipeline(platform, mailbox), keepRaw },
    user_id,
  );
}
