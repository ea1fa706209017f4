import type { Platform } from "../../platform/platform.ts";
import type { AiDraftRow } from "./tables.ts";
import type { WrittenDraft } from "./write-draft.ts";

/** How a draft was written. */
export interface DraftNote extends Omit<WrittenDraft, "body" | "cc" | "gaps"> {
  credits: number;
  gaps: string[];
}

/** Stores how AI drafts were written. The only owner of the `ai_drafts` table; a row is deleted with its draft. */
export class DraftNotes {
  constructor(private readonly platform: Platform) {}

  /** Call it in the transaction that stores the draft. */
  save(
    user_id: string,
    draft_id: string,
    { engine, credits, body: _, cc: __, ...notes }: WrittenDraft & { credits: number },
  ): void {
    const { db, keyring, clock } = this.platform;
    const sealed = keyring.forUser(user_id).sealJson(`ai_drafts.notes:${draft_id}`, notes);
    db.sql
      .query("INSERT INTO ai_drafts (draft_id, user_id, engine, credits, notes, created_at) VALUES (?, ?, ?, ?, ?, ?)")
      .run(draft_id, user_id, engine, credits, sealed, clock.now());
  }

  /** Returns null if the draft was written by hand. */
  get(user_id: string, draft_id: string): DraftNote | null {
    const { db, keyring } = this.platform;
    const row = db.sql
      .query<Pick<AiDraftRow, "engine" | "credits" | "notes">, [string, string]>(
        "SELECT engine, credits, notes FROM ai_drafts WHERE draft_id = ? AND user_id = ?",
      )
      .get(draft_id, user_id);
    if (!row) return null;
    const { notes, ...rest } = row;
    return {
      gaps: [],
      ...rest,
      ...keyring.forUser(user_id).openJson(`ai_drafts.notes:${draft_id}`, notes),
    };
  }
}
