import type { Thread, ThreadPatch } from "../../../../src/features/threads/model.ts";

/** What a change needs to have an undo. */
export type ThreadBefore = Pick<Thread, "state" | "labels" | "unread" | "starred" | "snooze_until">;

/** Fields of a thread that a change can set. */
export type Changed = Partial<ThreadBefore>;

/**
 * Returns the change that restores a thread after `patch`. Threads with only sent mail are not moved, because no change
 * moves them back (`isMovable`).
 * @param nowMs a snooze that would have ended by now becomes the inbox
 */
export function inverseOf(patch: ThreadPatch, before: ThreadBefore, nowMs: number): ThreadPatch {
  const inverse: ThreadPatch = {};
  if (patch.read !== undefined) inverse.read = !before.unread;
  if (patch.starred !== undefined) inverse.starred = before.starred;
  if (patch.add_labels) inverse.remove_labels = patch.add_labels.filter((label) => !before.labels.includes(label));
  if (patch.remove_labels) inverse.add_labels = patch.remove_labels.filter((label) => before.labels.includes(label));
  if (patch.state === undefined && patch.snooze_until === undefined) return inverse;
  const { state, snooze_until: until } = before;
  if (state === "snoozed" && until !== null && Date.parse(until) > nowMs) return { ...inverse, snooze_until: until };
  const back = state === "snoozed" || state === "sent" ? "inbox" : state;
  return { ...inverse, state: back, snooze_until: null };
}
