import type { CancelTimer } from "../kernel/clock.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";

/** Request counts and `last_used_at` may lag 5 s on disk (decisions, "Durability"). */
const FLUSH_MS = 4_000;

/** Writes what the edge counts in memory, a few seconds behind and only when there is something. */
export class Upkeep {
  readonly #keys_used = new Map<string, number>();
  #timer: CancelTimer | null = null;

  constructor(private readonly platform: Platform) {}

  /** Notes that a key was used. Every request that is counted uses a key, so this also schedules the counters. */
  keyUsed(key_id: string): void {
    const { clock } = this.platform;
    this.#keys_used.set(key_id, clock.now());
    this.#timer ??= clock.after(FLUSH_MS, () => {
      this.#timer = null;
      this.flush();
    });
  }

  /** A write that fails (the disk is full) is tried again with the next one: counting stays right in memory. */
  flush(): void {
    const { platform } = this;
    try {
      platform.meters.flush();
      if (this.#keys_used.size > 0) platform.keys.touch(this.#keys_used);
      this.#keys_used.clear();
    } catch (error) {
      platform.log.warn("counters could not be written", errorFields(error));
    }
  }

  close(): void {
    this.#timer?.();
    this.#timer = null;
    this.flush();
  }
}
