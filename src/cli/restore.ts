import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { prepareRestored } from "../app/backup.ts";
import { readChain } from "../backup/chain.ts";
import { INDEX_KEY } from "../backup/copies/copy-index.ts";
import { findStored, listStored, requireObjects } from "../backup/copies/stored-backups.ts";
import { parseSecret, type Secret } from "../backup/envelope.ts";
import { LOG_FOLDER } from "../backup/log/crypt.ts";
import { LogFault } from "../backup/log/faults.ts";
import type { Until } from "../backup/log/history.ts";
import { KEYS_KEY } from "../backup/log/log-keys.ts";
import { LogReader } from "../backup/log/reader.ts";
import { restoreLog, verifyLog } from "../backup/log/restore-log.ts";
import { type Restored, restoreBackup } from "../backup/restore.ts";
import type { BackupSource } from "../backup/source.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import { openDb } from "../platform/db/open.ts";
import { openStore } from "../platform/objects/open.ts";
import { parsePlace } from "../platform/objects/place.ts";
import type { ObjectStore } from "../platform/objects/store.ts";
import { expectedMasterKeyId } from "../platform/sealing/keyring.ts";
import { findMasterKey } from "../platform/sealing/master-key.ts";
import { type CommonOptions, command, explained, sourcesOf } from "./context.ts";
import { ask } from "./password.ts";
import { progressLine } from "./progress.ts";

interface RestoreOptions extends CommonOptions {
  verify?: true;
  keyFile?: string;
  at?: string;
  onlyBackups?: true;
}

/** What a command reads: a state of a continuous copy, or a backup with the earlier ones that it is based on. */
type Chosen = ChosenBackup | ChosenCopy;

interface ChosenCopy {
  reader: LogReader;
  until: Until;
  close(): void;
}

interface ChosenBackup {
  from: string | BackupSource;
  older: readonly (string | BackupSource)[];
  /** For messages. */
  name: string;
  close(): void;
}

/** Defines `postroom restore`. */
export function restoreCommand(): Command {
  return explained(
    command("restore", "Restore a backup, or verify it without writing.")
      .argument("<from>", "backup file, or a place of backup.to: s3://BUCKET/PREFIX, sftp://USER@HOST/PATH or a folder")
      .argument("[older...]", "earlier backups that an incremental backup is based on, if they are in another folder")
      .option("--verify", "check every row, count and hash, and write nothing")
      .option("--at <time>", "restore the state of a place at this time, such as 2026-11-20T08:00Z")
      .option("--only-backups", "restore the newest backup of a place, even if its continuous copy is newer")
      .option(
        "--key-file <file>",
        "file with the recovery key, the passphrase or the master key (default: prompt for it)",
      )
      .option("--json", "print JSON"),
    {
      notes: `The data folder (--data) must be empty or not exist yet. Restored data is read back and compared with the
backup before the folder gets its name; if anything differs, nothing is left behind. --verify uses the
key of the data folder if that exists. Mail that was due to be sent after the backup may already have been
sent: Postroom looks for it on the mail server and does not send it again. Do not run the old and the
restored installation at the same time. For a place in S3 or over SFTP, set backup.s3.* or backup.sftp.* as
environment variables, such as POSTROOM_BACKUP_S3_ENDPOINT. The backup is read over the network as it is
restored, without a copy on the disk. If the place has a continuous copy that is newer than its backups, its
newest state is restored, or the one that it had at --at. The command prints which of them it uses, and of
which time it is. If the restored server is to use the same place, run 'postroom promote' before it starts.`,
      examples: [
        "postroom restore --verify /mnt/usb/postroom.age",
        "postroom restore /mnt/usb/postroom.age --data /srv/postroom",
        "postroom restore s3://my-bucket/postroom --verify --key-file recovery-key.txt",
        "postroom restore s3://my-bucket/postroom --at 2026-11-20T08:00Z --data /srv/postroom",
        "postroom restore sftp://postroom@nas.lan/volume1/postroom --data /srv/postroom",
        "postroom restore /mnt/usb/tuesday.age /mnt/other/monday.age --data /srv/postroom --key-file recovery-key.txt",
      ],
    },
  ).action(restore);
}

async function restore(file: string, older: string[], options: RestoreOptions): Promise<void> {
  const secrets = await findSecrets(options);
  const chosen = await choose(file, older, secrets, options);
  try {
    if ("reader" in chosen) await (options.verify ? verifyCopy : restoreCopy)(chosen, options);
    else await (options.verify ? verify : restoreChosen)(chosen, secrets, options);
  } catch (error) {
    throw withBackups(error);
  } finally {
    chosen.close();
  }
}

