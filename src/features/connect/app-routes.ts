import { Type } from "@sinclair/typebox";
import { act, change, type Route, read } from "../../http/route.ts";
import {
  DiscoverBody,
  Discovered,
  LoginBody,
  MailboxList,
  MailboxPatch,
  MailboxView,
  NewMailbox,
  Tested,
} from "./model.ts";
import { oauthAppRoutes } from "./oauth-routes.ts";
import { OAuthConnect } from "./oauth-service.ts";
import type { ConnectParts } from "./parts.ts";
import { Mailboxes } from "./service.ts";
import { viewMailbox } from "./view.ts";

const session = { audience: "session" } as const;
const account = { params: { id: "account" } } as const;

/** Returns the routes with which the settings page connects mailboxes. */
export function connectAppRoutes(parts: ConnectParts): Route[] {
  const mailboxes = new Mailboxes(parts);
  const view = (account: Parameters<typeof viewMailbox>[1]) => viewMailbox(parts, account);
  return [
    read({
      method: "GET",
      path: "/mailboxes",
      ...session,
      followsSandbox: true,
      response: MailboxList,
      handle: ({ caller }) => ({ data: mailboxes.list(caller).map(view) }),
    }),
    read({
      method: "POST",
      path: "/mailboxes/discover",
      ...session,
      body: DiscoverBody,
      response: Discovered,
      handle: ({ body, caller }) => mailboxes.discover(caller, body.email),
    }),
    read({
      method: "POST",
      path: "/mailboxes/test",
      ...session,
      body: LoginBody,
      response: Tested,
      handle: async ({ body, caller }) => {
        const { imap, smtp } = await mailboxes.test(caller, body);
        return { imap, smtp };
      },
    }),
    act({
      method: "POST",
      path: "/mailboxes",
      ...session,
      body: NewMailbox,
      response: MailboxView,
      status: 201,
      handle: ({ body, caller, commit }) =>
        mailboxes.connect(caller, body, (connected) => commit(() => view(connected()))),
    }),
    act({
      method: "PATCH",
      path: "/mailboxes/:id",
      ...session,
      ...account,
      body: MailboxPatch,
      response: MailboxView,
      handle: ({ params, body, caller, commit }) =>
        mailboxes.update(caller, params.id, body, (changed) => commit(() => view(changed()))),
    }),
    change({
      method: "DELETE",
      path: "/mailboxes/:id",
      ...session,
      recentAuth: true,
      ...account,
      handle: ({ params, caller }) => mailboxes.remove(caller, params.id),
    }),
    change({
      method: "POST",
      path: "/mailboxes/:id/sync",
      ...session,
      ...account,
      body: Type.Object({}),
      handle: ({ params, caller }) => mailboxes.sync(caller, params.id),
    }),
    change({
      method: "POST",
      path: "/mailboxes/:id/check",
      ...session,
      ...account,
      body: Type.Object({}),
      handle: ({ params, caller }) => mailboxes.check(caller, params.id),
    }),
    ...oauthAppRoutes(parts, new OAuthConnect(parts, mailboxes), view),
  ];
}
