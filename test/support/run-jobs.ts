import type { JobHandler } from "../../src/platform/jobs/runner.ts";
import type { Platform } from "../../src/platform/platform.ts";

/** Runs what is due, and what that queues, until nothing of these kinds is due any more. @returns the kinds, in order */
export async function runDueJobs({ jobs }: Platform, handlers: Record<string, JobHandler>): Promise<string[]> {
  const ran: string[] = [];
  for (let before = -1; before < ran.length; ) {
    before = ran.length;
    for (const [kind, handler] of Object.entries(handlers)) {
      for (let job = jobs.claim(kind); job; job = jobs.claim(kind)) {
        jobs.finish(job, await handler.run(job));
        ran.push(kind);
      }
    }
  }
  return ran;
}
