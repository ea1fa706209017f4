import type { Platform } from "../../platform/platform.ts";
import { type MessageEnvelope, openEnvelope, openText } from "../store/envelope.ts";
import type { Labels } from "../store/labels.ts";
import type { FolderRole } from "../store/state.ts";
import type { BodyRow, MessageRow } from "../store/tables.ts";

/** One message in the form that rules examine: its content and its current state. */
export interface RuledMessage {
  n: number;
  id: string;
  thread_id: string;
  account_id: string;
  internal_date: number;
  head: MessageEnvelope;
  /** Returns what the sender wrote, without reply history; opened on demand. */
  body(): string;
  has_attachment: boolean;
  category: string;
  unread: boolean;
  starred: boolean;
  /** Roles of the folders that contain it. If a move is not on the server yet, only the role of that move's target. */
  roles: FolderRole[];
  /** Returns the names of its labels; read on demand. */
  labels(): string[];
}

type StoredRow = Pick<
  MessageRow,
  | "n"
  | "id"
  | "user_id"
  | "thread_id"
  | "account_id"
  | "internal_date"
  | "head"
  | "has_attachment"
  | "category"
  | "unread"
  | "starred"
> & { roles: string | null; pending: string | null };

/** The messages that a rule applies to. */
export interface RuledScope {
  user_id: string;
  /** null: all of the user's mailboxes. */
  account_id: string | null;
  /** Only messages received at this time or later, ms. */
  since: number;
}

const COLUMNS = `m.n, m.id, m.user_id, m.thread_id, m.account_id, m.internal_date, m.head, m.has_attachment, m.category,
  m.unread, m.starred,
  (SELECT group_concat(f.role) FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id) AS roles,
  (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder') AS pending`;
const IN_SCOPE =
  "m.user_id = $user AND ($account IS NULL OR m.account_id = $account) AND m.internal_date >= $since AND m.is_draft = 0";

/** Reads messages for rules: one that has just arrived, or all stored messages in batches. */
export class RuledMessages {
  constructor(
    private readonly platform: Platform,
    private readonly labels: Labels,
  ) {}

  /** Returns the message with this id; null when there is none. */
  get(message_id: string): RuledMessage | null {
    const row = this.platform.db.sql
      .query<StoredRow, [string]>(`SELECT ${COLUMNS} FROM messages m WHERE m.id = ?`)
      .get(message_id);
    return row && this.#open(row);
  }

  /** Returns how many messages are in scope, and the number of the first one to read. */
  extent({ user_id, account_id, since }: RuledScope): { total: number; from_n: number } {
    return this.platform.db.sql
      .query<{ total: number; from_n: number }, Record<string, string | number | null>>(
        `SELECT count(*) AS total, coalesce(max(m.n), 0) AS from_n FROM messages m WHERE ${IN_SCOPE}`,
      )
      .get({ user: user_id, account: account_id, since })!;
  }

  /** Returns at most `limit` messages with numbers up to `from_n`, in descending order of their numbers. */
  batch({ user_id, account_id, since }: RuledScope, from_n: number, limit: number): RuledMessage[] {
    return this.platform.db.sql
      .query<StoredRow, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM messages m WHERE m.n <= $from AND ${IN_SCOPE} ORDER BY m.n DESC LIMIT $limit`,
      )
      .all({ from: from_n, user: user_id, account: account_id, since, limit })
      .map((row) => this.#open(row));
  }

  #open({ user_id, head, has_attachment, unread, starred, roles, pending, ...row }: StoredRow): RuledMessage {
    const sealer = this.platform.keyring.forUser(user_id);
    return {
      ...row,
      head: openEnvelope(sealer, row.id, head),
      has_attachment: has_attachment === 1,
      unread: unread === 1,
      starred: starred === 1,
      roles: (pending ? [pending] : (roles?.split(",") ?? [])) as FolderRole[],
      labels: () => this.labels.ofMessage(row.id),
      body: () => {
        const stored = this.platform.db.sql
          .query<Pick<BodyRow, "text">, [number]>("SELECT text FROM bodies WHERE n = ?")
          .get(row.n);
        return stored ? openText(sealer, row.id, stored.text).body_text : "";
      },
    };
  }
}
