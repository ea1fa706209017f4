import { THREAD_ASPECTS, type ThreadAspect } from "../../kernel/events.ts";
import type { Platform } from "../../platform/platform.ts";
import type { MoveTarget } from "../changes/move.ts";
import { type FolderRole, type ThreadState, threadState } from "../store/state.ts";
import type { MessageRow } from "../store/tables.ts";
import type { ThreadRow } from "./tables.ts";

type MemberRow = Pick<
  MessageRow,
  "id" | "internal_date" | "unread" | "starred" | "important" | "is_draft" | "has_attachment" | "category"
> & {
  /** Roles of the folders that contain it, separated by commas. */
  roles: string | null;
  /** The folder role that a change gives it, while that change is not on the server yet. */
  pending: string | null;
  labeled: number;
};

type StoredThread = Pick<
  ThreadRow,
  "id" | "state" | "unread" | "starred" | "important" | "snooze_until" | "given_state"
> & { labeled: number };

interface ThreadSummary {
  state: ThreadState;
  last_at: number;
  top_message_id: string;
  message_count: number;
  unread: number;
  starred: number;
  important: number;
  has_attachment: number;
  has_sent: number;
  category: string;
  snooze_until: number | null;
  given_state: MoveTarget | null;
}

/** The result of `refresh`: the thread is gone, is new, or changed in these aspects. */
export interface Refreshed {
  thread_id: string;
  existed: boolean;
  gone: boolean;
  changed: ThreadAspect[];
}

/**
 * Keeps thread rows in line with their messages. Rows are never edited piecemeal: code that changes a message calls
 * `refresh`, so counts cannot drift.
 */
export class Threads {
  constructor(private readonly platform: Platform) {}

  /** Recomputes a thread from its messages. Call it in the transaction that changed them. */
  refresh(thread_id: string): Refreshed {
    const { sql } = this.platform.db;
    const before = sql
      .query<StoredThread, [string]>(
        `SELECT id, state, unread, starred, important, snooze_until, given_state,
           EXISTS (SELECT 1 FROM thread_labels WHERE thread_id = threads.id) AS labeled
         FROM threads WHERE id = ?`,
      )
      .get(thread_id);
    const members = sql
      .query<MemberRow, [string]>(
        `SELECT m.id, m.internal_date, m.unread, m.starred, m.important, m.is_draft, m.has_attachment, m.category,
           (SELECT group_concat(f.role) FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id) AS roles,
           (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder') AS pending,
           EXISTS (SELECT 1 FROM message_labels WHERE message_id = m.id) AS labeled
         FROM messages m WHERE m.thread_id = +? ORDER BY m.internal_date, m.id`,
      )
      .all(thread_id);
    if (members.length === 0) {
      sql.query("DELETE FROM threads WHERE id = ?").run(thread_id);
      return { thread_id, existed: before !== null, gone: before !== null, changed: [] };
    }
    const summary = this.#summarize(members, before);
    this.#store(thread_id, summary, before === null);
    const labeled = before?.labeled === 1 || members.some((member) => member.labeled === 1);
    const labelsChanged = labeled && this.#refreshLabels(thread_id);
    if (!before) return { thread_id, existed: false, gone: false, changed: [] };
    const differs: Record<ThreadAspect, boolean> = {
      state: before.state !== summary.state,
      labels: labelsChanged,
      read: before.unread !== summary.unread,
      important: before.important !== summary.important,
      starred: before.starred !== summary.starred,
    };
    return { thread_id, existed: true, gone: false, changed: THREAD_ASPECTS.filter((aspect) => differs[aspect]) };
  }

  /** Merges threads into `survivor`; their ids stay valid as aliases. */
  merge(user_id: string, survivor: string, absorbed: readonly string[]): void {
    const { sql } = this.platform.db;
    const lost = absorbed.flatMap((id) => {
      sql.query("UPDATE messages SET thread_id = ? WHERE thread_id = ?").run(survivor, id);
      sql.query("UPDATE thread_keys SET thread_id = ? WHERE thread_id = ?").run(survivor, id);
      return sql
        .query<Pick<ThreadRow, "id" | "snooze_until" | "given_state">, [string]>(
          "SELECT id, snooze_until, given_state FROM threads WHERE id = ?",
        )
        .all(id);
    });
    if (lost.length === 0) return;
    // Refresh once for all of them, since hundreds may be joined. The aliases need the survivor's row.
    this.refresh(survivor);
    for (const { id, snooze_until, given_state } of lost) {
      if (snooze_until !== null || given_state !== null) {
        sql
          .query(
            `UPDATE threads SET snooze_until = coalesce(snooze_until, ?), given_state = coalesce(given_state, ?)
             WHERE id = ?`,
          )
          .run(snooze_until, given_state, survivor);
      }
      sql.query("UPDATE thread_aliases SET thread_id = ? WHERE thread_id = ?").run(survivor, id);
      sql
        .query("INSERT OR REPLACE INTO thread_aliases (id, user_id, thread_id) VALUES (?, ?, ?)")
        .run(id, user_id, survivor);
      sql.query("DELETE FROM threads WHERE id = ?").run(id);
    }
  }

