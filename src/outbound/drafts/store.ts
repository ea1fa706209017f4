import { notFound } from "../../kernel/errors.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import type { Platform } from "../../platform/platform.ts";
import type { DraftAttachmentRow, DraftContent, DraftRow } from "./tables.ts";

/** A file of a draft. Its bytes are a blob under both ids. */
export interface DraftAttachment {
  id: string;
  name: string;
  mime: string;
  /** Bytes. */
  size: number;
  /** Without angle brackets: the Content-ID of a picture that the HTML shows with `cid:`. */
  content_id: string | null;
}

export interface Draft extends DraftContent {
  id: string;
  user_id: string;
  account_id: string;
  thread_id: string | null;
  /** The pending send, which locks the draft; null when none is scheduled or sending. */
  send_id: string | null;
  /** Composed and sent in one call, and not returned to the user. */
  hidden: boolean;
  /** Whether anyone who wrote it could read what the user keeps about clients. Never becomes false again. */
  context_reader: boolean;
  /** Counts the changes of its content. */
  revision: number;
  /** The revision that the server's Drafts folder has; 0 for none. */
  placed: number;
  /** Location of that revision; null if it is not stored. */
  location: DraftLocation | null;
  /** When it was first found missing there, ms. */
  missing_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A message in the Drafts folder of an account's server. */
export interface DraftLocation {
  uidvalidity: number;
  uid: number;
}

type StoredDraft = Pick<
  DraftRow,
  | "id"
  | "user_id"
  | "account_id"
  | "thread_id"
  | "send_id"
  | "hidden"
  | "context_reader"
  | "content"
  | "revision"
  | "placed"
  | "uidvalidity"
  | "uid"
  | "missing_at"
  | "created_at"
  | "updated_at"
>;

type StoredAttachment = Pick<DraftAttachmentRow, "id" | "draft_id" | "size" | "info">;

const SELECT = `SELECT d.id, d.user_id, d.account_id, d.thread_id, d.send_id, d.hidden, d.context_reader, d.content,
  d.revision, d.placed, d.uidvalidity, d.uid, d.missing_at, d.created_at, d.updated_at FROM drafts d`;

/** Kind of the job that syncs an account's drafts with its server's Drafts folder; payload { account_id }. */
export const DRAFTS_JOB = "drafts";
/** Changes within this time are sent to the server together. */
const SETTLE_MS = 1_000;

export interface NewStoredDraft {
  /** Absent for a new draft. */
  id?: string;
  user_id: string;
  account_id: string;
  thread_id: string | null;
  content: DraftContent;
  hidden?: boolean;
  /** Default: false, for drafts from the mail server. */
  context_reader?: boolean;
}

/**
 * Stores drafts and their files. Together with DraftCopies the only owner of the `drafts`, `draft_attachments` and
 * `draft_remains` tables. Every change queues, in the same transaction, the job that brings it to the server.
 */
export class DraftStore {
  constructor(private readonly platform: Platform) {}

