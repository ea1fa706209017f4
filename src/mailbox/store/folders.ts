import type { Platform } from "../../platform/platform.ts";
import type { FolderRole } from "./state.ts";
import type { FolderRow } from "./tables.ts";

export interface Folder {
  id: string;
  account_id: string;
  path: string;
  delimiter: string | null;
  role: FolderRole;
  uidvalidity: number | null;
  /** All UIDs below this one, down to `backfill_uid`, have been read. */
  uidnext: number;
  /** UIDs below this one are still to be read; 1 when none are left. */
  backfill_uid: number;
  /** Messages from this UID on arrived after the mailbox was connected. */
  live_uid: number;
  highestmodseq: bigint | null;
  server_count: number;
  checked_at: number | null;
  /**
   * Set on a folder whose UIDs became invalid; the folder is deleted once its replacement has been read to the end.
   */
  replaced_by: string | null;
  keywords_ok: boolean;
  /**
   * Set on a view: a folder that shows some of the messages of that other folder, under the UIDs of that other folder.
   * A view is never opened on the server. Gmail's inbox is a view of All Mail.
   */
  view_of: string | null;
}

type StoredFolder = Omit<FolderRow, "path_hmac">;

const COLUMNS = `id, account_id, name, role, uidvalidity, uidnext, backfill_uid, live_uid, highestmodseq, server_count,
  checked_at, replaced_by, keywords_ok, view_of`;

/** The folders of the mailboxes, and how far each has been read. The only owner of the `folders` table. */
export class Folders {
  constructor(private readonly platform: Platform) {}

  list(account: { id: string; user_id: string }): Folder[] {
    return this.platform.db.sql
      .query<StoredFolder, [string]>(`SELECT ${COLUMNS} FROM folders WHERE account_id = ? ORDER BY id`)
      .all(account.id)
      .map((row) => this.#view(account.user_id, row));
  }

  get(user_id: string, id: string): Folder | null {
    const row = this.platform.db.sql
      .query<StoredFolder, [string]>(`SELECT ${COLUMNS} FROM folders WHERE id = ?`)
      .get(id);
    return row && this.#view(user_id, row);
  }

  /** Stores a folder that the server lists. A known path keeps its row and takes the new role. */
  upsert(account: { id: string; user_id: string }, path: string, delimiter: string | null, role: FolderRole): Folder {
    const { db, keyring, newId } = this.platform;
    const sealer = keyring.forUser(account.user_id);
    const path_hmac = sealer.hmac("path", path);
    const id = newId("folder");
    const row = db.sql
      .query<StoredFolder, [string, string, Uint8Array, Uint8Array, string]>(
        `INSERT INTO folders (id, account_id, name, path_hmac, role) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, path_hmac) DO UPDATE SET role = excluded.role, view_of = NULL RETURNING ${COLUMNS}`,
      )
      .get(id, account.id, sealer.sealJson(`folders.name:${id}`, { path, delimiter }), path_hmac, role);
    return this.#view(account.user_id, row!);
  }

  /** Returns the folders that hold messages themselves: neither views nor folders that are being replaced. */
  real(account: { id: string; user_id: string }): Folder[] {
    return this.list(account).filter((folder) => folder.replaced_by === null && folder.view_of === null);
  }

  /** Returns the views of a folder. */
  viewsOf(user_id: string, folder_id: string): Folder[] {
    return this.platform.db.sql
      .query<StoredFolder, [string]>(`SELECT ${COLUMNS} FROM folders WHERE view_of = ? ORDER BY id`)
      .all(folder_id)
      .map((row) => this.#view(user_id, row));
  }

  /** Stores a folder that is a view of another one. */
  upsertView(account: { id: string; user_id: string }, of: Folder, path: string, role: FolderRole): Folder {
    const view = this.upsert(account, path, of.delimiter, role);
    this.platform.db.sql.query("UPDATE folders SET view_of = ? WHERE id = ?").run(of.id, view.id);
    return { ...view, view_of: of.id };
  }

  /** Gives a folder that was renamed on the server its new path. Messages, UIDs and progress stay. */
  rename(account: { id: string; user_id: string }, folder: Folder, path: string, role: FolderRole): void {
    const sealer = this.platform.keyring.forUser(account.user_id);
    this.platform.db.sql
      .query("UPDATE folders SET name = ?, path_hmac = ?, role = ? WHERE id = ?")
      .run(
        sealer.sealJson(`folders.name:${folder.id}`, { path, delimiter: folder.delimiter }),
        sealer.hmac("path", path),
        role,
        folder.id,
      );
  }

  /**
   * Starts a new row for a folder whose UIDVALIDITY the server changed (RFC 9051 §2.3.1.1). The old row stays beside it
   * until the new UIDs are known, so that no message is without a location.
   */
  supersede(account: { id: string; user_id: string }, old: Folder): Folder {
    const { db, keyring } = this.platform;
    return db.write(() => {
      const replace = (folder: Folder): Folder => {
        const voided = keyring.forUser(account.user_id).hmac("path", `${folder.path}\0${folder.id}`);
        db.sql.query("UPDATE folders SET path_hmac = ? WHERE id = ?").run(voided, folder.id);
        const replacement = this.upsert(account, folder.path, folder.delimiter, folder.role);
        db.sql
          .query("UPDATE folders SET replaced_by = ? WHERE id = ? OR replaced_by = ?")
          .run(replacement.id, folder.id, folder.id);
        return replacement;
      };
      const replacement = replace(old);
      for (const view of this.viewsOf(account.user_id, old.id)) {
        db.sql.query("UPDATE folders SET view_of = ? WHERE id = ?").run(replacement.id, replace(view).id);
      }
      return replacement;
    });
  }

  /** Saves how far a folder has been read. Call it in the transaction that stores the messages. */
  save(folder: Folder): void {
    this.platform.db.sql
      .query(
        `UPDATE folders SET uidvalidity = ?, uidnext = ?, backfill_uid = ?, live_uid = ?, highestmodseq = ?,
           server_count = ?, checked_at = ?, keywords_ok = ? WHERE id = ?`,
      )
      .run(
        folder.uidvalidity,
        folder.uidnext,
        folder.backfill_uid,
        folder.live_uid,
        folder.highestmodseq === null ? null : String(folder.highestmodseq),
        folder.server_count,
        folder.checked_at,
        folder.keywords_ok ? 1 : 0,
        folder.id,
      );
  }

  /** Deletes a folder and its views. Unlink its locations first. */
  remove(folder_id: string): void {
    this.platform.db.sql.query("DELETE FROM folders WHERE id = ?1 OR view_of = ?1").run(folder_id);
  }

  #view(user_id: string, { name, highestmodseq, keywords_ok, ...row }: StoredFolder): Folder {
    const opened = this.platform.keyring.forUser(user_id).openJson(`folders.name:${row.id}`, name);
    return {
      ...row,
      ...opened,
      highestmodseq: highestmodseq === null ? null : BigInt(highestmodseq),
      keywords_ok: keywords_ok === 1,
    };
  }
}
