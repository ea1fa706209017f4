import type { Caller } from "../../http/guard/caller.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { importedNameFault } from "../../mailbox/accounts/imported.ts";
import type { ImportStore, UploadedImport } from "../../mailbox/imports/store.ts";
import { CHUNK_BYTES, type UploadFiles } from "../../mailbox/imports/upload-files.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ImportList, ImportView, NewImport } from "./model.ts";

/** Kind of the job that imports an uploaded file. */
export const IMPORT_JOB = "import-upload";

/** Space that uploads leave free for the rest of the installation. */
const RESERVED_BYTES = 1024 * 1024 * 1024;

export interface ImportServiceParts {
  platform: Platform;
  mailbox: Pick<Mailbox, "accounts">;
  imports: ImportStore;
  files: UploadFiles;
}

/** Takes uploads of mail files in parts, and hands complete ones to the job that imports them. */
export class ImportService {
  /** The last part of each upload that is being stored. Parts of one upload are stored one after the other. */
  readonly #storing = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: ImportServiceParts) {}

  list({ user_id }: Caller): ImportList {
    const { imports, mailbox } = this.parts;
    return {
      data: imports.list(user_id).map(view),
      chunk_bytes: CHUNK_BYTES,
      mailboxes: mailbox.accounts
        .list(user_id)
        .filter(({ provider }) => provider === "imported")
        .map(({ id, email }) => ({ id, email })),
    };
  }

  /** @throws ApiError not_found */
  get({ user_id }: Caller, id: string): ImportView {
    return view(this.parts.imports.owned(user_id, id));
  }

  /** Begins an upload. @throws ApiError invalid_params, not_found, import_running, storage_full */
  begin(caller: Caller, asked: NewImport): ImportView {
    const { platform, imports } = this.parts;
    const { user_id, actor, request_id } = caller;
    const target = this.#target(user_id, asked);
    const { file_name, file_modified_at, bytes } = asked;
    this.#requireSpace(bytes);
    const added = imports.add({ user_id, ...target, file_name, file_modified_at, bytes });
    const after = { file_name, bytes, mailbox: target.mailbox };
    platform.audit.record({ user_id, actor, action: "import.start", target: added.id, after, request_id });
    return view(added);
  }

  /**
   * Stores the part of an upload that begins at `offset`. A part that was stored before changes nothing.
   * @throws ApiError not_found; upload_offset if an earlier part is missing; storage_full
   */
  async receive(caller: Caller, id: string, offset: number, bytes: Uint8Array): Promise<ImportView> {
    this.parts.imports.owned(caller.user_id, id);
    const before = this.#storing.get(id) ?? Promise.resolve();
    const stored = before.catch(() => {}).then(() => this.#store(caller, id, offset, bytes));
    this.#storing.set(id, stored);
    try {
      return await stored;
    } finally {
      if (this.#storing.get(id) === stored) this.#storing.delete(id);
    }
  }

  /** Cancels an import. Messages that are imported already are kept. @throws ApiError not_found */
  cancel(caller: Caller, id: string): ImportView {
    const { platform, imports } = this.parts;
    const { user_id, actor, request_id } = caller;
    const { state } = imports.owned(user_id, id);
    if (imports.move(id, "canceled")) {
      platform.audit.record({ user_id, actor, action: "import.cancel", target: id, before: { state }, request_id });
      // While it is read, the job deletes it.
      if (state !== "importing") this.#remove(id);
    }
    return this.get(caller, id);
  }

  async #store(caller: Caller, id: string, offset: number, bytes: Uint8Array): Promise<ImportView> {
    const { platform, imports, files } = this.parts;
    const { user_id } = caller;
    const upload = imports.owned(user_id, id);
    if (upload.state !== "uploading" || offset < upload.received_bytes) return view(upload);
    if (offset > upload.received_bytes) {
      throw new ApiError("upload_offset", `The upload continues at byte ${upload.received_bytes}.`, {
        param: "offset",
      });
    }
    const expected = Math.min(CHUNK_BYTES, upload.bytes - offset);
    if (bytes.length !== expected) {
      throw invalidParam("body", `The part at byte ${offset} has ${bytes.length} bytes instead of ${expected}.`);
    }
    this.#requireSpace(upload.bytes - offset);
    await files.write(upload, offset / CHUNK_BYTES, bytes);
    const counted = platform.db.write(() => {
      if (!imports.received(id, offset, bytes.length)) return false;
      if (offset + bytes.length === upload.bytes && imports.move(id, "waiting")) {
        platform.jobs.enqueue({ kind: IMPORT_JOB, dedupe_key: id, user_id, payload: { id } });
      }
      return true;
    });
    // Canceled while the part was written.
    if (!counted) this.#remove(id);
    return this.get(caller, id);
  }

  #target(user_id: string, { mailbox: name, account_id }: NewImport): { account_id: string | null; mailbox: string } {
    const { accounts } = this.parts.mailbox;
    if (account_id !== undefined) {
      const account = accounts.owned(user_id, account_id, "account_id");
      if (account.provider === "imported") return { account_id: account.id, mailbox: account.email };
      throw invalidParam("account_id", `${account.email} has a mail server. Choose an imported mailbox.`);
    }
    const fault = name === undefined ? "is missing" : importedNameFault(accounts, user_id, name);
    if (fault !== null) throw invalidParam("mailbox", `The name of the mailbox ${fault}.`);
    return { account_id: null, mailbox: name!.trim() };
  }

  /** Requires space for the rest of the file, and for its mail. @throws ApiError storage_full */
  #requireSpace(bytes: number): void {
    const needed = 2 * bytes + RESERVED_BYTES;
    const free = this.parts.files.freeBytes();
    if (free >= needed) return;
    const gigabytes = (value: number) => (value / 1e9).toFixed(1);
    throw new ApiError(
      "storage_full",
      `The disk has too little space for this file: ${gigabytes(free)} GB are free, and about ${gigabytes(needed)} GB are needed.`,
    );
  }

  #remove(id: string): void {
    const { files, platform } = this.parts;
    // The daily sweep removes what is left.
    void files.remove(id).catch((error) => platform.log.warn("an upload could not be deleted", errorFields(error)));
  }
}

function view(of: UploadedImport): ImportView {
  const { id, state, file_name, file_modified_at, bytes, received_bytes, mailbox, account_id } = of;
  const { done_bytes, total_bytes, taken_count, known_count, unreadable, cut_count, error, created_at, ended_at } = of;
  return {
    ...{ id, state, file_name, file_modified_at, bytes, received_bytes, mailbox, account_id },
    ...{ done_bytes, total_bytes, messages: taken_count, duplicates: known_count, unreadable, truncated: cut_count },
    error,
    created_at: isoTime(created_at),
    ended_at: ended_at === null ? null : isoTime(ended_at),
  };
}
