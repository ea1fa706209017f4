import { Type } from "@sinclair/typebox";
import { type Route, read } from "../../http/route.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import {
  type Completeness,
  type CompletenessStore,
  completenessSentence,
} from "../../mailbox/accounts/completeness.ts";

const ROLES = ["inbox", "all", "sent", "drafts", "archive", "snoozed", "spam", "trash", "other"] as const;

const COUNTS = {
  server: Type.Integer({ description: "Messages on the server." }),
  here: Type.Integer({ description: "Messages stored here." }),
  missing: Type.Integer({ description: "Messages on the server that are not stored here." }),
  extra: Type.Integer({ description: "Messages stored here that are no longer on the server." }),
};

const CompletenessReply = Type.Object(
  {
    account_id: Type.String(),
    complete: Nullable(
      Type.Boolean({
        description:
          "True if no message is missing or surplus and no folder was refused. Null before the first comparison " +
          "and for mailboxes without a mail server.",
      }),
    ),
    sentence: Type.String({ description: "The result as a sentence for people." }),
    verified_at: Nullable(Timestamp("When the last complete comparison ended.")),
    error: Nullable(Type.String({ description: "Why the latest comparison did not finish." })),
    total: Type.Object(COUNTS),
    folders: Type.Array(
      Type.Object({
        path: Type.String(),
        role: OneOf(ROLES),
        ...COUNTS,
        refused: Type.Boolean({ description: "True if the server denied access to the folder." }),
        verified_at: Timestamp(),
      }),
    ),
  },
  { $id: "Completeness" },
);

interface CompletenessParts {
  accounts: Pick<Accounts, "owned">;
  checks: CompletenessStore;
  now: () => number;
}

/** Returns the routes that report whether a mailbox is stored here completely. */
export function completenessRoutes({ accounts, checks, now }: CompletenessParts): Route[] {
  return [
    read({
      method: "GET",
      path: "/accounts/:id/completeness",
      scope: "mail:read",
      operationId: "getCompleteness",
      tag: "Accounts",
      summary: "Get the completeness of a mailbox",
      description:
        "Returns the last comparison of every folder with the mail server, UID by UID. A comparison runs after the " +
        "first sync, then daily. You can also request one on the settings page or with `postroom account check`. " +
        "Missing messages are fetched at once and compared again before the result is recorded. On Gmail, only All " +
        "Mail, Spam and Trash are compared, because the other folders show the same messages.\n\nThe sandbox and " +
        "imported mailboxes have no mail server to compare with: `complete` is null, and `sentence` says so.",
      params: { id: "account" },
      response: CompletenessReply,
      examples: { response: EXAMPLE },
      handle: ({ params, caller }) => {
        if (caller.account_id !== null && caller.account_id !== params.id) throw notFound("account");
        const account = accounts.owned(caller.user_id, params.id);
        return viewCompleteness(account.id, checks.of(account), now());
      },
    }),
  ];
}

function viewCompleteness(account_id: string, found: Completeness, now: number) {
  const { complete, verified_at, error, total, folders } = found;
  return {
    account_id,
    complete,
    sentence: completenessSentence(found, now),
    verified_at: verified_at === null ? null : isoTime(verified_at),
    error,
    total,
    folders: folders.map((folder) => ({ ...folder, verified_at: isoTime(folder.verified_at) })),
  };
}

const COUNTED = { server: 12_431, here: 12_431, missing: 0, extra: 0 };
const EXAMPLE = {
  account_id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
  complete: true,
  sentence: "12,431 of 12,431 messages are here, verified 3 minutes ago.",
  verified_at: "2026-03-02T08:57:00.000Z",
  error: null,
  total: COUNTED,
  folders: [
    { path: "INBOX", role: "inbox" as const, ...COUNTED, refused: false, verified_at: "2026-03-02T08:57:00.000Z" },
  ],
};
