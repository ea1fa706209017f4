import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Keyring } from "../sealing/keyring.ts";

/** How long a reply is kept (docs/api.md, "Idempotent requests"). */
const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

/** One use of an Idempotency-Key. The same key under another path or by another user is another use. */
export interface KeyUse {
  user_id: string;
  method: string;
  /** The path as requested, ids included. */
  path: string;
  key: string;
  /** Id of the API key or session that asks. The reply belongs to it: another one may see less, or something else. */
  credential_id: string;
  /** A text that is equal for equal bodies. */
  fingerprint: string;
}

export interface StoredReply {
  status: number;
  /** Null: no body. */
  body: string | null;
}

export type Claim =
  | { state: "fresh" }
  | { state: "replay"; reply: StoredReply }
  /** The key was used with another body, or by another credential. */
  | { state: "conflict" }
  /** The first call is still running. */
  | { state: "running" };

interface Row {
  body_hash: Uint8Array;
  status: number | null;
  reply: Uint8Array | null;
  started_by: string;
  created_at: number;
}

const MATCH = "user_id = ? AND method = ? AND path = ? AND key_hash = ?";
type MatchValues = [string, string, string, Uint8Array];

/** Idempotent replies, sealed. A call inside a transaction makes action and reply atomic. */
export class Idempotency {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    private readonly boot_id: string,
  ) {}

  /**
   * Marks the use as running, or returns the outcome of an earlier one. A use that an earlier process left running
   * ended with it, so it may be repeated; its key still belongs to its body and credential. Rows of versions before 0.2
   * do not record their credential: they conflict until they expire.
   */
  claim(use: KeyUse): Claim {
    const match = this.#match(use);
    const body_hash = this.#hash(use.user_id, `${use.credential_id}\n${use.fingerprint}`);
    const now = this.clock.now();
    return this.db.write(() => {
      const row = this.db.sql
        .query<Row, MatchValues>(
          `SELECT body_hash, status, reply, started_by, created_at FROM idempotency WHERE ${MATCH}`,
        )
        .get(...match);
      const expired = row !== null && row.created_at <= now - IDEMPOTENCY_MS;
      if (row && !expired) {
        if (!Buffer.from(row.body_hash).equals(body_hash)) return { state: "conflict" };
        if (row.status !== null) return { state: "replay", reply: this.#open(use, row.status, row.reply) };
        if (row.started_by === this.boot_id) return { state: "running" };
      }
      this.db.sql
        .query(
          `INSERT OR REPLACE INTO idempotency (user_id, method, path, key_hash, body_hash, started_by, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...match, body_hash, this.boot_id, now);
      return { state: "fresh" };
    });
  }

  /** Keeps the reply of a claimed use. */
  store(use: KeyUse, reply: StoredReply): void {
    const match = this.#match(use);
    const sealed = reply.body === null ? null : this.keyring.forUser(use.user_id).seal(context(match), reply.body);
    this.db.sql
      .query(`UPDATE idempotency SET status = ?, reply = ? WHERE ${MATCH}`)
      .run(reply.status, sealed, ...match);
  }

  /** Forgets a claimed use whose outcome must not be repeated: the next call is a first call. */
  release(use: KeyUse): void {
    this.db.sql.query(`DELETE FROM idempotency WHERE ${MATCH} AND status IS NULL`).run(...this.#match(use));
  }

  /** Deletes what is older than 24 hours. @returns how many */
  prune(): number {
    return this.db.sql.query("DELETE FROM idempotency WHERE created_at <= ?").run(this.clock.now() - IDEMPOTENCY_MS)
      .changes;
  }

  #match({ user_id, method, path, key }: KeyUse): MatchValues {
    return [user_id, method, path, this.#hash(user_id, key)];
  }

  #hash(user_id: string, text: string): Uint8Array {
    return this.keyring.forUser(user_id).hmac("idempotency", text);
  }

  #open(use: KeyUse, status: number, sealed: Uint8Array | null): StoredReply {
    const sealer = this.keyring.forUser(use.user_id);
    return { status, body: sealed && sealer.open(context(this.#match(use)), sealed) };
  }
}

function context([user_id, method, path, key_hash]: MatchValues): string {
  return `idempotency.reply:${user_id} ${method} ${path} ${Buffer.from(key_hash).toString("hex")}`;
}
