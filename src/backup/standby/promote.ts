import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  readStandbyMarker,
  removeStandbyMarker,
  type StandbyMarker,
  writeStandbyMarker,
} from "../../platform/process/standby-folder.ts";
import { type FinishOptions, finishFollower } from "../log/finish.ts";
import { FILES_FOLDER, followedPosition } from "../log/folder-target.ts";
import { LogFollower } from "../log/follower.ts";
import { type LogReader, olderPrimary } from "../log/reader.ts";
import type { BackupKeys } from "../make.ts";
import { FOLLOWED } from "./follow.ts";
import type { TakenLease } from "./take-lease.ts";

export interface PromoteOptions extends Pick<FinishOptions, "migrations" | "settle"> {
  /** A standby folder, whose lock the caller holds. */
  data_dir: string;
  reader: LogReader;
  /** Takes the lease. From then on the primary acknowledges nothing more. @param known the highest token that is known */
  takeLease: (known: number) => Promise<TakenLease>;
  progress?: (done: number, total: number) => void;
}

/** A standby that has become a data folder. */
export interface Promoted {
  /** Time of the state that it has, ms. */
  state_at: number;
  /** How the folder finds its key; null if an earlier promotion had already put the keys in place. */
  custody: BackupKeys["source"] | null;
  /** The machine that was the primary. */
  primary: string | null;
}

/**
 * Makes the folder of a standby a data folder: takes the lease, applies the rest of the log, verifies everything and
 * moves it into place, the database last. Killed at any moment, it can be called again.
 * @throws UserError; the folder is still a standby then
 */
export async function promoteStandby(options: PromoteOptions): Promise<Promoted> {
  const { data_dir, reader, migrations, settle, progress } = options;
  const lease = await options.takeLease(Math.max(reader.token, requireNewer(data_dir, reader)));
  try {
    await reader.refresh();
    const marker = readStandbyMarker(data_dir)!;
    // Only the marker is left to remove.
    if (existsSync(join(data_dir, "postroom.db"))) {
      end(data_dir);
      return { state_at: reader.newestAt, custody: null, primary: lease.before?.name ?? null };
    }
    forgetOlder(data_dir, marker, reader);
    const folder = join(data_dir, FOLLOWED);
    const follower = await LogFollower.open({ folder, reader, ...(progress && { progress }) });
    try {
      const position = hasBegun(data_dir) ? null : (await follower.advance()).position;
      lease.require();
      if (position) {
        writeStandbyMarker(data_dir, { ...marker, promoting: { token: position.token, seq: position.seq } });
      }
      const { custody } = await finishFollower({ follower, data_dir, migrations, ...(settle && { settle }) });
      end(data_dir);
      return { state_at: reader.newestAt, custody, primary: lease.before?.name ?? null };
    } finally {
      follower.close();
    }
  } finally {
    await lease.release();
  }
}

/**
 * Requires that the log is not older than what this folder has. Someone may have put back an earlier one, whose token
 * would count a second time. @returns the highest token that this folder knows @throws LogFault "behind"
 */
function requireNewer(data_dir: string, reader: LogReader): number {
  const head = reader.history.part.head!;
  const { promoting } = readStandbyMarker(data_dir)!;
  const followed = followedPosition(join(data_dir, FOLLOWED));
  const isOlder = promoting && head.token === promoting.token && head.seq < promoting.seq;
  const known = Math.max(promoting?.token ?? 0, followed?.token ?? 0);
  if (isOlder || head.token < known) throw olderPrimary(reader.store);
  return known;
}

/** Returns whether a promotion has begun to change what the folder followed. */
export function hasBegun(data_dir: string): boolean {
  return existsSync(join(data_dir, "postroom.db")) || existsSync(join(data_dir, FOLLOWED, FILES_FOLDER, "postroom.db"));
}

/** Forgets what an interrupted promotion has changed, if the log has continued since: it must not be mixed with that. */
function forgetOlder(data_dir: string, { promoting, ...marker }: StandbyMarker, reader: LogReader): void {
  const head = reader.history.part.head!;
  if (promoting === null || (promoting.token === head.token && promoting.seq === head.seq)) return;
  rmSync(join(data_dir, FOLLOWED), { recursive: true, force: true });
  writeStandbyMarker(data_dir, { ...marker, promoting: null });
}

function end(data_dir: string): void {
  rmSync(join(data_dir, FOLLOWED), { recursive: true, force: true });
  removeStandbyMarker(data_dir);
}
