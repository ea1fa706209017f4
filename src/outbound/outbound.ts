import type { Mailbox } from "../mailbox/mailbox.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import type { Platform } from "../platform/platform.ts";
import { BounceStore } from "./bounces/store.ts";
import { Drafts } from "./drafts/drafts.ts";
import { DraftFiles } from "./drafts/files.ts";
import { DraftStore } from "./drafts/store.ts";
import { Canceler } from "./sends/cancel.ts";
import { Scheduler } from "./sends/schedule.ts";
import { SendStore } from "./sends/store.ts";

/** Everything that sends mail. Each thread has one instance of each service, over its own platform. */
export interface Outbound {
  draftStore: DraftStore;
  drafts: Drafts;
  draftFiles: DraftFiles;
  sends: SendStore;
  scheduler: Scheduler;
  canceler: Canceler;
  bounces: BounceStore;
}

/** Creates the services that send mail. */
export function createOutbound(platform: Platform, { accounts, threadQueries: threads }: Mailbox): Outbound {
  const draftStore = new DraftStore(platform);
  const sends = new SendStore(platform);
  const drafts = new Drafts({ platform, accounts, threads, store: draftStore });
  const files = new BlobFiles(platform);
  return {
    draftStore,
    drafts,
    draftFiles: new DraftFiles({ platform, drafts, store: draftStore, files }),
    sends,
    scheduler: new Scheduler({ platform, accounts, drafts, draftStore, sends }),
    canceler: new Canceler({ platform, sends, draftStore }),
    bounces: new BounceStore(platform),
  };
}
