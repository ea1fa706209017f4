import { type Clock, nextUtcMidnight, utcDay, utcMonth } from "../../kernel/clock.ts";
import type { Plan, PlanLimits } from "../../kernel/plans.ts";
import { PLAN_DEFAULTS } from "../../kernel/plans.ts";
import type { Config } from "../config/load.ts";
import type { Db } from "../db/open.ts";
import type { UserRow } from "../identity/tables.ts";
import type { MeterRow } from "./tables.ts";

/** Meters that are updated in the transaction of what they count: sends per UTC day, credits per UTC month. */
export type ExactMeter = "sends" | "ai_credits";
type Meter = ExactMeter | "requests";

const DAY_MS = 86_400_000;

interface DayCount {
  user_id: string;
  day: string;
  /** The count in the table when it was read, plus what was flushed since. */
  stored: number;
  /** Counted since the last flush. */
  pending: number;
}

/**
 * The values that determine a user's limits. Seats multiply those of a team (docs/api.md, "Plans and daily quotas").
 */
export interface MeteredUser {
  plan: Plan;
  seats?: number;
  /** The shared counters of several people (a team); absent: the user's own. */
  pool_id?: string;
  role?: UserRow["role"];
  sandbox_of?: string | null;
}

/** Returns the id under which a user's requests, sends and credits are counted. */
export function poolOf({ id, pool_id }: MeteredUser & { id: string }): string {
  return pool_id ?? id;
}

/**
 * The counters for the plan limits. Requests are counted in memory and written every few seconds, which is safe because
 * only one process serves. Sends and credits are written at once.
 */
export class Meters {
  /** By user and day. The counts of yesterday stay until a flush has written them. */
  readonly #requests = new Map<string, DayCount>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    /** Returns the limits that replace those of a user's plan; null while those of the plan apply. */
    private readonly lifted: (user: MeteredUser) => PlanLimits | null,
  ) {}

  /** Returns the limits that apply to a user: those of the plan, from the configuration, unless they are lifted. */
  limits(user: MeteredUser): PlanLimits {
    const { plan, seats = 1 } = user;
    const lifted = this.lifted(user);
    if (lifted) return lifted;
    if (plan === "free") return PLAN_DEFAULTS.free;
    const times = plan === "team" ? seats : 1;
    return {
      requests_per_day: this.config.get(`limits.${plan}.requests_per_day`) * times,
      sends_per_day: this.config.get(`limits.${plan}.sends_per_day`) * times,
      webhook_endpoints: this.config.get(`limits.${plan}.webhook_endpoints`),
      ai_credits_per_month: this.config.get(`limits.${plan}.ai_credits_per_month`) * times,
    };
  }

  /** Counts a request unless the day's `limit` is reached. @returns whether it was counted */
  countRequest(user_id: string, limit: number): boolean {
    const count = this.#today(user_id);
    if (count.stored + count.pending >= limit) return false;
    count.pending++;
    return true;
  }

  /** Returns the requests since the last UTC midnight. */
  requests(user_id: string): number {
    const count = this.#today(user_id);
    return count.stored + count.pending;
  }

  /**
   * Adds to an exact meter; call it in the transaction of what it counts.
   * @param limit of the period; null: no limit
   * @param at time of what is counted, ms, so that both are in the same period around midnight
   * @returns false if `amount` exceeds what is left; nothing is counted then
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

  /** Reverses `spend` for something that did not happen. @param at the time that was passed to `spend`, ms */
  refund(meter: ExactMeter, user_id: string, amount: number, at: number = this.clock.now()): void {
    this.db.sql
      .query("UPDATE meters SET used = max(0, used - ?) WHERE user_id = ? AND meter = ? AND period = ?")
      .run(amount, user_id, meter, periodOf(meter, at));
  }

  /** Returns the value of an exact meter in the current period. */
  used(meter: ExactMeter, user_id: string): number {
    return this.#stored(user_id, meter, periodOf(meter, this.clock.now()));
  }

  /** Returns a daily meter for the last `days` UTC days, today last. */
  history(meter: "requests" | "sends", user_id: string, days: number): { day: string; value: number }[] {
    const now = this.clock.now();
    const names = Array.from({ length: days }, (_, i) => utcDay(now - (days - 1 - i) * DAY_MS));
    const rows = this.db.sql
      .query<Pick<MeterRow, "period" | "used">, [string, string, string]>(
        "SELECT period, used FROM meters WHERE user_id = ? AND meter = ? AND period >= ?",
      )
      .all(user_id, meter, names[0]!);
    const stored = new Map(rows.map(({ period, used }) => [period, used]));
    // The newest requests are only in memory.
    if (meter === "requests") stored.set(names.at(-1)!, this.requests(user_id));
    return names.map((day) => ({ day, value: stored.get(day) ?? 0 }));
  }

  /** Returns when the daily limits that apply at `at` reset, ms. */
  resetsAt(at: number = this.clock.now()): number {
    return nextUtcMidnight(at);
  }

  /** Writes the requests counted since the last flush. */
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

  /** Discards the counts in memory of users who are being removed. */
  forget(userIds: readonly string[]): void {
    for (const [name, { user_id }] of this.#requests) if (userIds.includes(user_id)) this.#requests.delete(name);
  }

  /** Deletes days before that of `beforeMs`. Months are few and stay. @returns how many rows were deleted */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM meters WHERE length(period) = 10 AND period < ?").run(utcDay(beforeMs))
      .changes;
  }

  #today(user_id: string): DayCount {
    const day = utcDay(this.clock.now());
    const name = `${user_id} ${day}`;
    const count = this.#requests.get(name);
    if (count) return count;
    const counter = { user_id, day, stored: this.#stored(user_id, "requests", day), pending: 0 };
    this.#requests.set(name, counter);
    return counter;
  }

  #stored(user_id: string, meter: Meter, period: string): number {
    const row = this.db.sql
      .query<Pick<MeterRow, "used">, [string, string, string]>(
        "SELECT used FROM meters WHERE user_id = ? AND meter = ? AND period = ?",
      )
      .get(user_id, meter, period);
    return row?.used ?? 0;
  }
}

function periodOf(meter: Meter, at: number): string {
  return meter === "ai_credits" ? utcMonth(at) : utcDay(at);
}
