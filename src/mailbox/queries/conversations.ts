import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { guessLanguage } from "../search/language.ts";
import type { FileTextsRow } from "../search/tables.ts";
import { type MessageEnvelope, type MessageText, openEnvelope, openText } from "../store/envelope.ts";
import { type FileText, openFileTexts } from "../store/file-text.ts";
import { isOwnMail } from "../store/own-mail.ts";
import type { ThreadState } from "../store/state.ts";
import type { BodyRow, FolderRow, MessageRow } from "../store/tables.ts";
import type { ThreadRow } from "../threading/tables.ts";
import { type MailScope, shownDate } from "./scope.ts";

/** A message of a conversation, for features that analyze mail. Times are ms. */
export interface ConversationMessage {
  n: number;
  id: string;
  thread_id: string;
  account_id: string;
  /** The date that the message shows. */
  at: number;
  category: string;
  /** Whether it came through a discussion list, to which people write, and not to the user as well. */
  fromList: boolean;
  head: MessageEnvelope;
  /** Whether the user wrote it, judged by its From and its folders. */
  outgoing: boolean;
  /** Which header has one of the user's addresses. */
  addressed: "to" | "cc" | "none";
  /** Names that the headers give to the user. */
  myNames: string[];
  /** Names of its other recipients. */
  otherNames: string[];
  /** Returns the text; it is opened on the first call. */
  text(): MessageText;
  /** Returns the texts of its attachments and invitations that were kept; they are read on the first call. */
  files(): readonly FileText[];
  /** Returns the ISO 639-1 code of the language; null where the text gives no indication. */
  language(): string | null;
}

export type ThreadSpan = Pick<ThreadRow, "id" | "account_id" | "state" | "category" | "last_at">;

type StoredRow = Pick<
  MessageRow,
  "n" | "id" | "thread_id" | "account_id" | "internal_date" | "sent_date" | "category" | "category_reason" | "head"
>;

const COLUMNS =
  "m.n, m.id, m.thread_id, m.account_id, m.internal_date, m.sent_date, m.category, m.category_reason, m.head";
const SPAN = "id, account_id, state, category, last_at";
const MINE = "user_id = $user AND ($account IS NULL OR account_id = $account)";
const NO_TEXT: MessageText = { text: "", body_text: "", new_text: "" };

/** Reads conversations without attachments, labels and flags, which only pages show. Drafts are left out. */
export class Conversations {
  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
  ) {}

  /** Returns a reader for one user, identified by the current addresses of the mailboxes. */
  of(scope: MailScope): ConversationReader {
    return new ConversationReader(this.platform, scope, this.accounts.ownAddresses(scope.user_id));
  }

  /** Returns the number of the newest message on this machine; 0 if there is none. */
  newestNumber(): number {
    return this.platform.db.sql.query<{ n: number | null }, []>("SELECT max(n) AS n FROM messages").get()?.n ?? 0;
  }
}

/** Reads the threads and messages of a scope as conversations, with sender and text. */
export class ConversationReader {
  constructor(
    private readonly platform: Pick<Platform, "db" | "keyring">,
    private readonly scope: MailScope,
    /** The user's addresses, lower case. */
    readonly own: ReadonlySet<string>,
  ) {}

