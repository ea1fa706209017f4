import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../platform/platform.ts";
import { type BackupTarget, backupTarget } from "../target.ts";

type Base = Pick<Platform, "config" | "db" | "grants" | "keyring">;

/** A machine that holds the lease. */
export interface LeaseHolder {
  /** Name of the machine. */
  name: string;
  /** When it took the lease, by its clock, ms. */
  since: number;
}

/** The continuous copy, as doctor, metrics and the settings page show it. All times are ms. */
export interface CopyingState {
  /** When this was written. */
  at: number;
  /** The place for copies, for people, and its `id` (src/backup/target.ts). */
  place: string;
  placeId: string;
  /** Whether another machine may take over (`backup.standby`). */
  standby: boolean;
  /**
   * - held: this server holds the lease
   * - none: it acts without the lease, because no other machine may take over
   * - waiting: it may not act, or it is not known yet
   * - taken_over: another machine acts
   */
  lease: "held" | "none" | "waiting" | "taken_over";
  /** The machine that holds the lease instead of this one. */
  holder: LeaseHolder | null;
  /** Why the lease is not held, as a sentence. */
  lease_error: string | null;
  /** Time of the newest state that is completely in the place; null: none yet. */
  last: number | null;
  /** The earliest moment that can be restored. */
  since: number | null;
  /** Since when there are changes that are not in the place; null: there are none. */
  pending_since: number | null;
  failing_since: number | null;
  failures: number;
  /** Why the last attempt failed, as a sentence. */
  error: string | null;
  /** The newest complete copy. */
  base: { at: number; bytes: number } | null;
  /** The complete copy that is being sent. */
  base_progress: { done: number; total: number } | null;
  /** Bytes of changes that the server has sent since its start. */
  bytes: number;
  /** Old objects that the store refused to delete so far. */
  kept_objects: number;
  /** Something unexpected that was repaired, as a sentence. */
  warning: string | null;
}

/** The file is in `run/`, because the copy must not contain what each of its steps changes. */
const fileOf = (data_dir: string) => join(data_dir, "run", "copying.json");

/** Writes the state for commands, such as doctor. */
export function writeCopyingState(data_dir: string, state: CopyingState): void {
  const path = fileOf(data_dir);
  writeFileSync(`${path}.tmp`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Returns the state that a server has written last; null if there is none. */
function readCopyingState(data_dir: string): CopyingState | null {
  try {
    return JSON.parse(readFileSync(fileOf(data_dir), "utf8")) as CopyingState;
  } catch {
    return null;
  }
}

/** Returns the place to which changes are copied; null if there is none. */
export function copyingTarget(platform: Base): BackupTarget | null {
  return platform.config.get("backup.continuous") ? backupTarget(platform) : null;
}

/** Returns the state of the copy to the chosen place; null if there is none, or nothing is known about it. */
export function copyingState(platform: Base): CopyingState | null {
  const target = copyingTarget(platform);
  const state = target && readCopyingState(platform.config.data_dir);
  return state?.placeId === target?.id ? state : null;
}

/** How long the copy is behind, ms. */
export function lagMs({ pending_since }: Pick<CopyingState, "pending_since">, now: number): number {
  return pending_since === null ? 0 : Math.max(0, now - pending_since);
}
