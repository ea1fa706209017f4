import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { Acting } from "./acting.ts";
import type { Config } from "./config/load.ts";
import { copyBeforeUpgrade } from "./db/before-upgrade.ts";
import { type Db, type Durability, openDb } from "./db/open.ts";
import type { WriterPriority } from "./db/write-priority.ts";
import { trustedConfig } from "./grants/config-file.ts";
import type { Grants } from "./grants/grants.ts";
import { openGrants } from "./grants/open.ts";
import { AssistantClients } from "./identity/assistant-clients.ts";
import { AssistantTokens } from "./identity/assistant-tokens.ts";
import { Connections } from "./identity/connections.ts";
import { Invitations } from "./identity/invitations.ts";
import { ApiKeys } from "./identity/keys.ts";
import type { PasswordCost } from "./identity/passwords.ts";
import { liftedLimits } from "./identity/program-limits.ts";
import { Sessions } from "./identity/sessions.ts";
import { createSignIn, type SignIn } from "./identity/sign-in.ts";
import { Teams } from "./identity/teams.ts";
import { Users } from "./identity/users.ts";
import { createIds, type NewId } from "./ids.ts";
import { JobQueue } from "./jobs/queue.ts";
import { Audit } from "./ledger/audit.ts";
import { EventLog } from "./ledger/events.ts";
import { Idempotency } from "./ledger/idempotency.ts";
import { Meters } from "./ledger/meters.ts";
import { ModelCalls } from "./ledger/model-calls.ts";
import { StoreCalls } from "./ledger/store-calls.ts";
import { UpdateCalls } from "./ledger/update-calls.ts";
import { createLog, type Log, type LogLevel } from "./log.ts";
import { makePrivate, shortList } from "./private-folder.ts";
import { refuseStandby } from "./process/standby-folder.ts";
import { expectedMasterKeyId, Keyring } from "./sealing/keyring.ts";
import { findMasterKey, type MasterKey } from "./sealing/master-key.ts";
import { noteSalt } from "./sealing/note-salt.ts";
import { UntrustedProxies } from "./untrusted-proxies.ts";

/** The services that all modules use. One per thread, because database connection and keyring are not shared. */
export interface Platform {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  keyring: Keyring;
  /** The register of rows that grant access. All such rows are written through it. */
  grants: Grants;
  newId: NewId;
  audit: Audit;
  events: EventLog;
  jobs: JobQueue;
  meters: Meters;
  modelCalls: ModelCalls;
  storeCalls: StoreCalls;
  updateCalls: UpdateCalls;
  idempotency: Idempotency;
  users: Users;
  keys: ApiKeys;
  /** Assistants that may use the tool server. */
  connections: Connections;
  assistantClients: AssistantClients;
  assistantTokens: AssistantTokens;
  sessions: Sessions;
  signIn: SignIn;
  invitations: Invitations;
  teams: Teams;
  untrustedProxies: UntrustedProxies;
  /** Whether this server may act. On other threads and in commands, always. */
  acting: Acting;
  /** Identifies this run of the thread. A later run recognizes by it what an earlier one left unfinished. */
  boot_id: string;
  master_key_source: MasterKey["source"] | "handed in";
  close(): void;
}

export interface PlatformOptions {
  config: Config;
  clock: Clock;
  durability?: Durability;
  /** Write priority. Only the server's main thread is "first"; absent: "last". */
  writerPriority?: WriterPriority;
  log?: Log;
  /** Cheaper password hashing for tests; absent: the secure default. */
  passwordCost?: PasswordCost;
  /** A worker gets the key and an up-to-date database from the thread that started it. */
  inherited?: { master_key: Uint8Array };
}

/**
 * Opens the data folder: creates it if absent, migrates the database, and finds the master key.
 * @throws UserError if the folder is of a newer version or a standby, or the master key does not open it
 */
export function openPlatform(options: PlatformOptions): Platform {
  const { config, clock, inherited } = options;
  if (!inherited) refuseStandby(config.data_dir);
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 });
  const path = join(config.data_dir, "postroom.db");
  const log =
    options.log ?? createLog({ level: config.get("log.level") as LogLevel, format: logFormat(config), clock });
  const left = inherited ? [] : makePrivate(config.data_dir, { deep: options.writerPriority === "first" });
  if (left.length > 0 && options.writerPriority === "first") {
    log.warn("other users of this machine can read files in the data folder", { files: shortList(left) });
  }
  const db = openDb(path, options.durability ?? "full", {
    migrateNow: !inherited,
    ...(options.writerPriority ? { writerPriority: options.writerPriority } : {}),
    beforeUpgrade(sql, upgrade) {
      const keep = config.get("upgrade.keep_copies");
      const copy = copyBeforeUpgrade(sql, upgrade, { data_dir: config.data_dir, keep, now: clock.now() });
      log.info("upgrading the data folder", { ...upgrade, copy });
    },
  });
  // SQLite creates files with the umask of the caller.
  if (!inherited) makePrivate(config.data_dir, { deep: false });
  const settings = { given: config.get("master.key"), passphrase: config.get("master.passphrase") };
  const found = inherited ? null : findMasterKey(config.data_dir, settings, expectedMasterKeyId(db));
  const keyring = new Keyring(db, clock, inherited?.master_key ?? found!.key);
  const { data_dir } = config;
  const grants = openGrants({
    db,
    keyring,
    log,
    clock,
    data_dir,
    inherited: inherited !== undefined,
  });
  if (found) noteSalt(grants, data_dir, found.source === "passphrase");
  const trusted = trustedConfig(config, keyring.master, grants, log);
  const boot_id = randomUUID();
  const newId = createIds(clock);
  const audit = new Audit(db, keyring, newId, clock);
  const keys = new ApiKeys(db, keyring, grants, newId, clock, audit);
  const base = { db, keyring, grants, newId, clock, audit };
  const users = new Users(db, keyring, grants, newId, clock, audit);
  const limiting = { config: trusted, db, grants, keyring, users };
  return {
    config: trusted,
    clock,
    log,
    db,
    keyring,
    grants,
    newId,
    audit,
    events: new EventLog(db, keyring, newId, clock),
    jobs: new JobQueue(db, keyring, newId, clock, boot_id),
    meters: new Meters(db, clock, trusted, (user) => liftedLimits(limiting, user)),
    modelCalls: new ModelCalls(db, clock),
    storeCalls: new StoreCalls(db, clock),
    updateCalls: new UpdateCalls(db, clock),
    idempotency: new Idempotency(db, keyring, clock, boot_id),
    users,
    keys,
    connections: new Connections({ ...base, revoked: (id, by) => keys.noteRevoked(id, by) }),
    assistantClients: new AssistantClients(base),
    assistantTokens: new AssistantTokens(base),
    sessions: new Sessions(db, keyring, grants, newId, clock, audit, trusted),
    signIn: createSignIn({
      db,
      keyring,
      grants,
      newId,
      clock,
      cost: options.passwordCost,
    }),
    invitations: new Invitations(db, grants, clock),
    teams: new Teams(db, keyring, grants, newId, clock),
    untrustedProxies: new UntrustedProxies(),
    acting: new Acting(),
    boot_id,
    master_key_source: found?.source ?? "handed in",
    close: () => db.close(),
  };
}

function logFormat(config: Config): "text" | "json" {
  return config.get("log.format") === "json" ? "json" : "text";
}
