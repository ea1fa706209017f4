import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { StoreEgressRow } from "./tables.ts";

/** What a request to an object store does. */
export type StoreAction = StoreEgressRow["action"];

export interface StoreCallTotals {
  calls: number;
  bytes_out: number;
  bytes_in: number;
}

/** Where requests to object stores are recorded. */
export type StoreCallRecorder = Pick<StoreCalls, "begin">;

const KEPT_MS = 30 * 86_400_000;

/** Records the requests to object stores. The only owner of the `store_egress` table. */
export class StoreCalls {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a request, before it leaves.
   * @param host host and port @returns a function that records the end: an HTTP status, "ok" or the kind of the fault
   */
  begin(call: {
    action: StoreAction;
    host: string;
    bytes_out: number;
  }): (end: { result: string; bytes_in: number }) => void {
    const { db, clock } = this;
    const { id } = db.sql
      .query<Pick<StoreEgressRow, "id">, [string, string, number, number]>(
        "INSERT INTO store_egress (action, host, bytes_out, started_at) VALUES (?, ?, ?, ?) RETURNING id",
      )
      .get(call.action, call.host, call.bytes_out, clock.now())!;
    return ({ result, bytes_in }) => {
      db.sql
        .query("UPDATE store_egress SET result = ?, bytes_in = ?, ended_at = ? WHERE id = ?")
        .run(result, bytes_in, clock.now(), id);
    };
  }

  /** Returns the totals since a time, ms. */
  totals(sinceMs: number): StoreCallTotals {
    return this.db.sql
      .query<StoreCallTotals, [number]>(
        `SELECT count(*) AS calls, coalesce(sum(bytes_out), 0) AS bytes_out, coalesce(sum(bytes_in), 0) AS bytes_in
         FROM store_egress WHERE started_at >= ?`,
      )
      .get(sinceMs)!;
  }

  /** Deletes records older than 30 days. */
  prune(): void {
    this.db.sql.query("DELETE FROM store_egress WHERE started_at < ?").run(this.clock.now() - KEPT_MS);
  }
}
