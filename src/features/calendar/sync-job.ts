import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { CalDavClient } from "../../wire/ical/caldav.ts";
import { CalDavFailure } from "../../wire/ical/caldav-fetch.ts";
import type { Calendar, Calendars } from "./calendars.ts";
import type { CalendarSync } from "./sync.ts";

/** Maximum number of calendars that are synced at the same time. */
const CONCURRENCY = 3;
/** Delay after refused credentials. Retrying them sooner is useless, and some servers lock accounts out. */
const REFUSED_WAIT_MS = 3_600_000;
const BUSY_WAIT_MS = 5_000;

interface Parts {
  platform: Platform;
  calendars: Calendars;
  sync: CalendarSync;
  /** Further certificate authorities, PEM. */
  ca: string | null;
}

/** Syncs calendars with their servers: at once after a local change, and at intervals for remote changes. */
export class CalendarSyncJob {
  readonly #running = new Set<string>();
  readonly #stop = new AbortController();

  constructor(private readonly parts: Parts) {}

  /** Queues a sync of every calendar, at the start of the program. */
  resume(): void {
    const { platform, calendars } = this.parts;
    platform.db.write(() => {
      for (const { id, user_id } of calendars.list()) calendars.syncSoon(id, user_id);
    });
  }

  /** Aborts requests that wait for a server. The next start syncs again. */
  stop(): void {
    this.#stop.abort();
  }

  readonly handler: JobHandler = {
    concurrency: CONCURRENCY,
    run: async ({ payload }) => {
      const { platform, calendars } = this.parts;
      const { calendar_id } = payload as { calendar_id: string };
      const calendar = calendars.get(calendar_id);
      if (!calendar) return { outcome: "done" };
      if (this.#running.has(calendar_id)) return { outcome: "retry", run_at: platform.clock.now() + BUSY_WAIT_MS };
      this.#running.add(calendar_id);
      try {
        const waitMs = await this.#syncOnce(calendar);
        if (calendars.get(calendar_id))
          calendars.syncSoon(calendar_id, calendar.user_id, platform.clock.now() + waitMs);
        return { outcome: "done" };
      } finally {
        this.#running.delete(calendar_id);
      }
    },
  };

  /** @returns how long to wait before the next sync, ms */
  async #syncOnce(calendar: Calendar): Promise<number> {
    const { platform, calendars, sync, ca } = this.parts;
    const pollMs = platform.config.get("calendar.poll_seconds") * 1000;
    try {
      const { url, username, password } = calendars.settings(calendar.id);
      await sync.run(calendar, new CalDavClient({ url, username, password, ca, signal: this.#stop.signal }));
      return pollMs;
    } catch (error) {
      if (!(error instanceof CalDavFailure)) throw error;
      if (this.#stop.signal.aborted) return 0;
      platform.log.warn("a calendar could not be synced", { calendar: calendar.id, ...errorFields(error) });
      calendars.noteFailure(calendar, error.kind === "auth" ? "auth_failed" : "unreachable", error.message);
      return error.kind === "auth" ? REFUSED_WAIT_MS : pollMs;
    }
  }
}
