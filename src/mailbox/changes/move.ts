import { type FolderRole, receivedState, type ThreadState, threadState } from "../store/state.ts";

/** A message of the thread that is to be moved. */
export interface Movable {
  id: string;
  internal_date: number;
  /** Of the folders that it lies in; of the one that a change on its way gives it, where there is one. */
  roles: readonly FolderRole[];
}

/** Where a thread can be moved to. */
export type MoveTarget = Exclude<ThreadState, "sent">;

/** The state that one message stands for by itself; null for the user's own copies in Sent and Drafts. */
export function messageState(roles: readonly FolderRole[]): ThreadState | null {
  return receivedState(roles);
}

const thrownAway = (state: ThreadState) => state === "trash" || state === "spam";

/**
 * Which messages go to another folder when a thread is moved (docs/mail.md, "Change a thread": only the received copies move).
 *
 * A single message that somebody threw away earlier stays in the trash when the rest of the thread is archived, and mail that
 * was archived long ago stays where it is when the newest message is snoozed: the smallest set is taken that gives the thread
 * the wanted state. Where no received copy has a place, the messages follow that another program is moving.
 *
 * @returns ids of the messages to move; empty when nothing has to be, and for a thread with only sent mail
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

/** Sets to try, the smallest first, as conditions on a message's own state. */
function attempts(target: MoveTarget, current: ThreadState | null): ((state: ThreadState) => boolean)[] {
  if (target === "trash") return [];
  // Out of the trash or spam comes all of it.
  if (current !== null && thrownAway(current)) return target === current ? [() => false] : [];
  const kept = (state: ThreadState) => !thrownAway(state);
  if (target === "inbox") return [() => false, kept];
  if (target === "snoozed") return [(state) => state === "inbox", kept];
  return [kept];
}

function stateAfter(members: readonly Movable[], moved: readonly Movable[], target: MoveTarget): ThreadState | null {
  const ids = new Set(moved.map((member) => member.id));
  const role: FolderRole = target === "archived" ? "archive" : target;
  return threadState(members.map((member) => (ids.has(member.id) ? { ...member, roles: [role] } : member)));
}
