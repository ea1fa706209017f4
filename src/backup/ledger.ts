import { statSync } from "node:fs";
import type { Platform } from "../platform/platform.ts";
import type { MadeBackup } from "./make.ts";
import { isAlive } from "./processes.ts";

/** What became of one backup. */
export interface BackupRun {
  id: string;
  state: "running" | "done" | "failed";
  kind: "full" | "incremental";
  /** Absolute path. */
  file: string;
  /** One of the schedule's own, which retention removes. */
  kept: boolean;
  /** As the file says; null until it is done. */
  backup_id: string | null;
  base_id: string | null;
  bytes: number;
  reused_bytes: number;
  rows: number;
  files: number;
  sha256: string | null;
  error: string | null;
  started_at: number;
  ended_at: number | null;
}

interface Stored extends Omit<BackupRun, "kept" | "rows" | "files"> {
  kept: number;
  row_count: number;
  file_count: number;
}

const COLUMNS = `id, state, kind, file, kept, backup_id, base_id, bytes, reused_bytes, row_count, file_count, sha256, error,
  started_at, ended_at`;
const CUT_OFF = "It was cut off: the process that made it ended.";

/** In a restored folder no backup is under way: what looks so is the one that it was restored from. */
export function endRunning({ sql }: Pick<Platform["db"], "sql">, now: number): void {
  sql.query("UPDATE backups SET state = 'failed', error = ?, ended_at = ? WHERE state = 'running'").run(CUT_OFF, now);
}

/** Notes every backup that was begun, from whichever process. The only owner of the `backups` table. */
export class BackupLedger {
  constructor(private readonly platform: Pick<Platform, "db" | "clock" | "newId">) {}

  begin(run: Pick<BackupRun, "kind" | "file" | "kept">): string {
    const { db, clock, newId } = this.platform;
    const id = newId("backup");
    db.sql
      .query(
        `INSERT INTO backups (id, state, kind, file, kept, started_by, started_at) VALUES (?, 'running', ?, ?, ?, ?, ?)`,
      )
      .run(id, run.kind, run.file, run.kept ? 1 : 0, String(process.pid), clock.now());
    return id;
  }

  done(id: string, { head, bytes, reused_bytes, rows, files, sha256 }: MadeBackup): void {
    const { db, clock } = this.platform;
    db.sql
      .query(
        `UPDATE backups SET state = 'done', backup_id = ?, base_id = ?, bytes = ?, reused_bytes = ?, row_count = ?,
           file_count = ?, sha256 = ?, ended_at = ? WHERE id = ?`,
      )
      .run(head.id, head.chain.at(-1)?.id ?? null, bytes, reused_bytes, rows, files, sha256, clock.now(), id);
  }

  /** @param error a sentence for people */
  failed(id: string, error: string): void {
    this.platform.db.sql
      .query("UPDATE backups SET state = 'failed', error = ?, ended_at = ? WHERE id = ?")
      .run(error, this.platform.clock.now(), id);
  }

  /** Ends what processes left that are not alive any more. */
  endLost(): void {
    for (const { id, started_by } of this.platform.db.sql
      .query<{ id: string; started_by: string }, []>("SELECT id, started_by FROM backups WHERE state = 'running'")
      .all()) {
      if (!isAlive(Number(started_by))) this.failed(id, CUT_OFF);
    }
  }

  get(id: string): BackupRun | null {
    const row = this.platform.db.sql.query<Stored, [string]>(`SELECT ${COLUMNS} FROM backups WHERE id = ?`).get(id);
    return row && view(row);
  }

  /** Newest first. */
  list(limit = 100): BackupRun[] {
    return this.platform.db.sql
      .query<Stored, [number]>(`SELECT ${COLUMNS} FROM backups ORDER BY started_at DESC, id DESC LIMIT ?`)
      .all(limit)
      .map(view);
  }

  /** Finished ones whose file is there still, newest first. */
  present(limit = 1_000): BackupRun[] {
    return this.platform.db.sql
      .query<Stored, [number]>(
        `SELECT ${COLUMNS} FROM backups WHERE state = 'done' AND removed_at IS NULL
         ORDER BY started_at DESC, id DESC LIMIT ?`,
      )
      .all(limit)
      .map(view)
      .filter(({ file }) => statSync(file, { throwIfNoEntry: false })?.isFile());
  }

  noteRemoved(id: string): void {
    this.platform.db.sql.query("UPDATE backups SET removed_at = ? WHERE id = ?").run(this.platform.clock.now(), id);
  }

  /** Deletes rows older than `before_ms`, but those of files that may still be there. */
  prune(beforeMs: number): void {
    this.platform.db.sql
      .query("DELETE FROM backups WHERE started_at < ? AND (state = 'failed' OR removed_at IS NOT NULL)")
      .run(beforeMs);
  }
}

function view({ kept, row_count, file_count, ...row }: Stored): BackupRun {
  return { ...row, kept: kept === 1, rows: row_count, files: file_count };
}
