import type { User } from "../../platform/identity/users.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Deliverer } from "./deliverer.ts";
import type { ItemStore } from "./items-store.ts";
import type { SettingsStore } from "./settings-store.ts";
import type { Fault, Sources } from "./sources.ts";
import type { KnownFinding } from "./tables.ts";
import type { TargetStore } from "./targets-store.ts";

/** Kind of the job that looks for faults. One is pending while a target wants them. */
export const HEALTH_JOB = "notify-health";

const EVERY_MS = 5 * 60_000;
/** A fault that is back within this time is not new. */
const FORGET_AFTER_MS = 6 * 3_600_000;

export interface HealthParts {
  platform: Platform;
  targets: TargetStore;
  items: ItemStore;
  settings: SettingsStore;
  sources: Sources;
  deliverer: Deliverer;
}

/** Looks for faults every few minutes, and notifies each person once of each. */
export class HealthWatch {
  constructor(private readonly parts: HealthParts) {}

  /** Queues the next check if a target wants to know about faults. */
  plan(delayMs = 0): void {
    if (this.#wanted().size === 0) return;
    const { jobs, clock } = this.parts.platform;
    jobs.enqueue({ kind: HEALTH_JOB, dedupe_key: "all", run_at: clock.now() + delayMs });
  }

  readonly handler: JobHandler = {
    concurrency: 1,
    run: async () => {
      const { platform, sources } = this.parts;
      for (const [user_id, targetIds] of this.#wanted()) {
        const user = platform.users.get(user_id);
        if (user) this.#note(user, targetIds, await sources.faults(user));
      }
      platform.db.writeLazily(() => this.plan(EVERY_MS));
      return { outcome: "done" };
    },
  };

  /** Stores what is known now, and the notifications of what is new, in one transaction. */
  #note(user: User, targetIds: readonly string[], faults: readonly Fault[]): void {
    const { platform, targets, items, settings, deliverer } = this.parts;
    const now = platform.clock.now();
    platform.db.writeLazily(() => {
      if (!platform.users.get(user.id)) return;
      const before = settings.findings(user.id);
      const { known, fresh } = compare(before, faults, now);
      if (JSON.stringify(known) !== JSON.stringify(before)) settings.saveFindings(user.id, known);
      if (fresh.length === 0) return;
      for (const id of targetIds) {
        const target = targets.get(id);
        if (target?.status !== "active") continue;
        const found = fresh.map(({ content }) => ({ source: platform.newId("event"), content }));
        const { skipped } = items.add(target, found);
        if (skipped > 0) targets.advance(id, 0, skipped);
        deliverer.plan(target);
      }
    });
  }

  /** Returns the active targets that want to know about faults, by person. */
  #wanted(): Map<string, string[]> {
    const wanted = new Map<string, string[]>();
    for (const { id, user_id, kinds } of this.parts.targets.listening()) {
      if (kinds.health !== "off") wanted.set(user_id, [...(wanted.get(user_id) ?? []), id]);
    }
    return wanted;
  }
}

/** Compares the faults of now with the known ones. @returns what is known from now on, and what to notify of */
function compare(
  before: Readonly<Record<string, KnownFinding>>,
  faults: readonly Fault[],
  now: number,
): { known: Record<string, KnownFinding>; fresh: Fault[] } {
  const known: Record<string, KnownFinding> = {};
  const present = new Set(faults.map(({ key }) => key));
  for (const [key, finding] of Object.entries(before)) {
    if (present.has(key)) continue;
    const goneAt = finding.goneAt ?? now;
    if (finding.notified && now - goneAt < FORGET_AFTER_MS) known[key] = { ...finding, goneAt };
  }
  const fresh: Fault[] = [];
  for (const fault of faults) {
    const { since, notified } = before[fault.key] ?? { since: now, notified: false };
    const isNew = !notified && now - since >= fault.patienceMs;
    if (isNew) fresh.push(fault);
    known[fault.key] = { since, notified: notified || isNew, goneAt: null };
  }
  return { known, fresh };
}
