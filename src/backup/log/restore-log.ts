import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import { prepareFolder, STAGING } from "../staging.ts";
import { LogApplier, type LogTarget } from "./apply.ts";
import { drillFolder, forgetDrill } from "./drill-folder.ts";
import { checkDatabase, type Finished, type FinishOptions, finishFollower } from "./finish.ts";
import { PAGES_FILE } from "./folder-target.ts";
import { LogFollower } from "./follower.ts";
import type { LogPosition, Until } from "./history.ts";
import type { LogReader } from "./reader.ts";

export interface RestoreLogOptions {
  reader: LogReader;
  until: Until;
  /** The target folder: missing or empty. */
  data_dir: string;
  migrations: readonly string[];
  settle?: FinishOptions["settle"];
  progress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface RestoredLog extends Finished {
  position: LogPosition;
  bytes: number;
}

/**
 * Restores a state of a log to a data folder. Everything is verified before the folder gets a database.
 * @throws UserError, LogFault; nothing is left behind then
 */
export async function restoreLog(options: RestoreLogOptions): Promise<RestoredLog> {
  const { reader, until, data_dir, migrations, settle, progress, signal } = options;
  const existed = prepareFolder(data_dir);
  const folder = join(data_dir, STAGING);
  let follower: LogFollower | null = null;
  try {
    follower = await LogFollower.open({ folder, reader, ...(progress && { progress }), ...(signal && { signal }) });
    const { position, bytes } = await follower.advance(until);
    const finished = await finishFollower({ follower, data_dir, migrations, ...(settle && { settle }) });
    return { ...finished, position, bytes };
  } catch (error) {
    follower?.close();
    for (const path of existed ? [folder, join(data_dir, "cache")] : [data_dir]) {
      rmSync(path, { recursive: true, force: true });
    }
    if (!isDiskFull(error)) throw error;
    throw new UserError(`The disk of ${data_dir} has too little space for this copy. Nothing was restored.`);
  }
}

/** What reading a log found. */
export interface VerifiedLog {
  position: LogPosition;
  pages: number;
  segments: number;
  bytes: number;
}

/** Reads a state of a log, verifies all of it, and writes nothing. @throws UserError, LogFault */
export async function verifyLog(
  reader: LogReader,
  until: Until,
  progress?: (done: number, total: number) => void,
): Promise<VerifiedLog> {
  const applier = new LogApplier(NOWHERE, null);
  let position: LogPosition | null = null;
  let [segments, bytes] = [0, 0];
  for await (const segment of reader.segments(null, until)) {
    progress?.(bytes, bytes + segment.bytes);
    await applier.apply(segment);
    position = segment.position;
    segments++;
    bytes += segment.bytes;
  }
  if (!position) throw new Error("A log without segments.");
  progress?.(bytes, bytes);
  return { position, pages: applier.map!.pageCount, segments, bytes };
}

const NOWHERE: LogTarget = {
  begin() {},
  pages() {},
  piece() {},
  file() {},
  deleted() {},
  end() {},
};

/** The result of a rehearsal of a restore. */
export interface Drill {
  /** Time of the state that was restored, ms. */
  at: number;
  bytes: number;
  /** Whether a database was restored and checked, or only the log was verified, because the disk has too little space. */
  restored: boolean;
}

/**
 * Rehearses a restore of the newest state in the cache of a data folder, runs SQLite's checks on it, and removes it.
 * @param migrations of this program @throws UserError, LogFault if a restore would fail
 */
export async function drillLog(
  reader: LogReader,
  data_dir: string,
  migrations: readonly string[],
  signal?: AbortSignal,
): Promise<Drill> {
  const folder = drillFolder(data_dir);
  forgetDrill(data_dir);
  const needed = 2 * reader.history.part.bases.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  const { bavail, bsize } = statfsSync(data_dir);
  if (bavail * bsize < needed) {
    const { position, bytes } = await verifyLog(reader, "newest");
    return { at: position.at, bytes, restored: false };
  }
  let follower: LogFollower | null = null;
  try {
    follower = await LogFollower.open({ folder, reader, ...(signal && { signal }) });
    const { position, bytes } = await follower.advance();
    await follower.verify();
    follower.close();
    checkDatabase(join(folder, PAGES_FILE), migrations);
    return { at: position.at, bytes, restored: true };
  } finally {
    follower?.close();
    forgetDrill(data_dir);
  }
}
