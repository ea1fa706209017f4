import type { Account } from "../mailbox/accounts.ts";
import { categorize } from "../mailbox/category.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder } from "../mailbox/folders.ts";
import { announces, type Imported, type Importer, type ImportTarget } from "../mailbox/import.ts";
import type { IncomingMessage } from "../mailbox/incoming.ts";
import type { Labels } from "../mailbox/labels.ts";
import type { FolderRole } from "../mailbox/state.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import type { Contents } from "./contents.ts";

/** One message on its way in, as the steps see it. Everything a step writes commits together with the message. */
export interface Arrival {
  target: ImportTarget;
  folder: Folder;
  /** Of the folder, and of its views that show the message (Gmail). */
  roles: readonly FolderRole[];
  incoming: IncomingMessage;
  imported: Imported;
  /** It came after the mailbox was connected: worth announcing, as against history. */
  live: boolean;
  /** The account's first sync is still running. */
  importing: boolean;
}

/**
 * What happens to a message once it is stored. Synchronous: it runs inside the message's transaction. Each step sees the
 * messages of a batch in their order, and all of them before the next step sees the first.
 */
export interface InboundStep {
  name: string;
  run(arrival: Arrival): void;
}

/** What the steps below need of the mailbox. */
export interface PipelineParts {
  platform: Platform;
  importer: Importer;
  copies: Copies;
  labels: Labels;
  steps: readonly InboundStep[];
}

/** History is not announced, even when the server's clock or a mover makes it look new (decisions: announced once). */
const OLDEST_LIVE_MS = 24 * 3_600_000;

/** Takes parsed messages in: store, then the steps in their order, each message whole or not at all. */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  /**
   * Stores a batch and refreshes the threads that it touched. The caller holds the transaction, in which it also saves
   * its progress. A message that fails is left out and logged; it never stops the others.
   */
  take(account: Account, folder: Folder, batch: readonly IncomingMessage[]): { taken: number; failed: number } {
    const target = importTarget(account);
    const store = (incoming: IncomingMessage) => this.#store(account, target, folder, incoming);
    const stored = this.#storeTogether(batch, store) ?? this.#storeSingly(account, folder, batch, store);
    const arrivals = stored.filter(({ imported }) => imported.outcome !== "known");
    const touched = new Set(arrivals.map(({ imported }) => imported.thread_id));
    // What we moved there lies under its UID before the folder is read: others may have marked it meanwhile.
    for (const { incoming, imported } of stored) {
      if (imported.outcome !== "known" || incoming.flags_untold) continue;
      const thread_id = this.parts.copies.applyFlags(account.user_id, { ...incoming, views: incoming.views ?? [] });
      if (thread_id) touched.add(thread_id);
    }
    const importing = account.sync.phase !== "live";
    this.parts.copies.refreshAll(account.user_id, touched, !importing);
    // Step by step, not message by message: the word index, which comes last, writes out all it holds as soon as another
    // statement opens a savepoint of its own (FTS5's xSavepoint), and then takes several times as long.
    for (const step of this.parts.steps) {
      for (const arrival of arrivals) step.run(arrival);
    }
    return { taken: arrivals.length, failed: batch.length - stored.length };
  }

  /** The usual case, without a savepoint for each. @returns null, and nothing is stored, when one of them fails */
  #storeTogether(batch: readonly IncomingMessage[], store: (incoming: IncomingMessage) => Arrival): Arrival[] | null {
    try {
      return this.#savepoint(() => batch.map(store));
    } catch {
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
        return [this.#savepoint(() => store(incoming))];
      } catch (error) {
        const which = { account: account.id, folder: folder.id, uid: incoming.uid };
        this.parts.platform.log.error("a message could not be stored", { ...which, ...errorFields(error) });
        return [];
      }
    });
  }

  #store(account: Account, target: ImportTarget, folder: Folder, incoming: IncomingMessage): Arrival {
    const { importer, copies } = this.parts;
    const roles = [folder.role, ...(incoming.views ?? []).map((view) => view.role)];
    const own = importer.isOwn(target, incoming, roles);
    const category = (knownCorrespondent: boolean) =>
      categorize({
        from: incoming.from,
        subject: incoming.subject,
        headers: incoming.headers,
        knownCorrespondent,
        toMe: [...incoming.to, ...incoming.cc].some(({ email }) => target.self.has(email.toLowerCase())),
      });
    const decided = category(own || importer.isCorrespondent(target, incoming.from.email));
    const imported = importer.store(target, incoming, decided);
    if (imported.outcome === "linked") {
      copies.linked(imported.message_id, incoming);
      if (own) importer.recategorise(imported.message_id, category(false), decided);
    }
    return {
      target,
      folder,
      roles,
      incoming,
      imported,
      live: isLive(account, folder, incoming, imported) && !this.#isHistory(account, imported),
      importing: account.sync.phase !== "live",
    };
  }

  /** A copy of a message that was there before the mailbox was connected, put in by another program, is no news. */
  #isHistory(account: Account, { outcome, message_id }: Imported): boolean {
    if (outcome === "new") return false;
    const first = this.parts.platform.db.sql
      .query<{ internal_date: number }, [string]>("SELECT internal_date FROM messages WHERE id = ?")
      .get(message_id);
    return first !== null && first.internal_date < account.created_at;
  }

  #savepoint<T>(fn: () => T): T {
    const { sql } = this.parts.platform.db;
    sql.run("SAVEPOINT message");
    try {
      const result = fn();
      sql.run("RELEASE message");
      return result;
    } catch (error) {
      sql.run("ROLLBACK TO message");
      sql.run("RELEASE message");
      throw error;
    }
  }
}

