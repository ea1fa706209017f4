import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { IdempotencyRow } from "./tables.ts";

/** Time for which a reply is kept (docs/api.md, "Idempotent requests"). */
const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

/** One use of an Idempotency-Key. The same key with another path or by another user is another use. */
export interface KeyUse {
  user_id: string;
  method: string;
  /** The path as requested, with its ids. */
  path: string;
  key: string;
  /**
   * Id of the API key or session of the request. The reply belongs to it, because another one may have other rights.
   */
  credential_id: string;
  /** Equal for equal bodies. */
  fingerprint: string;
}

export interface StoredReply {
  status: number;
  /** Null if the reply has no body. */
  body: string | null;
}

export type Claim =
  | { state: "new" }
  | { state: "replay"; reply: StoredReply }
  /** The key was used with another body, or by another credential. */
  | { state: "conflict" }
  /** The first call is still running. */
  | { state: "running" };

type Row = Pick<IdempotencyRow, "body_hash" | "status" | "reply" | "started_by" | "created_at">;

const MATCH = "user_id = ? AND method = ? AND path = ? AND key_hash = ?";
type MatchValues = [string, string, string, Uint8Array];

/** Sealed replies of idempotent requests. In a transaction, action and reply are stored together. */
export class Idempotency {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    private readonly boot_id: string,
  ) {}

  /**
   * Marks the use as running, or returns the outcome of an earlier one. A use that an ended process left running may be
   * repeated, but only with the same body and credential. Rows of versions before 0.2 do not record a credential, so
   * they conflict until they expire.
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
      return { state: "new" };
    });
  }

  /** Stores the reply of a claimed use. */
  store(use: KeyUse, reply: StoredReply): void {
    const match = this.#match(use);
    const sealed = reply.body === null ? null : this.keyring.forUser(use.user_id).seal(context(match), reply.body);
    this.db.sql
      .query(`UPDATE idempotency SET status = ?, reply = ? WHERE ${MATCH}`)
      .run(reply.status, sealed, ...match);
  }

  /** Deletes a claimed use whose outcome must not be replayed. The next call counts as the first. */
  release(use: KeyUse): void {
    this.db.sql.query(`DELETE FROM idempotency WHERE ${MATCH} AND status IS NULL`).run(...this.#match(use));
  }

  /** Deletes replies older than 24 hours. @returns how many were deleted */
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