  #summarize(members: readonly MemberRow[], before: StoredThread | null): ThreadSummary {
    const placements = members.map((m) => ({
      internal_date: m.internal_date,
      roles: m.pending ? [m.pending as FolderRole] : ((m.roles?.split(",") ?? []) as FolderRole[]),
    }));
    const shown = members.filter((m) => m.is_draft === 0);
    const top = (shown.length > 0 ? shown : members).at(-1)!;
    const isSent = (m: MemberRow) => m.roles?.split(",").includes("sent") ?? false;
    const received = shown.filter((m) => !isSent(m));
    const any = (test: (m: MemberRow) => boolean) => (members.some(test) ? 1 : 0);
    const placed = threadState(placements);
    // Received mail decides. Only a thread without any has the state that it was given.
    const isReceived = placed !== null && placed !== "sent";
    const given_state = isReceived ? null : (before?.given_state ?? null);
    const state = given_state ?? placed ?? before?.state ?? "archived";
    return {
      state,
      last_at: top.internal_date,
      top_message_id: top.id,
      message_count: members.length,
      unread: any((m) => m.unread === 1),
      starred: any((m) => m.starred === 1),
      important: any((m) => m.important === 1),
      has_attachment: any((m) => m.has_attachment === 1),
      has_sent: any(isSent),
      category: (received.at(-1) ?? top).category,
      // A thread that is no longer snoozed has no time to wait for, no matter how it left that state.
      snooze_until: state === "snoozed" ? (before?.snooze_until ?? null) : null,
      given_state,
    };
  }

  #store(thread_id: string, summary: ThreadSummary, isNew: boolean): void {
    const { sql } = this.platform.db;
    if (isNew) {
      // INSERT … SELECT would copy every page that the transaction has written so far (a statement journal).
      sql
        .query(
          `INSERT INTO threads (id, user_id, account_id, state, last_at, top_message_id, message_count, unread, starred,
             important, has_attachment, has_sent, category, snooze_until, given_state)
           VALUES ($id, (SELECT user_id FROM messages WHERE id = $top_message_id),
             (SELECT account_id FROM messages WHERE id = $top_message_id), $state, $last_at, $top_message_id,
             $message_count, $unread, $starred, $important, $has_attachment, $has_sent, $category, $snooze_until,
             $given_state)`,
        )
        .run({ id: thread_id, ...summary });
      return;
    }
    sql
      .query(
        `UPDATE threads SET state = $state, last_at = $last_at, top_message_id = $top_message_id,
           message_count = $message_count, unread = $unread, starred = $starred, important = $important,
           has_attachment = $has_attachment, has_sent = $has_sent, category = $category, snooze_until = $snooze_until,
           given_state = $given_state WHERE id = $id`,
      )
      .run({ id: thread_id, ...summary });
  }

  /** Updates thread_labels to match the labels of the messages. @returns whether anything changed */
  #refreshLabels(thread_id: string): boolean {
    const { sql } = this.platform.db;
    const added = sql
      .query(
        `INSERT OR IGNORE INTO thread_labels (thread_id, label_id, account_id)
         SELECT DISTINCT m.thread_id, ml.label_id, m.account_id FROM messages m JOIN message_labels ml ON ml.message_id = m.id
         WHERE m.thread_id = +?`,
      )
      .run(thread_id).changes;
    const removed = sql
      .query(
        `DELETE FROM thread_labels WHERE thread_id = +?1 AND label_id NOT IN (
           SELECT ml.label_id FROM messages m JOIN message_labels ml ON ml.message_id = m.id WHERE m.thread_id = +?1)`,
      )
      .run(thread_id).changes;
    return added + removed > 0;
  }
}
