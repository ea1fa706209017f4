import type { Account } from "../../mailbox/accounts/accounts.ts";
import { threadOfMessageIds } from "../../mailbox/queries/drafts.ts";
import type { BlobFiles } from "../../platform/blobs/files.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import { messageIdFor } from "../../wire/smtp/reply.ts";
import type { CopiedContent, DraftCopies } from "./copies.ts";
import { replacedBy } from "./diff.ts";
import type { DraftFiles } from "./files.ts";
import { type DraftPart, ownRevision, readDraft, sameDraft } from "./mail.ts";
import { contentOf, type Draft, type DraftAttachment, type DraftLocation, type DraftStore } from "./store.ts";

export interface DraftIntakeParts {
  platform: Platform;
  store: DraftStore;
  copies: DraftCopies;
  draftFiles: DraftFiles;
  files: BlobFiles;
}

/** A message that appeared in the Drafts folder. */
export interface FoundDraft {
  /** The draft with the same Message-ID; null if it is not one of ours. */
  draft_id: string | null;
  raw: Uint8Array;
  location: DraftLocation;
  /** INTERNALDATE, ms. */
  date: number;
  /** Drafts currently missing on the server. The message may be the next version of one of them. */
  missing: ReadonlySet<string>;
}

/** Imports the changes that other programs make to drafts. */
export class DraftIntake {
  constructor(private readonly parts: DraftIntakeParts) {}

  /** Imports a message as a draft. @returns the id of the draft */
  async take(account: Account, found: FoundDraft): Promise<string> {
    const { platform, store, copies } = this.parts;
    const { location } = found;
    const own = ownRevision(found.raw);
    const known = own && store.get(own.draft_id);
    if (own && known?.account_id === account.id && known.message_id === null) {
      // We appended it, but the record of that was lost.
      const parsed = await parseMessage(found.raw);
      platform.db.write(() => copies.recordCopy(store.get(known.id)!, own.revision, location, parsed.messageId!));
      return known.id;
    }
    const { content: read, parts } = readDraft(await parseMessage(found.raw), account);
    const content = { ...read, message_id: read.message_id ?? messageIdFor(platform.newId("draft"), account.email) };
    const missing = [...found.missing].map((id) => store.get(id)).filter((draft) => draft !== null);
    const id = found.draft_id ?? replacedBy(content, missing)?.id ?? null;
    const draft = id === null ? null : store.get(id);
    if (draft && own?.draft_id === id) {
      platform.db.write(() => copies.recordCopy(store.get(draft.id)!, own.revision, location, content.message_id));
      return draft.id;
    }
    return this.#store(account, found, draft, content, parts);
  }

  /**
   * Handles the deletion of a draft on the server. Drafts that were changed here since, or are being sent, are kept.
   */
  noteDeleted(account: Account, id: string): void {
    const { platform, store, copies, draftFiles } = this.parts;
    platform.db.write(() => {
      const draft = store.get(id);
      if (!draft) return;
      const keep = account.on_server_delete === "keep";
      const changed = draft.revision > draft.placed;
      if (keep || changed || draft.send_id !== null) return copies.removeCopyRecord(draft, !keep);
      copies.drop(draft);
      this.#audit(account, "draft.delete", id);
    });
    draftFiles.tidy(account.user_id, id);
  }

  async #store(
    account: Account,
    { location, date }: FoundDraft,
    known: Draft | null,
    content: CopiedContent,
    parts: DraftPart[],
  ): Promise<string> {
    const { platform, store, copies, draftFiles } = this.parts;
    const { user_id } = account;
    // The bytes are on disk before the row, and their names need the draft's id.
    const id = known && this.#mayChange(known, content) ? known.id : platform.newId("draft");
    const kept = id === known?.id ? store.attachments(known) : [];
    const attachments = await this.#storeParts(user_id, id, parts, kept);
    platform.db.write(() => {
      const before = store.get(known?.id ?? "");
      if (before && before.id === id && before.revision === known!.revision && before.send_id === known!.send_id) {
        const same = JSON.stringify(contentOf(before)) === JSON.stringify(content) && sameFiles(kept, attachments);
        if (same) return copies.recordCopy(before, before.revision, location, content.message_id);
        copies.takeOver(before, content, location);
        store.replaceAttachments(before, attachments);
        return this.#audit(account, "draft.update", id);
      }
      // Both sides changed the draft. It keeps our change; the other version becomes a separate draft with the existing
      // Message-ID.
      if (before?.message_id === content.message_id) copies.loseMessageId(before);
      const answers = [
        ...(content.in_reply_to === null ? [] : [content.in_reply_to]),
        ...content.references.toReversed(),
      ];
      const thread_id = threadOfMessageIds(platform, account, answers);
      const context_reader = known?.context_reader ?? false;
      copies.adopt({ id, user_id, account_id: account.id, thread_id, content, context_reader, at: date }, location);
      store.replaceAttachments({ id, user_id }, attachments);
      this.#audit(account, "draft.create", id);
      // INTERNALDATE has a resolution of one second.
      if (date + 1_000 > account.created_at) {
        platform.events.emit(user_id, "draft.created", { draft_id: id, thread_id });
      }
    });
    draftFiles.tidy(user_id, id);
    return id;
  }

  /**
   * Returns whether the server's version may replace the draft. Not while it is being sent, nor over a change of ours
   * that the server does not have, unless the contents are equal.
   */
  #mayChange(draft: Draft, content: CopiedContent): boolean {
    if (draft.send_id !== null) return false;
    return draft.revision <= draft.placed || sameDraft(draft, content);
  }

  /** Stores the files of a draft. Files that are already stored, byte for byte, keep their ids. */
  async #storeParts(
    user_id: string,
    draft_id: string,
    parts: readonly DraftPart[],
    kept: readonly DraftAttachment[],
  ): Promise<DraftAttachment[]> {
    const { platform, files } = this.parts;
    const stored: DraftAttachment[] = [];
    const left = [...kept];
    for (const { content, ...info } of parts) {
      const duplicate = left.findIndex(
        (file) => file.name === info.name && file.mime === info.mime && file.size === content.length,
      );
      if (duplicate >= 0 && (await this.#holds(user_id, draft_id, left[duplicate]!.id, content))) {
        stored.push({ ...left.splice(duplicate, 1)[0]!, content_id: info.content_id });
        continue;
      }
      const id = platform.newId("attachment");
      const blob = files.create("blobs", { user_id, message_id: draft_id, part: id });
      try {
        blob.write(content);
        stored.push({ id, size: blob.finish({ durable: true }), ...info });
      } catch (error) {
        blob.abandon();
        throw error;
      }
    }
    return stored;
  }

  async #holds(user_id: string, draft_id: string, part: string, content: Uint8Array): Promise<boolean> {
    const { files } = this.parts;
    const name = { user_id, message_id: draft_id, part };
    const found = await files.find(name);
    return found !== null && Buffer.from(await files.readAll(name, found)).equals(content);
  }

  #audit({ user_id }: Account, action: string, target: string): void {
    this.parts.platform.audit.record({
      user_id,
      actor: SYSTEM_ACTOR,
      action,
      target,
      after: { by: "another program" },
    });
  }
}

function sameFiles(a: readonly DraftAttachment[], b: readonly DraftAttachment[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
