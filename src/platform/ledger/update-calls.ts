import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { UpdateEgressRow } from "./tables.ts";

const KEPT_MS = 365 * 86_400_000;

/** Records the requests for releases of the program. The only owner of the `update_egress` table. */
export class UpdateCalls {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a request, before it leaves.
   * @param host host and port @returns a function that records the end: an HTTP status or the kind of the fault
   */
  begin(call: Pick<UpdateEgressRow, "file" | "host">): (end: { result: string; bytes_in: number }) => void {
    const { db, clock } = this;
    const { id } = db.sql
      .query<Pick<UpdateEgressRow, "id">, [string, string, number]>(
        "INSERT INTO update_egress (file, host, started_at) VALUES (?, ?, ?) RETURNING id",
      )
      .get(call.file, call.host, clock.now())!;
    return ({ result, bytes_in }) => {
      db.sql
        .query("UPDATE update_egress SET result = ?, bytes_in = ?, ended_at = ? WHERE id = ?")
        .run(result, bytes_in, clock.now(), id);
    };
  }

  /** Returns the requests, newest first. */
  list(): UpdateEgressRow[] {
    return this.db.sql
      .query<UpdateEgressRow, []>(
        "SELECT id, file, host, bytes_in, result, started_at, ended_at FROM update_egress ORDER BY id DESC",
      )
      .all();
  }

  /** Deletes records older than a year. */
  prune(): void {
    this.db.sql.query("DELETE FROM update_egress WHERE started_at < ?").run(this.clock.now() - KEPT_MS);
  }
}