async function verify({ from, older, name }: ChosenBackup, secrets: Secret[], { json }: RestoreOptions): Promise<void> {
  const line = progressLine("verify");
  const progress = (done: number, total: number) => line.show(done, total);
  const summary = await readChain(from, older, secrets, { progress }).finally(line.end);
  const { manifest, tables, rows, files, read } = summary;
  const { kind, made_at, version } = manifest.head;
  if (json) return console.log(JSON.stringify({ ok: true, kind, made_at, version, tables, rows, files, read }));
  const more = read.length > 1 ? `, together with the earlier backups that it is based on (${read.length - 1})` : "";
  console.log(
    `${name} is intact: ${kind} backup of ${made_at}${more}. ${rows} rows in ${tables} tables and ${files} files.`,
  );
}

async function restoreChosen({ from, older }: ChosenBackup, secrets: Secret[], options: RestoreOptions): Promise<void> {
  const data_dir = options.data;
  const line = progressLine("restore");
  let doubted = 0;
  const restored = await restoreBackup({
    file: from,
    older,
    secrets,
    data_dir,
    migrations: MIGRATION_NAMES,
    settle: (database, head) => {
      doubted = prepareRestored(database, head, systemClock);
    },
    progress: (done, total) => line.show(done, total),
  }).finally(line.end);
  const { made_at } = restored.manifest.head;
  const { rows, files, custody } = restored;
  if (options.json) return console.log(JSON.stringify({ data: data_dir, made_at, rows, files, custody, doubted }));
  console.log(
    `Restored ${rows} rows and ${files} files from the backup of ${made_at} to ${data_dir}. ${NEXT_STEP[custody]}`,
  );
  reportDoubted(doubted, "backup");
}

function reportDoubted(doubted: number, after: string): void {
  if (doubted === 0) return;
  console.log(
    `${doubted} ${doubted === 1 ? "message was" : "messages were"} due to be sent after the ${after}. Postroom checks the mail server to see whether that happened.`,
  );
}

async function verifyCopy({ reader, until }: ChosenCopy, { json }: RestoreOptions): Promise<void> {
  const line = progressLine("verify");
  const progress = (done: number, total: number) => line.show(done, total);
  const { position, pages, segments, bytes } = await verifyLog(reader, until, progress).finally(line.end);
  const made_at = isoTime(position.at);
  if (json) return console.log(JSON.stringify({ ok: true, kind: "continuous", made_at, pages, segments, bytes }));
  console.log(
    `The continuous copy in ${reader.store.place} is intact up to ${made_at}: ${pages} pages of the database.`,
  );
}

async function restoreCopy({ reader, until }: ChosenCopy, options: RestoreOptions): Promise<void> {
  const data_dir = options.data;
  const line = progressLine("restore");
  let doubted = 0;
  const { position, files, custody } = await restoreLog({
    reader,
    until,
    data_dir,
    migrations: MIGRATION_NAMES,
    settle: (database, head) => {
      doubted = prepareRestored(database, head, systemClock);
    },
    progress: (done, total) => line.show(done, total),
  }).finally(line.end);
  const made_at = isoTime(position.at);
  if (options.json) return console.log(JSON.stringify({ data: data_dir, made_at, files, custody, doubted }));
  console.log(`Restored the state of ${made_at} with ${files} files to ${data_dir}. ${NEXT_STEP[custody]}`);
  reportDoubted(doubted, "last copied state");
  console.log(
    `If the restored server is to copy to ${reader.store.place} again, turn the earlier server off and run 'postroom promote' before you start it.`,
  );
}

