import type { Platform } from "../../platform/platform.ts";
import { type Account, hasServer } from "../accounts/accounts.ts";
import type { Folders } from "../store/folders.ts";
import { flagsOfMessage, setLocationFlag } from "../store/location-flags.ts";
import type { FolderRole } from "../store/state.ts";
import type { Member } from "./members.ts";
import type { MoveTarget } from "./move.ts";

/**
 * Kind of the job that mirrors an account's pending changes to its server; payload { account_id }, one job per account.
 */
export const MIRROR_JOB = "mirror";

/** Names of the folders that a mailbox without a server gets when it needs them. */
const SANDBOX_FOLDERS: Partial<Record<FolderRole, string>> = {
  inbox: "INBOX",
  archive: "Archive",
  trash: "Trash",
  spam: "Junk",
  snoozed: "Snoozed",
};

/**
 * Changes messages of one account here at once and records the changes for the server. Use it inside one transaction,
 * end with `finish`, then refresh the threads.
 *
 * For a connected mailbox, it stores a pending change per message and field, and queues a mirror job. For a read-only
 * one, it stores only the pending changes, which keep the server's state from overwriting the user's. The sandbox has
 * no server, so its messages move between its own folders.
 */
export class MessageEdits {
  #count = 0;
  #given = false;

  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
    private readonly account: Account,
    private readonly request_id: string | null,
  ) {}

  /** Marks messages as read or unread, leaving alone those that already are. */
  setUnread(members: readonly Member[], unread: boolean): void {
    const statement = this.platform.db.sql.query("UPDATE messages SET unread = ? WHERE id = ?");
    for (const member of members) {
      if (member.unread === unread) continue;
      statement.run(Number(unread), member.id);
      this.#note(member.id, "seen", unread ? "0" : "1", unread ? "1" : "0");
    }
  }

  setStarred(members: readonly Member[], starred: boolean): void {
    const statement = this.platform.db.sql.query("UPDATE messages SET starred = ? WHERE id = ?");
    for (const member of members) {
      if (member.starred === starred) continue;
      statement.run(Number(starred), member.id);
      this.#note(member.id, "flagged", starred ? "1" : "0", starred ? "0" : "1");
    }
  }

  addLabel(members: readonly Member[], label_id: string): void {
    const statement = this.platform.db.sql.query(
      "INSERT OR IGNORE INTO message_labels (message_id, label_id) VALUES (?, ?)",
    );
    for (const { id } of members) {
      if (statement.run(id, label_id).changes > 0) this.#note(id, `label:${label_id}`, "1", "0");
    }
  }

  removeLabel(members: readonly Member[], label_id: string): void {
    const statement = this.platform.db.sql.query("DELETE FROM message_labels WHERE message_id = ? AND label_id = ?");
    for (const { id } of members) {
      if (statement.run(id, label_id).changes > 0) this.#note(id, `label:${label_id}`, "0", "1");
    }
  }

  /** Gives the messages with a label another one instead; null: none. */
  replaceLabel(members: readonly Member[], fromId: string, toId: string | null): void {
    const { sql } = this.platform.db;
    const statement = sql.query("SELECT 1 FROM message_labels WHERE message_id = ? AND label_id = ?");
    const labeled = members.filter(({ id }) => statement.get(id, fromId) !== null);
    this.removeLabel(labeled, fromId);
    if (toId !== null) this.addLabel(labeled, toId);
  }

  /** Puts messages into another category, which is not mirrored to any server. @returns whether anything changed */
  setCategory(members: readonly Member[], category: string, reason: string): boolean {
    const statement = this.platform.db.sql.query(
      "UPDATE messages SET category = ?, category_reason = ? WHERE id = ? AND category <> ?",
    );
    return members.map(({ id }) => statement.run(category, reason, id, category).changes).some((count) => count > 0);
  }

  /** Sets the state of a thread without received mail, which is not mirrored to any server. */
  giveState(thread_id: string, state: MoveTarget): void {
    const { changes } = this.platform.db.sql
      .query("UPDATE threads SET given_state = ?1 WHERE id = ?2 AND given_state IS NOT ?1")
      .run(state, thread_id);
    if (changes > 0) this.#given = true;
  }

  /** Moves messages to the folder of a role. Their copies in Sent and Drafts stay. */
  move(members: readonly Member[], role: FolderRole): void {
    for (const member of members) {
      if (!hasServer(this.account)) this.#relocate(member, role);
      this.#note(member.id, "folder", role, member.roles.join(","));
    }
  }

  /** Queues the mirror job where one is needed. @returns whether anything was changed */
  finish(): boolean {
    const { id, user_id, read_only } = this.account;
    if (this.#count > 0 && hasServer(this.account) && !read_only) {
      this.platform.jobs.enqueue({ kind: MIRROR_JOB, dedupe_key: id, user_id, payload: { account_id: id } });
    }
    return this.#count > 0 || this.#given;
  }

  /**
   * Stores one row per message and field. A second change replaces the value and keeps the server's value as
   * `previous`.
   */
  #note(message_id: string, field: string, value: string, previous: string): void {
    this.#count++;
    if (!hasServer(this.account)) {
      setLocationFlag(this.platform.db.sql, message_id, field, value);
      return;
    }
    const now = this.platform.clock.now();
    this.platform.db.sql
      .query(
        `INSERT INTO pending_changes (message_id, field, account_id, value, previous, stamp, request_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (message_id, field) DO UPDATE SET value = excluded.value, request_id = excluded.request_id,
           stamp = max(excluded.stamp, pending_changes.stamp + 1)`,
      )
      .run(message_id, field, this.account.id, value, previous, now, this.request_id, now);
  }

  #relocate(member: Member, role: FolderRole): void {
    const { sql } = this.platform.db;
    const folder =
      this.folders.list(this.account).find((candidate) => candidate.role === role) ??
      this.folders.upsert(this.account, SANDBOX_FOLDERS[role] ?? role, "/", role);
    sql
      .query(
        `DELETE FROM locations WHERE message_id = ? AND folder_id IN
           (SELECT id FROM folders WHERE account_id = ? AND role NOT IN ('sent', 'drafts'))`,
      )
      .run(member.id, this.account.id);
    const { highest } = sql
      .query<{ highest: number | null }, [string]>("SELECT max(uid) AS highest FROM locations WHERE folder_id = ?")
      .get(folder.id)!;
    const uid = Math.max(folder.uidnext, (highest ?? 0) + 1);
    this.folders.save({ ...folder, uidnext: uid + 1 });
    const { flags, labels } = flagsOfMessage(sql, member.id);
    sql
      .query("INSERT INTO locations (folder_id, uid, message_id, flags_hash, flags, labels) VALUES (?, ?, ?, 0, ?, ?)")
      .run(folder.id, uid, member.id, flags, labels);
  }
}
