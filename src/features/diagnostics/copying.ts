import { type DrillResult, readDrill } from "../../backup/continuous/drill-result.ts";
import { type CopyingState, copyingState, copyingTarget, lagMs } from "../../backup/continuous/state.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Platform } from "../../platform/platform.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

/** Name of the check. */
export const COPYING_CHECK = "continuous copy";

const MINUTE_MS = 60_000;
/** A copy that is behind for this long is a fault; shorter delays repair themselves. */
const BEHIND_MS = 15 * MINUTE_MS;
/** A running server reports more often. */
const SILENT_MS = 5 * MINUTE_MS;

type Base = Pick<Platform, "config" | "clock" | "db" | "grants" | "keyring">;

/** Checks the continuous copy, the lease and the last test restore. Returns nothing if there is no continuous copy. */
export function copyingFindings(platform: Base): Finding[] {
  const { config, clock } = platform;
  const target = copyingTarget(platform);
  if (!target) return [];
  const state = copyingState(platform);
  if (!state)
    return [advice(COPYING_CHECK, `Nothing has been copied to ${target.text} yet. A running server does this.`)];
  const now = clock.now();
  return [leaseFinding(state) ?? copyFinding(state, now), ...drillFindings(readDrill(config.data_dir, target.id))];
}

function leaseFinding({ lease, holder, lease_error, place }: CopyingState): Finding | null {
  if (lease === "taken_over") {
    const who = holder
      ? `${holder.name} has been the primary since ${isoTime(holder.since)}`
      : "Another machine is the primary";
    return fault(
      COPYING_CHECK,
      `${who}, so this server does not act. To use this machine instead, turn the other one off and run 'postroom promote'. To make this machine a standby, move its data folder away and run 'postroom standby --from ${place}'.`,
    );
  }
  if (lease !== "waiting") return null;
  const why = lease_error === null ? "It waits for the lease." : lease_error;
  return fault(COPYING_CHECK, `This server does not act, because it does not hold the lease in ${place}. ${why}`);
}

function copyFinding(state: CopyingState, now: number): Finding {
  const { place, last, failing_since, error, base_progress, at, kept_objects, warning } = state;
  const behindMs = lagMs(state, now);
  const reason = error === null ? "" : ` ${error}`;
  if (now - at > SILENT_MS) {
    return advice(COPYING_CHECK, `No server has copied changes to ${place} since ${isoTime(at)}.`);
  }
  if (behindMs >= BEHIND_MS) {
    const minutes = Math.floor(behindMs / MINUTE_MS);
    const sending = base_progress ? ` A complete copy is being sent: ${percent(base_progress)}.` : "";
    // The first copy of a large mailbox takes hours; then nothing is wrong.
    const finding = base_progress && failing_since === null ? advice : fault;
    return finding(COPYING_CHECK, `Changes of ${minutes} minutes are not in ${place}.${reason}${sending}`);
  }
  if (failing_since !== null) return advice(COPYING_CHECK, `Copying to ${place} fails at the moment.${reason}`);
  if (!last) return advice(COPYING_CHECK, `The first complete copy is being sent to ${place}.`);
  if (warning !== null) return advice(COPYING_CHECK, warning);
  const locked = kept_objects === 0 ? "" : ` Old objects that the store does not delete yet: ${kept_objects}.`;
  const newest = behindMs === 0 ? "All changes are" : `All changes but those of ${Math.ceil(behindMs / 1000)} s are`;
  return ok(COPYING_CHECK, `${newest} in ${place}.${locked}`);
}

function drillFindings(drill: DrillResult | null): Finding[] {
  if (!drill) return [];
  const { at, ms, ok: passed, error, restored } = drill;
  const when = isoTime(at);
  const done = restored
    ? "Restored and verified"
    : "Read and verified, because the disk has too little space to restore,";
  if (passed) return [ok("test restore", `${done} at ${when}, in ${Math.ceil(ms / 1000)} s.`)];
  return [fault("test restore", `The test restore of ${when} failed: ${error ?? "see the log"}`)];
}

function percent({ done, total }: { done: number; total: number }): string {
  return total === 0 ? "just started" : `${Math.min(100, Math.floor((100 * done) / total))}%`;
}
