import type { CancelTimer } from "../kernel/clock.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { Credential } from "./guard/caller.ts";

/** Request counts and `last_used_at` may be up to 5 s behind on disk (docs/reliability.md, "Durability"). */
const FLUSH_MS = 4_000;
/**
 * During a mail import another writer is active most of the time. Requests must not wait for it, so the counters wait
 * for a gap.
 */
const RETRY_MS = 20;
const MAX_RETRIES = 50;

/** Writes the counters that the pipeline keeps in memory, a few seconds behind and only when there are any. */
export class UsageFlush {
  readonly #usedAt: Record<Credential["kind"], Map<string, number>> = {
    key: new Map(),
    connection: new Map(),
    session: new Map(),
  };
  #timer: CancelTimer | null = null;

  constructor(private readonly platform: Platform) {}

  /** Records that a credential was used. Every counted request uses one, so this also schedules the counters. */
  used({ kind, id }: Pick<Credential, "kind" | "id">): void {
    const { clock } = this.platform;
    this.#usedAt[kind].set(id, clock.now());
    this.#timer ??= clock.after(FLUSH_MS, () => this.#flushInGap(MAX_RETRIES));
  }

  close(): void {
    this.#timer?.();
    this.#timer = null;
    this.flush();
  }

  flush(): void {
    this.#flushInGap(0);
  }

  /**
   * Writes as soon as no other thread writes, or in any case after the last attempt to find a gap. A failed write (the
   * disk is full) is retried with the next one. The counts in memory stay correct.
   */
  #flushInGap(looks: number): void {
    const { clock, db, log } = this.platform;
    this.#timer = null;
    try {
      if (looks === 0) this.#write();
      else if (!db.unlessBusy(() => this.#write())) {
        this.#timer = clock.after(RETRY_MS, () => this.#flushInGap(looks - 1));
      }
    } catch (error) {
      log.warn("counters could not be written", errorFields(error));
    }
  }

  #write(): void {
    if (this.platform.acting.pause) return;
    const { meters, keys, connections, sessions } = this.platform;
    meters.flush();
    const owners = { key: keys, connection: connections, session: sessions };
    for (const kind of Object.keys(owners) as Credential["kind"][]) {
      const used = this.#usedAt[kind];
      if (used.size > 0) owners[kind].touch(used);
      used.clear();
    }
  }
}
