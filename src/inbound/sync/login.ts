import type { ImapFlow } from "imapflow";
import { type AccessTokens, NoToken } from "../../mailbox/accounts/access-tokens.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Connection } from "../../mailbox/accounts/tables.ts";
import { type ConnectOptions, connectImap } from "../../wire/imap/connect.ts";
import { ExplainedFailure, isRefusedLogin } from "../../wire/imap/failures.ts";
import { problem } from "../../wire/problems.ts";

/**
 * Signs in to an account's IMAP server. If the server refuses a token, the token is renewed and tried once more.
 * @throws what `connectImap` throws, or ExplainedFailure if there is no token
 */
export async function connectAccount(
  tokens: Pick<AccessTokens, "credentials">,
  account: Account,
  connection: Connection,
  options: ConnectOptions,
): Promise<ImapFlow> {
  const login = await credentials(tokens, account, connection);
  try {
    return await connectImap({ ...connection.imap, ...login }, options);
  } catch (error) {
    if (login.access_token === undefined || !isRefusedLogin(error)) throw error;
    const renewed = await credentials(tokens, account, connection, login.access_token);
    return connectImap({ ...connection.imap, ...renewed }, options);
  }
}

async function credentials(
  tokens: Pick<AccessTokens, "credentials">,
  account: Account,
  connection: Connection,
  refused?: string,
) {
  try {
    return await tokens.credentials(account, connection, refused);
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    if (error.reason === "withdrawn") throw new ExplainedFailure(problem("access_withdrawn"), true);
    if (error.reason === "client") throw new ExplainedFailure(problem("no_oauth_client"), true);
    throw new ExplainedFailure(problem("token_unavailable"), false);
  }
}
