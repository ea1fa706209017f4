import { isoTime } from "../../kernel/clock.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { completenessSentence } from "../../mailbox/accounts/completeness.ts";
import { searchProgress } from "../../mailbox/search/progress.ts";
import type { MailboxView } from "./model.ts";
import type { ConnectParts } from "./parts.ts";

type ViewParts = Pick<ConnectParts, "platform" | "mailbox" | "checks">;

/** Returns a mailbox as the settings page shows it, with the progress of each folder. */
export function viewMailbox({ platform, mailbox, checks }: ViewParts, account: Account): MailboxView {
  const { id, provider, email, status, last_sync_at, last_error, sync, aliases, read_only, is_primary } = account;
  const connection = mailbox.accounts.connection(account);
  const found = checks.of(account);
  return {
    id,
    provider,
    email,
    status,
    last_sync_at: timeOrNull(last_sync_at),
    last_error,
    sync,
    search: searchProgress(platform, id),
    auth: connection && (connection.oauth ? "oauth2" : "password"),
    oauth: connection?.oauth?.provider ?? null,
    imap: connection?.imap ?? null,
    smtp: connection?.smtp ?? null,
    username: connection?.username ?? null,
    read_only,
    primary: is_primary,
    aliases,
    folders: viewFolders({ platform, mailbox, checks }, account),
    completeness: {
      complete: found.complete,
      verified_at: timeOrNull(found.verified_at),
      sentence: completenessSentence(found, platform.clock.now()),
    },
  };
}

function viewFolders({ mailbox, checks }: ViewParts, account: Account): MailboxView["folders"] {
  const verified = checks.verifiedAt(account.id);
  return mailbox.folders.real(account).map(({ id, path, role, server_count }) => {
    const done = mailbox.locationSync.count(id);
    const total = Math.max(done, server_count);
    return { path, role, done, total, verified_at: timeOrNull(verified.get(id) ?? null) };
  });
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
