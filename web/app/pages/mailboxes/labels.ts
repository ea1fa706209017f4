import type { Mailbox, Security } from "../../api/connect.ts";
import type { Option } from "../../parts/field.tsx";
import type { Tone } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";

export const SECURITY: readonly (Option & { value: Security })[] = [
  { value: "tls", label: "TLS" },
  { value: "starttls", label: "STARTTLS" },
  { value: "none", label: "None (local network)" },
];

export interface MailboxStatus {
  tone: Tone;
  label: string;
  sentence: string;
}

/** Returns the status of a mailbox as a label and a sentence. */
export function statusOf(box: Mailbox): MailboxStatus {
  const { status, sync } = box;
  if (box.provider === "imported") {
    return sync.phase === "live"
      ? { tone: "good", label: "Imported", sentence: "Imported from files. This is the only copy." }
      : {
          tone: "warn",
          label: "Importing",
          sentence: "An import is running, or was interrupted. If it was interrupted, import the same files again.",
        };
  }
  if (box.provider === "sandbox") {
    return {
      tone: "info",
      label: "Sandbox",
      sentence: "Sample mail that you can change freely. It has no mail server.",
    };
  }
  if (status === "paused")
    return { tone: "quiet", label: "Paused", sentence: "Nothing is synced or sent until you resume." };
  if (status === "auth_failed") {
    const again = box.auth === "oauth2" ? "Reconnect the mailbox." : "Enter the new password.";
    return { tone: "bad", label: "Sign-in failed", sentence: `The mail server rejected the sign-in. ${again}` };
  }
  if (status === "unreachable") {
    return { tone: "warn", label: "Unreachable", sentence: "The mail server does not respond. Postroom keeps trying." };
  }
  if (sync.phase !== "live" && sync.total === 0) {
    return { tone: "info", label: "Connecting", sentence: "Reading the list of folders." };
  }
  if (sync.phase === "live") {
    const { complete, sentence } = box.completeness;
    return complete === false
      ? { tone: "warn", label: "Catching up", sentence }
      : { tone: "good", label: "Live", sentence };
  }
  const sentence = `${count(sync.done)} of ${counted(sync.total, "message")} synced, newest first.`;
  return { tone: "info", label: "Syncing", sentence };
}

const PROVIDERS: Record<string, string> = {
  imap: "IMAP",
  gmail: "Gmail",
  outlook: "Outlook",
  sandbox: "Sample mail",
  imported: "Imported files",
};

/** Returns the name of a mail provider. */
export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

const ROLES: Record<string, string> = {
  inbox: "Inbox",
  sent: "Sent",
  drafts: "Drafts",
  trash: "Trash",
  spam: "Spam",
  archive: "Archive",
  all: "All mail",
};

/** Returns the label of a folder's role; null when it has none. */
export function roleLabel(role: string | null): string | null {
  return role ? (ROLES[role] ?? null) : null;
}
