import { type Clock, nextUtcMidnight, utcDay, utcMonth } from "../../kernel/clock.ts";
import type { Plan, PlanLimits } from "../../kernel/plans.ts";
import { PLAN_DEFAULTS } from "../../kernel/plans.ts";
import type { Config } from "../config/load.ts";
import type { Db } from "../db/open.ts";

/** Meters kept exactly, in the transaction of what they count. Sends count per UTC day, credits per UTC month. */
export type ExactMeter = "sends" | "ai_credits";
type Meter = ExactMeter | "requests";

const DAY_MS = 86_400_000;

interface DayCount {
  user_id: string;
  day: string;
  /** What the table held when the day was first looked at, plus what was flushed since. */
  stored: number;
  /** Counted since the last flush. */
  pending: number;
}

/** Determines the plan limits; seats multiply the team's limits (docs/api.md, "Plans and daily quotas"). */
export interface MeteredUser {
  plan: Plan;
  seats?: number;
  /** The shared counters of several people (a team); absent: the user's own. */
  pool_id?: string;
}

/** The name that a user's requests, sends and credits are counted under. */
export function poolOf({ id, pool_id }: MeteredUser & { id: string }): string {
  return pool_id ?? id;
}

/**
 * The counters behind the plan limits. Requests are counted in memory and written every few seconds (they may lag 5 s
 * on disk, never in memory, and only one process serves); sends and credits are written at once.
 */
export class Meters {
  /** By user and day: yesterday's rest stays until a flush has written it. */
  readonly #requests = new Map<string, DayCount>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Returns the limits of a user's plan, from the configuration. */
  limits(user: MeteredUser): PlanLimits {
    const { plan, seats = 1 } = user;
    if (plan === "free") return PLAN_DEFAULTS.free;
    const times = plan === "team" ? seats : 1;
    return {
      requests_per_day: this.config.get(`limits.${plan}.requests_per_day`) * times,
      sends_per_day: this.config.get(`limits.${plan}.sends_per_day`) * times,
      webhook_endpoints: this.config.get(`limits.${plan}.webhook_endpoints`),
      ai_credits_per_month: this.config.get(`limits.${plan}.ai_credits_per_month`) * times,
    };
  }

  /** Counts a request unless the day's `limit` is reached. @returns whether it was within it */
  countRequest(user_id: string, limit: number): boolean {
    const count = this.#today(user_id);
    if (count.stored + count.pending >= limit) return false;
    count.pending++;
    return true;
  }

  /** Requests since the last UTC midnight. */
  requests(user_id: string): number {
    const count = this.#today(user_id);
    return count.stored + count.pending;
  }

  /**
   * Adds to an exact meter; call it in the transaction of what it counts.
   * @param limit what the period allows; null: no limit, only count
   * @param at ms, the instant that what is counted bears: read twice, the clock may be on both sides of midnight
   * @returns false, and counts nothing, when `amount` does not fit any more
   */
  spend(
    meter: ExactMeter,
    user_id: string,
    amount: number,
    limit: number | null,
    at: number = this.clock.now(),
  ): boolean {
    if (limit !== null && amount > limit) return false;
    const { changes } = this.db.sql
      .query(
        `INSERT INTO meters (user_id, meter, period, used) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (user_id, meter, period) DO UPDATE SET used = used + ?4 WHERE ?5 IS NULL OR used + ?4 <= ?5`,
      )
      .run(user_id, meter, periodOf(meter, at), amount, limit);
    return changes > 0;
  }

  /** Gives back what `spend` took in the period of `at`, in ms, for a thing that did not happen after all. */
  refund(meter: ExactMeter, user_id: string, amount: number, at: number = this.clock.now()): void {
    this.db.sql
      .query("UPDATE meters SET used = max(0, used - ?) WHERE user_id = ? AND meter = ? AND period = ?")
      .run(amount, user_id, meter, periodOf(meter, at));
  }

  /** What an exact meter shows for the current period. */
  used(meter: ExactMeter, user_id: string): number {
    return this.#stored(user_id, meter, periodOf(meter, this.clock.now()));
  }

  /** A daily meter over the last `days` UTC days, today last; days on which nothing was counted are 0. */
  history(meter: "requests" | "sends", user_id: string, days: number): { day: string; value: number }[] {
    const now = this.clock.now();
    const names = Array.from({ length: days }, (_, i) => utcDay(now - (days - 1 - i) * DAY_MS));
    const rows = this.db.sql
      .query<{ period: string; used: number }, [string, string, string]>(
        "SELECT period, used FROM meters WHERE user_id = ? AND meter = ? AND period >= ?",
      )
      .all(user_id, meter, names[0]!);
    const stored = new Map(rows.map(({ period, used }) => [period, used]));
    // The newest requests are not on the disk yet.
    if (meter === "requests") stored.set(names.at(-1)!, this.requests(user_id));
    return names.map((day) => ({ day, value: stored.get(day) ?? 0 }));
  }

  /** When the daily caps of an instant, of now if none is given, reset; ms. */
  resetsAt(at: number = this.clock.now()): number {
    return nextUtcMidnight(at);
  }

  /** Writes the request counts that gathered since the last time. */
  flush(): void {
    const dirty = [...this.#requests].filter(([, count]) => count.pending > 0);
    const today = utcDay(this.clock.now());
    if (dirty.length > 0) {
      const statement = this.db.sql.query(
        `INSERT INTO meters (user_id, meter, period, used) VALUES (?1, 'requests', ?2, ?3)
         ON CONFLICT (user_id, meter, period) DO UPDATE SET used = used + ?3`,
      );
      this.db.writeLazily(() => {
        for (const [, count] of dirty) statement.run(count.user_id, count.day, count.pending);
      });
    }
    for (const [, count] of dirty) {
      count.stored += count.pending;
      count.pending = 0;
    }
    for (const [name, count] of this.#requests) if (count.day !== today) this.#requests.delete(name);
  }

  /** Drops what of these users is counted in memory only; it is for those who are removed. */
  forget(userIds: readonly string[]): void {
    for (const [name, { user_id }] of this.#requests) if (userIds.includes(user_id)) this.#requests.delete(name);
  }

  /** Deletes days before that of `before_ms`. Months, of credits, are few and stay. @returns how many rows */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM meters WHERE length(period) = 10 AND period < ?").run(utcDay(beforeMs))
      .changes;
  }

  #today(user_id: string): DayCount {
    const day = utcDay(this.clock.now());
    const name = `${user_id} ${day}`;
    const count = this.#requests.get(name);
    if (count) return count;
    const fresh = { user_id, day, stored: this.#stored(user_id, "requests", day), pending: 0 };
    this.#requests.set(name, fresh);
    return fresh;
  }

  #stored(user_id: string, meter: Meter, period: string): number {
    const row = this.db.sql
      .query<{ used: number }, [string, string, string]>(
        "SELECT used FROM meters WHERE user_id = ? AND meter = ? AND period = ?",
      )
      .get(user_id, meter, period);
    return row?.used ?? 0;
  }
}

function periodOf(meter: Meter, at: number): string {
  return meter === "ai_credits" ? utcMonth(at) : utcDay(at);
}
