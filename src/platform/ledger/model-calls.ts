import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";

/** What a language model is asked for. */
export type ModelPurpose = "draft" | "ask" | "summarize" | "extract" | "triage" | "probe";

/** A call that is about to be made: enough to tell afterwards what left this machine, and where to. */
export interface ModelCall {
  user_id: string;
  purpose: ModelPurpose;
  /** Host and port. */
  host: string;
  model: string;
  /** Of the request's body. */
  bytes_out: number;
  /** The messages whose text is in it. */
  message_ids: readonly string[];
}

/** How a call ended: "ok" or the kind of the fault. */
export interface ModelCallEnd {
  result: string;
  bytes_in: number;
}

/** A call as the ledger has it. Times are ms. */
export interface ModelCallRow {
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
export interface ModelCallTotal {
  host: string;
  calls: number;
  failed: number;
  bytes_out: number;
  bytes_in: number;
  /** ms. */
  last_at: number;
}

/** What left this machine for a language model. The only owner of the `ai_egress` table. */
export class ModelCalls {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /**
   * Commits before the caller sends: what cannot be noted is not sent.
   * @returns notes the end; without it the call counts as cut off
   */
  begin({ user_id, purpose, host, model, bytes_out, message_ids }: ModelCall): (end: ModelCallEnd) => void {
    const { db, clock } = this;
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
  list(user_id: string, before: number | null, limit: number): ModelCallRow[] {
    return this.db.sql
      .query<Omit<ModelCallRow, "message_ids"> & { messages: string }, [string, number, number]>(
        `SELECT id, purpose, host, model, bytes_out, bytes_in, messages, result, started_at, ended_at FROM ai_egress
         WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      )
      .all(user_id, before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ messages, ...row }) => ({ ...row, message_ids: JSON.parse(messages) as string[] }));
  }

  /** What went to each host in sum, for a user, the most recent host first. */
  totals(user_id: string): ModelCallTotal[] {
    return this.db.sql
      .query<ModelCallTotal, [string]>(
        `SELECT host, count(*) AS calls, sum(coalesce(result, '') <> 'ok') AS failed, sum(bytes_out) AS bytes_out,
           sum(coalesce(bytes_in, 0)) AS bytes_in, max(started_at) AS last_at
         FROM ai_egress WHERE user_id = ? GROUP BY host ORDER BY last_at DESC`,
      )
      .all(user_id);
  }

  /** Deletes calls older than `before_ms`. @returns how many */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM ai_egress WHERE started_at < ?").run(beforeMs).changes;
  }
}
