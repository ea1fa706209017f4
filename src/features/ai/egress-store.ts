import type { EgressLedger, ModelCall, ModelCallEnd } from "../../ml/language-model/ledger.ts";
import type { Platform } from "../../platform/platform.ts";

/** A call to a language model as the ledger has it. Times are ms. */
export interface LedgerRow {
  id: number;
  purpose: string;
  host: string;
  model: string;
  bytes_out: number;
  bytes_in: number | null;
  message_ids: string[];
  /** "ok", the kind of the fault, or null when the call was cut off. */
  result: string | null;
  started_at: number;
  ended_at: number | null;
}

/** The calls to one host in sum. */
export interface LedgerTotal {
  host: string;
  calls: number;
  failed: number;
  bytes_out: number;
  bytes_in: number;
  /** ms. */
  last_at: number;
}

/** What left this machine for a language model. The only owner of the `ai_egress` table. */
export class EgressStore implements EgressLedger {
  constructor(private readonly platform: Pick<Platform, "db" | "clock">) {}

  /** Commits before the caller sends: what cannot be noted is not sent. */
  begin({ user_id, purpose, host, model, bytes_out, message_ids }: ModelCall): (end: ModelCallEnd) => void {
    const { db, clock } = this.platform;
    const { id } = db.sql
      .query<{ id: number }, [string, string, string, string, number, string, number]>(
        `INSERT INTO ai_egress (user_id, purpose, host, model, bytes_out, messages, started_at)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      )
      .get(user_id, purpose, host, model, bytes_out, JSON.stringify(message_ids), clock.now())!;
    return ({ result, bytes_in }) => {
      db.sql
        .query("UPDATE ai_egress SET result = ?, bytes_in = ?, ended_at = ? WHERE id = ?")
        .run(result, bytes_in, clock.now(), id);
    };
  }

  /** Calls made for a user, newest first, before the row `before` when given. */
  list(user_id: string, before: number | null, limit: number): LedgerRow[] {
    return this.platform.db.sql
      .query<Omit<LedgerRow, "message_ids"> & { messages: string }, [string, number, number]>(
        `SELECT id, purpose, host, model, bytes_out, bytes_in, messages, result, started_at, ended_at FROM ai_egress
         WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      )
      .all(user_id, before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ messages, ...row }) => ({ ...row, message_ids: JSON.parse(messages) as string[] }));
  }

  /** What went to each host in sum, for a user, the most recent host first. */
  totals(user_id: string): LedgerTotal[] {
    return this.platform.db.sql
      .query<LedgerTotal, [string]>(
        `SELECT host, count(*) AS calls, sum(coalesce(result, '') <> 'ok') AS failed, sum(bytes_out) AS bytes_out,
           sum(coalesce(bytes_in, 0)) AS bytes_in, max(started_at) AS last_at
         FROM ai_egress WHERE user_id = ? GROUP BY host ORDER BY last_at DESC`,
      )
      .all(user_id);
  }

  /** Deletes calls older than `before_ms`. @returns how many */
  prune(before_ms: number): number {
    return this.platform.db.sql.query("DELETE FROM ai_egress WHERE started_at < ?").run(before_ms).changes;
  }
}
