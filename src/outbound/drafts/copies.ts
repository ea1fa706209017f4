import { messageIdHmac } from "../../mailbox/threading/identity.ts";
import type { Platform } from "../../platform/platform.ts";
import type { KnownDraft, ServerDraft } from "./diff.ts";
import { contentOf, type Draft, type DraftLocation, type DraftStore, type NewStoredDraft } from "./store.ts";
import type { DraftContent, DraftRemainRow, DraftRow } from "./tables.ts";

/** The content of a draft that has a copy on the server. */
export type CopiedContent = DraftContent & { message_id: string };

/**
 * Records where drafts are on the server, for the job that syncs both sides. Nothing here queues that job,
 * because these are its own findings. A draft that changed in between stays pending, because its revision differs from
 * `placed`.
 */
export class DraftCopies {
  constructor(
    private readonly platform: Platform,
    private readonly store: DraftStore,
  ) {}

  /** Returns the visible drafts of an account. */
  known(account: { id: string; user_id: string }): (KnownDraft & { missing_at: number | null })[] {
    return this.platform.db.sql
      .query<Pick<DraftRow, "id" | "uidvalidity" | "uid" | "msgid_hmac" | "missing_at">, [string]>(
        "SELECT id, uidvalidity, uid, msgid_hmac, missing_at FROM drafts WHERE account_id = ? AND hidden = 0",
      )
      .all(account.id)
      .map(({ id, uidvalidity, uid, msgid_hmac, missing_at }) => ({
        id,
        location: uidvalidity === null || uid === null ? null : { uidvalidity, uid },
        message_key: msgid_hmac && Buffer.from(msgid_hmac).toString("hex"),
        missing_at,
      }));
  }

  /** Returns a Message-ID in the form that `known` uses. */
  keyOf(user_id: string, message_id: string | null): ServerDraft["message_key"] {
    if (message_id === null) return null;
    return Buffer.from(messageIdHmac(this.platform.keyring.forUser(user_id), message_id)).toString("hex");
  }

  /**
   * Returns the ids of drafts whose newest revision the server does not have, oldest first. Leaves out those that a
   * send holds, and those that may just have been deleted there.
   */
  pending(account_id: string, limit: number): string[] {
    return this.platform.db.sql
      .query<Pick<DraftRow, "id">, [string, number]>(
        `SELECT id FROM drafts WHERE account_id = ? AND hidden = 0 AND send_id IS NULL AND placed < revision
           AND missing_at IS NULL
         ORDER BY updated_at, id LIMIT ?`,
      )
      .all(account_id, limit)
      .map(({ id }) => id);
  }

  /** Records where a revision is stored. An earlier copy elsewhere is marked for removal. */
  recordCopy(draft: Draft, revision: number, location: DraftLocation, message_id: string): void {
    const { sql } = this.platform.db;
    const content = { ...contentOf(draft), message_id };
    if (draft.location && !sameLocation(draft.location, location))
      this.markForRemoval(draft.account_id, draft.location);
    sql
      .query(
        `UPDATE drafts SET placed = ?, uidvalidity = ?, uid = ?, msgid_hmac = ?, content = ?, missing_at = NULL WHERE id = ?`,
      )
      .run(
        revision,
        location.uidvalidity,
        location.uid,
        messageIdHmac(this.platform.keyring.forUser(draft.user_id), message_id),
        this.store.seal(draft.user_id, draft.id, content),
        draft.id,
      );
  }

  /** Imports what another program wrote into the draft, together with its location. */
  takeOver(draft: Draft, content: CopiedContent, location: DraftLocation): void {
    const updated_at = Math.max(this.platform.clock.now(), draft.updated_at);
    this.platform.db.sql
      .query("UPDATE drafts SET revision = revision + 1, updated_at = ? WHERE id = ?")
      .run(updated_at, draft.id);
    const taken: Draft = { ...draft, ...content, location };
    this.recordCopy(taken, draft.revision + 1, location, content.message_id);
  }

  /** Stores a draft that another program wrote. */
  adopt(
    draft: Omit<NewStoredDraft, "content"> & { id: string; content: CopiedContent; at: number },
    location: DraftLocation,
  ): void {
    this.store.insert({ ...draft, hidden: true });
    this.platform.db.sql
      .query("UPDATE drafts SET hidden = 0, created_at = ?, updated_at = ? WHERE id = ?")
      .run(draft.at, draft.at, draft.id);
    this.recordCopy(this.store.get(draft.id)!, 1, location, draft.content.message_id);
  }

  /** Records that the draft has no copy any more. `again`: it is to get a new one. */
  removeCopyRecord(draft: Draft, again: boolean): void {
    this.platform.db.sql
      .query(
        `UPDATE drafts SET uidvalidity = NULL, uid = NULL, msgid_hmac = NULL, missing_at = NULL,
           placed = CASE WHEN ? THEN 0 ELSE revision END WHERE id = ?`,
      )
      .run(again ? 1 : 0, draft.id);
  }

  /** Removes its Message-ID, which belongs to another draft now. The next upload assigns a new one. */
  loseMessageId(draft: Draft): void {
    const content = this.store.seal(draft.user_id, draft.id, { ...contentOf(draft), message_id: null });
    this.platform.db.sql
      .query("UPDATE drafts SET msgid_hmac = NULL, content = ?, placed = 0 WHERE id = ?")
      .run(content, draft.id);
  }

  /** Stops retrying this revision. */
  giveUp(draft: Draft): void {
    this.platform.db.sql
      .query("UPDATE drafts SET placed = revision WHERE id = ? AND revision = ?")
      .run(draft.id, draft.revision);
  }

  setMissing(draft_id: string, at: number | null): void {
    this.platform.db.sql.query("UPDATE drafts SET missing_at = ? WHERE id = ?").run(at, draft_id);
  }

  /** Deletes a draft that was deleted on the server, where nothing is left to remove. */
  drop(draft: Draft): void {
    this.removeCopyRecord(draft, false);
    this.store.remove(draft.id);
  }

  markForRemoval(account_id: string, { uidvalidity, uid }: DraftLocation): void {
    this.platform.db.sql
      .query("INSERT OR IGNORE INTO draft_remains (account_id, uidvalidity, uid) VALUES (?, ?, ?)")
      .run(account_id, uidvalidity, uid);
  }

  /** Returns UIDs to be removed. Those of another UIDVALIDITY are void and dropped. */
  pendingRemovals(account_id: string, uidvalidity: number): number[] {
    const { sql } = this.platform.db;
    sql.query("DELETE FROM draft_remains WHERE account_id = ? AND uidvalidity <> ?").run(account_id, uidvalidity);
    return sql
      .query<Pick<DraftRemainRow, "uid">, [string]>("SELECT uid FROM draft_remains WHERE account_id = ? ORDER BY uid")
      .all(account_id)
      .map(({ uid }) => uid);
  }

  hasPendingRemovals(account_id: string): boolean {
    return this.platform.db.sql.query("SELECT 1 FROM draft_remains WHERE account_id = ?").get(account_id) !== null;
  }

  removed(account_id: string, uidvalidity: number, uids: readonly number[]): void {
    this.platform.db.sql
      .query(
        "DELETE FROM draft_remains WHERE account_id = ? AND uidvalidity = ? AND uid IN (SELECT value FROM json_each(?))",
      )
      .run(account_id, uidvalidity, JSON.stringify(uids));
  }
}

function sameLocation(a: DraftLocation, b: DraftLocation): boolean {
  return a.uid === b.uid && a.uidvalidity === b.uidvalidity;
}
