import { type AccessTokens, NoToken } from "../../mailbox/accounts/access-tokens.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import { refusedByUs } from "../../wire/smtp/faults.ts";
import type { SmtpPool } from "../../wire/smtp/pool.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";

type Submit = SmtpPool["submit"];

/**
 * Wraps `submit` for mailboxes that sign in with tokens. The token is used in place of the password. If the server
 * refuses it, it is renewed and tried once more; nothing was submitted before that.
 */
export function submitWithTokens(
  submit: Submit,
  accounts: Pick<Accounts, "get" | "connection">,
  tokens: Pick<AccessTokens, "token">,
): Submit {
  return async (account_id, login, message) => {
    const account = accounts.get(account_id);
    if (!account || !accounts.connection(account)?.oauth) return submit(account_id, login, message);
    try {
      const access_token = await tokens.token(account);
      const result = await submit(account_id, { ...login, access_token }, message);
      if (result.outcome !== "refused" || result.stage !== "auth") return result;
      const renewed = await tokens.token(account, access_token);
      return await submit(account_id, { ...login, access_token: renewed }, message);
    } catch (error) {
      if (error instanceof NoToken) return withoutToken(error);
      throw error;
    }
  };
}

function withoutToken({ reason, message }: NoToken): SubmitResult {
  if (reason === "unavailable") return { outcome: "not_sent", reason: "connect", detail: message };
  return refusedByUs("auth", "The provider has revoked the access to this mailbox. Connect the mailbox again.");
}
