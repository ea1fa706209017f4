/** State of a thread (docs/mail.md, "Threads and their state"). */
export const THREAD_STATES = ["inbox", "archived", "snoozed", "trash", "spam", "sent"] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** The purpose of a folder. `all` is Gmail's All Mail. */
export const FOLDER_ROLES = ["inbox", "sent", "drafts", "trash", "spam", "archive", "snoozed", "all", "other"] as const;
export type FolderRole = (typeof FOLDER_ROLES)[number];

/** The location of one message, as far as it matters for the state of its thread. */
export interface Placement {
  internal_date: number;
  roles: readonly FolderRole[];
}

/**
 * Where copies of one message are in several folders, the first role of this list that occurs decides: the one that
 * says most about what the user wants.
 */
const RECEIVED: readonly (readonly [FolderRole, ThreadState])[] = [
  ["inbox", "inbox"],
  ["snoozed", "snoozed"],
  ["archive", "archived"],
  ["other", "archived"],
  ["all", "archived"],
  ["spam", "spam"],
  ["trash", "trash"],
];

/**
 * Returns the state that the folders of one message amount to; null when it is only in Sent or Drafts, or in no folder.
 */
export function receivedState(roles: readonly FolderRole[]): ThreadState | null {
  // Gmail keeps mail that people write in All Mail as well, so there "all" says nothing in addition.
  if (roles.includes("sent") || roles.includes("drafts")) roles = roles.filter((role) => role !== "all");
  for (const [role, state] of RECEIVED) if (roles.includes(role)) return state;
  return null;
}

/**
 * Returns the state of a thread: `inbox` when any message is in the inbox; otherwise the newest received message
 * decides; `sent` when there are only copies in Sent and Drafts; null when no message has a location (all vanished and
 * were not seen again yet).
 */
export function threadState(placements: readonly Placement[]): ThreadState | null {
  let newest: { at: number; state: ThreadState } | null = null;
  let placed = false;
  for (const { internal_date, roles } of placements) {
    if (roles.length > 0) placed = true;
    const state = receivedState(roles);
    if (state === "inbox") return "inbox";
    if (state !== null && (newest === null || internal_date >= newest.at)) newest = { at: internal_date, state };
  }
  if (newest) return newest.state;
  return placed ? "sent" : null;
}

const ARRIVED: readonly FolderRole[] = ["inbox", "snoozed", "spam", "trash"];

/**
 * Returns whether mail from one of the user's addresses was written by them, judged by its folders: anyone can forge
 * the user's address as From, but not put mail into their Sent folder. Mail that is filed elsewhere, or is no longer on
 * the server, is trusted.
 * @param hasSent the account has a Sent folder: in Gmail's All Mail, which holds everything, only mail that Sent shows
 * counts
 */
export function isWrittenByUser(roles: readonly FolderRole[], hasSent: boolean): boolean {
  if (roles.includes("sent") || roles.includes("drafts")) return true;
  if (hasSent && roles.includes("all")) return false;
  return !roles.some((role) => ARRIVED.includes(role));
}

/** Returns the folder that corresponds to a thread state on the server. */
export function roleOfState(state: Exclude<ThreadState, "sent">): FolderRole {
  return state === "archived" ? "archive" : state;
}
