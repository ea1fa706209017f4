import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { SearchProgress } from "../../mailbox/search/progress.ts";

export const AccountItem = Type.Object(
  {
    id: Type.String({ description: "`acc_…`" }),
    provider: OneOf(["imap", "gmail", "outlook", "sandbox", "imported"], {
      description:
        "Kind of mail provider. `imap`: an IMAP server. `sandbox`: the built-in sample mailbox. `imported`: a " +
        "mailbox that was read from files and has no server.",
    }),
    email: Type.String({ description: "Mailbox address." }),
    status: OneOf(["active", "connecting", "auth_failed", "unreachable", "paused"], {
      description: "Always `active` for a mailbox without a mail server.",
    }),
    last_sync_at: Nullable(
      Timestamp("When the mailbox was last found to be up to date. For an imported mailbox, when mail was last added."),
    ),
    last_error: Nullable(Type.String({ description: "Why the last attempt to reach the server failed." })),
    sync: Type.Object({
      phase: OneOf(["waiting", "importing", "live"], {
        description:
          "`waiting`: not started. `importing`: the first sync is running. `live`: up to date and watching for changes.",
      }),
      done: Type.Integer({ description: "Messages read so far." }),
      total: Type.Integer({ description: "Messages to read in total." }),
    }),
    search: Type.Object({
      done: Type.Integer({ description: "Messages in the semantic index." }),
      total: Type.Integer({ description: "Messages stored here." }),
      full_text: Type.Object(
        {
          done: Type.Integer({ description: "Messages in the full-text index." }),
          total: Type.Integer({ description: "Messages stored here." }),
        },
        {
          description:
            "Progress of the full-text index. New mail is indexed at once. After an upgrade, earlier mail is indexed " +
            "again in the background, newest first.",
        },
      ),
    }),
  },
  { $id: "Account" },
);
export type AccountItem = Static<typeof AccountItem>;

/** Maps a stored account and its search progress to the shape of the API. */
export function viewAccount(account: Account, search: SearchProgress): AccountItem {
  const { id, provider, email, status, last_sync_at, last_error, sync } = account;
  return {
    id,
    provider,
    email,
    status,
    last_sync_at: last_sync_at === null ? null : isoTime(last_sync_at),
    last_error,
    sync,
    search,
  };
}
