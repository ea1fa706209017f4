import type { RequestContext } from "../../http/request-context.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { notFound } from "../../kernel/errors.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { OAUTH_PROVIDERS } from "../../wire/oauth/endpoints.ts";
import {
  type MailboxView,
  MailboxView as MailboxViewSchema,
  OAuthClientBody,
  OAuthClientList,
  OAuthFinish,
  OAuthStart,
  OAuthStarted,
} from "./model.ts";
import type { OAuthConnect } from "./oauth-service.ts";
import type { ConnectParts } from "./parts.ts";

/** Returns the routes for sign-in at a provider and for the OAuth clients. */
export function oauthAppRoutes(
  { clients }: Pick<ConnectParts, "clients">,
  oauth: OAuthConnect,
  view: (account: Account) => MailboxView,
): Route[] {
  return [
    change({
      method: "POST",
      path: "/mailboxes/oauth/start",
      audience: "session",
      body: OAuthStart,
      response: OAuthStarted,
      handle: ({ body, caller, context }) => ({ authorize_url: oauth.start(caller, body, redirectUri(context)) }),
    }),
    act({
      method: "POST",
      path: "/mailboxes/oauth/finish",
      audience: "session",
      body: OAuthFinish,
      response: MailboxViewSchema,
      handle: ({ body, caller, commit }) => oauth.finish(caller, body, (connected) => commit(() => view(connected()))),
    }),
    read({
      method: "GET",
      path: "/oauth-clients",
      audience: "session",
      response: OAuthClientList,
      handle: ({ caller, context }) => ({
        data: OAUTH_PROVIDERS.flatMap((provider) => {
          const client = clients.get(provider);
          if (!client) return [];
          const { client_id, client_secret, tenant } = client;
          const owner = caller.user.role === "owner";
          const redirect_uri = redirectUri(context);
          // Everyone may see whether sign-in at a provider is possible. Only the owner sees the client id.
          return [
            { provider, client_id: owner ? client_id : "", tenant, has_secret: client_secret !== "", redirect_uri },
          ];
        }),
      }),
    }),
    change({
      method: "PUT",
      path: "/oauth-clients/:provider",
      audience: "session",
      role: "owner",
      params: { provider: "text" },
      body: OAuthClientBody,
      handle: ({ params, body, caller }) => {
        const { client_id, client_secret = "", tenant } = body;
        const client = { client_id, client_secret, tenant: tenant ?? "" };
        clients.put(caller.user_id, caller.actor, providerOf(params.provider), client);
      },
    }),
    change({
      method: "DELETE",
      path: "/oauth-clients/:provider",
      audience: "session",
      role: "owner",
      params: { provider: "text" },
      handle: ({ params, caller }) => clients.remove(caller.user_id, caller.actor, providerOf(params.provider)),
    }),
  ];
}

/** Returns the redirect URI. It must equal the one registered with the provider exactly. */
function redirectUri({ base_url }: RequestContext): string {
  return `${base_url}/app/oauth/callback`;
}

function providerOf(name: string) {
  const provider = OAUTH_PROVIDERS.find((each) => each === name);
  if (!provider) throw notFound("provider");
  return provider;
}
