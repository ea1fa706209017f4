import { UserError } from "../../kernel/errors.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { StoreFault } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { LogReader } from "../log/reader.ts";
import { drillLog } from "../log/restore-log.ts";
import { openTarget } from "../target.ts";
import { writeDrill } from "./drill-result.ts";
import { copyingTarget } from "./state.ts";

/**
 * Restores the newest state of the continuous copy in the cache of the data folder, verifies it, removes it, and notes
 * the outcome. @throws UserError or StoreFault if a restore would fail
 */
export async function runDrill(platform: Platform, signal: AbortSignal): Promise<void> {
  const { config, clock, keyring } = platform;
  const target = copyingTarget(platform);
  if (!target) return;
  const place = target.id;
  const began = clock.now();
  const outcome = { place, restored: false, state_at: null };
  const store = openTarget(platform, { target, signal });
  try {
    const reader = await LogReader.open(store, [{ kind: "master key", key: keyring.master }]);
    if (!reader) throw new UserError(`${target.text} has no continuous copy.`);
    const { at: state_at, restored } = await drillLog(reader, config.data_dir, MIGRATION_NAMES, signal);
    const now = clock.now();
    writeDrill(config.data_dir, { ...outcome, at: now, ms: now - began, ok: true, error: null, state_at, restored });
  } catch (error) {
    if (signal.aborted) throw error;
    const known = error instanceof UserError || error instanceof StoreFault;
    const sentence = known ? error.message : "An internal error occurred. See the log.";
    const now = clock.now();
    writeDrill(config.data_dir, { ...outcome, at: now, ms: now - began, ok: false, error: sentence });
    throw error;
  } finally {
    store.close();
  }
}
