import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { StandbyStatus } from "../../platform/control/protocol.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { Secret } from "../envelope.ts";
import { pause } from "../lease/pause.ts";
import { LogFollower } from "../log/follower.ts";
import { LogReader } from "../log/reader.ts";

/** Folder in a standby's data folder that follows the primary. */
export const FOLLOWED = "standby";

const EVERY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

export interface FollowParts {
  data_dir: string;
  store: ObjectStore;
  secrets: readonly Secret[];
  clock: Clock;
  log: Log;
  /** Called when the status changed. */
  changed?: (status: StandbyStatus) => void;
}

/** Follows a primary: keeps a folder nearly current, until it is told to end. It neither opens mail nor acts. */
export class Following {
  readonly status: StandbyStatus;

  constructor(private readonly parts: FollowParts) {
    this.status = {
      pid: process.pid,
      started_at: parts.clock.now(),
      from: parts.store.place,
      state_at: null,
      primary_at: null,
      checked_at: null,
      progress: null,
      failing_since: null,
      error: null,
    };
  }

  /**
   * Follows until the signal aborts. Failures are repeated.
   * @throws UserError if the place has no continuous copy, or no secret opens it
   */
  async run(signal: AbortSignal): Promise<void> {
    let follower: LogFollower | null = null;
    const first = await this.#open();
    try {
      for (let failures = 0; !signal.aborted; ) {
        try {
          const reader: LogReader | null = follower?.reader ?? first.reader ?? (await this.#open()).reader;
          if (reader && !follower) follower = await this.#follow(reader, signal);
          if (follower) await this.#advance(follower);
          failures = 0;
        } catch (error) {
          if (signal.aborted) break;
          failures++;
          this.#failed(error);
          // What was interrupted is read from the folder again.
          follower?.close();
          follower = null;
        }
        await pause(this.parts.clock, Math.min(EVERY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      follower?.close();
    }
  }

  /** @returns null while the first base is being sent, and while the store does not answer */
  async #open(): Promise<{ reader: LogReader | null }> {
    const { store, secrets } = this.parts;
    try {
      const reader = await LogReader.open(store, secrets);
      if (!reader) {
        throw new UserError(
          `${store.place} has no continuous copy. Set backup.to to this place on the primary, and let it run.`,
        );
      }
      return { reader };
    } catch (error) {
      if (!isIncomplete(error) && !isUnavailable(error)) throw error;
      this.#failed(error);
      return { reader: null };
    }
  }

  #follow(reader: LogReader, signal: AbortSignal): Promise<LogFollower> {
    const progress = (done: number, total: number) => this.#change({ progress: { done, total } });
    return LogFollower.open({ folder: join(this.parts.data_dir, FOLLOWED), reader, progress, signal });
  }

  async #advance(follower: LogFollower): Promise<void> {
    const { clock, log } = this.parts;
    const wasBehind = this.status.state_at === null || this.status.failing_since !== null;
    const { position, segments, bytes } = await follower.advance();
    this.#change({
      state_at: position.at,
      primary_at: follower.reader.writtenAt,
      checked_at: clock.now(),
      progress: null,
      failing_since: null,
      error: null,
    });
    if (wasBehind) log.info("the standby has the newest state", { segments, bytes });
  }

  #failed(error: unknown): void {
    const { clock, log } = this.parts;
    const isKnown = error instanceof UserError || error instanceof StoreFault;
    const sentence = isKnown ? error.message : "An internal error occurred. See the log.";
    if (this.status.error !== sentence)
      log.warn("the standby could not follow", { reason: sentence, ...(isKnown ? {} : errorFields(error)) });
    this.#change({ progress: null, failing_since: this.status.failing_since ?? clock.now(), error: sentence });
  }

  #change(changes: Partial<StandbyStatus>): void {
    Object.assign(this.status, changes);
    this.parts.changed?.(this.status);
  }
}

/** A machine that has just started may reach the network later. */
function isUnavailable(error: unknown): boolean {
  const fault = error instanceof UserError ? error.cause : error;
  return fault instanceof StoreFault && fault.reason === "unavailable";
}

function isIncomplete(error: unknown): boolean {
  return error instanceof UserError && error.message.includes("not complete yet");
}
