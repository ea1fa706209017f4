import { localDay } from "../../kernel/local-time.ts";
import { planOfPrograms } from "../../platform/identity/program-limits.ts";
import type { User } from "../../platform/identity/users.ts";
import { nextTimeOfDay } from "../../platform/jobs/cron.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { CREDITS, hasCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Brief } from "./model.ts";
import type { BriefService } from "./service.ts";
import type { BriefStore } from "./store.ts";

/** Kind of the job that generates a user's daily brief; payload { user_id, time, timezone }, one pending of each. */
export const BRIEF_JOB = "brief";

/** Delivers a brief to the user's own mailbox. Called only if the user turned it on. */
export type MailBrief = (user: User, brief: Brief) => void;

/** Generates a brief for every user at their local time of day. The pending job is the schedule and survives a restart. */
export class DailyBriefs {
  constructor(
    private readonly platform: Platform,
    private readonly store: BriefStore,
    private readonly briefs: () => BriefService,
    private readonly mailBrief: MailBrief,
  ) {}

  /** Queues the next brief of every user who wants one, and again when a user changes the time zone. */
  start(): void {
    const { users } = this.platform;
    users.listenTimezone((user) => this.plan(user));
    for (const person of users.list()) for (const user of [person, users.sandboxOf(person.id)]) this.plan(user);
  }

  /** Queues the next brief of a user. A job queued for an earlier time or zone ends without a brief when it is due. */
  plan(user: User): void {
    const { daily, time } = this.store.settings(user.id);
    if (!daily) return;
    const { jobs, clock } = this.platform;
    const { timezone } = user;
    const run_at = nextTimeOfDay(time, timezone, clock.now());
    jobs.enqueue({
      kind: BRIEF_JOB,
      dedupe_key: `${user.id} ${time} ${timezone}`,
      user_id: user.id,
      payload: { user_id: user.id, time, timezone },
      run_at,
    });
  }

  readonly handler: JobHandler = {
    concurrency: 1,
    run: async (job) => {
      const { user_id, time, timezone } = job.payload as { user_id: string; time: string; timezone: string };
      const user = this.platform.users.get(user_id);
      if (!user) return { outcome: "done", detail: "the user is gone" };
      const settings = this.store.settings(user_id);
      if (!settings.daily || settings.time !== time || user.timezone !== timezone) {
        return { outcome: "done", detail: "the settings have changed" };
      }
      const detail = await this.#generate(user, settings.mail);
      this.plan(user);
      return { outcome: "done", detail };
    },
  };

  async #generate(user: User, mail: boolean): Promise<string> {
    const { platform } = this;
    if (planOfPrograms(platform, user) === "free") return "the plan has no AI";
    if (!hasCredits(platform, user, CREDITS.brief)) return "the credits of the month are used up";
    // A retry after a crash: this morning's brief already exists.
    const last = this.store.latest(user.id);
    if (last?.date === localDay(user.timezone, platform.clock.now()) && this.#isDaily(user.id, last.date))
      return "made already";
    const briefs = this.briefs();
    const writer = { user, actor: SYSTEM_ACTOR, request_id: null };
    const { date } = await briefs.generate(writer, (write) =>
      platform.db.write(() => {
        const generated = write();
        if (mail) this.mailBrief(user, briefs.latest({ user_id: user.id, account_id: null }));
        return generated;
      }),
    );
    return date;
  }

  /** Whether the schedule generated the brief of this day. A brief on request does not replace the scheduled one. */
  #isDaily(user_id: string, date: string): boolean {
    return this.platform.audit
      .list(user_id, { limit: 20, action: "brief.generate" })
      .some(({ actor, after }) => actor.kind === "system" && (after as { date?: string } | null)?.date === date);
  }
}
