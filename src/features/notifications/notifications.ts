import type { EgressClient } from "../../platform/egress/client.ts";
import type { EgressGuard } from "../../platform/egress/guard.ts";
import { PersonalTargets } from "../../platform/egress/targets.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Platform } from "../../platform/platform.ts";
import { Attempts } from "./attempt.ts";
import { Deliverer, NOTIFY_JOB } from "./deliverer.ts";
import { HEALTH_JOB, HealthWatch } from "./health.ts";
import { ItemStore } from "./items-store.ts";
import { PauseNotice } from "./pause-notice.ts";
import { Reader } from "./reader.ts";
import { NotificationService } from "./service.ts";
import { SettingsStore } from "./settings-store.ts";
import type { Fault, Sources } from "./sources.ts";
import { TargetStore } from "./targets-store.ts";

export interface NotificationParts {
  platform: Platform;
  guard: EgressGuard;
  egress: Pick<EgressClient, "request">;
  sources: Sources;
  /** Why this server does not act; null while it is not known. */
  pauseFault: () => Fault | null;
  /** For example "Postroom/0.1.0". */
  user_agent: string;
  /** Address of the server for links, without a final slash; null: unknown. */
  base: () => string | null;
}

const DAY_MS = 86_400_000;

/** The notifications module: management of targets, and the work that notifies them. */
export interface Notifications {
  service: NotificationService;
  jobs: Record<string, JobHandler>;
  start(): void;
  /** Instead of `start`, while the server is paused. */
  startPaused(): void;
  stop(): void;
  /** Deletes old rows. */
  prune(): void;
}

/** Creates the notifications module, which does nothing until it is started. */
export function createNotifications(parts: NotificationParts): Notifications {
  const { platform, guard, egress, sources, user_agent, base, pauseFault } = parts;
  const targets = new TargetStore(platform);
  const items = new ItemStore(platform);
  const settings = new SettingsStore(platform);
  const reachable = new PersonalTargets(platform, guard);
  const attempts = new Attempts(egress, reachable, platform.clock, user_agent);
  const deliverer = new Deliverer({ platform, targets, items, settings, attempts, sources, base });
  const reader = new Reader({ platform, targets, items, settings, sources, deliverer });
  const health = new HealthWatch({ platform, targets, items, settings, sources, deliverer });
  const pauseNotice = new PauseNotice({ platform, targets, settings, attempts, fault: pauseFault, base });
  deliverer.onGiveUp = () => reader.refresh();
  const service = new NotificationService({
    ...{ platform, targets, items, settings, attempts, reachable, reader, deliverer, health, base },
  });
  return {
    service,
    jobs: { [NOTIFY_JOB]: deliverer.handler, [HEALTH_JOB]: health.handler },
    start() {
      pauseNotice.forget();
      platform.users.listenTimezone(({ id }) => deliverer.planAll(id));
      platform.db.writeLazily(() => {
        for (const user_id of new Set(targets.listening().map((target) => target.user_id))) deliverer.planAll(user_id);
        health.plan();
      });
      reader.start();
    },
    startPaused: () => pauseNotice.start(),
    stop() {
      pauseNotice.stop();
      reader.stop();
      deliverer.stop();
    },
    prune() {
      items.prune(platform.clock.now() - platform.config.get("retention.events_days") * DAY_MS);
    },
  };
}