/** Finds what to read. In a place of backups, says which backup that is, because an older one looks just as good. */
async function choose(file: string, older: string[], secrets: Secret[], options: RestoreOptions): Promise<Chosen> {
  const isRemote = /^\w+:\/\//.test(file);
  const place = isRemote || statSync(file, { throwIfNoEntry: false })?.isDirectory();
  if (!place) {
    if (options.at !== undefined) throw new UserError("--at needs a place with several backups, not one file.");
    return { from: file, older, name: file, close: () => {} };
  }
  const parsed = parsePlace(isRemote ? file : resolve(file));
  if (!parsed) {
    throw new UserError(`${file} is not a place of backups. Name it like s3://BUCKET/PREFIX or sftp://USER@HOST/PATH.`);
  }
  if (older.length > 0) throw new UserError("A place of backups has the earlier backups, too. Name only the place.");
  const at = options.at === undefined ? null : timeOf(options.at);
  const store = openStore(parsed, { config: loadConfig(sourcesOf(options)), clock: systemClock, calls: null });
  try {
    const copy = options.onlyBackups ? null : await chooseCopy(store, secrets, at);
    if (copy) return { ...copy, close: () => store.close() };
    if (at !== null && !options.onlyBackups) await requireNotEarlier(store, secrets, at);
    const copies = await listStored(store, secrets);
    const found = await findStored(store, copies, at);
    if (options.verify) await requireObjects(store, copies);
    const which = found.latest ? "the newest" : "not the newest";
    console.error(`The backup of ${isoTime(found.made_at)}, ${which} of ${copies.length} in ${store.place}.`);
    return { from: found.newest, older: found.older, name: found.newest.path, close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Adds to damage of a continuous copy what else can be restored. */
function withBackups(error: unknown): unknown {
  if (!(error instanceof LogFault)) return error;
  return new UserError(`${error.message} To restore the newest backup in this place, use --only-backups.`);
}

/**
 * Returns the continuous copy of a place, if it has a newer state than the backups there.
 * @param at ms; null: now @throws UserError, which names what is damaged
 */
async function chooseCopy(
  store: ObjectStore,
  secrets: Secret[],
  at: number | null,
): Promise<Omit<ChosenCopy, "close"> | null> {
  const reader = await LogReader.open(store, secrets).catch((error) => {
    if (!(error instanceof LogFault)) throw error;
    if (error.kind !== "incomplete") throw withBackups(error);
    console.error(`${error.message} ${OLDER}`);
    return null;
  });
  if (!reader) await warnOfRemains(store);
  const reached = reader?.reached(at);
  if (!reader || reached == null) return null;
  const copies = (await store.head(INDEX_KEY)) ? await listStored(store, secrets) : [];
  const newest = copies.reduce(
    (most, { made_at }) => (at === null || made_at <= at ? Math.max(most, made_at) : most),
    0,
  );
  if (newest > reached) return null;
  console.error(reader.describe());
  return { reader, until: at === null ? "newest" : { at } };
}

/** @throws UserError if a place has only a continuous copy, which begins after this time */
async function requireNotEarlier(store: ObjectStore, secrets: Secret[], at: number): Promise<void> {
  const reader = await LogReader.open(store, secrets).catch(() => null);
  if (!reader || reader.reached(at) !== null || (await store.head(INDEX_KEY))) return;
  throw new UserError(`${reader.describe()} Nothing there is as old as ${isoTime(at)}. Choose a later --at.`);
}

const OLDER = "A backup is used, which may be older.";

/** Someone who can delete in a place could make an older backup look like the newest state. */
async function warnOfRemains(store: ObjectStore): Promise<void> {
  if (await store.head(KEYS_KEY)) return;
  for await (const { key } of store.list(LOG_FOLDER)) {
    console.error(
      `${store.place} has parts of a continuous copy (${key}), but the objects keys and primary are missing. If you did not delete them, someone else may have access to this place. ${OLDER}`,
    );
    return;
  }
}

/** @throws UserError */
function timeOf(text: string): number {
  const at = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at)) return at;
  throw new UserError("--at must be a time such as 2026-11-20T08:00Z.");
}

const NEXT_STEP: Record<Restored["custody"], string> = {
  file: "The master key is in keys/master.key. To keep it elsewhere, see 'postroom key-rotate --help'.",
  given: "Before you start the server, set POSTROOM_MASTER_KEY_FILE to the file with the master key.",
  passphrase: "Before you start the server, set POSTROOM_MASTER_PASSPHRASE_FILE to the file with the passphrase.",
};

/** Returns the secrets that may open the backup, the most likely one first. @throws UserError when there are none */
async function findSecrets(options: RestoreOptions): Promise<Secret[]> {
  if (options.keyFile !== undefined) {
    if (!existsSync(options.keyFile)) throw new UserError(`There is no file ${options.keyFile}.`);
    return [parseSecret(readFileSync(options.keyFile, "utf8"))];
  }
  const secrets: Secret[] = [];
  const config = loadConfig(sourcesOf(options));
  const [given, passphrase] = [config.get("master.key"), config.get("master.passphrase")];
  if (given) secrets.push(parseSecret(given));
  if (passphrase) secrets.push({ kind: "passphrase", passphrase });
  const path = join(options.data, "postroom.db");
  if (options.verify && existsSync(path)) {
    const db = openDb(path, "normal");
    try {
      const { key } = findMasterKey(options.data, { given, passphrase }, expectedMasterKeyId(db));
      secrets.unshift({ kind: "master key", key });
    } finally {
      db.close();
    }
  }
  if (secrets.length > 0) return secrets;
  if (!process.stdin.isTTY) {
    throw new UserError("Specify a file with the recovery key, the passphrase or the master key: --key-file FILE.");
  }
  return [parseSecret(await ask(process.stdin, undefined, "Recovery key, passphrase or master key (not shown): "))];
}
