import type { Caller } from "../../http/guard/caller.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Connection, OAuthFlow, OAuthProviderName } from "../../mailbox/accounts/tables.ts";
import type { MailServer } from "../../wire/autoconfig/found.ts";
import { PROVIDERS, providerOfHost } from "../../wire/autoconfig/providers.ts";
import { authorizeUrl, newSecrets } from "../../wire/oauth/authorize.ts";
import { endpointsOf } from "../../wire/oauth/endpoints.ts";
import { TokenFault, type Tokens } from "../../wire/oauth/token.ts";
import { normalizeEmail } from "../../wire/smtp/addresses.ts";
import type { OAuthFinish, OAuthStart } from "./model.ts";
import type { ConnectParts } from "./parts.ts";
import { authorOf, type Mailboxes } from "./service.ts";

const TITLES: Record<OAuthProviderName, string> = { google: "Google", microsoft: "Microsoft" };

/** Connects mailboxes by sign-in at the provider (RFC 6749 §4.1 with PKCE). Both logins are tried before anything is stored. */
export class OAuthConnect {
  constructor(
    private readonly parts: ConnectParts,
    private readonly mailboxes: Mailboxes,
  ) {}

  /** Returns the page to send the person to. @throws ApiError oauth_client_missing, mailbox_exists, not_found, invalid_params */
  start(caller: Caller, body: OAuthStart, redirect_uri: string): string {
    const { accounts } = this.parts.mailbox;
    const { provider } = body;
    const client = this.#client(provider);
    const account = body.account_id == null ? null : accounts.owned(caller.user_id, body.account_id, "account_id");
    const email = account?.email ?? normalizeEmail(body.email);
    if (email === null) throw invalidParam("email", "This is not an email address. Use the form you@example.org.");
    if (!account) accounts.requireNew(caller.user_id, email);
    const connection = account ? this.#known(account) : this.#wanted(body, email);
    this.#requireProvidersServers(provider, connection);
    const secrets = newSecrets();
    const flow: OAuthFlow = {
      provider,
      email,
      account_id: account?.id ?? null,
      verifier: secrets.verifier,
      redirect_uri,
      ...connection,
    };
    this.parts.flows.begin(caller.user_id, secrets.state, flow);
    const endpoints = endpointsOf(this.parts.platform.config, provider, client);
    return authorizeUrl(endpoints, { client_id: client.client_id, redirect_uri, email }, secrets);
  }

  /** Completes the sign-in and connects the mailbox, or connects it again. @throws ApiError oauth_refused, connection_failed */
  async finish<T>(caller: Caller, body: OAuthFinish, store: (connected: () => Account) => T): Promise<T> {
    const flow = this.parts.flows.take(caller.user_id, body.state);
    if (!flow)
      throw refused("This sign-in has expired, is already finished, or was started by someone else. Start again.");
    const title = TITLES[flow.provider];
    if (body.code === undefined) {
      const denied = body.error === "access_denied";
      throw refused(
        denied
          ? `You did not give Postroom access at ${title}. Start again to connect the mailbox.`
          : `The sign-in at ${title} failed. Start again.`,
      );
    }
    const tokens = await this.#redeem(flow, body.code);
    const { imap, smtp, username } = flow;
    const login = { imap, smtp, username, password: "", access_token: tokens.access_token };
    const { provider } = await this.mailboxes.tryLogin(caller, login);
    return store(() => this.#keep(caller, flow, tokens, provider));
  }

  #keep(
    caller: Caller,
    flow: OAuthFlow,
    tokens: Tokens & { refresh_token: string },
    provider: Account["provider"],
  ): Account {
    const { mailbox, platform } = this.parts;
    const { imap, smtp, username, email } = flow;
    const now = platform.clock.now();
    const connection: Connection = {
      imap,
      smtp,
      username,
      password: "",
      oauth: { provider: flow.provider, granted_at: now },
    };
    const by = authorOf(caller);
    let account: Account;
    if (flow.account_id === null) {
      account = mailbox.accounts.add({ user_id: caller.user_id, provider, email, connection, actor: by });
    } else {
      account = mailbox.accounts.owned(caller.user_id, flow.account_id);
      mailbox.accounts.setConnection(account, connection, by);
    }
    const { access_token, refresh_token, expiresInS } = tokens;
    const expires_at = now + expiresInS * 1000;
    this.parts.tokens.store(account, { provider: flow.provider, access_token, refresh_token, expires_at });
    this.mailboxes.syncNow(account);
    return mailbox.accounts.owned(caller.user_id, account.id);
  }

  async #redeem(flow: OAuthFlow, code: string): Promise<Tokens & { refresh_token: string }> {
    const { verifier, redirect_uri, provider } = flow;
    try {
      const tokens = await this.parts.redeem(provider, this.#client(provider), {
        code,
        redirect_uri,
        code_verifier: verifier,
      });
      const { refresh_token } = tokens;
      if (refresh_token !== null) return { ...tokens, refresh_token };
    } catch (error) {
      if (!(error instanceof TokenFault)) throw error;
      throw refused(`${TITLES[provider]} did not complete the sign-in: ${error.message}.`, error);
    }
    throw refused(
      `${TITLES[provider]} granted access for one hour only. Check that the OAuth client allows offline access.`,
    );
  }

  #client(provider: OAuthProviderName) {
    const client = this.parts.clients.get(provider);
    if (client) return client;
    const words =
      `No OAuth client ID for ${TITLES[provider]} is stored yet. The owner of this installation can add one under ` +
      "Mailboxes.";
    throw new ApiError("oauth_client_missing", words);
  }

  #known(account: Account): Servers {
    const connection = this.parts.mailbox.accounts.connection(account);
    if (!connection) throw invalidParam("account_id", "The sandbox has no mail server to connect to.");
    const { imap, smtp, username } = connection;
    return { imap, smtp, username };
  }

  #wanted({ provider, imap, smtp, username }: OAuthStart, email: string): Servers {
    const usual = PROVIDERS.find(({ oauth }) => oauth === provider)!;
    if (!imap) return { imap: usual.imap, smtp: usual.smtp, username: username ?? email };
    return { imap, smtp: smtp ?? null, username: username ?? email };
  }

  /**
   * Refuses other servers, because a token gives access to the whole mailbox: it is sent only to the provider's servers
   * and to those in `mail.allow`. @throws ApiError invalid_params
   */
  #requireProvidersServers(provider: OAuthProviderName, { imap, smtp }: Servers): void {
    const trusted = this.parts.platform.config.get("mail.allow");
    for (const [param, server] of Object.entries({ imap, smtp })) {
      if (!server || trusted.includes(server.host)) continue;
      const itsOwn = providerOfHost(server.host)?.oauth === provider && server.security !== "none";
      if (!itsOwn) throw invalidParam(param, `${server.host} is not a server of ${TITLES[provider]}.`);
    }
  }
}

interface Servers {
  imap: MailServer;
  smtp: MailServer | null;
  username: string;
}

function refused(words: string, cause?: unknown): ApiError {
  return new ApiError("oauth_refused", words, { cause });
}
