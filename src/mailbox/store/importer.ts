import type { Platform } from "../../platform/platform.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import type { MailOwner } from "../accounts/owner.ts";
import { storedReason } from "../categories/category.ts";
import { oneClickUrl } from "../changes/one-click.ts";
import { copyInFolder, copyInOtherFolder, type Identity, identify, messageWithId } from "../threading/identity.ts";
import { linkMessage, SqliteThreadIndex } from "../threading/thread-index.ts";
import { assignThread } from "../threading/thread-links.ts";
import type { Threads } from "../threading/threads.ts";
import { Correspondents } from "./correspondents.ts";
import { sealEnvelope, sealText } from "./envelope.ts";
import type { IncomingMessage, IncomingMetadata } from "./incoming.ts";
import type { Labels } from "./labels.ts";
import { packFlags, packLabels } from "./location-flags.ts";
import type { FolderRole } from "./state.ts";
import { envelopeOf } from "./stored-message.ts";
import type { FolderRow, MessageRow } from "./tables.ts";

export interface Imported {
  message_id: string;
  thread_id: string;
  /**
   * `new`: stored now; `linked`: a copy of a message that was stored already; `known`: this very UID was stored
   * already.
   */
  outcome: "new" | "linked" | "known";
}

/** A location of a message, and what its server reports about the copy there. */
export type Located = Pick<IncomingMetadata, "folderId" | "uid" | "flagsHash" | "views" | "flagsUnknown"> &
  Partial<Pick<IncomingMetadata, "flags">>;

export interface Category {
  category: string;
  reason: string;
}

/** Stores arriving messages: identifies, threads and seals them. The caller opens the transaction. */
export class Importer {
  readonly #correspondents: Correspondents;

  constructor(
    private readonly platform: Platform,
    private readonly threads: Threads,
    private readonly labels: Labels,
  ) {
    this.#correspondents = new Correspondents(platform, threads);
  }

  /**
   * Stores one message. Repeating the call with the same folder and UID changes nothing. The caller runs
   * `Threads.refresh` on the returned thread, once per batch.
   */
  store(target: MailOwner, incoming: IncomingMessage, category: Category): Imported {
    const { sql } = this.platform.db;
    const known = sql
      .query<Pick<MessageRow, "id" | "thread_id">, [string, number]>(
        "SELECT m.id, m.thread_id FROM locations l JOIN messages m ON m.id = l.message_id WHERE l.folder_id = +? AND l.uid = +?",
      )
      .get(incoming.folderId, incoming.uid);
    if (known) return { message_id: known.id, thread_id: known.thread_id, outcome: "known" };
    const sealer = this.platform.keyring.forUser(target.user_id);
    const identity = identify(sealer, incoming);
    const duplicate =
      copyInOtherFolder(this.platform, target, identity, incoming.folderId) ?? this.#sentFromHere(target, incoming);
    if (duplicate) {
      this.locate(incoming, duplicate.id, this.labelIds(target.user_id, incoming.labels));
      sql.query("UPDATE messages SET missing_pass = NULL WHERE id = ?").run(duplicate.id);
      return { message_id: duplicate.id, thread_id: duplicate.thread_id, outcome: "linked" };
    }
    return this.#insert(target, incoming, category, sealer, identity);
  }

  /**
   * Returns the same message in this folder, if there is one. Needed for mail from files, which has no UIDs to
   * recognize it by.
   */
  inFolder(target: MailOwner, incoming: IncomingMessage): { message_id: string; uid: number } | null {
    const identity = identify(this.platform.keyring.forUser(target.user_id), incoming);
    return copyInFolder(this.platform, target, identity, incoming.folderId);
  }

