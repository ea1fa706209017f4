import { ApiError, invalidParam, notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import { newestMessage } from "../../mailbox/queries/newest.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import type { ThreadQueries } from "../../mailbox/queries/threads.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { sameAddress } from "../../wire/smtp/addresses.ts";
import { replyRecipients, replyReferences, replySubject } from "../../wire/smtp/reply.ts";
import { checkRecipients, ownAddresses, senderOf } from "./checks.ts";
import type { Draft, DraftAttachment, DraftStore } from "./store.ts";
import type { DraftContent } from "./tables.ts";

/** The author of a draft, and the user in whose mailboxes it is written. */
export interface Writer extends MailScope {
  actor: Actor;
  request_id: string | null;
  /** The credential; absent for Postroom itself, which can read everything. */
  key?: { id: string; readsContext?: boolean };
}

/** The fields of a message. Absent fields are inherited by a reply, and empty otherwise. */
interface DraftFields {
  from?: string | null;
  to?: string[];
  cc?: string[];
  bcc?: string[];
  subject?: string;
  body?: string;
}

export interface NewDraft extends DraftFields {
  /** The sending mailbox. If absent, the thread's mailbox, else the primary one. */
  account_id?: string;
  reply_to_thread_id?: string;
}

export interface DraftEdit extends DraftFields {
  account_id?: string;
}

type ReplyContent = Pick<DraftContent, "from" | "to" | "subject" | "in_reply_to" | "references">;

export interface DraftsParts {
  platform: Platform;
  accounts: Accounts;
  threads: ThreadQueries;
  store: DraftStore;
}

/** The drafts that people and clients work with. Every change is audited. */
export class Drafts {
  constructor(private readonly parts: DraftsParts) {}

  list(scope: MailScope, after: Position | null, limit: number): Draft[] {
    return this.parts.store.list(scope, after, limit);
  }

  /** Returns a draft. @throws ApiError not_found */
  get(scope: MailScope, id: string): Draft & { attachments: DraftAttachment[] } {
    const draft = this.parts.store.owned(scope, id);
    return { ...draft, attachments: this.parts.store.attachments(draft) };
  }

  /**
   * Creates a draft and announces it. @throws ApiError not_found (thread), invalid_params (account_id, from, to[n], …)
   */
  create(writer: Writer, input: NewDraft): Draft & { attachments: DraftAttachment[] } {
    const { platform, store } = this.parts;
    return platform.db.write(() => {
      const id = this.compose(writer, input);
      const draft = store.owned(writer, id);
      platform.events.emit(writer.user_id, "draft.created", { draft_id: id, thread_id: draft.thread_id });
      this.#audit(writer, "draft.create", id, null, summary(draft));
      return { ...draft, attachments: [] };
    });
  }

  /** Stores a draft without announcing it, for messages that are composed and sent in one call. @returns its id */
  compose(writer: Writer, input: NewDraft, options: { hidden?: boolean } = {}): string {
    checkRecipients(input);
    const reply = input.reply_to_thread_id === undefined ? null : this.#reply(writer, input);
    const account = reply?.account ?? this.sendingAccount(writer, input.account_id);
    const content: DraftContent = {
      from: input.from ?? reply?.content.from ?? null,
      to: input.to ?? reply?.content.to ?? [],
      cc: input.cc ?? [],
      bcc: input.bcc ?? [],
      subject: input.subject ?? reply?.content.subject ?? "",
      body: input.body ?? "",
      in_reply_to: reply?.content.in_reply_to ?? null,
      references: reply?.content.references ?? [],
      message_id: null,
    };
    senderOf(account, content.from);
    const { user_id } = writer;
    const thread_id = reply?.thread_id ?? null;
    const context_reader = readsContext(writer);
    return this.parts.store.insert({ user_id, account_id: account.id, thread_id, content, context_reader, ...options });
  }

  /** Changes the given fields. @throws ApiError not_found, draft_locked, invalid_params */
  update(writer: Writer, id: string, edit: DraftEdit): Draft {
    const { platform, store } = this.parts;
    checkRecipients(edit);
    return platform.db.write(() => {
      const before = this.unlocked(writer, id);
      const { account_id, ...fields } = edit;
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const after: Draft = { ...before, ...given, context_reader: before.context_reader || readsContext(writer) };
      if (account_id !== undefined) after.account_id = this.sendingAccount(writer, account_id).id;
      const account = this.parts.accounts.get(after.account_id)!;
      // A sender address of the former mailbox means nothing in the new one.
      if (after.account_id !== before.account_id) {
        if (fields.from === undefined) after.from = null;
        // A thread belongs to one mailbox. For the recipient the message is still a reply.
        after.thread_id = null;
      }
      senderOf(account, after.from);
      store.save(after);
      this.#audit(writer, "draft.update", id, summary(before), summary(after));
      return store.owned(writer, id);
    });
  }

  /** Deletes a draft. @throws ApiError not_found, draft_locked */
  remove(writer: Writer, id: string): void {
    const { platform, store } = this.parts;
    platform.db.write(() => {
      const draft = this.unlocked(writer, id);
      store.remove(id);
      this.#audit(writer, "draft.delete", id, summary(draft), null);
    });
  }

  /** Returns a draft of the caller that no send holds. @throws ApiError not_found, draft_locked */
  unlocked(scope: MailScope, id: string): Draft {
    const draft = this.parts.store.owned(scope, id);
    if (draft.send_id !== null) throw new ApiError("draft_locked", "This draft is being sent. Cancel the send first.");
    return draft;
  }

  /**
   * Returns the mailbox that a message is sent from.
   * @throws ApiError not_found when it is not one of the caller's, invalid_params when there is none at all
   */
  sendingAccount(scope: MailScope, wanted: string | undefined): Account {
    const mine = this.parts.accounts
      .list(scope.user_id)
      .filter((account) => scope.account_id === null || account.id === scope.account_id);
    const account =
      wanted === undefined
        ? (mine.find((candidate) => candidate.is_primary) ?? mine[0])
        : mine.find((candidate) => candidate.id === wanted);
    if (account) return account;
    if (wanted !== undefined) throw notFound("account", "account_id");
    throw invalidParam("account_id", "No mailbox is connected yet. Connect one on the settings page.");
  }

  /** Returns what a reply takes over from the newest message of its thread (docs/sending.md, "Replies"). */
  #reply(scope: MailScope, input: NewDraft): { thread_id: string; account: Account; content: ReplyContent } {
    const { platform, threads, accounts } = this.parts;
    const wanted = input.reply_to_thread_id!;
    const { id: thread_id, account_id } = threads.owned(
      scope,
      isId("thread", wanted) ? wanted : "",
      "reply_to_thread_id",
    );
    if (input.account_id !== undefined && this.sendingAccount(scope, input.account_id).id !== account_id) {
      throw invalidParam("account_id", "A reply must be sent from the mailbox that contains the thread.");
    }
    const account = accounts.get(account_id)!;
    const self = ownAddresses(account);
    const newest = newestMessage(platform, scope.user_id, thread_id);
    const to = newest
      ? replyRecipients({ from: newest.from, replyTo: newest.reply_to, to: newest.to }, self).map(({ email }) => email)
      : [];
    // A message to an alias is answered from that alias.
    const alias = account.aliases.find((email) =>
      [...(newest?.to ?? []), ...(newest?.cc ?? [])].some((address) => sameAddress(address.email, email)),
    );
    const { in_reply_to, references } = newest
      ? replyReferences({ messageId: newest.message_id, references: newest.references, inReplyTo: newest.in_reply_to })
      : { in_reply_to: null, references: [] };
    const subject = replySubject(newest?.subject ?? "");
    const content = { from: alias ?? null, to, subject, in_reply_to, references };
    return { thread_id, account, content };
  }

  #audit(writer: Writer, action: string, target: string, before: unknown, after: unknown): void {
    const { user_id, actor, request_id } = writer;
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

/** Returns whether a writer can read what the user keeps about clients. A writer that does not say so counts as one. */
function readsContext({ key }: Writer): boolean {
  return key?.readsContext ?? true;
}

/** Returns the fields of a draft that the audit log stores, which exclude its text. */
function summary({ account_id, thread_id, to, cc, bcc, subject, body }: Draft) {
  return { account_id, thread_id, to, cc, bcc, subject, body_chars: body.length };
}