  /** Returns threads in one of these states whose newest message arrived at `since` (ms) or later, newest first. */
  threadsSince(states: readonly ThreadState[], since: number): ThreadSpan[] {
    return this.platform.db.sql
      .query<ThreadSpan, Record<string, string | number | null>>(
        `SELECT ${SPAN} FROM threads WHERE ${MINE} AND state IN (SELECT value FROM json_each($states))
           AND last_at >= $since ORDER BY last_at DESC, id DESC`,
      )
      .all({ ...this.#mine(), states: JSON.stringify(states), since });
  }

  /** Returns threads that contain sent mail, newest first. */
  threadsWithSent(limit: number): ThreadSpan[] {
    return this.platform.db.sql
      .query<ThreadSpan, Record<string, string | number | null>>(
        `SELECT ${SPAN} FROM threads WHERE ${MINE} AND has_sent = 1 ORDER BY last_at DESC, id DESC LIMIT $limit`,
      )
      .all({ ...this.#mine(), limit });
  }

  /** Returns one thread; null when it is not the user's. */
  thread(id: string): ThreadSpan | null {
    return this.platform.db.sql
      .query<ThreadSpan, Record<string, string | number | null>>(
        `SELECT ${SPAN} FROM threads WHERE id = $id AND ${MINE}`,
      )
      .get({ ...this.#mine(), id });
  }

  /**
   * Returns the messages of a thread, oldest first; of a long thread, the newest `most`. Empty when it is not the
   * user's.
   */
  messages(thread_id: string, most = 200): ConversationMessage[] {
    return this.platform.db.sql
      .query<StoredRow, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM messages m WHERE m.thread_id = $thread AND m.is_draft = 0 AND ${MINE}
         ORDER BY m.internal_date DESC, m.id DESC LIMIT $most`,
      )
      .all({ ...this.#mine(), thread: thread_id, most })
      .reverse()
      .map((row) => this.#open(row));
  }

  /** Returns one message; null when it is not the user's. */
  message(id: string): ConversationMessage | null {
    const row = this.platform.db.sql
      .query<StoredRow, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM messages m WHERE m.id = $id AND ${MINE}`,
      )
      .get({ ...this.#mine(), id });
    return row && this.#open(row);
  }

  /** Returns messages that arrived on this machine after the one with number `afterN`, in that order. */
  arrivedAfter(afterN: number, limit: number): ConversationMessage[] {
    return this.platform.db.sql
      .query<StoredRow, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM messages m WHERE m.n > $after AND m.is_draft = 0 AND ${MINE} ORDER BY m.n LIMIT $limit`,
      )
      .all({ ...this.#mine(), after: afterN, limit })
      .map((row) => this.#open(row));
  }

  /** Returns the number of the message before the first one that was received at `since` (ms) or later. */
  numberBefore(since: number): number {
    const row = this.platform.db.sql
      .query<{ n: number | null }, Record<string, string | number | null>>(
        `SELECT min(n) AS n FROM messages WHERE ${MINE} AND internal_date >= $since`,
      )
      .get({ ...this.#mine(), since });
    return (row?.n ?? Number.MAX_SAFE_INTEGER) - 1;
  }

  /** Returns whether a mailbox of the user has written to an address. */
  wroteTo(account_id: string, email: string): boolean {
    const hmac = this.platform.keyring.forUser(this.scope.user_id).hmac("address", email.trim().toLowerCase());
    return (
      this.platform.db.sql
        .query("SELECT 1 FROM correspondents WHERE account_id = ? AND address_hmac = ?")
        .get(account_id, hmac) !== null
    );
  }

  /** Returns the roles of the folders that contain a message. */
  #rolesOf(message_id: string): FolderRow["role"][] {
    return this.platform.db.sql
      .query<Pick<FolderRow, "role">, [string]>(
        "SELECT f.role FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = ?",
      )
      .all(message_id)
      .map(({ role }) => role);
  }

  #isOwn({ id, account_id }: StoredRow, { from }: MessageEnvelope): boolean {
    const owner = { id: account_id, user_id: this.scope.user_id, self: this.own };
    const roles = () => this.#rolesOf(id);
    // A forged copy must not make promises in the user's name.
    return isOwnMail(this.platform, owner, { from, messageId: null, roles, stored: id });
  }

  #mine() {
    return { user: this.scope.user_id, account: this.scope.account_id };
  }

  #open(stored: StoredRow): ConversationMessage {
    const { head: sealed, sent_date, internal_date, category_reason, ...row } = stored;
    const sealer = this.platform.keyring.forUser(this.scope.user_id);
    const head = openEnvelope(sealer, row.id, sealed);
    const mine = (address: { email: string }) => this.own.has(address.email.toLowerCase());
    const recipients = [...head.to, ...head.cc];
    let text: MessageText | null = null;
    let language: { guess: string | null } | null = null;
    const read = (): MessageText => {
      const body = this.platform.db.sql
        .query<Pick<BodyRow, "text">, [number]>("SELECT text FROM bodies WHERE n = ?")
        .get(row.n);
      return body ? openText(sealer, row.id, body.text) : NO_TEXT;
    };
    const open = () => {
      text ??= read();
      return text;
    };
    let files: readonly FileText[] | null = null;
    const readFiles = (): FileText[] => {
      const kept = this.platform.db.sql
        .query<Pick<FileTextsRow, "texts">, [number]>("SELECT texts FROM file_texts WHERE message_n = ?")
        .get(row.n);
      return kept?.texts ? openFileTexts(sealer, row.id, kept.texts) : [];
    };
    return {
      ...row,
      at: shownDate({ sent_date, internal_date }),
      fromList: category_reason === "list-id",
      head,
      outgoing: this.#isOwn(stored, head),
      addressed: head.to.some(mine) ? "to" : head.cc.some(mine) ? "cc" : "none",
      myNames: recipients.filter(mine).map(({ name }) => name),
      otherNames: recipients.filter((address) => !mine(address)).map(({ name, email }) => name || email),
      text: open,
      files: () => {
        files ??= readFiles();
        return files;
      },
      language: () => {
        language ??= { guess: guessLanguage(open().new_text) };
        return language.guess;
      },
    };
  }
}
