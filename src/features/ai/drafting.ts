import type { Caller } from "../../http/guard/caller.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { ThreadQueries } from "../../mailbox/queries/threads.ts";
import { CREDITS, requireCredits, spendCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { DraftNote, DraftNotes } from "./draft-notes.ts";
import type { DraftWriter, WrittenDraft } from "./write-draft.ts";

const LONGEST_INSTRUCTIONS_CHARS = 8_000;

export interface DraftInput {
  instructions?: string | undefined;
  reply_to_thread_id?: string | undefined;
  to?: string[] | undefined;
}

/** Writes drafts for the drafts feature, and returns how a draft was written. Composed in the server's wiring. */
export class Drafting {
  constructor(
    private readonly platform: Platform,
    private readonly threads: ThreadQueries,
    private readonly writer: Pick<DraftWriter, "write">,
    private readonly notes: DraftNotes,
  ) {}

  /**
   * Writes the text of a draft. Scope and credits are checked before any mail is read.
   * @throws ApiError forbidden_scope, insufficient_credits, invalid_params (`instructions`), not_found
   */
  async write(caller: Caller, asked: DraftInput): Promise<WrittenDraft> {
    if (!caller.key.scopes.includes("ai:invoke")) {
      throw new ApiError(
        "forbidden_scope",
        "use_ai requires the ai:invoke scope. Use a key that has this scope, or write the body yourself.",
      );
    }
    const { instructions = "", reply_to_thread_id, to = [] } = asked;
    if (instructions.length > LONGEST_INSTRUCTIONS_CHARS) {
      throw invalidParam("instructions", `Instructions can have at most ${LONGEST_INSTRUCTIONS_CHARS} characters.`);
    }
    if (instructions.trim() === "" && reply_to_thread_id === undefined) {
      throw invalidParam(
        "instructions",
        "There is nothing to write about. Send instructions, reply_to_thread_id, or both.",
      );
    }
    const thread_id =
      reply_to_thread_id === undefined
        ? null
        : this.threads.owned(caller, isId("thread", reply_to_thread_id) ? reply_to_thread_id : "", "reply_to_thread_id")
            .id;
    requireCredits(this.platform, caller.user, CREDITS.draft);
    const { user_id, account_id } = caller;
    return this.writer.write({ scope: { user_id, account_id }, thread_id, instructions, to, unasked: false });
  }

  /** Spends the credits and stores the note. Call it in the transaction that stores the draft. @throws ApiError insufficient_credits */
  keep(caller: Caller, draft_id: string, written: WrittenDraft): void {
    spendCredits(this.platform, caller.user, CREDITS.draft);
    this.notes.save(caller.user_id, draft_id, { ...written, credits: CREDITS.draft });
  }

  /** Returns null if the draft was written by hand. */
  noteOf(user_id: string, draft_id: string): DraftNote | null {
    return this.notes.get(user_id, draft_id);
  }
}
