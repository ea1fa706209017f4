import type { Mailbox, Security } from "../../api/connect.ts";
import type { Option } from "../../parts/field.tsx";
import type { Tone } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";

export const SECURITY: readonly (Option & { value: Security })[] = [
  { value: "tls", label: "TLS" },
  { value: "starttls", label: "STARTTLS" },
  { value: "none", label: "None (own network)" },
];

export interface MailboxStatus {
  tone: Tone;
  word: string;
  sentence: string;
}

/** How a mailbox is, in a word and a sentence. */
export function statusOf(box: Mailbox): MailboxStatus {
  const { status, sync } = box;
  if (box.provider === "imported") {
    return sync.phase === "live"
      ? { tone: "good", word: "Imported", sentence: "Read from files. This is the only copy." }
      : {
          tone: "warn",
          word: "Importing",
          sentence: "An import is running or was interrupted. To complete it, run the same import again.",
        };
  }
  if (status === "paused")
    return { tone: "quiet", word: "Paused", sentence: "Nothing is fetched or sent until you go on." };
  if (status === "auth_failed") {
    const again = box.auth === "oauth2" ? "Connect it again." : "Give the new password.";
    return { tone: "bad", word: "Sign-in refused", sentence: `The server refuses the sign-in. ${again}` };
  }
  if (status === "unreachable") {
    return { tone: "warn", word: "Not reachable", sentence: "The server does not answer. Postroom keeps trying." };
  }
  if (sync.phase !== "live" && sync.total === 0) {
    return { tone: "info", word: "Connecting", sentence: "Looking what there is." };
  }
  if (sync.phase === "live") {
    const { complete, sentence } = box.completeness;
    return complete === false
      ? { tone: "warn", word: "Catching up", sentence }
      : { tone: "good", word: "Live", sentence };
  }
  const sentence = `${count(sync.done)} of ${counted(sync.total, "message")} so far, newest first.`;
  return { tone: "info", word: "Fetching", sentence };
}

const PROVIDERS: Record<string, string> = {
  imap: "IMAP",
  gmail: "Gmail",
  outlook: "Outlook",
  sandbox: "Sample mail",
  imported: "Imported files",
};

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

export function roleLabel(role: string | null): string | null {
  return role ? (ROLES[role] ?? null) : null;
}
