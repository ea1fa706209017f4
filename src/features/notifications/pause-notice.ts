import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CancelTimer } from "../../kernel/clock.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { writeSecretFile } from "../../platform/sealing/master-key.ts";
import type { Attempts } from "./attempt.ts";
import { isUrgent } from "./kinds.ts";
import { retryDelay } from "./schedule.ts";
import type { SettingsStore } from "./settings-store.ts";
import type { Fault } from "./sources.ts";
import type { Target, TargetStore } from "./targets-store.ts";
import { compose } from "./text.ts";
import { releaseAt } from "./timing.ts";

export interface PauseNoticeParts {
  platform: Platform;
  targets: TargetStore;
  settings: SettingsStore;
  attempts: Attempts;
  /** Why this server is paused; null if that is not known yet. */
  fault: () => Fault | null;
  /** Address of the server for links, without a final slash; null: unknown. */
  base: () => string | null;
}

const CHECK_MS = 30_000;
const MOST_ATTEMPTS = 8;

/** What was sent already, and about which fault. */
interface Sent {
  fault: string;
  /** Ids of the targets. */
  targets: string[];
}

/**
 * Tells the owners that this server is paused. A paused server changes nothing in its database, so the usual way of a
 * notification is closed to it: what was sent is noted in `run/`, once for each target and fault, until the server acts
 * again. This is the only call that a paused server makes besides those to the store of the lease.
 */
export class PauseNotice {
  readonly #failures = new Map<string, { count: number; retryAt: number }>();
  readonly #stop = new AbortController();
  #cancel: CancelTimer = () => {};
  #since: { key: string; at: number } | null = null;

  constructor(private readonly parts: PauseNoticeParts) {}

  start(): void {
    this.#cancel = this.parts.platform.clock.after(CHECK_MS, () => void this.#check());
  }

  /** Forgets what was sent, because the server acts: the next pause is another fault. */
  forget(): void {
    rmSync(fileOf(this.parts.platform.config.data_dir), { force: true });
  }

  stop(): void {
    this.#cancel();
    this.#stop.abort();
  }

  async #check(): Promise<void> {
    try {
      const fault = this.parts.fault();
      if (fault) await this.#note(fault);
    } catch (error) {
      this.parts.platform.log.warn("the notice that this server is paused failed", errorFields(error));
    }
    if (!this.#stop.signal.aborted) this.start();
  }

  async #note(fault: Fault): Promise<void> {
    const { clock, config } = this.parts.platform;
    const now = clock.now();
    if (this.#since?.key !== fault.key) {
      this.#since = { key: fault.key, at: now };
      this.#failures.clear();
    }
    const { at } = this.#since;
    if (now - at < fault.patienceMs) return;
    const before = readSent(config.data_dir);
    const sent = before?.fault === fault.key ? before.targets : [];
    for (const target of this.#due(at, now)) {
      if (sent.includes(target.id) || !(await this.#send(target, fault))) continue;
      sent.push(target.id);
      writeSent(config.data_dir, { fault: fault.key, targets: sent });
    }
  }

  /** Returns the targets of the owners that a notification about a fault may reach now. */
  #due(at: number, now: number): Target[] {
    const { targets, settings, platform } = this.parts;
    return targets.listening().flatMap(({ id }) => {
      const target = targets.get(id);
      const user = target && platform.users.get(target.user_id);
      if (!target || user?.role !== "owner" || target.kinds.health === "off") return [];
      if ((this.#failures.get(id)?.retryAt ?? 0) > now) return [];
      const when = {
        digest: { ...target, digest: "off" as const },
        quiet: settings.get(user.id),
        timezone: user.timezone,
      };
      return releaseAt({ at, urgent: isUrgent(target, "health") }, when, now) <= now ? [target] : [];
    });
  }

  /** @returns whether nothing more needs to be sent to the target */
  async #send(target: Target, { content }: Fault): Promise<boolean> {
    const { attempts, platform, base } = this.parts;
    const message = compose([content], target.detail, { skipped: 0, base: base() });
    const result = await attempts.make(target, message, this.#stop.signal);
    if (!result) return false;
    if (result.outcome.ok) return true;
    const count = (this.#failures.get(target.id)?.count ?? 0) + 1;
    const retryAt = platform.clock.now() + retryDelay(count, result.askedWaitMs);
    this.#failures.set(target.id, { count, retryAt });
    return count >= MOST_ATTEMPTS;
  }
}

const fileOf = (data_dir: string) => join(data_dir, "run", "pause-notice.json");

function readSent(data_dir: string): Sent | null {
  try {
    return JSON.parse(readFileSync(fileOf(data_dir), "utf8")) as Sent;
  } catch {
    return null;
  }
}

function writeSent(data_dir: string, sent: Sent): void {
  mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
  writeSecretFile(fileOf(data_dir), JSON.stringify(sent));
}
