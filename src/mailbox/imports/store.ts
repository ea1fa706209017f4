import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ImportAbout, ImportRow, ImportState } from "./tables.ts";

/** An import of an uploaded file. */
export interface UploadedImport extends Omit<ImportRow, "about" | "error">, ImportAbout {
  error: string | null;
}

/** How far an import has come. It is saved when the messages that it counts are stored. */
export type ImportProgress = Pick<
  ImportRow,
  "done_bytes" | "total_bytes" | "read_count" | "taken_count" | "known_count" | "cut_count" | "unreadable"
>;

export interface NewImport extends ImportAbout {
  user_id: string;
  account_id: string | null;
  bytes: number;
}

const ACTIVE = "('uploading', 'waiting', 'importing')";
/** Imports that a person sees at once. */
const LISTED = 20;
/** An upload that was not continued for this time ends. */
const UPLOAD_IDLE_MS = 24 * 3_600_000;
const RECORD_MS = 90 * 24 * 3_600_000;
const ABANDONED = "The upload was not continued within 24 hours. Start the import again.";

/** Records imports of uploaded files. The only owner of the `imports` table. */
export class ImportStore {
  constructor(private readonly platform: Pick<Platform, "db" | "clock" | "newId" | "keyring">) {}

  /** Adds an import whose upload begins. @throws ApiError import_running if the person has another */
  add({ user_id, account_id, bytes, ...about }: NewImport): UploadedImport {
    const { db, clock, newId, keyring } = this.platform;
    return db.write(() => {
      if (db.sql.query(`SELECT 1 FROM imports WHERE user_id = ? AND state IN ${ACTIVE}`).get(user_id)) {
        throw new ApiError("import_running", "Another import is not finished. Wait until it ends, or cancel it.");
      }
      const id = newId("import");
      const now = clock.now();
      db.sql
        .query(
          `INSERT INTO imports (id, user_id, account_id, state, about, bytes, created_at, updated_at)
           VALUES (?, ?, ?, 'uploading', ?, ?, ?, ?)`,
        )
        .run(id, user_id, account_id, keyring.forUser(user_id).sealJson(`imports.about:${id}`, about), bytes, now, now);
      return this.get(id)!;
    });
  }

  /** Returns an import, regardless of its owner; null if it does not exist. */
  get(id: string): UploadedImport | null {
    const row = this.platform.db.sql.query<ImportRow, [string]>("SELECT * FROM imports WHERE id = ?").get(id);
    return row && this.#open(row);
  }

  /** Returns an import of this person. @throws ApiError not_found */
  owned(user_id: string, id: string): UploadedImport {
    const row = this.platform.db.sql
      .query<ImportRow, [string, string]>("SELECT * FROM imports WHERE id = ? AND user_id = ?")
      .get(id, user_id);
    if (!row) throw notFound("import");
    return this.#open(row);
  }

  /** Returns the newest imports of a person, newest first. */
  list(user_id: string, limit = LISTED): UploadedImport[] {
    return this.platform.db.sql
      .query<ImportRow, [string, number]>("SELECT * FROM imports WHERE user_id = ? ORDER BY id DESC LIMIT ?")
      .all(user_id, limit)
      .map((row) => this.#open(row));
  }

  /** Counts received bytes. @returns false if the upload is no longer at `offset`, or has ended */
  received(id: string, offset: number, bytes: number): boolean {
    return (
      this.platform.db.sql
        .query(
          `UPDATE imports SET received_bytes = received_bytes + ?, updated_at = ?
           WHERE id = ? AND state = 'uploading' AND received_bytes = ?`,
        )
        .run(bytes, this.platform.clock.now(), id, offset).changes === 1
    );
  }

  /** Changes the state of an import that has not ended. @returns false if it has ended or does not exist */
  move(id: string, state: ImportState, error: string | null = null): boolean {
    const { db, clock, keyring } = this.platform;
    const now = clock.now();
    const ends = state === "done" || state === "failed" || state === "canceled";
    return db.write(() => {
      const row = db.sql
        .query<Pick<ImportRow, "user_id">, [string]>("SELECT user_id FROM imports WHERE id = ?")
        .get(id);
      if (!row) return false;
      const sealedError = error === null ? null : keyring.forUser(row.user_id).seal(`imports.error:${id}`, error);
      const { changes } = db.sql
        .query(
          `UPDATE imports SET state = ?, error = ?, updated_at = ?, ended_at = ? WHERE id = ? AND state IN ${ACTIVE}`,
        )
        .run(state, sealedError, now, ends ? now : null, id);
      return changes === 1;
    });
  }

  /** Records the mailbox that was created for an import. */
  setAccount(id: string, account_id: string): void {
    this.platform.db.sql.query("UPDATE imports SET account_id = ? WHERE id = ?").run(account_id, id);
  }

  /** Saves the progress. @returns false if the import was canceled or its mailbox was deleted */
  save(id: string, progress: ImportProgress): boolean {
    const { done_bytes, total_bytes, read_count, taken_count, known_count, cut_count, unreadable } = progress;
    return (
      this.platform.db.sql
        .query(
          `UPDATE imports SET done_bytes = ?, total_bytes = ?, read_count = ?, taken_count = ?, known_count = ?,
             cut_count = ?, unreadable = ?, updated_at = ? WHERE id = ? AND state = 'importing'`,
        )
        .run(
          ...[done_bytes, total_bytes, read_count, taken_count, known_count, cut_count, unreadable],
          this.platform.clock.now(),
          id,
        ).changes === 1
    );
  }

  /** Returns the ids of imports that still need their uploaded file. */
  active(): string[] {
    return this.platform.db.sql
      .query<Pick<ImportRow, "id">, []>(`SELECT id FROM imports WHERE state IN ${ACTIVE}`)
      .all()
      .map(({ id }) => id);
  }

  /** Ends uploads that were not continued, and deletes old records. */
  prune(): void {
    const { db, clock } = this.platform;
    const idle = db.sql
      .query<Pick<ImportRow, "id">, [number]>("SELECT id FROM imports WHERE state = 'uploading' AND updated_at < ?")
      .all(clock.now() - UPLOAD_IDLE_MS);
    for (const { id } of idle) this.move(id, "failed", ABANDONED);
    db.sql.query("DELETE FROM imports WHERE ended_at < ?").run(clock.now() - RECORD_MS);
  }

  #open({ about, error, ...row }: ImportRow): UploadedImport {
    const sealer = this.platform.keyring.forUser(row.user_id);
    return {
      ...row,
      ...sealer.openJson(`imports.about:${row.id}`, about),
      error: error && sealer.open(`imports.error:${row.id}`, error),
    };
  }
}
