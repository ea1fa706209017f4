import type { Folder } from "../../mailbox/store/folders.ts";
import type { ServerFlags, ViewLocation } from "../../mailbox/store/incoming.ts";
import { type MessageFlags, readFlags } from "../../wire/imap/flags.ts";
import { readGmailLabels } from "../../wire/imap/gmail.ts";
import type { Listed } from "./fetch.ts";

/** The server's metadata of a message in the mailbox's terms, without its content. */
export interface ServerMetadata {
  /** Null if the server left the flags out. */
  flags: ServerFlags | null;
  labels: string[];
  views: ViewLocation[];
}

/** The flags assumed when the server leaves them out. */
export const NO_FLAGS: MessageFlags = { seen: false, flagged: false, answered: false, draft: false, important: false };

/**
 * Reads flags and labels. On Gmail labels are labels, and a system label such as \Inbox puts the message into the view
 * of that role. Elsewhere keywords are labels.
 * @param views the views of the folder
 * @param labelOf returns the label for a keyword; null for keywords that are not labels of the user
 */
export function readServerMetadata(
  folder: Folder,
  views: readonly Folder[],
  listed: Pick<Listed, "flags" | "gmailLabels">,
  labelOf: (keyword: string) => string | null,
): ServerMetadata {
  const flags = readFlags(listed.flags);
  const drafts = folder.role === "drafts";
  if (!listed.gmailLabels) {
    const labels = [...(listed.flags ?? [])].map(labelOf).filter((label) => label !== null);
    return { flags: flags && { ...flags, draft: flags.draft || drafts }, labels, views: [] };
  }
  const snoozed = views.find(({ role }) => role === "snoozed")?.path ?? null;
  const word = readGmailLabels(listed.gmailLabels, snoozed);
  const shown = views.filter(({ role }) => word.views.some((view) => view === role));
  return {
    flags: {
      ...(flags ?? NO_FLAGS),
      flagged: flags?.flagged === true || word.starred,
      important: flags?.important === true || word.important,
      draft: flags?.draft === true || drafts || word.views.includes("drafts"),
    },
    labels: word.names,
    views: shown.map(({ id, role }) => ({ folderId: id, role })),
  };
}
