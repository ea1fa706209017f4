import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Log } from "../log.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { masterKeyId } from "../sealing/master-key.ts";
import { authenticateOlder } from "../sealing/recovery-file.ts";
import { Grants, type SecretKind } from "./grants.ts";

interface OpenOptions {
  db: Db;
  keyring: Keyring;
  log: Log;
  clock: Clock;
  data_dir: string;
  /** True for a worker: the thread that started it has opened the register. */
  inherited: boolean;
}

/** Columns in which versions before the register stored the SHA-256 of a secret. */
const OLDER_HASHES: readonly {
  kind: SecretKind;
  table: string;
  column: string;
}[] = [
  { kind: "api-key", table: "api_keys", column: "hash" },
  { kind: "session", table: "sessions", column: "hash" },
  { kind: "invitation", table: "invitations", column: "hash" },
  { kind: "calendar-feed", table: "calendar_feeds", column: "token_hash" },
];

/**
 * Opens the register of a database. A new database gets an empty register. The rows of a version without a register are
 * adopted once, in one transaction. From then on, the wrapped system key records that a register exists, so that rows
 * are never adopted again, even if someone deletes the register.
 */
export function openGrants({ db, keyring, log, clock, data_dir, inherited }: OpenOptions): Grants {
  const grants = new Grants(db, keyring, log);
  if (inherited || keyring.registerState() === "since") return grants;
  db.write(() => {
    const state = keyring.registerState();
    // Another process has done it.
    if (state === "since") return;
    if (state === "new database") {
      keyring.system();
      return grants.begin();
    }
    for (const { kind, table, column } of OLDER_HASHES) {
      const rows = db.sql.query<{ hash: Uint8Array }, []>(`SELECT ${column} AS hash FROM ${table}`).all();
      const statement = db.sql.query(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`);
      for (const { hash } of rows) statement.run(grants.lookupOfHash(kind, hash), hash);
    }
    grants.acceptAll({
      at: clock.now(),
      master_key_id: masterKeyId(keyring.master),
    });
    authenticateOlder(data_dir, keyring.master, grants);
    keyring.markRegistered();
    log.warn("keys, sessions and members of an older version were adopted unchanged", {
      accounts: count(db, "accounts"),
      keys: count(db, "api_keys"),
      people: count(db, "users"),
    });
  });
  return grants;
}

function count(db: Db, table: string): number {
  return db.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
}
