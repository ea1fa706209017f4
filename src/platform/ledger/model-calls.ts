import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { AiEgressRow } from "./tables.ts";

/** The purpose of a call to a language model. */
export type ModelPurpose = AiEgressRow["purpose"];

/** A call that is about to be made: what leaves this machine, and its destination. */
export interface ModelCall {
  user_id: string;
  purpose: ModelPurpose;
  /** Host and port. */
  host: string;
  model: string;
  /** Size of the request's body. */
  bytes_out: number;
  /** The messages whose text is in the request. */
  message_ids: readonly string[];
}

/** The end of a call. */
export interface ModelCallEnd {
  /** "ok" or the kind of the fault. */
  result: string;
  bytes_in: number;
}

/** A recorded call. Times are ms. */
export interface ModelCallRow {
  id: number;
  purpose: string;
  host: string;
  model: string;
  bytes_out: number;
  bytes_in: number | null;
  message_ids: string[];
  /** "ok" or the kind of the fault; null if the process ended during the call. */
  result: string | null;
  started_at: number;
  ended_at: number | null;
}

/** Totals of the calls to one host. */
export interface ModelCallTotal {
  host: string;
  calls: number;
  failed: number;
  bytes_out: number;
  bytes_in: number;
  /** ms. */
  last_at: number;
}

/** Records what was sent to language models. The only owner of the `ai_egress` table. */
export class ModelCalls {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a call. The caller sends it only after this has committed, so that nothing is sent without a record.
   * @returns a function that records the end of the call
   */
  begin({ user_id, purpose, host, model, bytes_out, message_ids }: ModelCall): (end: ModelCallEnd) => void {
    const { db, clock } = this;
    const { id } = db.sql
      .query<Pick<AiEgressRow, "id">, [string, string, string, string, number, string, number]>(
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

  /** Returns a user's calls, newest first. @param before only calls before this id; null: all */
  list(user_id: string, before: number | null, limit: number): ModelCallRow[] {
    return this.db.sql
      .query<Omit<AiEgressRow, "user_id">, [string, number, number]>(
        `SELECT id, purpose, host, model, bytes_out, bytes_in, messages, result, started_at, ended_at FROM ai_egress
         WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      )
      .all(user_id, before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ messages, ...row }) => ({ ...row, message_ids: JSON.parse(messages) as string[] }));
  }

  /** Returns a user's totals for each host, most recently used host first. */
  totals(user_id: string): ModelCallTotal[] {
    return this.db.sql
      .query<ModelCallTotal, [string]>(
        `SELECT host, count(*) AS calls, sum(coalesce(result, '') <> 'ok') AS failed, sum(bytes_out) AS bytes_out,
           sum(coalesce(bytes_in, 0)) AS bytes_in, max(started_at) AS last_at
         FROM ai_egress WHERE user_id = ? GROUP BY host ORDER BY last_at DESC`,
      )
      .all(user_id);
  }

  /** Deletes calls from before `beforeMs`. @returns how many were deleted */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM ai_egress WHERE started_at < ?").run(beforeMs).changes;
  }
}
