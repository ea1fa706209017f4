import type { Platform } from "../../platform/platform.ts";
import type { BackupCopiesRow } from "../tables.ts";
import type { CopyState } from "./copy-state.ts";

type Base = Pick<Platform, "db" | "keyring">;

const CONTEXT = "backup_copies.state";

function fresh(place: string): CopyState {
  return {
    place,
    mount: null,
    generation: 0,
    etag: null,
    copies: [],
    last: null,
    failing_since: null,
    failures: 0,
    error: null,
    warning: null,
    locked: [],
    checked_at: 0,
    upload: null,
  };
}

/** Returns the state of a place; a new one if backups were sent elsewhere so far. */
export function readCopyState({ db, keyring }: Base, place: string): CopyState {
  const row = db.sql.query<Pick<BackupCopiesRow, "state">, []>("SELECT state FROM backup_copies WHERE id = 1").get();
  const stored = row ? keyring.system().openJson<CopyState>(CONTEXT, row.state) : null;
  return stored?.place === place ? stored : fresh(place);
}

/** Changes the state. @returns the new one */
export function changeCopyState(platform: Base, place: string, changes: Partial<CopyState>): CopyState {
  const { db, keyring } = platform;
  return db.write(() => {
    const next = { ...readCopyState(platform, place), ...changes };
    db.sql
      .query(
        "INSERT INTO backup_copies (id, state) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state",
      )
      .run(keyring.system().sealJson(CONTEXT, next));
    return next;
  });
}
