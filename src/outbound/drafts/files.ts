import { rmSync } from "node:fs";
import { ApiError } from "../../kernel/errors.ts";
import { type BlobFiles, type BlobName, PARTIAL } from "../../platform/blobs/files.ts";
import { complete } from "../../platform/blobs/sealed-file.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ComposeAttachment } from "../../wire/smtp/attachments.ts";
import type { Drafts, Writer } from "./drafts.ts";
import type { Draft, DraftAttachment, DraftStore } from "./store.ts";

/** Size limit of all attachments of a draft together (docs/sending.md, "Attachments"). */
export const ATTACHMENTS_BYTES = 25 * 1024 * 1024;

/** A file as a client uploads it. */
export interface Upload {
  name: string;
  mime: string;
  /** Bytes. */
  size: number;
  content_id: string | null;
  stream(): ReadableStream<Uint8Array>;
}

/** Manages the files of drafts: sealed on disk, recorded in the draft. */
export class DraftFiles {
  constructor(private readonly parts: { platform: Platform; drafts: Drafts; store: DraftStore; files: BlobFiles }) {}

  /**
   * Stores a file with a draft. The bytes are on disk before the row commits.
   * @param read returns the file or throws its error; called once the draft is known to exist
   * @param commit runs the last write, because the row and the reply to the client belong together
   * @throws ApiError not_found, draft_locked, payload_too_large
   */
  async add(
    writer: Writer,
    draft_id: string,
    read: () => Upload,
    commit: (write: () => DraftAttachment) => DraftAttachment,
  ): Promise<DraftAttachment> {
    const { platform, drafts, store, files } = this.parts;
    const before = drafts.unlocked(writer, draft_id);
    const upload = read();
    this.#checkSpace(before, upload.size);
    const id = platform.newId("attachment");
    const name = { user_id: writer.user_id, message_id: draft_id, part: id };
    const blob = files.create("blobs", name);
    try {
      for await (const bytes of upload.stream()) blob.write(bytes);
      const size = blob.finish({ durable: true });
      return commit(() => {
        // While the bytes were arriving, another upload or a send may have changed the draft.
        const draft = drafts.unlocked(writer, draft_id);
        this.#checkSpace(draft, size);
        const attachment = { id, size, name: upload.name, mime: upload.mime, content_id: upload.content_id };
        store.attach(draft, attachment);
        this.#audit(writer, "draft.attach", draft_id, null, attachment);
        return attachment;
      });
    } catch (error) {
      blob.abandon();
      rmSync(files.path("blobs", name), { force: true });
      throw error;
    }
  }

  /** Removes a file. @throws ApiError not_found, draft_locked */
  remove(writer: Writer, draft_id: string, attachment_id: string): void {
    const { platform, drafts, store } = this.parts;
    platform.db.write(() => {
      const draft = drafts.unlocked(writer, draft_id);
      const before = store.attachments(draft).find((attachment) => attachment.id === attachment_id);
      if (!before || !store.detach(draft, attachment_id)) throw new ApiError("not_found", "No such attachment.");
      this.#audit(writer, "draft.detach", draft_id, before, null);
    });
    this.tidy(writer.user_id, draft_id);
  }

  /** Deletes files that the draft no longer has, after the current transaction has committed or rolled back. */
  tidy(user_id: string, draft_id: string): void {
    queueMicrotask(() => {
      const { files, store } = this.parts;
      const kept = store
        .attachments({ id: draft_id, user_id })
        .map(({ id }) => files.path("blobs", { user_id, message_id: draft_id, part: id }));
      for (const path of files.ofMessage("blobs", user_id, draft_id)) {
        if (!kept.includes(path) && !path.endsWith(PARTIAL)) rmSync(path, { force: true });
      }
    });
  }

  /** Opens the files of a draft for composing. @throws Error when one is damaged or gone */
  async open(draft: Draft): Promise<ComposeAttachment[]> {
    const { files, store } = this.parts;
    const opened: ComposeAttachment[] = [];
    for (const { id, name, mime, content_id } of store.attachments(draft)) {
      const blob: BlobName = { user_id: draft.user_id, message_id: draft.id, part: id };
      const found = await files.find(blob);
      if (!found) throw new Error(`The attachment ${id} of ${draft.id} is no longer on disk.`);
      const content = () => files.read(blob, { paths: [found.path], growth: complete(found.size) }, 0, found.size);
      opened.push({ name, mime, content_id, content });
    }
    return opened;
  }

  #checkSpace(draft: Draft, moreBytes: number): void {
    const used = this.parts.store.attachments(draft).reduce((sum, { size }) => sum + size, 0);
    if (used + moreBytes <= ATTACHMENTS_BYTES) return;
    throw new ApiError(
      "payload_too_large",
      `The attachments of a draft can have at most ${ATTACHMENTS_BYTES} bytes in all. Remove an attachment or send ` +
        "a smaller file.",
    );
  }

  #audit(writer: Writer, action: string, target: string, before: unknown, after: unknown): void {
    const { user_id, actor, request_id } = writer;
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}
