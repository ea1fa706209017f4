import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import { type MailOwner, ownerOf } from "../../mailbox/accounts/owner.ts";
import { categorize } from "../../mailbox/categories/category.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import { type Imported, type Importer, isAnnounced } from "../../mailbox/store/importer.ts";
import type { IncomingContents, IncomingMessage, IncomingMetadata } from "../../mailbox/store/incoming.ts";
import type { Labels } from "../../mailbox/store/labels.ts";
import type { LocationSync } from "../../mailbox/store/location-sync.ts";
import { isOwnMail } from "../../mailbox/store/own-mail.ts";
import type { MessageRow } from "../../mailbox/store/tables.ts";
import { inSavepoint, isStorageFault } from "../../platform/db/faults.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Arrival, InboundStep } from "./arrival.ts";
import { Steps } from "./steps.ts";

/** The parts of the mailbox that the steps below use. */
export interface PipelineParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  locationSync: LocationSync;
  steps: readonly InboundStep[];
  /** The program's version. */
  version: string;
}

/**
 * Older mail is not announced, even if the server's clock or a moving program makes it look new (docs/webhooks.md, "New
 * mail").
 */
const OLDEST_LIVE_MS = 24 * 3_600_000;

/** Stores parsed messages and runs the steps in order. Each message is stored completely or not at all. */
export class Pipeline {
  readonly steps: Steps;

  constructor(private readonly parts: PipelineParts) {
    this.steps = new Steps(parts);
  }

  /**
   * Stores a batch and refreshes the threads that it touched. The caller holds the transaction, in which it also saves
   * its progress. A message that fails is left out and logged; it never stops the others.
   * @throws database and disk faults, which end the transaction
   */
  take(account: Account, folder: Folder, batch: readonly IncomingMessage[]): { taken: number; failed: number } {
    const target = ownerOf(account);
    const store = (incoming: IncomingMessage) => this.#store(account, target, folder, incoming);
    const stored = this.#storeTogether(batch, store) ?? this.#storeSingly(account, folder, batch, store);
    const arrivals = stored.filter(({ imported }) => imported.outcome !== "known");
    const touched = new Set(arrivals.map(({ imported }) => imported.thread_id));
    // A message moved by Postroom has its UID stored before the folder is read, and its flags may have changed on the
    // server since.
    for (const { incoming, imported } of stored) {
      if (imported.outcome !== "known" || incoming.flagsUnknown) continue;
      const thread_id = this.parts.locationSync.applyFlags(account.user_id, {
        ...incoming,
        views: incoming.views ?? [],
      });
      if (thread_id) touched.add(thread_id);
    }
    const importing = account.sync.phase !== "live";
    this.parts.locationSync.refreshAll(account.user_id, touched, !importing);
    this.steps.run(arrivals);
    return { taken: arrivals.length, failed: batch.length - stored.length };
  }

