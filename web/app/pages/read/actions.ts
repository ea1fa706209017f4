import type { Thread, ThreadItem, ThreadPatch, ThreadPatched } from "../../../../src/features/threads/model.ts";
import { messageOf, v1 } from "../../api/client.ts";
import { sandbox } from "../../state/sandbox.ts";
import { showToast } from "../../state/toasts.ts";
import { type Changed, inverseOf, type ThreadBefore } from "./undo.ts";

/** The thread that an action applies to. The list has no snooze time. */
export type ActedOn = Pick<ThreadItem, "id" | "subject" | "state" | "labels" | "unread" | "starred"> & {
  snooze_until?: string | null;
};

type Listener = (id: string, changed: Changed) => void;

const listeners = new Set<Listener>();
const running = new Set<string>();

/** Calls back after each change of a thread, undos included. @returns a function that ends this */
export function onThreadChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the time of a snoozed thread, which lists do not have. */
async function beforeOf(thread: ActedOn): Promise<ThreadBefore> {
  const { state, labels, unread, starred, snooze_until } = thread;
  if (snooze_until !== undefined || state !== "snoozed")
    return { state, labels, unread, starred, snooze_until: snooze_until ?? null };
  return await v1<Thread>("GET", pathOf(thread.id));
}

/**
 * Changes a thread and offers to undo the change.
 * @param done what happened: "Archived". Without it, the change is silent.
 * @returns whether the thread was changed
 */
async function changeThread(thread: ActedOn, patch: ThreadPatch, done?: string): Promise<boolean> {
  const { id } = thread;
  // A key that repeats must not record a half-changed thread as the state to go back to.
  if (done && running.has(id)) return false;
  if (done) running.add(id);
  const inSandbox = sandbox.value;
  try {
    const before = await beforeOf(thread);
    await send(id, patch, inSandbox);
    if (done) offerUndo(thread, before, patch, done, inSandbox);
    return true;
  } catch (error) {
    showToast(messageOf(error), "bad");
    return false;
  } finally {
    if (done) running.delete(id);
  }
}

function offerUndo(thread: ActedOn, before: ThreadBefore, patch: ThreadPatch, done: string, inSandbox: boolean): void {
  const undo = async () => {
    try {
      await send(thread.id, inverseOf(patch, before, Date.now()), inSandbox);
      showToast(`Undone: ${done.charAt(0).toLowerCase()}${done.slice(1)}.`);
    } catch (error) {
      showToast(messageOf(error), "bad");
    }
  };
  const subject = thread.subject || "(no subject)";
  showToast(`${done}: “${subject}”`, "good", { label: "Undo", act: () => void undo() });
}

async function send(id: string, patch: ThreadPatch, inSandbox: boolean): Promise<void> {
  const { state, labels, unread } = await v1<ThreadPatched>("PATCH", pathOf(id), { body: patch, inSandbox });
  const changed: Changed = { state, labels, unread };
  if (patch.starred !== undefined) changed.starred = patch.starred;
  if (patch.state !== undefined || patch.snooze_until !== undefined) changed.snooze_until = patch.snooze_until ?? null;
  if (inSandbox === sandbox.value) for (const listener of listeners) listener(id, changed);
}

function pathOf(id: string): string {
  return `/threads/${encodeURIComponent(id)}`;
}

/** Archives a thread, unless it is archived or has only sent mail. */
export const archive = (thread: ActedOn) => move(thread, "archived", "Archived");
export const trash = (thread: ActedOn) => move(thread, "trash", "Moved to trash");
export const markSpam = (thread: ActedOn) => move(thread, "spam", "Moved to spam");
export const moveToInbox = (thread: ActedOn) => move(thread, "inbox", "Moved to the inbox");

/** Returns whether a thread can be moved: the API cannot move a thread with only sent mail back to Sent. */
export function isMovable({ state }: Pick<ActedOn, "state">): boolean {
  return state !== "sent";
}

async function move(thread: ActedOn, state: NonNullable<ThreadPatch["state"]>, done: string): Promise<boolean> {
  if (!isMovable(thread)) {
    showToast("This thread has only mail that you sent. It stays under Sent.");
    return false;
  }
  if (thread.state === state) return false;
  return await changeThread(thread, { state }, done);
}

export function snooze(thread: ActedOn, until: Date, when: string): Promise<boolean> {
  return changeThread(thread, { snooze_until: until.toISOString() }, `Snoozed until ${when}`);
}

export function toggleStar(thread: ActedOn): Promise<boolean> {
  return changeThread(thread, { starred: !thread.starred }, thread.starred ? "Star removed" : "Starred");
}

export function markUnread(thread: ActedOn): Promise<boolean> {
  return changeThread(thread, { read: false }, "Marked as unread");
}

/** Marks a thread as read when it is opened. */
export function markRead(thread: ActedOn): Promise<boolean> {
  return thread.unread ? changeThread(thread, { read: true }) : Promise.resolve(false);
}

export function changeLabels(thread: ActedOn, add: string[], remove: string[]): Promise<boolean> {
  const patch: ThreadPatch = {};
  if (add.length > 0) patch.add_labels = add;
  if (remove.length > 0) patch.remove_labels = remove;
  return changeThread(thread, patch, "Labels changed");
}
