import { pruneFailedSteps } from "../inbound/message/failed-steps.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { Parts } from "./parts.ts";
import { sweepIndexes } from "./search.ts";
import { sweepFiles } from "./sweep.ts";

/** Returns the functions that remove outdated rows and files once a day. */
export function retentionSteps(platform: Platform, parts: Parts): (() => void)[] {
  const { mailbox, outbound, webhooks, people, ai, backups, partCache } = parts;
  return [
    () => {
      const failed = (error: unknown) => platform.log.warn("files could not be removed", errorFields(error));
      void sweepFiles(platform, mailbox, outbound, partCache).catch(failed);
    },
    () => webhooks.service.prune(),
    () => people.contactStore.prune(),
    () => ai.prune(),
    () => backups.prune(),
    () => sweepIndexes(platform),
    () => pruneFailedSteps(platform),
  ];
}
