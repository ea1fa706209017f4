/** Gmail's IMAP extension (X-GM-EXT-1): one message per mailbox, labels instead of folders, thread ids. */
import type { ImapFlow } from "imapflow";
import { decodePath } from "imapflow/lib/tools.js";

/** Roles of folders that are only views of All Mail: a label decides whether a message is in them. */
export const GMAIL_VIEWS = ["inbox", "sent", "drafts", "snoozed"] as const;
type GmailView = (typeof GMAIL_VIEWS)[number];

/** Roles of the folders that hold messages in Gmail. */
export const GMAIL_FOLDERS = ["all", "spam", "trash"] as const;

/** System labels, lower case. They express state and flags; they are not labels of the user. */
const VIEW_LABELS: Readonly<Record<string, GmailView>> = {
  "\\inbox": "inbox",
  "\\sent": "sent",
  "\\draft": "drafts",
  "\\drafts": "drafts",
};

/** The content of X-GM-LABELS for one message. */
export interface GmailLabels {
  /** Labels that the user set, sorted. */
  names: string[];
  views: GmailView[];
  important: boolean;
  starred: boolean;
}

/** Returns whether the server has Gmail's extensions. */
export function isGmail(client: Pick<ImapFlow, "capabilities">): boolean {
  return client.capabilities.has("X-GM-EXT-1");
}

/** Decodes labels from the wire: like folder names, they are written in modified UTF-7. */
export function decodeGmailLabels(client: ImapFlow, labels: Set<string> | undefined): Set<string> | undefined {
  return labels && new Set([...labels].map((label) => (label.startsWith("\\") ? label : decodePath(client, label))));
}

/**
 * Separates the user's own labels from Gmail's system labels.
 * @param snoozedLabel the label of snoozed threads, because Gmail's own snoozing is not visible over IMAP
 */
export function readGmailLabels(labels: Iterable<string>, snoozedLabel: string | null): GmailLabels {
  const names: string[] = [];
  const views = new Set<GmailView>();
  const system = new Set<string>();
  for (const label of labels) {
    if (label === snoozedLabel) views.add("snoozed");
    else if (!label.startsWith("\\")) names.push(label);
    else {
      const name = label.toLowerCase();
      system.add(name);
      if (VIEW_LABELS[name]) views.add(VIEW_LABELS[name]);
    }
  }
  return {
    names: names.sort(),
    views: GMAIL_VIEWS.filter((view) => views.has(view)),
    important: system.has("\\important"),
    starred: system.has("\\starred"),
  };
}

/** How to move a message in Gmail: by changing its labels in All Mail, or by a MOVE. */
export type GmailMove =
  | { kind: "labels"; add: string[]; remove: string[] }
  | { kind: "move"; to: "inbox" | "snoozed" | "all" | "trash" | "spam" };

/**
 * Plans how to move a message from the folder that holds it to a role.
 * @param snoozedLabel name of the label of snoozed threads
 */
export function planGmailMove(
  from: (typeof GMAIL_FOLDERS)[number],
  to: "inbox" | "archive" | "snoozed" | "trash" | "spam",
  snoozedLabel: string,
): GmailMove {
  if (to === "trash" || to === "spam") return { kind: "move", to };
  // A message leaves Spam and Trash by a MOVE into the target view.
  if (from !== "all") return { kind: "move", to: to === "archive" ? "all" : to };
  if (to === "inbox") return { kind: "labels", add: ["\\Inbox"], remove: [snoozedLabel] };
  if (to === "snoozed") return { kind: "labels", add: [snoozedLabel], remove: ["\\Inbox"] };
  return { kind: "labels", add: [], remove: ["\\Inbox", snoozedLabel] };
}
