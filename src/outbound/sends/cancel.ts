import { utcDay } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Writer } from "../drafts/drafts.ts";
import type { DraftStore } from "../drafts/store.ts";
import type { Send, SendStatus, SendStore } from "./store.ts";

/** Why a send can no longer be canceled. */
const TOO_LATE: Record<Exclude<SendStatus, "undone">, string> = {
  scheduled: "The undo window has ended, and the message is being sent.",
  sending: "The undo window has ended, and the message is being sent.",
  sent: "The undo window has ended, and the message was sent.",
  failed: "This send has already failed. Nothing is being sent, and the draft was restored.",
};

export interface CancelParts {
  platform: Platform;
  sends: SendStore;
  draftStore: DraftStore;
}

/**
 * Cancels a send. Whichever of cancel and dispatch changes the row first wins, and the other finds it changed.
 * Repeating a successful cancel returns the same result.
 */
export class Canceler {
  constructor(private readonly parts: CancelParts) {}

  /**
   * Cancels a send. @returns the send, whose draft can be edited and sent again. @throws ApiError not_found,
   * undo_window_elapsed
   */
  cancel(sender: Writer, id: string): Send {
    const { platform, sends } = this.parts;
    return platform.db.write(() => {
      const send = sends.owned(sender, id);
      if (send.status === "undone") return send;
      if (!sends.undo(id)) {
        throw new ApiError("undo_window_elapsed", TOO_LATE[send.status]);
      }
      returnDraft(this.parts, send);
      // A send that was counted on another day stays counted on that day.
      const { created_at, pool_id } = send;
      if (utcDay(created_at) === utcDay(platform.clock.now())) platform.meters.refund("sends", pool_id, 1, created_at);
      const { user_id, actor, request_id } = sender;
      const before = { status: send.status };
      const after = { status: "undone", draft_id: send.draft_id };
      platform.audit.record({ user_id, actor, action: "send.cancel", target: id, before, after, request_id });
      return sends.get(id)!;
    });
  }
}

/**
 * Unlocks the draft of a send that did not happen. A draft composed and sent in one call becomes visible.
 * @param again whether its copy on the server may be gone without anyone having deleted it
 */
export function returnDraft(
  { platform, draftStore }: Pick<CancelParts, "platform" | "draftStore">,
  send: Send,
  again = false,
): void {
  if (send.draft_id === null) return;
  const returned = draftStore.release(send.draft_id, send.id, again);
  if (!returned?.wasHidden) return;
  const draft = draftStore.get(send.draft_id)!;
  platform.events.emit(send.user_id, "draft.created", { draft_id: draft.id, thread_id: draft.thread_id });
}
