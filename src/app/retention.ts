import { pruneFailedSteps } from "../inbound/message/failed-steps.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { sweepUploads } from "./import.ts";
import type { Parts } from "./parts.ts";
import { sweepIndexes } from "./search.ts";
import { sweepFiles } from "./sweep.ts";

const DAY_MS = 86_400_000;

/** Returns the functions that remove outdated rows and files once a day. */
export function retentionSteps(platform: Platform, parts: Parts): (() => void)[] {
  const { mailbox, outbound, webhooks, people, ai, mcp, backups, notifications, partCache } = parts;
  return [
    () => {
      const failed = (error: unknown) => platform.log.warn("files could not be removed", errorFields(error));
      void sweepFiles(platform, mailbox, outbound, partCache).catch(failed);
    },
    () => webhooks.service.prune(),
    () => people.contactStore.prune(),
    () => ai.prune(),
    () => mcp.sends.prune(platform.clock.now() - platform.config.get("retention.audit_days") * DAY_MS),
    () => backups.prune(),
    () => platform.storeCalls.prune(),
    () => platform.updateCalls.prune(),
    () => notifications.prune(),
    () => {
      const failed = (error: unknown) => platform.log.warn("uploads could not be removed", errorFields(error));
      void sweepUploads(platform).catch(failed);
    },
    () => sweepIndexes(platform),
    () => pruneFailedSteps(platform),
  ];
}
