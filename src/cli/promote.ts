import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { prepareRestored } from "../app/backup.ts";
import { copyingTarget } from "../backup/continuous/state.ts";
import type { Secret } from "../backup/envelope.ts";
import type { BodySeal, LeaseBody } from "../backup/lease/body.ts";
import { LEASE_PATIENCE } from "../backup/lease/port.ts";
import type { LogKeys } from "../backup/log/log-keys.ts";
import { OwnKeys } from "../backup/log/own-keys.ts";
import { LogReader } from "../backup/log/reader.ts";
import { promoteStandby } from "../backup/standby/promote.ts";
import { type TakeLeaseOptions, type TakenLease, takeLease } from "../backup/standby/take-lease.ts";
import { writeTakeoverNote } from "../backup/standby/takeover-note.ts";
import { openTarget } from "../backup/target.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { askServer } from "../platform/control/client.ts";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import { openPlace, openStore } from "../platform/objects/open.ts";
import type { ObjectStore } from "../platform/objects/store.ts";
import { type InstanceLock, lockInstance } from "../platform/process/lock.ts";
import { readStandbyMarker, type StandbyMarker } from "../platform/process/standby-folder.ts";
import { systemSteadyClock } from "../platform/steady-clock.ts";
import { backupSecrets } from "./backup-secrets.ts";
import { type CommonOptions, command, explained, sourcesOf, withPlatform } from "./context.ts";
import { progressLine } from "./progress.ts";
import { placeOf } from "./standby.ts";

interface PromoteOptions extends CommonOptions {
  keyFile?: string;
  primaryIsOff?: true;
}

/** Defines `postroom promote`. */
export function promoteCommand(): Command {
  return explained(
    command("promote", "Let a standby, or a restored data folder, take over from another server.")
      .option(
        "--key-file <file>",
        "file with the recovery key, the passphrase or the master key (default: prompt for it)",
      )
      .option("--primary-is-off", "confirm that the other server is off, if it does not have backup.standby = true")
      .option("--json", "print JSON"),
    {
      notes: `The command ends a running standby on this data folder, takes the lease, applies the last changes, verifies
the data, and makes the folder an ordinary data folder. If the other server (the primary) was stopped, it
takes the lease at once. Otherwise it waits up to 30 seconds, until the primary has certainly stopped acting.
A primary without backup.standby = true acts without a lease: then make sure that it is off and stays off,
and add --primary-is-off. Mail that the primary may have sent is not sent again: Postroom looks for it on the
mail server. After a restore with 'postroom restore', the command permits the restored folder to use backup.to
in place of the other server.`,
      examples: [
        "postroom promote --data /srv/postroom --key-file /etc/postroom/recovery-key",
        "postroom promote --data /srv/postroom --primary-is-off --json",
      ],
    },
  ).action(promote);
}

async function promote(options: PromoteOptions): Promise<void> {
  const marker = readStandbyMarker(options.data);
  if (marker) return promoteFolder(options, marker);
  await takeOver(options);
}

async function promoteFolder(options: PromoteOptions, { from }: StandbyMarker): Promise<void> {
  const { data, keyFile, json } = options;
  const config = loadConfig(sourcesOf(options));
  const secrets = await backupSecrets(keyFile, config);
  await askServer(data, "endStandby", null);
  const lock = await lockSoon(data);
  const store = openStore(placeOf(from), { config, clock: systemClock, calls: null });
  const line = progressLine("promote");
  try {
    const reader = await readerOf(store, secrets);
    let doubted = 0;
    const promoted = await promoteStandby({
      data_dir: data,
      reader,
      migrations: MIGRATION_NAMES,
      settle: (database, head) => {
        doubted = prepareRestored(database, head, systemClock);
      },
      takeLease: (knownToken) =>
        withPatience(
          options,
          openStore(placeOf(from), { config, clock: systemClock, calls: null, patience: LEASE_PATIENCE }),
          { seal: sealOf(() => reader.keys), knownToken },
        ),
      progress: (done, total) => line.show(done, total),
    }).finally(line.end);
    const { state_at, custody, primary } = promoted;
    if (json) return console.log(JSON.stringify({ data, state_at: isoTime(state_at), custody, primary, doubted }));
    console.log(`${data} has taken over${primary ? ` from ${primary}` : ""}, with the state of ${isoTime(state_at)}.`);
    if (doubted > 0) {
      console.log(
        `${doubted} ${doubted === 1 ? "message was" : "messages were"} due to be sent. Postroom checks the mail server to see whether that happened.`,
      );
    }
    if (custody) console.log(KEY_STEP[custody]);
    console.log(nextStep(data, from));
  } finally {
    store.close();
    lock.release();
  }
}

