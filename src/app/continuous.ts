import { type Copying, NO_COPYING } from "../backup/continuous/copying.ts";
import { ContinuousCopy } from "../backup/continuous/service.ts";
import { copyingTarget } from "../backup/continuous/state.ts";
import { isSuperseded } from "../backup/lease/holder.ts";
import { UserError } from "../kernel/errors.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { systemSteadyClock } from "../platform/steady-clock.ts";
import { VERSION } from "../version.ts";

/**
 * Opens the continuous copy, which runs on the log worker (`src/workers/log.ts`), if the configuration has one.
 * @throws UserError if `backup.standby` lacks what it needs
 */
export function openCopying(platform: Platform, given: ConfigSources): Copying {
  const { config, clock, log, keyring } = platform;
  const standby = config.get("backup.standby");
  if (standby && !copyingTarget(platform)) {
    throw new UserError("backup.standby requires a place in backup.to, and backup.continuous = true.");
  }
  if (!config.get("backup.continuous")) return NO_COPYING;
  const sources = { ...given, env: { ...process.env } };
  return new ContinuousCopy({
    clock,
    steady: systemSteadyClock,
    log,
    standby,
    hasPlace: () => copyingTarget(platform) !== null,
    isSuperseded: () => isSuperseded(config.data_dir),
    startWorker: () => new Worker(workerUrl("workers/log.ts")),
    begin: () => ({ sources, inherited: { master_key: keyring.master }, version: VERSION }),
  });
}
