import type { JobHandler } from "../../src/platform/jobs/runner.ts";
import type { Platform } from "../../src/platform/platform.ts";

/** Runs due jobs of these kinds, and those that they queue, until none is due. @returns the kinds, in order */
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
