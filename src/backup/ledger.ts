import { statSync } from "node:fs";
import type { Platform } from "../platform/platform.ts";
import type { MadeBackup } from "./make.ts";
import { isAlive } from "./processes.ts";
import type { BackupRow } from "./tables.ts";

/** One backup and its outcome. */
export interface BackupRun {
  id: string;
  state: "running" | "done" | "failed";
  kind: "full" | "incremental";
  /** Absolute path. */
  file: string;
  /** Created by the schedule or the settings page, so retention may remove it. */
  kept: boolean;
  /** Id in the head of the file; null until the backup is done. */
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

type Stored = Omit<BackupRow, "started_by" | "removed_at">;

const COLUMNS = `id, state, kind, file, kept, backup_id, base_id, bytes, reused_bytes, row_count, file_count, sha256, error,
  started_at, ended_at`;
const CUT_OFF = "The process that created this backup ended before it was complete.";

/**
 * Forgets the running backups of a restored database. They are not failures: one of them is the backup that it was
 * restored from, which was complete, and the machine that made it records how it ended.
 */
export function forgetRunning({ sql }: Pick<Platform["db"], "sql">): void {
  sql.query("DELETE FROM backups WHERE state = 'running'").run();
}

/** Records every backup that any process begins. The only owner of the `backups` table. */
export class BackupLedger {
  constructor(private readonly platform: Pick<Platform, "db" | "clock" | "newId">) {}

  /** Records the start of a backup. @returns its id */
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

  /** Records a successful end. */
  done(id: string, { head, bytes, reused_bytes, rows, files, sha256 }: MadeBackup): void {
    const { db, clock } = this.platform;
    db.sql
      .query(
        `UPDATE backups SET state = 'done', backup_id = ?, base_id = ?, bytes = ?, reused_bytes = ?, row_count = ?,
           file_count = ?, sha256 = ?, ended_at = ? WHERE id = ?`,
      )
      .run(head.id, head.chain.at(-1)?.id ?? null, bytes, reused_bytes, rows, files, sha256, clock.now(), id);
  }

  /** Records a failure. @param error a sentence for people */
  failed(id: string, error: string): void {
    this.platform.db.sql
      .query("UPDATE backups SET state = 'failed', error = ?, ended_at = ? WHERE id = ?")
      .run(error, this.platform.clock.now(), id);
  }

  /** Marks backups as failed whose process has ended. */
  endLost(): void {
    for (const { id, started_by } of this.platform.db.sql
      .query<Pick<BackupRow, "id" | "started_by">, []>("SELECT id, started_by FROM backups WHERE state = 'running'")
      .all()) {
      if (!isAlive(Number(started_by))) this.failed(id, CUT_OFF);
    }
  }

  /** Returns one backup, or null. */
  get(id: string): BackupRun | null {
    const row = this.platform.db.sql.query<Stored, [string]>(`SELECT ${COLUMNS} FROM backups WHERE id = ?`).get(id);
    return row && view(row);
  }

  /** Returns backups, newest first. */
  list(limit = 100): BackupRun[] {
    return this.platform.db.sql
      .query<Stored, [number]>(`SELECT ${COLUMNS} FROM backups ORDER BY started_at DESC, id DESC LIMIT ?`)
      .all(limit)
      .map(view);
  }

  /** Returns finished backups whose file still exists, newest first. */
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

  /** Records that retention has removed the file. */
  noteRemoved(id: string): void {
    this.platform.db.sql.query("UPDATE backups SET removed_at = ? WHERE id = ?").run(this.platform.clock.now(), id);
  }

  /** Deletes rows from before `beforeMs`, except those of files that may still exist. */
  prune(beforeMs: number): void {
    this.platform.db.sql
      .query("DELETE FROM backups WHERE started_at < ? AND (state = 'failed' OR removed_at IS NOT NULL)")
      .run(beforeMs);
  }
}

function view({ kept, row_count, file_count, ...row }: Stored): BackupRun {
  return { ...row, kept: kept === 1, rows: row_count, files: file_count };
}