  /**
   * Records that a message is in a folder under a UID, and in the views of the folder that show it.
   * @param at without `flags`, or with `flagsUnknown`, the flags of this copy are unknown
   * @param labels ids of this copy's labels
   */
  locate(at: Located, message_id: string, labels: readonly string[] = []): void {
    // INSERT OR REPLACE would copy every page that the transaction has written so far (a statement journal).
    const insert = this.platform.db.sql.query(
      `INSERT INTO locations (folder_id, uid, message_id, flags_hash, flags, labels) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (folder_id, uid) DO UPDATE SET message_id = excluded.message_id, flags_hash = excluded.flags_hash,
         flags = excluded.flags, labels = excluded.labels`,
    );
    const flags = at.flags && !at.flagsUnknown ? packFlags(at.flags) : null;
    const labelIds = flags === null ? null : packLabels(labels);
    insert.run(at.folderId, at.uid, message_id, at.flagsHash, flags, labelIds);
    for (const { folderId } of at.views ?? []) insert.run(folderId, at.uid, message_id, at.flagsHash, null, null);
  }

  /** Returns the ids of labels by their names, creating labels as needed. */
  labelIds(user_id: string, names: readonly string[]): string[] {
    return names.map((name) => this.labels.ensure(user_id, name));
  }

  /**
   * Stores the addresses that the user has written to; mail from them is `primary` (docs/categories.md,
   * "Correspondents").
   */
  noteCorrespondents(
    target: MailOwner,
    message: Pick<IncomingMessage, "to" | "cc" | "bcc">,
    recategorize: boolean,
  ): void {
    this.#correspondents.note(target, message, recategorize);
  }

  isCorrespondent(target: Pick<MailOwner, "id" | "user_id">, email: string): boolean {
    return this.#correspondents.has(target, email);
  }

  /**
   * Corrects a category that was decided before the copy in the Sent folder showed that the user wrote the message.
   */
  recategorize(message_id: string, decided: Category, now: Category): void {
    this.platform.db.sql
      .query("UPDATE messages SET category = ?, category_reason = ? WHERE id = ? AND category_reason = ?")
      .run(now.category, storedReason(now.reason), message_id, storedReason(decided.reason));
  }

  /** Returns true for the first call about a message, and false for every later one (docs/webhooks.md, "New mail"). */
  announceOnce(target: MailOwner, incoming: IncomingMessage): boolean {
    const { announced } = identify(this.platform.keyring.forUser(target.user_id), incoming);
    return (
      this.platform.db.sql
        .query("INSERT OR IGNORE INTO announced (account_id, identity) VALUES (?, ?)")
        .run(target.id, announced).changes > 0
    );
  }

  /** Returns whether `announceOnce` was called for the message before, possibly for a copy that is deleted by now. */
  wasAnnounced(target: MailOwner, incoming: IncomingMessage): boolean {
    const { announced } = identify(this.platform.keyring.forUser(target.user_id), incoming);
    return (
      this.platform.db.sql
        .query("SELECT 1 FROM announced WHERE account_id = ? AND identity = ?")
        .get(target.id, announced) !== null
    );
  }

