import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Content } from "./kinds.ts";
import type { NotificationItemRow } from "./tables.ts";
import type { Target } from "./targets-store.ts";

/** A notification that waits for its target. */
export interface Item extends Pick<NotificationItemRow, "id" | "kind" | "at"> {
  content: Content;
}

export interface NewItem {
  /** Id of the event or finding. */
  source: string;
  content: Content;
}

/** Notifications that wait for one target. More are only counted. */
const MAX_WAITING = 500;

type Owner = Pick<Target, "id" | "user_id">;

/** Stores the notifications of targets, from the decision until a while after the delivery. */
export class ItemStore {
  constructor(private readonly platform: Pick<Platform, "db" | "keyring" | "clock" | "log">) {}

  /**
   * Adds notifications that the target does not have yet. Call it in a transaction.
   * @returns how many were added, and how many were left out because too many wait
   */
  add(target: Owner, items: readonly NewItem[]): { added: number; skipped: number } {
    const { db, keyring, clock } = this.platform;
    const sealer = keyring.forUser(target.user_id);
    let waiting = this.count(target.id);
    let added = 0;
    let skipped = 0;
    for (const { source, content } of items) {
      const full = waiting >= MAX_WAITING;
      // A notification that is only counted has a row, too, so that it is counted once.
      const { changes } = db.sql
        .query(
          `INSERT OR IGNORE INTO notification_items (target_id, source, kind, at, content, delivered_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(
          target.id,
          source,
          content.kind,
          clock.now(),
          full ? null : sealer.sealJson(contextOf(target.id, source), content),
          full ? clock.now() : null,
        );
      if (changes === 0) continue;
      if (full) skipped++;
      else {
        added++;
        waiting++;
      }
    }
    return { added, skipped };
  }

  count(target_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>(
        "SELECT count(*) AS c FROM notification_items WHERE target_id = ? AND delivered_at IS NULL",
      )
      .get(target_id)!.c;
  }

  /** Returns kind and time of what waits for a target. */
  times(target_id: string): Pick<NotificationItemRow, "kind" | "at">[] {
    return this.platform.db.sql
      .query<Pick<NotificationItemRow, "kind" | "at">, [string]>(
        "SELECT kind, at FROM notification_items WHERE target_id = ? AND delivered_at IS NULL",
      )
      .all(target_id);
  }

  /** Returns what waits for a target, oldest first. What cannot be decrypted is dropped, so that it blocks nothing. */
  waiting(target: Owner): Item[] {
    const { db, keyring, log } = this.platform;
    const sealer = keyring.forUser(target.user_id);
    const rows = db.sql
      .query<Pick<NotificationItemRow, "id" | "kind" | "at" | "source" | "content">, [string]>(
        `SELECT id, kind, at, source, content FROM notification_items
         WHERE target_id = ? AND delivered_at IS NULL ORDER BY id`,
      )
      .all(target.id);
    return rows.flatMap(({ source, content, ...row }) => {
      try {
        return content ? { ...row, content: sealer.openJson(contextOf(target.id, source), content) } : [];
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        log.error("a notification could not be decrypted", { target: target.id });
        this.settle([row.id]);
        return [];
      }
    });
  }

  /** Marks notifications as delivered, and deletes their content. The rows remain for a while, against repetition. */
  settle(ids: readonly number[]): void {
    this.platform.db.sql
      .query(
        `UPDATE notification_items SET delivered_at = ?, content = NULL WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .run(this.platform.clock.now(), JSON.stringify(ids));
  }

  /** Deletes what waits for a target. */
  drop(target_id: string): void {
    this.platform.db.sql
      .query("DELETE FROM notification_items WHERE target_id = ? AND delivered_at IS NULL")
      .run(target_id);
  }

  /** Deletes notifications from before `beforeMs`. */
  prune(beforeMs: number): number {
    return this.platform.db.sql.query("DELETE FROM notification_items WHERE at < ?").run(beforeMs).changes;
  }
}

const contextOf = (target_id: string, source: string) => `notification_items.content:${target_id}:${source}`;
