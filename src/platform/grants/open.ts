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
  /** A worker: the thread that started it has done what is to be done. */
  inherited: boolean;
}

/** Columns in which versions before the register kept the SHA-256 of a secret. */
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
 * The register of a database. A new database gets an empty one. One of a version without a register is taken over as it is, in
 * one transaction, once: afterwards the wrapped system key says that there is a register, so that no older rows are ever taken
 * over again, even when the register was deleted.
 */
export function openGrants({ db, keyring, log, clock, data_dir, inherited }: OpenOptions): Grants {
  const grants = new Grants(db, keyring, log);
  if (inherited || keyring.registerState() === "since") return grants;
  db.write(() => {
    const state = keyring.registerState();
    // Another process was quicker.
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
    log.warn("keys, sessions and members of an older version were taken over as they were", {
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
