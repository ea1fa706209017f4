import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import { ownerOf } from "../../mailbox/accounts/owner.ts";
import { validLabels } from "../../mailbox/changes/labels.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { Importer } from "../../mailbox/store/importer.ts";
import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import { FOLDER_ROLES, type FolderRole } from "../../mailbox/store/state.ts";
import type { BlobFiles } from "../../platform/blobs/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { folderRole } from "../../wire/imap/special-use.ts";
import { readContents } from "../message/parsed-message.ts";
import { type Pipeline, toIncoming } from "../message/pipeline.ts";
import type { FileMessage, ImportSource } from "./source.ts";

export interface ImportParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  locations: Locations;
  importer: Importer;
  pipeline: Pipeline;
  files: BlobFiles;
  /** Called after each batch and awaited. All messages that are counted are then stored. */
  settle?: (counts: ImportCounts) => Promise<void>;
}

export interface ImportCounts {
  read: number;
  /** Stored by this import. */
  taken: number;
  /** Already stored by an earlier import, or repeated in the files. */
  known: number;
  /** Too long to be read in full, so stored without their end. */
  cut: number;
}

/** Limits of one transaction, because other writers wait for it. */
const BATCH_MESSAGES = 50;
const BATCH_BYTES = 4 * 1024 * 1024;
const DELIMITER = "/";

interface Waiting {
  folder: Folder;
  incoming: IncomingMessage;
  source: Uint8Array;
}

/**
 * Imports mail from files into an account without a server. A message with the same content in the same folder is
 * skipped, so an import that was interrupted resumes when started again. Sources are stored, because no server has
 * them.
 */
export class MailImport {
  readonly counts: ImportCounts;
  readonly #folders = new Map<string, Folder>();
  #batch: Waiting[] = [];
  #bytes = 0;
  readonly #names = new Set<string>();

  /** @param earlier what was counted before an interruption: as many messages of the source are passed over */
  constructor(
    private readonly parts: ImportParts,
    private readonly account: Account,
    private readonly earlier: ImportCounts = { read: 0, taken: 0, known: 0, cut: 0 },
  ) {
    this.counts = { ...earlier };
  }

  /** Imports the source. @throws what the source throws; call `end` then, unless the import is resumed later */
  async run(source: ImportSource, progress: (doneBytes: number) => void, signal?: AbortSignal): Promise<ImportCounts> {
    const { accounts } = this.parts;
    accounts.setProgress(this.account.id, { ...this.account.sync, phase: "importing" });
    let position = 0;
    for await (const message of source.messages(progress)) {
      signal?.throwIfAborted();
      if (position++ < this.earlier.read) continue;
      this.counts.read++;
      if (message.cut) this.counts.cut++;
      await this.#add(message);
    }
    this.#store();
    await this.parts.settle?.(this.counts);
    for (const folder of this.#folders.values()) this.#save(folder);
    this.end();
    return this.counts;
  }

  /** Shows the mailbox as complete with the messages that are stored. */
  end(): void {
    const { accounts } = this.parts;
    const account = accounts.get(this.account.id);
    if (!account) return;
    const total = account.sync.total + this.counts.taken;
    accounts.setProgress(account.id, { phase: "live", done: total, total });
    accounts.noteSynced(account.id);
  }

  async #add({ source, folder: path, received_at, flags, labels, cut }: FileMessage): Promise<void> {
    const folder = this.#folder(path);
    const { contents } = await readContents({ source, cut });
    // A file may contain any header.
    delete contents.authentication;
    const incoming = toIncoming(contents, {
      folderId: folder.id,
      uid: 0,
      internalDate: received_at ?? 0,
      size: source.length,
      flags: { ...flags, draft: flags.draft || folder.role === "drafts", important: false },
      labels: validLabels(labels),
      flagsHash: 0,
      serverThreadId: null,
    });
    // A duplicate within the batch must find the first one stored.
    const name = `${folder.id} ${incoming.messageId ?? incoming.subject}`;
    if (this.#names.has(name)) this.#store();
    this.#names.add(name);
    this.#batch.push({ folder, incoming, source });
    this.#bytes += source.length;
    if (this.#batch.length < BATCH_MESSAGES && this.#bytes < BATCH_BYTES) return;
    this.#store();
    await this.parts.settle?.(this.counts);
  }

  #store(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    this.#names.clear();
    const { platform, importer, pipeline, files, locations } = this.parts;
    const target = ownerOf(this.account);
    const stored = platform.db.write(() => {
      const found = batch.map((one) => ({
        ...one,
        known: importer.inFolder(target, one.incoming)?.message_id ?? null,
      }));
      const added = found.filter(({ known }) => known === null);
      for (const one of added) one.incoming.uid = one.folder.uidnext++;
      // By folder, so that each step needs only one savepoint (Steps.run).
      for (const [folder, list] of Map.groupBy(added, (one) => one.folder)) {
        pipeline.take(
          this.account,
          folder,
          list.map(({ incoming }) => incoming),
        );
        this.#save(folder);
      }
      return found.map(({ folder, incoming, source, known }) => ({
        message_id: known ?? locations.at(folder.id, incoming.uid)?.message_id ?? null,
        source,
        known: known !== null,
      }));
    });
    for (const { message_id, source, known } of stored) {
      if (known) this.counts.known++;
      else this.counts.taken++;
      if (message_id === null) continue;
      // Left by an earlier import that a power failure ended between the two writes.
      const name = { user_id: this.account.user_id, message_id };
      if (!known || files.ofMessage("blobs", name.user_id, message_id).length === 0) files.storeRaw(name, source);
    }
  }

  #folder(path: string): Folder {
    const known = this.#folders.get(path.toLowerCase());
    if (known) return known;
    const { folders } = this.parts;
    const existing = folders.list(this.account).find((folder) => folder.path.toLowerCase() === path.toLowerCase());
    // Imported mail is never announced, however recent it is.
    const folder = existing ?? folders.upsert(this.account, path, DELIMITER, roleOf(path));
    const prepared = { ...folder, uidvalidity: 1, live_uid: Number.MAX_SAFE_INTEGER };
    this.#folders.set(path.toLowerCase(), prepared);
    return prepared;
  }

  #save(folder: Folder): void {
    this.parts.folders.save({ ...folder, server_count: folder.uidnext - 1 });
  }
}

function roleOf(path: string): FolderRole {
  const role = folderRole({ path, delimiter: DELIMITER, specialUse: null, flags: new Set() });
  return FOLDER_ROLES.find((known) => known === role) ?? "other";
}
