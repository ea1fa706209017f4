import type { Platform } from "../platform/platform.ts";
import type { Parts } from "./parts.ts";
import { STOP_LIMITS, within } from "./stop.ts";

/** How requests and the mail worker of a run end. */
export interface Ending {
  endRequests(): Promise<void>;
  worker: { stop(): Promise<void> };
}

/**
 * Stops the parts within a few seconds. No new job starts. A message that is being submitted gets a short time to
 * finish; if it takes longer, the next start checks whether it was sent.
 */
export async function stopParts(platform: Platform, parts: Parts, { endRequests, worker }: Ending): Promise<void> {
  const {
    jobs,
    webhooks,
    smtp,
    connecting,
    semantic,
    fullText,
    briefs,
    backups,
    copies,
    drills,
    uploads,
    notifications,
  } = parts;
  const { clock, db } = platform;
  backups.stop();
  copies.stop();
  drills.stop();
  uploads.stop();
  notifications.stop();
  db.setBusyTimeout(STOP_LIMITS.busyMs);
  const ended = Promise.all([jobs.stop(), webhooks.deliverer.stop()]);
  await endRequests();
  smtp.close();
  connecting.close();
  await Promise.all([
    within(clock, STOP_LIMITS.workMs, ended),
    worker.stop(),
    semantic.stop(),
    fullText.stop(),
    briefs.stop(),
  ]);
  webhooks.close();
  notifications.close();
}
