import { planAllows } from "../../kernel/plans.ts";
import { planOfPrograms } from "../../platform/identity/program-limits.ts";
import type { User } from "../../platform/identity/users.ts";
import { nextRun } from "../../platform/jobs/cron.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";

/** Kind of the job that runs the agent for all users with agent rules. At most one is pending, which is the schedule. */
export const AGENT_JOB = "agent";

export interface ScheduleParts {
  platform: Platform;
  /** Whether any rule lets the agent read a user's mail. */
  wanted(user: User): boolean;
  run(user: User): Promise<{ looked_at: number; actions: readonly unknown[] }>;
}

/** Runs the agent on a schedule, for users with agent rules. Without a rule the agent may do nothing. */
export class AgentSchedule {
  constructor(private readonly parts: ScheduleParts) {}

  /** Enqueues the next pass unless it is already pending. */
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
          if (!planAllows(planOfPrograms(platform, user), "agent:run") || !wanted(user)) continue;
          try {
            actions += (await run(user)).actions.length;
          } catch (error) {
            // One user's failure must not affect the others. The next pass handles what was missed.
            platform.log.error("a pass of the agent failed", { user: user.id, ...errorFields(error) });
          }
        }
      }
      this.start();
      return { outcome: "done", detail: `${actions} actions` };
    },
  };
}
