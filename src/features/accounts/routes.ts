import { listOf } from "../../http/paging.ts";
import { type Route, read } from "../../http/route.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { SearchProgress } from "../../mailbox/search/progress.ts";
import { AccountItem, viewAccount } from "./model.ts";

/** Returns the routes for the connected mailboxes. They are read-only (docs/mail.md, "Mailboxes in the API"). */
export function accountRoutes(accounts: Accounts, progress: (account_id: string) => SearchProgress): Route[] {
  return [
    read({
      method: "GET",
      path: "/accounts",
      scope: "mail:read",
      operationId: "listAccounts",
      tag: "Accounts",
      summary: "List the connected mailboxes",
      description:
        "Lists all mailboxes on one page, in the order in which they were connected. Mailboxes are connected on the " +
        "settings page or on the command line, never through this API.",
      response: listOf(AccountItem, "AccountList"),
      examples: { response: { data: [EXAMPLE], has_more: false } },
      handle: ({ caller, pager }) => {
        const visible = accounts
          .list(caller.user_id)
          .filter((account) => caller.account_id === null || caller.account_id === account.id);
        return pager.reply("accounts", { items: visible, next: null }, (account) =>
          viewAccount(account, progress(account.id)),
        );
      },
    }),
  ];
}

const EXAMPLE: AccountItem = {
  id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
  provider: "imap",
  email: "alex@example.com",
  status: "active",
  last_sync_at: "2026-03-02T09:00:00.000Z",
  last_error: null,
  sync: { phase: "live", done: 18_204, total: 18_204 },
  search: { done: 18_204, total: 18_204, full_text: { done: 18_204, total: 18_204 } },
};
