import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { IncomingMessage, IncomingMetadata } from "../../mailbox/store/incoming.ts";
import type { LocalFolder } from "../../mailbox/store/local-folder.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import type { BlobFiles, StagedBlob } from "../../platform/blobs/files.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";

/** A parsed source, ready to be stored. */
export type ReadMail = (metadata: IncomingMetadata) => IncomingMessage;

/** The pipeline of received mail, passed in because it belongs to another module. */
export interface LocalDelivery {
  read(raw: Uint8Array): Promise<ReadMail>;
  /** Stores one message and runs the steps. Call it in a transaction. */
  take(account: Account, folder: Folder, incoming: IncomingMessage): void;
}

export interface SentMailParts {
  platform: Platform;
  folders: Folders;
  localFolder: LocalFolder;
  locations: Locations;
  files: BlobFiles;
  delivery: LocalDelivery;
}

/** Our ids of a stored message. */
export interface Stored {
  message_id: string;
  thread_id: string;
}

const SANDBOX_FOLDERS = { sent: "Sent", inbox: "INBOX" } as const;

/** Stores sent messages in the mailbox, where they join their threads immediately. */
export class SentMail {
  constructor(private readonly parts: SentMailParts) {}

  /** Parses a source before it is sent, so that nothing delays the commit after the server's response. */
  read(raw: Uint8Array): Promise<ReadMail> {
    return this.parts.delivery.read(raw);
  }

  /**
   * Writes the source to the disk before the message is sent, for the same reason. @returns null if that is not possible
   * now; `store` then writes it
   */
  async stage(account: Account, raw: Uint8Array): Promise<StagedBlob | null> {
    const { platform, files } = this.parts;
    try {
      return await files.stageRaw({ user_id: account.user_id, message_id: platform.newId("message") }, raw);
    } catch (error) {
      platform.log.warn("the source of a message could not be written before it is sent", errorFields(error));
      return null;
    }
  }

  /**
   * Stores a sent message with its source. In the sandbox it is also returned as received mail, because the sandbox is
   * its own network (docs/sending.md, "Sending with a test key"). Call it in the transaction that ends the send.
   * @returns null when it could not be stored; the log says why
   */
  store(account: Account, mail: ReadMail, raw: Uint8Array, staged: StagedBlob | null): Stored | null {
    const sandbox = account.provider === "sandbox";
    const { folder, uid } = sandbox ? this.#nextIn(account, "sent") : this.parts.localFolder.next(account);
    const stored = this.#put(account, folder, uid, mail, raw, { seen: true, id: staged?.message_id });
    if (stored) {
      const { message_id } = stored;
      const isThere = () => this.parts.locations.at(folder.id, uid)?.message_id === message_id;
      const isKept = message_id === staged?.message_id && staged.keep(isThere);
      if (!isKept) this.parts.files.storeRaw({ user_id: account.user_id, message_id }, raw, isThere);
    }
    if (!stored || !sandbox) return stored;
    const inbox = this.#nextIn(account, "inbox");
    return this.#put(account, inbox.folder, inbox.uid, mail, raw, { seen: false }) ?? stored;
  }

  #put(
    account: Account,
    folder: Folder,
    uid: number,
    mail: ReadMail,
    raw: Uint8Array,
    { seen, id }: { seen: boolean; id?: string | undefined },
  ): Stored | null {
    const { platform, locations, delivery } = this.parts;
    const incoming = mail({
      ...(id === undefined ? {} : { id }),
      folderId: folder.id,
      uid,
      internalDate: platform.clock.now(),
      size: raw.length,
      flags: { seen, flagged: false, answered: false, draft: false, important: false },
      labels: [],
      flagsHash: 0,
      serverThreadId: null,
    });
    delivery.take(account, folder, incoming);
    return locations.at(folder.id, uid);
  }

  /** Returns the next UID in a folder of the sandbox, which has no server to assign one. */
  #nextIn(account: Account, role: keyof typeof SANDBOX_FOLDERS): { folder: Folder; uid: number } {
    const { folders, locations } = this.parts;
    const folder =
      folders.list(account).find((candidate) => candidate.role === role) ??
      folders.upsert(account, SANDBOX_FOLDERS[role], "/", role);
    const uid = Math.max(folder.uidnext, locations.highestUid(folder.id) + 1);
    folders.save({ ...folder, uidnext: uid + 1 });
    return { folder, uid };
  }
}
