import { Cron } from "croner";
import { localDay } from "../../kernel/local-time.ts";
import type { User } from "../../platform/identity/users.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { CREDITS, hasCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Brief } from "./model.ts";
import type { BriefService } from "./service.ts";
import type { BriefStore } from "./store.ts";

/** Kind of the job that makes a user's daily brief; payload { user_id, time, timezone }, one pending of each. */
export const BRIEF_JOB = "brief";

/** When a clock in a zone next shows this time of day, ms; at a change of clocks, once. @param time HH:MM */
export function nextTimeOfDay(time: string, timezone: string, now: number): number {
  const [hour, minute] = time.split(":").map(Number);
  const next = new Cron(`${minute} ${hour} * * *`, { timezone, paused: true }).nextRun(new Date(now));
  if (!next) throw new Error("a daily time has no next");
  return next.getTime();
}

/** Delivers a brief to the user's own mailbox; called only where they turned it on. */
export type MailBrief = (user: User, brief: Brief) => void;

/** Makes a brief for every user at their own time of day. The pending job is the schedule: it survives a restart. */
export class DailyBriefs {
  constructor(
    private readonly platform: Platform,
    private readonly store: BriefStore,
    private readonly briefs: () => BriefService,
    private readonly mailBrief: MailBrief,
  ) {}

  /** Sees to it that everybody who wants one has their next brief in the queue, also when they move to another time zone. */
  start(): void {
    const { users } = this.platform;
    users.onTimezone = (user) => this.plan(user);
    for (const person of users.list()) for (const user of [person, users.sandboxOf(person.id)]) this.plan(user);
  }

  /** Queues the next brief of a user; what was queued for another time or zone finds, when it falls due, that it is void. */
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
      const detail = await this.#make(user, settings.mail);
      this.plan(user);
      return { outcome: "done", detail };
    },
  };

  async #make(user: User, mail: boolean): Promise<string> {
    const { platform } = this;
    if (user.plan === "free") return "the plan has no AI";
    if (!hasCredits(platform, user, CREDITS.brief)) return "the credits of the month are used up";
    // A retry after a crash: the brief of this morning is there.
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

  /** Whether the schedule made the brief of this day: one that was asked for does not stand in for it. */
  #isDaily(user_id: string, date: string): boolean {
    return this.platform.audit
      .list(user_id, { limit: 20, action: "brief.generate" })
      .some(({ actor, after }) => actor.kind === "system" && (after as { date?: string } | null)?.date === date);
  }
}
