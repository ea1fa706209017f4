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
        "Kind of mail provider; `imap` is any IMAP server, `sandbox` the built-in sample mailbox, `imported` one that was read from files and has no server.",
    }),
    email: Type.String({ description: "Mailbox address." }),
    status: OneOf(["active", "connecting", "auth_failed", "unreachable", "paused"], {
      description: "Always `active` for a mailbox without a mail server.",
    }),
    last_sync_at: Nullable(
      Timestamp(
        "When the mailbox was last found to be up to date; for an imported one, when mail was last added to it.",
      ),
    ),
    last_error: Nullable(Type.String({ description: "Why the last attempt to reach the server failed." })),
    sync: Type.Object({
      phase: OneOf(["waiting", "importing", "live"], {
        description: "`waiting`: not begun; `importing`: the first sync; `live`: up to date and watching.",
      }),
      done: Type.Integer({ description: "Messages read so far." }),
      total: Type.Integer({ description: "Messages to read." }),
    }),
    search: Type.Object({
      done: Type.Integer({ description: "Messages that are indexed by meaning." }),
      total: Type.Integer({ description: "Messages here." }),
      full_text: Type.Object(
        {
          done: Type.Integer({ description: "Messages whose text is indexed." }),
          total: Type.Integer({ description: "Messages here." }),
        },
        {
          description:
            "The text of new mail is indexed at once. After an upgrade, the text of earlier mail is indexed again in the background, newest first.",
        },
      ),
    }),
  },
  { $id: "Account" },
);
export type AccountItem = Static<typeof AccountItem>;

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
