import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AttemptResult, Attempts } from "./attempt.ts";
import type { Item, ItemStore } from "./items-store.ts";
import { isUrgent, type Kind } from "./kinds.ts";
import { earliestAttempt, GATHER_MAIL_MS, GATHER_MS, isFailing, retryDelay } from "./schedule.ts";
import type { SettingsStore } from "./settings-store.ts";
import type { Sources } from "./sources.ts";
import type { Target, TargetStore } from "./targets-store.ts";
import { compose } from "./text.ts";
import { releaseAt } from "./timing.ts";

/** Kind of the job that sends what waits for a target; payload { target_id }, one pending for each target. */
export const NOTIFY_JOB = "notify";
/** Targets that are notified at the same time. */
const CONCURRENCY = 4;

export interface DelivererParts {
  platform: Platform;
  targets: TargetStore;
  items: ItemStore;
  settings: SettingsStore;
  attempts: Attempts;
  sources: Pick<Sources, "isDecided">;
  /** Address of the server for links, without a final slash; null: unknown. */
  base: () => string | null;
}

type JobResult = Awaited<ReturnType<JobHandler["run"]>>;

/**
 * Sends what waits for a target as one message, at least once: a crash between the response and its record repeats the
 * message. Whether something waits is decided again at each run, so changed settings apply at once.
 */
export class Deliverer {
  readonly #stop = new AbortController();
  /** Targets with an attempt under way. */
  readonly #busy = new Set<string>();

  constructor(private readonly parts: DelivererParts) {}

  /** Aborts the attempts under way. Their jobs run again at the next start. */
  stop(): void {
    this.#stop.abort();
  }

  /** Queues the next message of a target, in the transaction of the caller. Does nothing if nothing waits. */
  plan(target: Target): void {
    const { platform, items } = this.parts;
    if (target.status !== "active") return;
    const now = platform.clock.now();
    const release = this.#releaseOf(target, now);
    if (!release) return;
    const times = items
      .times(target.id)
      .map((item) => Math.max(release(item), item.at + (item.kind === "mail" ? GATHER_MAIL_MS : GATHER_MS)));
    if (times.length === 0) return;
    const first = times.reduce((earliest, time) => Math.min(earliest, time));
    this.#enqueue(target, Math.max(first, earliestAttempt(target, now)));
  }

  /** Queues the messages of a person's targets again, after the settings or the time zone have changed. */
  planAll(user_id: string): void {
    for (const target of this.parts.targets.list(user_id)) this.plan(target);
  }

  readonly handler: JobHandler = {
    concurrency: CONCURRENCY,
    run: async (job) => {
      const { target_id } = job.payload as { target_id: string };
      const target = this.parts.targets.get(target_id);
      if (target?.status !== "active") return done("the target does not want anything");
      // The attempt under way plans the next message when it ends.
      if (this.#busy.has(target_id)) return done("an attempt is under way");
      this.#busy.add(target_id);
      try {
        return await this.#run(target);
      } finally {
        this.#busy.delete(target_id);
      }
    },
  };

  async #run(target: Target): Promise<JobResult> {
    const { platform, items, attempts, base } = this.parts;
    const now = platform.clock.now();
    const release = this.#releaseOf(target, now);
    const mayStart = earliestAttempt(target, now) <= now;
    const released = mayStart && release ? items.waiting(target).filter((item) => release(item) <= now) : [];
    const due = this.#withoutDecided(target, released);
    if (due.length === 0) {
      platform.db.writeLazily(() => this.plan(target));
      return done("nothing is due");
    }
    const contents = due.map(({ content }) => content);
    const message = compose(contents, target.detail, { skipped: target.skipped, base: base() });
    const result = await attempts.make(target, message, this.#stop.signal);
    if (!result) return { outcome: "retry", run_at: now, detail: "the server stopped" };
    return platform.db.writeLazily(() => this.#record(target, due, result));
  }

  /** Drops approvals that were decided while they waited for the end of quiet hours or a digest. */
  #withoutDecided({ user_id }: Target, items: readonly Item[]): Item[] {
    const { platform, sources } = this.parts;
    const isStale = ({ content }: Item) =>
      content.kind === "approval" && sources.isDecided(user_id, content.approval_id);
    const stale = items.filter(isStale);
    if (stale.length > 0) platform.db.writeLazily(() => this.parts.items.settle(stale.map(({ id }) => id)));
    return items.filter((item) => !stale.includes(item));
  }

  #record(sent: Target, due: readonly Item[], result: AttemptResult): JobResult {
    const { targets, items } = this.parts;
    const { outcome, refused, askedWaitMs } = result;
    const { at } = outcome;
    if (outcome.ok) items.settle(due.map(({ id }) => id));
    const target = targets.get(sent.id);
    if (!target) return done("the target was deleted");
    targets.noteOutcome(target, { ...outcome, test: false });
    if (outcome.ok) {
      targets.succeed(target.id, at, sent.skipped);
      this.plan(targets.get(target.id)!);
      return done();
    }
    const failures = target.failure_count + 1;
    const retryAt = at + retryDelay(failures, askedWaitMs);
    targets.fail(target.id, at, retryAt);
    const detail = outcome.error ?? "";
    if (target.status !== "active") return done(detail);
    if (!isFailing({ failures, since: target.streak_since ?? at, refused }, at)) {
      return { outcome: "retry", run_at: retryAt, detail };
    }
    this.#giveUp(target, failures);
    return { outcome: "failed", detail };
  }

  /** Stops sending to a target until its person turns it on again. What waits is kept. */
  #giveUp({ id, user_id, address }: Target, failures: number): void {
    const { platform, targets } = this.parts;
    targets.setStatus(id, "failing");
    platform.audit.record({
      user_id,
      actor: SYSTEM_ACTOR,
      action: "notification.failing",
      target: id,
      before: { name: address.name, status: "active" },
      after: { name: address.name, status: "failing", failures },
    });
    platform.log.warn("a notification target is failing", { target: id, failures });
    this.onGiveUp();
  }

  /** Called when a target is no longer active. */
  onGiveUp: () => void = () => {};

  /** Returns when each notification may be sent; null if the person is gone. */
  #releaseOf(target: Target, now: number): ((item: { kind: Kind; at: number }) => number) | null {
    const { platform, settings } = this.parts;
    const user = platform.users.get(target.user_id);
    if (!user) return null;
    const when = { digest: target, quiet: settings.get(user.id), timezone: user.timezone };
    return ({ kind, at }) => releaseAt({ at, urgent: isUrgent(target, kind) }, when, now);
  }

  #enqueue({ id, user_id }: Target, run_at: number): void {
    const payload = { target_id: id };
    this.parts.platform.jobs.enqueue({ kind: NOTIFY_JOB, dedupe_key: id, user_id, payload, run_at });
  }
}

function done(detail?: string): JobResult {
  return detail === undefined ? { outcome: "done" } : { outcome: "done", detail };
}
