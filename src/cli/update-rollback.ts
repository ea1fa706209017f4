import { join } from "node:path";
import { prepareRestored } from "../app/backup.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import { type InstanceLock, lockInstance } from "../platform/process/lock.ts";
import { previousOf, swapBack } from "../platform/update/executable.ts";
import { copyOf, migrationsOf, readRecord, removeRecord, type UpdateRecord } from "../platform/update/record.ts";
import { restoreCopy } from "../platform/update/restore-copy.ts";
import { type Installed, nextStep, runCommand, supervisorFor, whenReady } from "./update-server.ts";

const LOCK_WAIT_MS = 30_000;
const LOCK_POLL_MS = 200;
const STOP_PAUSE_MS = 1_500;

export interface RollbackOptions extends Installed {
  /** Put back the database if the newer version has changed it. */
  restore: boolean;
  waitMs: number;
  /** Opens the data folder for the audit log; null: do not record. */
  openFolder: (() => Platform) | null;
}

export interface RolledBack {
  version: string;
  /** Where the database of the newer version is; null: it is still in use. */
  replaced_database: string | null;
  restarted: boolean;
  message: string;
}

/**
 * Returns to the executable that the last update replaced and, if the newer version has upgraded the database, to the
 * copy from before. @throws UserError; before anything was changed, unless it says so
 */
export async function rollBack(options: RollbackOptions): Promise<RolledBack> {
  const { data_dir, executable, rights, server, waitMs } = options;
  const record = readRecord(data_dir);
  if (!record) throw new UserError("There is no update to undo.");
  const copy = copyToRestore(options, record);
  const supervisor = supervisorFor(options);
  if (copy && server && !supervisor?.stop && options.openFolder) {
    throw new UserError("The database can only be put back without a running server. Stop the server first.");
  }
  let replaced: string | null = null;
  if (copy) {
    // The executable first: from then on, a supervisor can only start the earlier version, which waits for its database.
    if (supervisor?.stop) {
      expectDone(runCommand(rights, supervisor.stop));
      // runit pauses for a second after a crash and reads commands only then; a start that came earlier would be lost.
      await Bun.sleep(STOP_PAUSE_MS);
    }
    rights.asRoot(() => swapBack(executable));
    const lock = await lockSoon(data_dir);
    try {
      const prepare = (database: string, migrations: readonly string[]) =>
        void prepareRestored(database, { migrations: [...migrations] }, systemClock);
      replaced = restoreCopy({ data_dir, copy, now: systemClock.now(), prepare });
    } finally {
      lock.release();
    }
  } else {
    rights.asRoot(() => swapBack(executable));
    if (options.openFolder) recordRollback(options.openFolder(), record);
  }
  removeRecord(data_dir);
  const done = { version: record.from, replaced_database: replaced };
  if (!supervisor) return { ...done, restarted: false, message: nextStep(options) };
  const start = copy && supervisor.stop ? supervisor.start! : supervisor.restart;
  const why = runCommand(rights, start) ?? (await whenReady(data_dir, { version: record.from, after: server, waitMs }));
  const message = why === null ? "The server was restarted and is ready." : `The server is not ready: ${why}.`;
  return { ...done, restarted: why === null, message };
}

/** Returns the copy of the database that belongs to the earlier version; null if the database is unchanged. */
function copyToRestore({ data_dir, executable, restore }: RollbackOptions, record: UpdateRecord): string | null {
  const last = migrationsOf(join(data_dir, "postroom.db")).at(-1);
  if (last === record.migration) return null;
  const copy = copyOf(data_dir, record);
  if (!copy) {
    throw new UserError(
      `Version ${record.to} has upgraded the database, and its copy from before is not in ${join(data_dir, "upgrades")}. Restore a backup with ${previousOf(executable)}.`,
    );
  }
  if (restore) return copy;
  throw new UserError(
    `Version ${record.to} has upgraded the database, so version ${record.from} needs the copy from before: ${copy}. What Postroom alone had since then is lost; mail is fetched again from its servers. To do this, add --restore-database.`,
  );
}

function recordRollback(platform: Platform, { from, to }: UpdateRecord): void {
  try {
    const owner = platform.users.list().find(({ role }) => role === "owner");
    if (!owner) return;
    const change = { before: { version: to }, after: { version: from } };
    platform.db.write(() => {
      platform.audit.record({
        user_id: owner.id,
        actor: SYSTEM_ACTOR,
        action: "program.rollback",
        target: null,
        ...change,
      });
    });
  } finally {
    platform.close();
  }
}

/** A supervisor may have started the earlier version already, which finds a newer database and ends. */
async function lockSoon(data_dir: string): Promise<InstanceLock> {
  const end = systemClock.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return lockInstance(data_dir);
    } catch (error) {
      if (!(error instanceof UserError) || systemClock.now() >= end) throw error;
    }
    await Bun.sleep(LOCK_POLL_MS);
  }
}

function expectDone(why: string | null): void {
  if (why !== null) throw new UserError(`The server could not be stopped: ${why}. Nothing was changed.`);
}
