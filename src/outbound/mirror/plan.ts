import { type FolderRole, receivedState, type ThreadState } from "../../mailbox/store/state.ts";

/** The fields of a server copy that matter for moving it. */
export interface Copy {
  role: FolderRole;
}

/**
 * States in order of precedence. If copies are in several folders, the thread has the first of these (mailbox/state).
 */
const STRENGTH: readonly ThreadState[] = ["inbox", "snoozed", "archived", "spam", "trash"];

/**
 * Returns the copies of a message that have to move so that the message counts as being in a folder of role `target`.
 * These are all copies that would take precedence over that folder; if there are none and no copy is in the folder, the
 * copy with the highest precedence. Copies in Sent and Drafts stay. Copies of lower precedence also stay, so that
 * filing by a person is not undone needlessly. Returns nothing when nothing has to move or only copies in Sent and
 * Drafts are left.
 * @param labelsOnly true on Gmail, where folders are views of one message, so moving one copy moves all
 */
export function copiesToMove<C extends Copy>(copies: readonly C[], target: FolderRole, labelsOnly = false): C[] {
  const own = (role: FolderRole) => role === "sent" || role === "drafts";
  // Sent mail is also in Gmail's All Mail, which, as in mailbox/state, means nothing.
  const written = copies.some(({ role }) => own(role));
  const received = copies.filter(({ role }) => !own(role) && !(written && role === "all"));
  if (received.length === 0) return [];
  const sorted = received.toSorted((a, b) => strength(a.role) - strength(b.role));
  const wanted = strength(target);
  const stronger = sorted.filter(({ role }) => strength(role) < wanted);
  if (stronger.length > 0) return labelsOnly ? stronger.slice(0, 1) : stronger;
  if (sorted.some(({ role }) => strength(role) === wanted)) return [];
  return sorted.slice(0, 1);
}

function strength(role: FolderRole): number {
  const state = receivedState([role]);
  return state === null ? STRENGTH.length : STRENGTH.indexOf(state);
}

/** Returns the milliseconds to wait after the nth attempt in a row: 5 s, doubling, at most 5 min. */
export function retryDelay_ms(attempt: number): number {
  return Math.min(5_000 * 2 ** Math.min(attempt - 1, 10), 300_000);
}
