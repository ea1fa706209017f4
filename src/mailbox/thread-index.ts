import type { Platform } from "../platform/platform.ts";
import { type Address, type MessageHead, openHead } from "./head.ts";
import { isBareReply, type LinkMessage, subjectKey, type ThreadIndex } from "./thread-links.ts";

/** A subject shared by more messages than this is an automat's; comparing further would cost without finding replies. */
const MAX_SUBJECT_CANDIDATES = 500;

/** Every address that a message names, as threading compares them. */
export function participantsOf(head: {
  from: Address;
  reply_to: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
}): string[] {
  return [head.from, ...head.reply_to, ...head.to, ...head.cc, ...head.bcc].map((a) => a.email).filter(Boolean);
}

/** The threads that a message joined, for those who keep what belongs to a thread. */
export type OnMerge = (survivor: string, absorbed: string[]) => void;

/** What has been found of an account's threads so far, in SQLite; the sealed subjects and ids appear as HMACs only. */
export class SqliteThreadIndex implements ThreadIndex<LinkMessage, string> {
  readonly #lookup;
  readonly #insertKey;

  constructor(
    private readonly platform: Platform,
    private readonly account: { id: string; user_id: string },
    private readonly onMerge: OnMerge,
  ) {
    this.#lookup = platform.db.sql.query<{ thread_id: string }, [string, Uint8Array]>(
      "SELECT thread_id FROM thread_keys WHERE account_id = ? AND key_hmac = ?",
    );
    this.#insertKey = platform.db.sql.query(
      "INSERT OR IGNORE INTO thread_keys (account_id, key_hmac, thread_id) VALUES (?, ?, ?)",
    );
  }

  threadOfKey(key: string): string | undefined {
    return this.#lookup.get(this.account.id, this.#keyHmac(key))?.thread_id;
  }

  withSubject(key: string, from: number, to: number): Iterable<{ message: LinkMessage; thread: string }> {
    return this.#candidates(key, from, to, false);
  }

  /** Like this index, but for a message that is no bare reply itself: only bare replies can be linked with it. */
  forMessage(message: LinkMessage): ThreadIndex<LinkMessage, string> {
    if (isBareReply(message)) return this;
    return {
      threadOfKey: (key) => this.threadOfKey(key),
      withSubject: (key, from, to) => this.#candidates(key, from, to, true),
      create: () => this.create(),
      merge: (threads) => this.merge(threads),
      add: (added, thread, keys) => this.add(added, thread, keys),
    };
  }

  create(): string {
    return this.platform.newId("thread");
  }

  /** The oldest id survives; the others stay valid as aliases. */
  merge(threads: [string, string, ...string[]]): string {
    const [survivor, ...absorbed] = [...threads].sort() as [string, ...string[]];
    this.onMerge(survivor, absorbed);
    return survivor;
  }

  add(_message: LinkMessage, thread: string, keys: string[]): void {
    for (const key of keys) this.#insertKey.run(this.account.id, this.#keyHmac(key), thread);
  }

  *#candidates(
    key: string,
    from: number,
    to: number,
    bareOnly: boolean,
  ): Generator<{ message: LinkMessage; thread: string }> {
    const sealer = this.platform.keyring.forUser(this.account.user_id);
    const rows = this.platform.db.sql
      .query<
        { id: string; thread_id: string; head: Uint8Array; sent_date: number },
        [string, Uint8Array, number, number, number]
      >(
        `SELECT id, thread_id, head, sent_date FROM messages
         WHERE account_id = ? AND subject_hmac = ? AND sent_date BETWEEN ? AND ? AND bare_reply >= ?
         ORDER BY sent_date LIMIT ${MAX_SUBJECT_CANDIDATES}`,
      )
      .all(this.account.id, sealer.hmac("subject", key), from, to, bareOnly ? 1 : 0);
    for (const row of rows) {
      yield { message: linkMessage(openHead(sealer, row.id, row.head), row.sent_date), thread: row.thread_id };
    }
  }

  #keyHmac(key: string): Uint8Array {
    return this.platform.keyring.forUser(this.account.user_id).hmac("thread-key", key);
  }
}

/** A stored or arriving message as threading sees it. */
export function linkMessage(
  head: Pick<
    MessageHead,
    "subject" | "from" | "reply_to" | "to" | "cc" | "bcc" | "message_id" | "in_reply_to" | "references"
  >,
  sent_date: number,
  server_thread_id: string | null = null,
): LinkMessage {
  return {
    messageId: head.message_id,
    inReplyTo: head.in_reply_to,
    references: head.references,
    serverThreadId: server_thread_id,
    subject: head.subject,
    participants: participantsOf(head),
    date: sent_date,
  };
}

export { isBareReply, subjectKey };