  insert(draft: NewStoredDraft): string {
    const { db, newId, clock } = this.platform;
    const id = draft.id ?? newId("draft");
    const now = clock.now();
    db.sql
      .query(
        `INSERT INTO drafts (id, user_id, account_id, thread_id, content, hidden, context_reader, created_at,
           updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        draft.user_id,
        draft.account_id,
        draft.thread_id,
        this.seal(draft.user_id, id, draft.content),
        draft.hidden ? 1 : 0,
        draft.context_reader ? 1 : 0,
        now,
        now,
      );
    if (!draft.hidden) this.#queueMirror(draft);
    return id;
  }

  /** Returns a draft that the caller can see. @throws ApiError not_found */
  owned(scope: MailScope, id: string): Draft {
    const row = this.platform.db.sql
      .query<StoredDraft, Record<string, string | null>>(
        `${SELECT} WHERE d.id = $id AND d.user_id = $user AND d.hidden = 0 AND ($account IS NULL OR d.account_id = $account)`,
      )
      .get({ id, user: scope.user_id, account: scope.account_id });
    if (!row) throw notFound("draft");
    return this.#view(row);
  }

  /** Returns any draft, including hidden ones. */
  get(id: string): Draft | null {
    const row = this.platform.db.sql.query<StoredDraft, [string]>(`${SELECT} WHERE d.id = ?`).get(id);
    return row && this.#view(row);
  }

  /** Returns drafts, newest first, at most `limit`, after the position [updated_at, id]. */
  list(scope: MailScope, after: Position | null, limit: number): Draft[] {
    return this.platform.db.sql
      .query<StoredDraft, Record<string, string | number | null>>(
        `${SELECT} WHERE d.user_id = $user AND d.hidden = 0 AND ($account IS NULL OR d.account_id = $account)
           AND ($at IS NULL OR (d.updated_at, d.id) < ($at, $id))
         ORDER BY d.updated_at DESC, d.id DESC LIMIT $limit`,
      )
      .all({
        user: scope.user_id,
        account: scope.account_id,
        at: after === null ? null : Number(after[0]),
        id: after === null ? null : String(after[1]),
        limit,
      })
      .map((row) => this.#view(row));
  }

  /** Returns whether a draft already answers this thread. */
  answers(user_id: string, thread_id: string): boolean {
    return (
      this.platform.db.sql
        .query("SELECT 1 FROM drafts WHERE user_id = ? AND thread_id = ? AND hidden = 0")
        .get(user_id, thread_id) !== null
    );
  }

  save(draft: Draft): void {
    const { id, user_id, account_id, thread_id } = draft;
    const before = this.get(id);
    const moved = before !== null && before.account_id !== account_id;
    // Another mailbox has another Drafts folder, and its addresses have another domain.
    if (moved) this.#leave(before);
    const content = this.seal(user_id, id, { ...contentOf(draft), ...(moved ? { message_id: null } : {}) });
    this.platform.db.sql
      .query(
        `UPDATE drafts SET account_id = ?, thread_id = ?, content = ?, context_reader = max(context_reader, ?),
           revision = revision + 1, updated_at = ? WHERE id = ?`,
      )
      .run(account_id, thread_id, content, draft.context_reader ? 1 : 0, this.#later(draft.updated_at), id);
    this.#queueMirror(draft);
  }

  /** Locks the draft for a send. @returns false when another send has it already */
  lock(id: string, send_id: string): boolean {
    const { changes } = this.platform.db.sql
      .query("UPDATE drafts SET send_id = ? WHERE id = ? AND send_id IS NULL")
      .run(send_id, id);
    return changes > 0;
  }

  /**
   * Unlocks the draft of a send and makes it visible.
   * @param again whether its copy on the server is uploaded again. It may be gone because the message was sent, and would
   * then count as deleted by another program
   * @returns whether it was hidden until then; null when it is gone
   */
  release(id: string, send_id: string, again = false): { wasHidden: boolean } | null {
    const draft = this.get(id);
    if (draft?.send_id !== send_id) return null;
    this.platform.db.sql
      .query(
        "UPDATE drafts SET send_id = NULL, hidden = 0, updated_at = ?, placed = CASE WHEN ? THEN 0 ELSE placed END WHERE id = ?",
      )
      .run(this.#later(draft.updated_at), again ? 1 : 0, id);
    this.#queueMirror(draft);
    return { wasHidden: draft.hidden };
  }

  /** Hides a draft whose message has been sent. It is kept only until the message is stored. */
  hide(id: string): void {
    const draft = this.get(id);
    if (draft) this.#leave(draft);
    this.platform.db.sql.query("UPDATE drafts SET hidden = 1 WHERE id = ?").run(id);
  }

  remove(id: string): void {
    const draft = this.get(id);
    if (draft) this.#leave(draft);
    this.platform.db.sql.query("DELETE FROM drafts WHERE id = ?").run(id);
  }

  /** Detaches the draft from its copy on the server, which is marked for removal. */
  #leave(draft: Draft): void {
    const { sql } = this.platform.db;
    if (draft.location === null) return;
    sql
      .query("INSERT OR IGNORE INTO draft_remains (account_id, uidvalidity, uid) VALUES (?, ?, ?)")
      .run(draft.account_id, draft.location.uidvalidity, draft.location.uid);
    sql
      .query("UPDATE drafts SET uidvalidity = NULL, uid = NULL, msgid_hmac = NULL, placed = 0 WHERE id = ?")
      .run(draft.id);
    this.#queueMirror(draft);
  }

  #queueMirror({ account_id, user_id }: Pick<Draft, "account_id" | "user_id">): void {
    const { jobs, clock } = this.platform;
    const run_at = clock.now() + SETTLE_MS;
    jobs.enqueue({ kind: DRAFTS_JOB, dedupe_key: account_id, user_id, payload: { account_id }, run_at });
  }

  attachments(draft: { id: string; user_id: string }): DraftAttachment[] {
    return this.platform.db.sql
      .query<StoredAttachment, [string]>(
        "SELECT id, draft_id, size, info FROM draft_attachments WHERE draft_id = ? ORDER BY id",
      )
      .all(draft.id)
      .map(({ id, size, info }) => ({
        id,
        size,
        ...this.platform.keyring.forUser(draft.user_id).openJson(`draft_attachments.info:${id}`, info),
      }));
  }

  attach(draft: Draft, file: DraftAttachment): void {
    this.#insertAttachment(draft, file);
    this.touch(draft);
  }

  #insertAttachment(draft: { id: string; user_id: string }, { id, size, ...info }: DraftAttachment): void {
    const { db, keyring, clock } = this.platform;
    const sealed = keyring.forUser(draft.user_id).sealJson(`draft_attachments.info:${id}`, info);
    db.sql
      .query("INSERT INTO draft_attachments (id, draft_id, size, info, created_at) VALUES (?, ?, ?, ?, ?)")
      .run(id, draft.id, size, sealed, clock.now());
  }

  /** Removes a file of a draft. @returns false when the draft has no such file */
  detach(draft: Draft, attachment_id: string): boolean {
    const { changes } = this.platform.db.sql
      .query("DELETE FROM draft_attachments WHERE draft_id = ? AND id = ?")
      .run(draft.id, attachment_id);
    if (changes > 0) this.touch(draft);
    return changes > 0;
  }

  /** Replaces the draft's files without counting it as a change. */
  replaceAttachments(draft: { id: string; user_id: string }, files: readonly DraftAttachment[]): void {
    this.platform.db.sql.query("DELETE FROM draft_attachments WHERE draft_id = ?").run(draft.id);
    for (const file of files) this.#insertAttachment(draft, file);
  }

  /** Returns the ids of all drafts of a user, for the sweep of their files. */
  idsOf(user_id: string): string[] {
    const rows = this.platform.db.sql.query<Pick<DraftRow, "id">, [string]>("SELECT id FROM drafts WHERE user_id = ?");
    return rows.all(user_id).map(({ id }) => id);
  }

  touch(draft: Draft): void {
    this.platform.db.sql
      .query("UPDATE drafts SET revision = revision + 1, updated_at = ? WHERE id = ?")
      .run(this.#later(draft.updated_at), draft.id);
    this.#queueMirror(draft);
  }

  /**
   * Returns the current time, but never earlier than `than`, because lists are ordered by it and the clock may be set
   * back.
   */
  #later(than: number): number {
    return Math.max(this.platform.clock.now(), than);
  }

  /** Seals the content. */
  seal(user_id: string, id: string, content: DraftContent): Uint8Array {
    return this.platform.keyring.forUser(user_id).sealJson(`drafts.content:${id}`, content);
  }

  #view({ content, hidden, context_reader, uidvalidity, uid, ...row }: StoredDraft): Draft {
    const sealer = this.platform.keyring.forUser(row.user_id);
    return {
      ...row,
      ...sealer.openJson(`drafts.content:${row.id}`, content),
      location: uidvalidity === null || uid === null ? null : { uidvalidity, uid },
      hidden: hidden === 1,
      context_reader: context_reader === 1,
    };
  }
}

/** Returns a draft's content without its status fields. */
export function contentOf(draft: DraftContent): DraftContent {
  const { from, to, cc, bcc, subject, body, in_reply_to, references, message_id } = draft;
  return { from, to, cc, bcc, subject, body, in_reply_to, references, message_id };
}
