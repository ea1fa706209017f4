import type { Platform } from "../../platform/platform.ts";
import { type MessageEnvelope, openEnvelope, openText } from "../store/envelope.ts";
import type { Labels } from "../store/labels.ts";
import type { FolderRole } from "../store/state.ts";

/** One message as rules look at it: what it says, and how it stands now. */
export interface RuledMessage {
  n: number;
  id: string;
  thread_id: string;
  account_id: string;
  internal_date: number;
  head: MessageEnvelope;
  /** What the sender wrote, without reply history; opened when asked for. */
  body(): string;
  has_attachment: boolean;
  category: string;
  unread: boolean;
  starred: boolean;
  /** Of the folders that it lies in; of the one that a change on its way gives it, where there is one. */
  roles: FolderRole[];
  /** Names of its labels; read when asked for. */
  labels(): string[];
}

interface StoredRow {
  n: number;
  id: string;
  user_id: string;
  thread_id: string;
  account_id: string;
  internal_date: number;
  head: Uint8Array;
  has_attachment: number;
  category: string;
  unread: number;
  starred: number;
  roles: string | null;
  pending: string | null;
}

/** Which messages are walked through. */
export interface RuledScope {
  user_id: string;
  /** null: all of the user's mailboxes. */
  account_id: string | null;
  /** Received from here on, ms. */
  since: number;
}

const COLUMNS = `m.n, m.id, m.user_id, m.thread_id, m.account_id, m.internal_date, m.head, m.has_attachment, m.category,
  m.unread, m.starred,
  (SELECT group_concat(f.role) FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id) AS roles,
  (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder') AS pending`;
const IN_SCOPE =
  "m.user_id = $user AND ($account IS NULL OR m.account_id = $account) AND m.internal_date >= $since AND m.is_draft = 0";

/** Messages for rules: one that has just come, or all that are here, in batches. */
export class RuledMessages {
  constructor(
    private readonly platform: Platform,
    private readonly labels: Labels,
  ) {}

  /** The message of this id; null when there is none. */
  get(message_id: string): RuledMessage | null {
    const row = this.platform.db.sql
      .query<StoredRow, [string]>(`SELECT ${COLUMNS} FROM messages m WHERE m.id = ?`)
      .get(message_id);
    return row && this.#open(row);
  }

  /** How many messages there are to walk through, and where the walk begins. */
  extent({ user_id, account_id, since }: RuledScope): { total: number; from_n: number } {
    return this.platform.db.sql
      .query<{ total: number; from_n: number }, Record<string, string | number | null>>(
        `SELECT count(*) AS total, coalesce(max(m.n), 0) AS from_n FROM messages m WHERE ${IN_SCOPE}`,
      )
      .get({ user: user_id, account: account_id, since })!;
  }

  /** At most `limit` messages with a number of at most `from_n`, in descending order of their numbers. */
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
          .query<{ text: Uint8Array }, [number]>("SELECT text FROM bodies WHERE n = ?")
          .get(row.n);
        return stored ? openText(sealer, row.id, stored.text).body_text : "";
      },
    };
  }
}