  /**
   * Handles the usual case without a savepoint for each message. @returns null, with nothing stored, when one of them
   * fails
   */
  #storeTogether(batch: readonly IncomingMessage[], store: (incoming: IncomingMessage) => Arrival): Arrival[] | null {
    try {
      return inSavepoint(this.parts.platform.db, "message", () => batch.map(store));
    } catch (error) {
      if (isStorageFault(error)) throw error;
      return null;
    }
  }

  #storeSingly(
    account: Account,
    folder: Folder,
    batch: readonly IncomingMessage[],
    store: (incoming: IncomingMessage) => Arrival,
  ): Arrival[] {
    return batch.flatMap((incoming) => {
      try {
        return [inSavepoint(this.parts.platform.db, "message", () => store(incoming))];
      } catch (error) {
        if (isStorageFault(error)) throw error;
        const which = { account: account.id, folder: folder.id, uid: incoming.uid };
        this.parts.platform.log.error("a message could not be stored", { ...which, ...errorFields(error) });
        return [];
      }
    });
  }

  #store(account: Account, target: MailOwner, folder: Folder, incoming: IncomingMessage): Arrival {
    const { importer, locationSync } = this.parts;
    const roles = [folder.role, ...(incoming.views ?? []).map((view) => view.role)];
    const { from, messageId } = incoming;
    const own = isOwnMail(this.parts.platform, target, { from, messageId, roles: () => roles });
    const category = (knownCorrespondent: boolean) =>
      categorize({
        from: incoming.from,
        subject: incoming.subject,
        headers: incoming.headers,
        knownCorrespondent,
        isReply: incoming.inReplyTo.length > 0 || incoming.references.length > 0,
        messageId,
        body: incoming,
        toMe: [...incoming.to, ...incoming.cc].some(({ email }) => target.self.has(email.toLowerCase())),
      });
    const decided = category(own || importer.isCorrespondent(target, incoming.from.email));
    const imported = importer.store(target, incoming, decided);
    if (imported.outcome === "linked") {
      locationSync.linked(imported.message_id, incoming);
      if (own) importer.recategorize(imported.message_id, category(false), decided);
    }
    const live = isLive(account, folder, incoming, imported) && !this.#isHistory(account, imported);
    return {
      target,
      folder,
      roles,
      incoming,
      imported,
      own,
      live,
      announced: live && importer.wasAnnounced(target, incoming),
      importing: account.sync.phase !== "live",
      retried: false,
    };
  }

  /** Returns true for a copy, added by another program, of a message that existed before the mailbox was connected. */
  #isHistory(account: Account, { outcome, message_id }: Imported): boolean {
    if (outcome === "new") return false;
    const first = this.parts.platform.db.sql
      .query<Pick<MessageRow, "internal_date">, [string]>("SELECT internal_date FROM messages WHERE id = ?")
      .get(message_id);
    return first !== null && first.internal_date < account.created_at;
  }
}

function isLive(account: Account, folder: Folder, incoming: IncomingMessage, imported: Imported): boolean {
  // Imported mail is history, even if its date is recent.
  if (account.provider === "imported") return false;
  if (incoming.internalDate < account.created_at - OLDEST_LIVE_MS) return false;
  if (incoming.internalDate >= account.created_at) return true;
  return imported.outcome === "new" && incoming.uid >= folder.live_uid;
}

/** Joins the contents of a message and what its server reports. Without an INTERNALDATE, the Date header counts. */
export function toIncoming(contents: IncomingContents, metadata: IncomingMetadata): IncomingMessage {
  return { ...contents, ...metadata, internalDate: metadata.internalDate || contents.date || 0 };
}

/** Returns the basic steps, in order, after the store. Features add theirs in app/mail.ts. */
export function mailSteps(parts: {
  platform: Platform;
  importer: Importer;
  labels: Labels;
  /** Wakes a snoozed thread when new mail arrives. */
  wake: (thread_id: string) => void;
  isSnoozed: (thread_id: string) => boolean;
}): { correspondents: InboundStep; wake: InboundStep; announce: InboundStep } {
  return {
    correspondents: {
      name: "remember the people written to",
      run: ({ target, roles, incoming, importing }) => {
        if (roles.includes("sent")) parts.importer.noteCorrespondents(target, incoming, importing);
      },
    },
    wake: {
      name: "wake a snoozed thread",
      run: ({ roles, imported, live, retried }) => {
        if (!live || imported.outcome !== "new" || !roles.includes("inbox")) return;
        // New mail in the inbox ends the snooze. A thread that is still snoozed was snoozed again before the retry.
        if (retried && parts.isSnoozed(imported.thread_id)) return;
        parts.wake(imported.thread_id);
      },
    },
    announce: {
      name: "announce new mail",
      run: ({ target, roles, incoming, imported, live, own }) => {
        if (!live || !isAnnounced(roles, own) || !parts.importer.announceOnce(target, incoming)) return;
        const row = parts.platform.db.sql
          .query<Pick<MessageRow, "category" | "thread_id">, [string]>(
            "SELECT category, thread_id FROM messages WHERE id = ?",
          )
          .get(imported.message_id)!;
        parts.platform.events.emit(target.user_id, "message.received", {
          thread_id: row.thread_id,
          message_id: imported.message_id,
          account_id: target.id,
          from: { email: incoming.from.email },
          subject: incoming.subject,
          tags: [...parts.labels.ofMessage(imported.message_id), row.category],
        });
      },
    },
  };
}
