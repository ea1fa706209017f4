import { notFound } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import { fullReason } from "../categories/category.ts";
import type { AttachmentRef, RawRef } from "../store/content-source.ts";
import { type MessageText, openEnvelope, openText } from "../store/envelope.ts";
import type { Labels } from "../store/labels.ts";
import type { StoredMessage } from "../store/stored-message.ts";
import type { AttachmentInfo, AttachmentRow, BodyRow, MessageRow } from "../store/tables.ts";
import { type MailScope, type Position, shownDate } from "./scope.ts";

type OpenedRow = Pick<
  MessageRow,
  | "n"
  | "id"
  | "thread_id"
  | "account_id"
  | "internal_date"
  | "sent_date"
  | "unread"
  | "starred"
  | "is_draft"
  | "category"
  | "category_reason"
  | "head"
  | "truncated"
> & { text: BodyRow["text"] | null };

/** An attachment with what is needed to fetch it. */
export interface AttachmentFile {
  name: string;
  mime: string;
  content_id: string | null;
  ref: AttachmentRef;
}

/** The parts that the body page is built from. */
export interface MessageHtml {
  html: string | null;
  text: string;
  fromEmail: string;
  truncated: boolean;
  attachments: AttachmentFile[];
}

const COLUMNS = `m.n, m.id, m.thread_id, m.account_id, m.internal_date, m.sent_date, m.unread, m.starred, m.is_draft,
  m.category, m.category_reason, m.head, m.truncated, b.text`;
/** Checks ownership in the query: other users' messages are not found. */
const MINE = "m.id = $id AND m.user_id = $user AND ($account IS NULL OR m.account_id = $account)";
const NO_TEXT: MessageText = { text: "", body_text: "", new_text: "" };

const IDS_AT_ONCE = 1_000;

/** Reads messages, their bodies and attachments. */
export class MessageQueries {
  constructor(
    private readonly platform: Platform,
    private readonly labels: Labels,
  ) {}

  /**
   * Returns the messages of a thread, oldest first, after the position [internal_date, id]. The thread must be the
   * caller's.
   */
  ofThread(user_id: string, thread_id: string, after: Position | null, limit: number): StoredMessage[] {
    const rows = this.platform.db.sql
      .query<OpenedRow, [string, number, string, number]>(
        `SELECT ${COLUMNS} FROM messages m LEFT JOIN bodies b ON b.n = m.n
         WHERE m.thread_id = ? AND (m.internal_date, m.id) > (?, ?) ORDER BY m.internal_date, m.id LIMIT ?`,
      )
      .all(thread_id, Number(after?.[0] ?? Number.MIN_SAFE_INTEGER), String(after?.[1] ?? ""), limit);
    const attachments = this.#attachmentsOf(rows.map((row) => row.id));
    const sealer = this.platform.keyring.forUser(user_id);
    return rows.map((row) => openMessage(sealer, row, attachments.get(row.id) ?? []));
  }

  /**
   * Yields the ids of all messages of a user, read in pages. A statement that stays open while other code runs would
   * keep its connection at its first snapshot, and that connection could not write (SQLITE_BUSY_SNAPSHOT). The unary
   * plus makes SQLite read in the order of the ids: with an index of the user's mail, each page would sort all of it.
   */
  *idsOf(user_id: string): Generator<string> {
    const page = this.platform.db.sql.query<Pick<MessageRow, "id">, [string, string, number]>(
      "SELECT id FROM messages WHERE +user_id = ? AND id > ? ORDER BY id LIMIT ?",
    );
    for (let last: string | undefined = ""; last !== undefined; ) {
      const ids: string[] = page.all(user_id, last, IDS_AT_ONCE).map(({ id }) => id);
      yield* ids;
      last = ids.length < IDS_AT_ONCE ? undefined : ids.at(-1);
    }
  }

  /** Returns one message with the names of its labels. @throws ApiError not_found */
  get(scope: MailScope, id: string): StoredMessage & { labels: string[] } {
    const row = this.platform.db.sql
      .query<OpenedRow, Record<string, string | null>>(
        `SELECT ${COLUMNS} FROM messages m LEFT JOIN bodies b ON b.n = m.n WHERE ${MINE}`,
      )
      .get(params(scope, id));
    if (!row) throw notFound("message");
    const attachments = this.#attachmentsOf([id]).get(id) ?? [];
    const sealer = this.platform.keyring.forUser(scope.user_id);
    return { ...openMessage(sealer, row, attachments), labels: this.labels.ofMessage(id) };
  }

  /** Returns the thread of a user's message; null if the user has no such message. */
  threadOf(user_id: string, id: string): string | null {
    const row = this.platform.db.sql
      .query<Pick<MessageRow, "thread_id">, [string, string]>(
        "SELECT thread_id FROM messages WHERE id = ? AND user_id = ?",
      )
      .get(id, user_id);
    return row?.thread_id ?? null;
  }