  /**
   * Finds the message that was sent from here and waits for the server's copy (LocalFolder), if this is a folder in
   * which that copy appears. We generated the Message-ID, so it suffices for a match: some providers rewrite what they
   * send.
   */
  #sentFromHere(target: MailOwner, { messageId, folderId }: IncomingMessage) {
    if (messageId === null) return null;
    const folder = this.platform.db.sql
      .query<Pick<FolderRow, "role">, [string]>("SELECT role FROM folders WHERE id = ?")
      .get(folderId);
    if (folder?.role !== "sent" && folder?.role !== "all") return null;
    return messageWithId(this.platform, target, messageId, "here");
  }

  #insert(
    target: MailOwner,
    incoming: IncomingMessage,
    category: Category,
    sealer: Sealer,
    identity: Identity,
  ): Imported {
    const { sql } = this.platform.db;
    const id = incoming.id ?? this.platform.newId("message");
    const head = envelopeOf(incoming);
    const sent_date = incoming.date ?? incoming.internalDate;
    const link = linkMessage(head, sent_date, incoming.serverThreadId);
    const index = new SqliteThreadIndex(this.platform, target, (survivor, absorbed) =>
      this.threads.merge(target.user_id, survivor, absorbed),
    );
    const sender = this.#correspondents.ofSender(target, incoming.from.email);
    const subject = index.subjectOf(link, target.self);
    const thread_id = assignThread(index.forSubject(subject), link, target.self);
    const { lastInsertRowid } = sql
      .query(
        `INSERT INTO messages (id, user_id, account_id, thread_id, internal_date, sent_date, size, unread, starred, answered,
           important, is_draft, has_attachment, category, category_reason, msgid_hmac, content_hmac, sender_hmac,
           subject_hmac, subject_kind, people, head, created_at, truncated, from_correspondent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        target.user_id,
        target.id,
        thread_id,
        incoming.internalDate,
        sent_date,
        incoming.size,
        incoming.flags.seen ? 0 : 1,
        incoming.flags.flagged ? 1 : 0,
        incoming.flags.answered ? 1 : 0,
        incoming.flags.important ? 1 : 0,
        incoming.flags.draft ? 1 : 0,
        incoming.attachments.some((a) => a.disposition === "attachment") ? 1 : 0,
        category.category,
        storedReason(category.reason),
        identity.messageIdTag,
        identity.contentTag,
        sender.tag,
        subject.tag,
        subject.kind,
        subject.people,
        sealEnvelope(sealer, id, head),
        this.platform.clock.now(),
        incoming.truncated ? 1 : 0,
        sender.known ? 1 : 0,
      );
    this.#storeBody(sealer, Number(lastInsertRowid), id, incoming);
    this.#storeAttachments(sealer, id, incoming);
    const labels = this.labelIds(target.user_id, incoming.labels);
    this.locate(incoming, id, labels);
    const label = sql.query("INSERT OR IGNORE INTO message_labels (message_id, label_id) VALUES (?, ?)");
    for (const label_id of labels) label.run(id, label_id);
    return { message_id: id, thread_id, outcome: "new" };
  }

  #storeBody(sealer: Sealer, n: number, id: string, incoming: IncomingMessage): void {
    const { text, bodyText, newText, html, headers } = incoming;
    const url = oneClickUrl(headers);
    const content = { text, body_text: bodyText, new_text: newText, ...(url === null ? {} : { unsubscribe_url: url }) };
    this.platform.db.sql
      .query("INSERT INTO bodies (n, text, html) VALUES (?, ?, ?)")
      .run(n, sealText(sealer, id, content), html === null ? null : sealer.seal(`bodies.html:${id}`, html));
  }

  #storeAttachments(sealer: Sealer, message_id: string, incoming: IncomingMessage): void {
    for (const attachment of incoming.attachments) {
      const id = this.platform.newId("attachment");
      const { name, mime, contentId, disposition } = attachment;
      this.platform.db.sql
        .query(
          `INSERT INTO attachments (id, message_id, idx, part, encoding, size, size_estimated, info)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          id,
          message_id,
          attachment.index,
          attachment.part,
          attachment.encoding,
          attachment.size,
          attachment.sizeEstimated ? 1 : 0,
          sealer.sealJson(`attachments.info:${id}`, { name, mime, content_id: contentId, disposition }),
        );
    }
  }
}

const ANNOUNCED: readonly FolderRole[] = ["other", "archive", "spam", "all"];

/**
 * Returns whether new mail in folders of these roles is announced: mail that a person received, not mail that they
 * wrote, deleted or snoozed.
 * @param own whether they wrote it themselves; such mail counts as received only if it is in the inbox
 */
export function isAnnounced(roles: readonly FolderRole[], own: boolean): boolean {
  if (roles.includes("inbox")) return true;
  const written = own || roles.includes("sent") || roles.includes("drafts");
  return !written && roles.some((role) => ANNOUNCED.includes(role));
}
