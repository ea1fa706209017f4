import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { Following } from "../backup/standby/follow.ts";
import { hasBegun } from "../backup/standby/promote.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { type Config, loadConfig } from "../platform/config/load.ts";
import { startControl } from "../platform/control/server.ts";
import { createLog, type LogLevel } from "../platform/log.ts";
import { openStore } from "../platform/objects/open.ts";
import { parsePlace, type StorePlace } from "../platform/objects/place.ts";
import { isInside, makePrivate } from "../platform/private-folder.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { readStandbyMarker, writeStandbyMarker } from "../platform/process/standby-folder.ts";
import { backupSecrets } from "./backup-secrets.ts";
import { type CommonOptions, command, explained, sourcesOf } from "./context.ts";
import { progressLine } from "./progress.ts";

interface StandbyOptions extends CommonOptions {
  from: string;
  keyFile?: string;
}

/** Defines `postroom standby`. */
export function standbyCommand(): Command {
  return explained(
    command("standby", "Follow another server, so that this machine can take over.")
      .requiredOption("--from <place>", "backup.to of the other server: s3://BUCKET/PREFIX or a folder")
      .option(
        "--key-file <file>",
        "file with the recovery key, the passphrase or the master key (default: prompt for it)",
      ),
    {
      notes: `The command copies all data of the other server (the primary) to the data folder, and then applies each change
within seconds, until it is stopped. It never syncs or sends mail, and opens no message. The data folder must
be empty or not exist yet; after an interruption, the command continues where it was. The primary needs
backup.to with this place, and backup.standby = true. Settings for the place, such as
POSTROOM_BACKUP_S3_ENDPOINT, are read from the environment or from --config. 'postroom status' shows how far
the standby is, and 'postroom promote' lets it take over.`,
      examples: [
        "postroom standby --from s3://my-bucket/postroom --data /srv/postroom --key-file /etc/postroom/recovery-key",
        "postroom standby --from /mnt/nas/postroom --data /srv/postroom",
      ],
    },
  ).action(standby);
}

async function standby(options: StandbyOptions): Promise<void> {
  const { data } = options;
  const place = placeOf(options.from);
  const from = place.kind === "folder" ? place.path : options.from.replace(/\/+$/, "");
  prepare(data, from);
  if (options.keyFile && isInside(data, options.keyFile)) {
    console.error(`Anyone who can read ${data} can also read the key file in it. Keep the key file in another place.`);
  }
  const config = loadConfig(sourcesOf(options));
  const secrets = await backupSecrets(options.keyFile, config);
  const lock = lockInstance(data);
  const log = logOf(config);
  const end = new AbortController();
  const store = openStore(place, { config, clock: systemClock, calls: null, signal: end.signal });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end.abort());
  const line = progressLine("standby");
  const following = new Following({
    data_dir: data,
    store,
    secrets,
    clock: systemClock,
    log,
    changed: ({ progress }) => (progress ? line.show(progress.done, progress.total) : line.end()),
  });
  const handlers = {
    standby: () => following.status,
    endStandby: () => {
      end.abort();
      return null;
    },
  };
  const control = await startControl({ data_dir: data, handlers, log });
  // Timers of the clock keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  try {
    log.info("following", { from });
    await following.run(end.signal);
  } finally {
    clearInterval(alive);
    line.end();
    control.close();
    store.close();
    lock.release();
  }
}

/** Parses the place of --from. @throws UserError */
export function placeOf(from: string): StorePlace {
  const parsed = parsePlace(/^\w+:\/\//.test(from) ? from : resolve(from));
  if (!parsed) throw new UserError(`${from} is not a place of backup.to. Name it like s3://BUCKET/PREFIX.`);
  if (parsed.kind === "folder" && !statSync(parsed.path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`There is no folder ${parsed.path}. Is the drive mounted?`);
  }
  return parsed;
}

/** Makes the folder a standby of a place. @throws UserError if it is in use, or follows another place */
function prepare(data_dir: string, from: string): void {
  const marker = readStandbyMarker(data_dir);
  if (marker) {
    if (marker.promoting !== null && hasBegun(data_dir)) {
      throw new UserError(`${data_dir} is being promoted. Run 'postroom promote --data ${data_dir}' again.`);
    }
    if (marker.from === from) {
      writeStandbyMarker(data_dir, { ...marker, promoting: null });
      return;
    }
    throw new UserError(`${data_dir} follows ${marker.from}. To follow ${from}, name an empty folder with --data.`);
  }
  if (existsSync(data_dir) && readdirSync(data_dir).length > 0) {
    throw new UserError(`${data_dir} is not empty. A standby needs a new or an empty folder: name one with --data.`);
  }
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  makePrivate(data_dir, { deep: false });
  writeStandbyMarker(data_dir, { format: 1, from, promoting: null });
}

function logOf(config: Config) {
  const format = config.get("log.format") === "json" ? "json" : "text";
  return createLog({ level: config.get("log.level") as LogLevel, format, clock: systemClock });
}