function isLive(account: Account, folder: Folder, incoming: IncomingMessage, imported: Imported): boolean {
  // Mail out of files is history, whenever it was written.
  if (account.provider === "imported") return false;
  if (incoming.internal_date < account.created_at - OLDEST_LIVE_MS) return false;
  if (incoming.internal_date >= account.created_at) return true;
  return imported.outcome === "new" && incoming.uid >= folder.live_uid;
}

export function importTarget(account: Account): ImportTarget {
  const self = new Set([account.email, ...account.aliases].map((address) => address.toLowerCase()));
  return { id: account.id, user_id: account.user_id, self };
}

/** The message that was read in the shape that the mailbox stores. */
export function toIncoming(
  parsed: Contents,
  at: Pick<
    IncomingMessage,
    | "folder_id"
    | "uid"
    | "internal_date"
    | "size"
    | "flags"
    | "flags_untold"
    | "labels"
    | "flags_hash"
    | "server_thread_id"
  >,
): IncomingMessage {
  return {
    ...at,
    // A server that gives no INTERNALDATE leaves the Date header.
    internal_date: at.internal_date || parsed.date || 0,
    message_id: parsed.messageId,
    in_reply_to: parsed.inReplyTo,
    references: parsed.references,
    subject: parsed.subject,
    from: parsed.from,
    reply_to: parsed.replyTo,
    to: parsed.to,
    cc: parsed.cc,
    bcc: parsed.bcc,
    date: parsed.date,
    headers: parsed.headers,
    text: parsed.text,
    body_text: parsed.bodyText,
    new_text: parsed.newText,
    html: parsed.html,
    attachments: parsed.attachments.map((attachment) => ({ ...attachment, encoding: null })),
  };
}

/** Steps of Part 1, in flow order after the store; later features add theirs in app.ts. */
export function mailSteps(parts: {
  platform: Platform;
  importer: Importer;
  labels: Labels;
  /** New mail wakes a snoozed thread. */
  wake: (thread_id: string) => void;
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
      run: ({ roles, imported, live }) => {
        if (live && imported.outcome === "new" && roles.includes("inbox")) parts.wake(imported.thread_id);
      },
    },
    announce: {
      name: "announce new mail",
      run: ({ target, roles, incoming, imported, live }) => {
        const own = target.self.has(incoming.from.email.toLowerCase());
        if (!live || !announces(roles, own) || !parts.importer.announceOnce(target, incoming)) return;
        const row = parts.platform.db.sql
          .query<{ category: string; thread_id: string }, [string]>(
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
