import type { Platform } from "../../platform/platform.ts";
import { firstBits, type Sealer } from "../../platform/sealing/sealer.ts";
import type { MailOwner } from "../accounts/owner.ts";
import type { Threads } from "../threading/threads.ts";
import { tryOpenEnvelope } from "./envelope.ts";
import type { IncomingMessage } from "./incoming.ts";
import type { MessageRow } from "./tables.ts";

/** By chance, 24 of 100,000 messages share a tag. A tag is looked up once for each new correspondent. */
const SENDER_BITS = 12;
/** Messages of one tag that are opened per batch; their envelopes are held in memory. */
const BATCH_SIZE = 500;

type Candidate = Pick<MessageRow, "n" | "id" | "thread_id" | "head">;

/**
 * The addresses that the user has written to; mail from them is `primary` (docs/categories.md, "Correspondents"). The
 * caller opens the transaction.
 */
export class Correspondents {
  constructor(
    private readonly platform: Platform,
    private readonly threads: Threads,
  ) {}

  /** Stores the recipients of a message that the user sent, and marks the stored mail from them. */
  note(target: MailOwner, message: Pick<IncomingMessage, "to" | "cc" | "bcc">, recategorize: boolean): void {
    for (const { email } of [...message.to, ...message.cc, ...message.bcc]) {
      if (!email || target.self.has(email.toLowerCase())) continue;
      const hmac = addressHmac(this.#sealer(target), email);
      const { changes } = this.platform.db.sql
        .query("INSERT OR IGNORE INTO correspondents (account_id, address_hmac) VALUES (?, ?)")
        .run(target.id, hmac);
      // During the first sync a reply may be read after the mail that it answers. The result must not depend on that
      // order.
      if (changes > 0) this.#mark(target, email.toLowerCase(), recategorize);
    }
  }

  has(target: Pick<MailOwner, "id" | "user_id">, email: string): boolean {
    return this.#isKnown(target.id, addressHmac(this.#sealer(target), email));
  }

  /** Returns the values of `messages.sender_hmac` and `messages.from_correspondent` for mail from an address. */
  ofSender(target: MailOwner, email: string): { tag: Uint8Array; known: boolean } {
    const hmac = addressHmac(this.#sealer(target), email);
    return { tag: firstBits(hmac, SENDER_BITS), known: this.#isKnown(target.id, hmac) };
  }

  #isKnown(account_id: string, hmac: Uint8Array): boolean {
    return (
      this.platform.db.sql
        .query("SELECT 1 FROM correspondents WHERE account_id = ? AND address_hmac = ?")
        .get(account_id, hmac) !== null
    );
  }

  #mark(target: MailOwner, email: string, recategorize: boolean): void {
    const { sql } = this.platform.db;
    const mark = sql.query("UPDATE messages SET from_correspondent = 1 WHERE n = ?");
    const promote = sql.query(
      "UPDATE messages SET category = 'primary', category_reason = 'known-correspondent' WHERE n = ? AND category <> 'primary'",
    );
    const touched = new Set<string>();
    for (const { n, thread_id } of this.#from(target, email)) {
      mark.run(n);
      if (recategorize && promote.run(n).changes > 0) touched.add(thread_id);
    }
    for (const thread_id of touched) this.threads.refresh(thread_id);
  }

  /** Yields mail from an address that is not marked yet. */
  *#from(target: MailOwner, email: string): Generator<Candidate> {
    const sealer = this.#sealer(target);
    const tag = firstBits(addressHmac(sealer, email), SENDER_BITS);
    const batch = this.platform.db.sql.query<Candidate, [string, Uint8Array, number]>(
      `SELECT n, id, thread_id, head FROM messages
       WHERE account_id = ? AND sender_hmac = ? AND from_correspondent = 0 AND n > ? ORDER BY n LIMIT ${BATCH_SIZE}`,
    );
    for (let after = 0; ; ) {
      const candidates = batch.all(target.id, tag, after);
      for (const candidate of candidates) {
        if (tryOpenEnvelope(sealer, candidate.id, candidate.head)?.from.email.toLowerCase() === email) yield candidate;
      }
      if (candidates.length < BATCH_SIZE) return;
      after = candidates.at(-1)!.n;
    }
  }

  #sealer({ user_id }: Pick<MailOwner, "user_id">): Sealer {
    return this.platform.keyring.forUser(user_id);
  }
}

function addressHmac(sealer: Sealer, email: string): Uint8Array {
  return sealer.hmac("address", email.toLowerCase());
}
