import type { User } from "../../platform/identity/users.ts";
import { nextRun } from "../../platform/jobs/cron.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";

/** Kind of the job that runs the agent for all who have rules for it; one pending, which is the schedule. */
export const AGENT_JOB = "agent";

export interface ScheduleParts {
  platform: Platform;
  /** Whether any rule lets the agent look at a user's mail. */
  wanted(user: User): boolean;
  run(user: User): Promise<{ looked_at: number; actions: readonly unknown[] }>;
}

/** Runs the agent by the clock, for users with agent rules; without a rule it would have no leave to do anything. */
export class AgentSchedule {
  constructor(private readonly parts: ScheduleParts) {}

  /** Sees to it that the next pass is in the queue. */
  start(): void {
    const { platform } = this.parts;
    const run_at = nextRun(platform.config.get("agent.schedule"), platform.clock.now());
    if (run_at !== null) platform.jobs.enqueue({ kind: AGENT_JOB, dedupe_key: "schedule", run_at });
  }

  readonly handler: JobHandler = {
    concurrency: 1,
    run: async () => {
      const { platform, wanted, run } = this.parts;
      let actions = 0;
      for (const person of platform.users.list()) {
        for (const user of [person, platform.users.sandboxOf(person.id)]) {
          if (user.plan === "free" || user.plan === "pro" || !wanted(user)) continue;
          try {
            actions += (await run(user)).actions.length;
          } catch (error) {
            // One user's trouble is not the others'; what was missed is looked at in the next pass.
            platform.log.error("a pass of the agent failed", { user: user.id, ...errorFields(error) });
          }
        }
      }
      this.start();
      return { outcome: "done", detail: `${actions} actions` };
    },
  };
}
