import type { FolderRow, Mailbox } from "../../api/connect.ts";
import { ButtonLink } from "../../parts/button.tsx";

/** Where the Read page lists the mail of folders without another role. */
const STATES: Record<string, string> = { inbox: "inbox", sent: "sent", spam: "spam", trash: "trash" };

/** A link to the mail of a mailbox: to its inbox, or, if that is empty, to where most of its mail is. */
export function ReadMail({ box }: { box: Mailbox }) {
  const query = new URLSearchParams({ account: box.id, state: stateOf(box.folders) });
  return (
    <ButtonLink small icon="read" href={`#/read?${query}`}>
      Read mail
    </ButtonLink>
  );
}

function stateOf(folders: readonly FolderRow[]): string {
  const largest = folders.reduce((best, one) => (one.done > best.done ? one : best), { role: "inbox", done: 0 });
  const hasInbox = folders.some(({ role, done }) => role === "inbox" && done > 0);
  return hasInbox ? "inbox" : (STATES[largest.role ?? ""] ?? "archived");
}
