import type { StoreCallTotals } from "../../platform/ledger/store-calls.ts";
import type { Platform } from "../../platform/platform.ts";
import { BackupLedger, type BackupRun } from "../ledger.ts";
import { keptOf } from "../retention.ts";
import { backupSettings } from "../settings.ts";
import { backupTarget } from "../target.ts";
import type { CopyState } from "./copy-state.ts";
import { readCopyState } from "./state.ts";

/** A failure that lasts this long is a fault; shorter ones repair themselves. */
export const FAULT_AFTER_MS = 86_400_000;
const TOTALS_MS = 30 * 86_400_000;

/** How far the copies elsewhere are behind. */
export interface CopyStatus extends Pick<CopyState, "last" | "failing_since" | "failures" | "error" | "warning"> {
  place: string;
  copies: number;
  /** Backups that are still to be sent. */
  pending: number;
  /** Age of the oldest of them, ms; 0 if there is none. */
  lagMs: number;
  kept_objects: number;
  /** Requests of the last 30 days. */
  requests: StoreCallTotals;
}

type Base = Pick<Platform, "config" | "db" | "grants" | "keyring" | "clock" | "newId" | "storeCalls">;

/** Returns the state of the copies; null if no place was chosen. */
export function copyStatus(platform: Base): CopyStatus | null {
  const target = backupTarget(platform);
  if (!target) return null;
  const now = platform.clock.now();
  const { copies, last, failing_since, failures, error, warning, locked } = readCopyState(platform, target.id);
  const pending = pendingRuns(platform, new Set(copies.map(({ id }) => id)));
  return {
    place: target.text,
    copies: copies.length,
    pending: pending.length,
    lagMs: Math.max(0, ...pending.map(({ ended_at }) => now - (ended_at ?? now))),
    last,
    failing_since,
    failures,
    error,
    warning,
    kept_objects: locked.length,
    requests: platform.storeCalls.totals(now - TOTALS_MS),
  };
}

/** Returns the backups that retention keeps and that are not among `sent`, oldest first. */
export function pendingRuns(platform: Base, sent: ReadonlySet<string>): BackupRun[] {
  const present = new BackupLedger(platform).present().filter(({ kept }) => kept);
  const wanted = keptOf(present, backupSettings(platform).keep);
  return present.filter((run) => wanted.has(run) && !sent.has(run.backup_id ?? "")).reverse();
}
