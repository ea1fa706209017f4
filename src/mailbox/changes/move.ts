import { type FolderRole, receivedState, type ThreadState, threadState } from "../store/state.ts";

/** A message of a thread that is to be moved. */
export interface Movable {
  id: string;
  internal_date: number;
  /** Roles of the folders that contain it. If a move is not on the server yet, only the role of that move's target. */
  roles: readonly FolderRole[];
}

/** The states that a thread can be moved to. */
export type MoveTarget = Exclude<ThreadState, "sent">;

/**
 * Returns the state that one message alone would give its thread; null for the user's own copies in Sent and Drafts.
 */
export function messageState(roles: readonly FolderRole[]): ThreadState | null {
  return receivedState(roles);
}

const isDiscarded = (state: ThreadState) => state === "trash" || state === "spam";

/**
 * Returns which messages go to another folder when a thread is moved (docs/mail.md, "Change a thread": only the
 * received copies move).
 *
 * The smallest set is taken that gives the thread the wanted state. So a single message that was deleted earlier stays
 * in the trash when the rest of the thread is archived, and mail that was archived long ago stays there when the newest
 * message is snoozed. Where no received copy has a folder, the messages that another program is moving are chosen.
 * @returns ids of the messages to move; empty when none has to move, and for a thread with only sent mail
 */
export function planMove(members: readonly Movable[], target: MoveTarget): string[] {
  const states = new Map(members.map((member) => [member.id, messageState(member.roles)]));
  const received = members.filter((member) => states.get(member.id) !== null);
  if (received.length === 0) return members.filter(({ roles }) => roles.length === 0).map(({ id }) => id);
  const choose = (fits: (state: ThreadState) => boolean) =>
    received.filter((member) => {
      const state = states.get(member.id)!;
      return state !== target && fits(state);
    });
  for (const fits of attempts(target, threadState(members))) {
    const chosen = choose(fits);
    if (stateAfter(members, chosen, target) === target) return chosen.map((member) => member.id);
  }
  return choose(() => true).map((member) => member.id);
}

/** Returns the sets to try, the smallest first, as conditions on the state of a single message. */
function attempts(target: MoveTarget, current: ThreadState | null): ((state: ThreadState) => boolean)[] {
  if (target === "trash") return [];
  // A thread in the trash or in spam leaves it as a whole.
  if (current !== null && isDiscarded(current)) return target === current ? [() => false] : [];
  const kept = (state: ThreadState) => !isDiscarded(state);
  if (target === "inbox") return [() => false, kept];
  if (target === "snoozed") return [(state) => state === "inbox", kept];
  return [kept];
}

function stateAfter(members: readonly Movable[], moved: readonly Movable[], target: MoveTarget): ThreadState | null {
  const ids = new Set(moved.map((member) => member.id));
  const role: FolderRole = target === "archived" ? "archive" : target;
  return threadState(members.map((member) => (ids.has(member.id) ? { ...member, roles: [role] } : member)));
}
