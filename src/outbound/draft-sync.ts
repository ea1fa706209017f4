import type { Mailbox } from "../mailbox/mailbox.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import type { Platform } from "../platform/platform.ts";
import { DraftCopies } from "./drafts/copies.ts";
import { DraftIntake } from "./drafts/intake.ts";
import { DraftSync, type DraftSyncParts } from "./drafts/sync.ts";
import { createOutbound } from "./outbound.ts";

/** Creates the draft sync, for the thread that has the connections to the servers. */
export function createDraftSync(
  platform: Platform,
  mailbox: Mailbox,
  server: Pick<DraftSyncParts, "withMailbox" | "syncNow" | "grace_ms">,
): DraftSync {
  const { accounts, folders } = mailbox;
  const { draftStore: store, draftFiles } = createOutbound(platform, mailbox);
  const copies = new DraftCopies(platform, store);
  const intake = new DraftIntake({ platform, store, copies, draftFiles, files: new BlobFiles(platform) });
  return new DraftSync({ platform, accounts, folders, store, copies, files: draftFiles, intake, ...server });
}
