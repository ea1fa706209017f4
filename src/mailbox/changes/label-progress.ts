import { ApiError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ThreadLabelRow } from "../threading/tables.ts";
import type { LabelChangeRow } from "./tables.ts";

/** A label that is being replaced or removed in one mailbox. */
export type LabelChangeProgress = Pick<LabelChangeRow, "label_id" | "account_id" | "to_id" | "up_to_id">;

/** When a client can try again while a label is being changed. */
const BUSY_RETRY_S = 2;

/** Stores how far labels have been replaced or removed. The only owner of the table label_changes. */
export class LabelProgress {
  constructor(private readonly platform: Platform) {}

  /** Begins a change in a mailbox. Returns false, with nothing stored, if no thread there has the label. */
  begin(label_id: string, account_id: string, to_id: string | null): boolean {
    const { db, clock } = this.platform;
    const { newest } = db.sql
      .query<{ newest: string | null }, [string, string]>(
        "SELECT max(thread_id) AS newest FROM thread_labels WHERE label_id = ? AND account_id = ?",
      )
      .get(label_id, account_id)!;
    if (newest === null) return false;
    db.sql
      .query("INSERT INTO label_changes (label_id, account_id, to_id, up_to_id, started_at) VALUES (?, ?, ?, ?, ?)")
      .run(label_id, account_id, to_id, newest, clock.now());
    return true;
  }

  get(label_id: string, account_id: string): LabelChangeProgress | null {
    return this.platform.db.sql
      .query<LabelChangeProgress, [string, string]>(
        "SELECT label_id, account_id, to_id, up_to_id FROM label_changes WHERE label_id = ? AND account_id = ?",
      )
      .get(label_id, account_id);
  }

  /**
   * Returns the next threads, latest id first, at most `limit`. Merging keeps the earlier id of two threads, so no
   * message can move to a thread that is done already.
   */
  threads({ label_id, account_id, up_to_id }: LabelChangeProgress, limit: number): string[] {
    return this.platform.db.sql
      .query<Pick<ThreadLabelRow, "thread_id">, [string, string, string, number]>(
        `SELECT thread_id FROM thread_labels WHERE label_id = ? AND account_id = ? AND thread_id <= ?
         ORDER BY thread_id DESC LIMIT ?`,
      )
      .all(label_id, account_id, up_to_id, limit)
      .map(({ thread_id }) => thread_id);
  }

  /** Counts the threads with a label, at most `limit`. @param account_id null: in all mailboxes */
  count(label_id: string, account_id: string | null, limit: number): number {
    return this.platform.db.sql
      .query<{ threads: number }, [string, string | null, number]>(
        `SELECT count(*) AS threads FROM (SELECT 1 FROM thread_labels
         WHERE label_id = ?1 AND (?2 IS NULL OR account_id = ?2) LIMIT ?3)`,
      )
      .get(label_id, account_id, limit)!.threads;
  }

  save({ label_id, account_id }: LabelChangeProgress, up_to_id: string): void {
    this.platform.db.sql
      .query("UPDATE label_changes SET up_to_id = ? WHERE label_id = ? AND account_id = ?")
      .run(up_to_id, label_id, account_id);
  }

  end({ label_id, account_id }: LabelChangeProgress): void {
    this.platform.db.sql
      .query("DELETE FROM label_changes WHERE label_id = ? AND account_id = ?")
      .run(label_id, account_id);
  }

  /** Returns whether a label is being replaced or removed, or replaces another one. @param account_id null: anywhere */
  isBusy(label_id: string, account_id: string | null): boolean {
    const row = this.platform.db.sql
      .query(
        "SELECT 1 FROM label_changes WHERE (label_id = ?1 OR to_id = ?1) AND (?2 IS NULL OR account_id = ?2) LIMIT 1",
      )
      .get(label_id, account_id);
    return row !== null;
  }
}

/** Returns the error for a label that is being renamed or deleted. */
export function labelBusy(param?: string): ApiError {
  return new ApiError("label_busy", "This label is being renamed or deleted. Try again in a few seconds.", {
    param,
    retryAfterS: BUSY_RETRY_S,
  });
}