  /**
   * Returns what the body page is built from: the HTML as sent, the whole text, and the parts it may refer to.
   * @throws ApiError not_found
   */
  html(scope: MailScope, id: string): MessageHtml {
    const row = this.platform.db.sql
      .query<
        Pick<MessageRow, "account_id" | "head" | "truncated"> &
          Pick<BodyRow, "html"> & { text: BodyRow["text"] | null },
        Record<string, string | null>
      >(
        `SELECT m.account_id, m.head, m.truncated, b.text, b.html FROM messages m LEFT JOIN bodies b ON b.n = m.n WHERE ${MINE}`,
      )
      .get(params(scope, id));
    if (!row) throw notFound("message");
    const sealer = this.platform.keyring.forUser(scope.user_id);
    return {
      html: row.html && sealer.open(`bodies.html:${id}`, row.html),
      text: textOf(sealer, id, row.text).text,
      fromEmail: openEnvelope(sealer, id, row.head).from.email,
      truncated: row.truncated === 1,
      attachments: (this.#attachmentsOf([id]).get(id) ?? []).map((stored) =>
        viewFile(sealer, { ...stored, user_id: scope.user_id, account_id: row.account_id }),
      ),
    };
  }

  /** Returns one attachment of a message. @throws ApiError not_found */
  attachment(scope: MailScope, message_id: string, attachment_id: string): AttachmentFile {
    const row = this.platform.db.sql
      .query<AttachmentRow & { account_id: string }, Record<string, string | null>>(
        `SELECT a.id, a.message_id, a.idx, a.part, a.encoding, a.size, a.size_estimated, a.info, m.account_id
         FROM messages m JOIN attachments a ON a.message_id = m.id WHERE ${MINE} AND a.id = $attachment`,
      )
      .get({ ...params(scope, message_id), attachment: attachment_id });
    if (!row) throw notFound("attachment");
    return viewFile(this.platform.keyring.forUser(scope.user_id), { ...row, user_id: scope.user_id });
  }

  /** Returns the message that an attachment belongs to. @throws ApiError not_found */
  messageOfAttachment({ user_id, account_id }: MailScope, attachment_id: string): string {
    const row = this.platform.db.sql
      .query<{ id: string }, Record<string, string | null>>(
        `SELECT m.id FROM attachments a JOIN messages m ON m.id = a.message_id
         WHERE a.id = $attachment AND m.user_id = $user AND ($account IS NULL OR m.account_id = $account)`,
      )
      .get({ attachment: attachment_id, user: user_id, account: account_id });
    if (!row) throw notFound("attachment");
    return row.id;
  }

  /** Returns where to find the whole source of a message. @throws ApiError not_found */
  raw(scope: MailScope, id: string): RawRef {
    const row = this.platform.db.sql
      .query<Pick<MessageRow, "account_id" | "size">, Record<string, string | null>>(
        `SELECT m.account_id, m.size FROM messages m WHERE ${MINE}`,
      )
      .get(params(scope, id));
    if (!row) throw notFound("message");
    return { user_id: scope.user_id, message_id: id, ...row };
  }

  #attachmentsOf(ids: string[]): Map<string, AttachmentRow[]> {
    const rows = this.platform.db.sql
      .query<AttachmentRow, [string]>(
        `SELECT id, message_id, idx, part, encoding, size, size_estimated, info FROM attachments
         WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, idx`,
      )
      .all(JSON.stringify(ids));
    return Map.groupBy(rows, (row) => row.message_id);
  }
}

function params(scope: MailScope, id: string): Record<string, string | null> {
  return { id, user: scope.user_id, account: scope.account_id };
}

function textOf(sealer: Sealer, id: string, sealed: BodyRow["text"] | null): MessageText {
  return sealed ? openText(sealer, id, sealed) : NO_TEXT;
}

function openInfo(sealer: Sealer, stored: AttachmentRow): AttachmentInfo {
  return sealer.openJson(`attachments.info:${stored.id}`, stored.info);
}

function openMessage(sealer: Sealer, row: OpenedRow, attachments: AttachmentRow[]): StoredMessage {
  const { id, thread_id, account_id, internal_date, category } = row;
  const head = openEnvelope(sealer, id, row.head);
  return {
    ...textOf(sealer, id, row.text),
    id,
    thread_id,
    account_id,
    internal_date,
    date: shownDate(row),
    unread: row.unread === 1,
    starred: row.starred === 1,
    draft: row.is_draft === 1,
    category,
    category_reason: fullReason(row.category_reason, head.from),
    head,
    ...(row.truncated === null ? {} : { truncated: row.truncated === 1 }),
    attachments: attachments.map((stored) => {
      const { name, mime, disposition } = openInfo(sealer, stored);
      const size = { size: stored.size, ...(stored.size_estimated === 1 ? { size_estimated: true as const } : {}) };
      return { id: stored.id, name, ...size, mime, inline: disposition === "inline" };
    }),
  };
}

function viewFile(sealer: Sealer, stored: AttachmentRow & { user_id: string; account_id: string }): AttachmentFile {
  const { name, mime, content_id } = openInfo(sealer, stored);
  const { user_id, account_id, message_id, id, idx, part, encoding, size } = stored;
  const size_estimated = stored.size_estimated === 1;
  return {
    name,
    mime,
    content_id,
    ref: { user_id, account_id, message_id, attachment_id: id, index: idx, part, encoding, size, size_estimated },
  };
}
