/** State of a thread (docs/mail.md, "Threads and their state"). */
export const THREAD_STATES = ["inbox", "archived", "snoozed", "trash", "spam", "sent"] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** What a folder is for. `all` is Gmail's All Mail. */
export const FOLDER_ROLES = ["inbox", "sent", "drafts", "trash", "spam", "archive", "snoozed", "all", "other"] as const;
export type FolderRole = (typeof FOLDER_ROLES)[number];

/** Where one message lies, as far as the state of its thread goes. */
export interface Placement {
  internal_date: number;
  roles: readonly FolderRole[];
}

/** Where copies of one message lie in several folders, the one that says most about the user's wish decides. */
const RECEIVED: readonly (readonly [FolderRole, ThreadState])[] = [
  ["inbox", "inbox"],
  ["snoozed", "snoozed"],
  ["archive", "archived"],
  ["other", "archived"],
  ["all", "archived"],
  ["spam", "spam"],
  ["trash", "trash"],
];

/** The state that one message's places stand for; null when it is only in Sent or Drafts, or nowhere. */
export function receivedState(roles: readonly FolderRole[]): ThreadState | null {
  // Gmail keeps what people write in All Mail, too: there, "all" says nothing of its own.
  if (roles.includes("sent") || roles.includes("drafts")) roles = roles.filter((role) => role !== "all");
  for (const [role, state] of RECEIVED) if (roles.includes(role)) return state;
  return null;
}

/**
 * The state of a thread: `inbox` when any message is in the inbox; else the newest received message decides; `sent` when
 * there are only copies in Sent and Drafts; null when no message has a place (all vanished or not yet seen again).
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
 * Whether mail from one of the user's addresses was written by them, by where it lies: anybody can write their address as
 * From, but not put mail into their Sent folder. Mail filed elsewhere, or gone from the server, is believed.
 * @param has_sent the account has a Sent folder: in Gmail's All Mail, which holds everything, only what is shown there counts
 */
export function isOwnWriting(roles: readonly FolderRole[], has_sent: boolean): boolean {
  if (roles.includes("sent") || roles.includes("drafts")) return true;
  if (has_sent && roles.includes("all")) return false;
  return !roles.some((role) => ARRIVED.includes(role));
}

/** The folder that a thread state stands for on the server. */
export function roleOfState(state: Exclude<ThreadState, "sent">): FolderRole {
  return state === "archived" ? "archive" : state;
}
