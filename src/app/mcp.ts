import type { Socket } from "node:net";
import type { DraftReview } from "../features/ai/draft-review.ts";
import type { ApiGuard } from "../http/guard/api-guard.ts";
import type { Caller } from "../http/guard/caller.ts";
import { RouteCaller } from "../http/internal-call.ts";
import type { BearerPage, Page } from "../http/page.ts";
import type { Route } from "../http/route.ts";
import { isoTime } from "../kernel/clock.ts";
import { notFound } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { llmsPage } from "../mcp/llms-txt.ts";
import { bearerChallenge, MCP_PATH } from "../mcp/resource.ts";
import type { Extension } from "../mcp/server.ts";
import type { Lookups } from "../mcp/tool.ts";
import { ToolServer, toolServerOff } from "../mcp/tool-server.ts";
import { ConfirmedSends } from "../outbound/approvals/service.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { mcpEnabled } from "../platform/identity/tool-server.ts";
import type { Platform } from "../platform/platform.ts";
import { VERSION } from "../version.ts";
import type { PeopleServices } from "./people.ts";

/** The tool server for assistants. */
export interface Mcp {
  pages: BearerPage[];
  /** Pages that need no token: /llms.txt. */
  publicPages: Page[];
  /** Prepares the connection of `postroom mcp`; see `ToolServer.connect`. */
  connect(credential: string, baseUrl: string): Promise<(socket: Socket) => void>;
  sends: ConfirmedSends;
}

export interface ConfirmedSendsOptions {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  draftReview: DraftReview;
}

export interface McpParts extends ConfirmedSendsOptions {
  people: PeopleServices;
  guard: ApiGuard;
  routes: readonly Route[];
  /** Only tests register more tools than the catalog has. */
  extend?: Extension | undefined;
}

/** Builds the sends of assistants, which a person confirms. */
export function createConfirmedSends(options: ConfirmedSendsOptions): ConfirmedSends {
  const { platform, mailbox, outbound, draftReview } = options;
  const { accounts, importer } = mailbox;
  return new ConfirmedSends({
    platform,
    accounts,
    drafts: outbound.drafts,
    scheduler: outbound.scheduler,
    sends: outbound.sends,
    hasWrittenTo: ({ user_id, account_id }, email) =>
      accounts
        .list(user_id)
        .filter(({ id }) => account_id === null || id === account_id)
        .some(({ id }) => importer.isCorrespondent({ id, user_id }, email)),
    review: (draft, readsContext) => draftReview.review(draft, readsContext),
  });
}

/** Builds the tool server over the routes of the API. */
export function openMcp(parts: McpParts): Mcp {
  const { platform, mailbox, people, guard, routes } = parts;
  const sends = createConfirmedSends(parts);
  const server = new ToolServer({
    platform,
    guard,
    routes: new RouteCaller(platform, guard, routes),
    sends,
    lookups: (caller) => lookups(mailbox, people, caller),
    version: VERSION,
    isOn: () => mcpEnabled(platform),
    extend: parts.extend,
  });
  const page = {
    path: MCP_PATH,
    challenge: bearerChallenge,
    check: () => requireMcp(platform),
    handle: (request) => server.fetch(request),
  } satisfies Omit<BearerPage, "method">;
  const connect: Mcp["connect"] = (credential, baseUrl) => server.connect(credential, baseUrl);
  const pages = (["GET", "POST", "DELETE"] as const).map((method) => ({ method, ...page }));
  return { sends, connect, pages, publicPages: [llmsPage(() => mcpEnabled(platform))] };
}

function lookups(
  { messageQueries }: Mailbox,
  { contacts, context, calendar, rules }: PeopleServices,
  caller: Caller,
): Lookups {
  return {
    contact: (id) => contacts.queries.get(caller, id),
    profileVariables: (id) => context.profile(caller.user_id, id).variables,
    event(id) {
      const event = calendar.single(caller.user_id, id);
      if (!event) return null;
      const { title, start, end, attendees } = event;
      return { title, start: isoTime(start), end: isoTime(end), attendees: attendees.map(({ email }) => email) };
    },
    ruleKind(id) {
      const rule = rules.list(caller).find((candidate) => candidate.id === id);
      if (!rule) throw notFound("rule", "id");
      return rule.kind;
    },
    messageOfAttachment: (id) => messageQueries.messageOfAttachment(caller, id),
  };
}

/** @throws ApiError not_found while the tool server is off */
export function requireMcp(platform: Platform): void {
  if (!mcpEnabled(platform)) throw toolServerOff();
}