/** Permits a data folder, which was restored or stopped acting, to act in place of another machine. */
async function takeOver(options: PromoteOptions): Promise<void> {
  const { data, json } = options;
  const result = await withPlatform(options, async (platform) => {
    const { clock, storeCalls } = platform;
    const target = copyingTarget(platform);
    if (!target) {
      throw new UserError(
        `${data} is no standby, and has no place for a continuous copy. If the server has backup.to as an environment variable, set POSTROOM_BACKUP_TO for this command, too.`,
      );
    }
    const lock = lockInstance(data);
    const store = openTarget(platform, { target });
    try {
      const own = await OwnKeys.open(platform, store);
      const lease = await withPatience(
        options,
        openPlace(target.place, target, { clock, calls: storeCalls, patience: LEASE_PATIENCE }),
        { seal: sealOf(() => own.keys) },
      );
      await lease.release();
      const primary = lease.before?.name ?? null;
      return { primary, from: target.text };
    } finally {
      store.close();
      lock.release();
    }
  });
  if (json) return console.log(JSON.stringify({ data, ...result }));
  console.log(`${data} has taken over${result.primary ? ` from ${result.primary}` : ""}.`);
  console.log(nextStep(data, result.from));
}

/** @param keys returns the newest ones */
function sealOf(keys: () => LogKeys): BodySeal {
  return { seal: (plain) => keys().seal(plain), open: (sealed) => keys().open(sealed) };
}

/** Takes the lease, and closes the store with it. @param store with little patience */
async function withPatience(
  { data, primaryIsOff }: PromoteOptions,
  store: ObjectStore,
  more: Pick<TakeLeaseOptions, "seal" | "knownToken">,
): Promise<TakenLease> {
  // Timers of the clock keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  try {
    const lease = await takeLease({
      data_dir: data,
      store,
      clock: systemClock,
      steady: systemSteadyClock,
      primaryIsOff: primaryIsOff === true,
      waiting: ({ name, writtenAt }: LeaseBody) =>
        console.error(
          `${name} has not released the lease (last sign at ${isoTime(writtenAt)}). Waiting up to 30 seconds until it has ended.`,
        ),
      ...more,
    });
    // At once: if this process is killed later, the owners are still notified, with the machine that was replaced.
    if (!lease.wasOwn) {
      writeTakeoverNote(data, { primary: lease.before?.name ?? null, machine: hostname(), at: systemClock.now() });
    }
    return {
      ...lease,
      async release() {
        await lease.release();
        store.close();
        clearInterval(alive);
      },
    };
  } catch (error) {
    clearInterval(alive);
    store.close();
    throw error;
  }
}

async function readerOf(store: ReturnType<typeof openStore>, secrets: readonly Secret[]): Promise<LogReader> {
  const reader = await LogReader.open(store, secrets);
  if (!reader) throw new UserError(`${store.place} has no continuous copy.`);
  return reader;
}

const LOCK_WAIT_MS = 15_000;

/** Takes the lock of a folder whose standby is ending. @throws UserError if it does not end */
async function lockSoon(data: string): Promise<InstanceLock> {
  for (let waitedMs = 0; ; waitedMs += 200) {
    try {
      return lockInstance(data);
    } catch (error) {
      if (waitedMs >= LOCK_WAIT_MS) throw error;
      await Bun.sleep(200);
    }
  }
}

const KEY_STEP = {
  file: "The master key is in keys/master.key. To keep it elsewhere, see 'postroom key-rotate --help'.",
  given: "Before you start the server, set POSTROOM_MASTER_KEY_FILE to the file with the master key.",
  passphrase: "Before you start the server, set POSTROOM_MASTER_PASSPHRASE_FILE to the file with the passphrase.",
} as const;

function nextStep(data: string, from: string): string {
  const settings = existsSync(join(data, "postroom.toml"))
    ? "Compare the settings in postroom.toml with this machine"
    : `Give the server its settings again, with backup.to = ${from}`;
  return `${settings}, then run: postroom serve --data ${data}`;
}
