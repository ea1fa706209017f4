import type { HttpServer } from "../http/server.ts";
import type { Platform } from "../platform/platform.ts";
import type { Parts } from "./parts.ts";
import { STOP, within } from "./stop.ts";

/**
 * Ends the parts within a few seconds, and closes the platform. No new job begins. A message that is being handed over gets a
 * moment; one that takes longer is looked for at the next start.
 */
export async function stopParts(
  platform: Platform,
  parts: Parts,
  { server, worker }: { server: HttpServer; worker: { stop(): Promise<void> } },
): Promise<void> {
  const { jobs, webhooks, smtp, connecting, semantic, fullText, briefs, backups } = parts;
  const { clock, db } = platform;
  backups.stop();
  db.setBusyTimeout(STOP.busyMs);
  const ended = Promise.all([jobs.stop(), webhooks.deliverer.stop()]);
  await server.stop(STOP.requestsMs);
  smtp.close();
  connecting.close();
  await Promise.all([
    within(clock, STOP.workMs, ended),
    worker.stop(),
    semantic.stop(),
    fullText.stop(),
    briefs.stop(),
  ]);
  webhooks.close();
  platform.close();
}
