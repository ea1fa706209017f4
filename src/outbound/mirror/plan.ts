import { type FolderRole, receivedState, type ThreadState } from "../../mailbox/store/state.ts";

/** A copy of a message on the server, as far as moving it goes. */
export interface Copy {
  role: FolderRole;
}

/** States by how much they say: where copies lie in several folders, the first of these is the thread's (mailbox/state). */
const STRENGTH: readonly ThreadState[] = ["inbox", "snoozed", "archived", "spam", "trash"];

/**
 * Which copies of a message have to move so that it counts as lying in a folder of role `target`: all that would outweigh
 * that folder; where none does and none is there, the one that says most. Copies in Sent and Drafts stay. Copies that say less
 * stay as well: what a person filed is not undone without need. Empty when nothing has to move, or only copies in Sent and Drafts are left.
 * @param labels_only on Gmail folders are views of one message, so moving one copy moves all
 */
export function copiesToMove<C extends Copy>(copies: readonly C[], target: FolderRole, labelsOnly = false): C[] {
  const own = (role: FolderRole) => role === "sent" || role === "drafts";
  // What people write lies in Gmail's All Mail, too; as in mailbox/state, that says nothing of its own.
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

/** Milliseconds to wait after the nth attempt in a row: 5 s, doubling, at most 5 min. */
export function retryDelay_ms(attempt: number): number {
  return Math.min(5_000 * 2 ** Math.min(attempt - 1, 10), 300_000);
}
