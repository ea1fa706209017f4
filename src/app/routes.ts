import { accountRoutes } from "../features/accounts/routes.ts";
import { attachmentRoutes } from "../features/attachments/routes.ts";
import { auditRoutes } from "../features/audit/routes.ts";
import { calendarRoutes } from "../features/calendar/routes.ts";
import { completenessRoutes } from "../features/connect/routes.ts";
import { contactRoutes } from "../features/contacts/routes.ts";
import { contextRoutes } from "../features/context/routes.ts";
import { draftRoutes } from "../features/drafts/routes.ts";
import { eventRoutes } from "../features/events/routes.ts";
import { folderRoutes } from "../features/folders/routes.ts";
import { labelRoutes } from "../features/labels/routes.ts";
import { messageRoutes } from "../features/messages/routes.ts";
import { ruleRoutes } from "../features/rules/routes.ts";
import { searchRoutes } from "../features/search/routes.ts";
import { SearchService } from "../features/search/service.ts";
import { suggestRoute } from "../features/search/suggest-route.ts";
import { sendRoutes } from "../features/sends/routes.ts";
import { threadRoutes } from "../features/threads/routes.ts";
import { unsubscribeRoutes } from "../features/unsubscribe/routes.ts";
import { usageRoutes } from "../features/usage/routes.ts";
import { webhookRoutes } from "../features/webhooks/routes.ts";
import type { Webhooks } from "../features/webhooks/webhooks.ts";
import type { Route } from "../http/route.ts";
import { CompletenessStore } from "../mailbox/accounts/completeness.ts";
import { Unsubscribes } from "../mailbox/changes/unsubscribes.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { searchProgress } from "../mailbox/search/progress.ts";
import type { ContentSource } from "../mailbox/store/content-source.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Platform } from "../platform/platform.ts";
import { type AiServices, createAi } from "./ai.ts";
import { createUnsubscriber } from "./connect.ts";
import { createPeople, type PeopleServices } from "./people.ts";
import { createSuggester, NO_SEMANTIC_SEARCH } from "./search.ts";

/** Returns every path of the API, by feature. */
export function apiRoutes(
  platform: Platform,
  mailbox: Mailbox,
  outbound: Outbound,
  content: ContentSource,
  webhooks: Pick<Webhooks, "service" | "deliveries">,
  people: PeopleServices = createPeople(platform, mailbox),
  ai: AiServices = createAi({ platform, mailbox, outbound, people }),
  search: SearchService = new SearchService({ platform, mailbox, semantic: NO_SEMANTIC_SEARCH }),
): Route[] {
  const { clock, log } = platform;
  return [
    ...accountRoutes(mailbox.accounts, (account_id) => searchProgress(platform, account_id)),
    ...completenessRoutes({
      accounts: mailbox.accounts,
      checks: new CompletenessStore(platform, mailbox.folders),
      now: mailbox.now,
    }),
    ...threadRoutes(mailbox),
    ...labelRoutes(mailbox.labelQueries, mailbox.labelChanges, (caller, from, to) =>
      people.rules.renameLabel(caller, from, to),
    ),
    ...folderRoutes(mailbox.folderQueries),
    ...messageRoutes(mailbox.messageQueries, { content, clock, log, unsubscribes: new Unsubscribes(platform) }),
    ...unsubscribeRoutes(createUnsubscriber(platform, mailbox)),
    ...attachmentRoutes(mailbox.messageQueries, content),
    ...draftRoutes({
      accounts: mailbox.accounts,
      drafts: outbound.drafts,
      files: outbound.draftFiles,
      ai: ai.drafting,
    }),
    ...sendRoutes(outbound),
    ...contactRoutes(people.contacts),
    ...ruleRoutes(people.rules),
    ...contextRoutes(people.context, people.contextFiles),
    ...calendarRoutes(people.calendar),
    ...eventRoutes(platform),
    ...webhookRoutes(webhooks),
    ...ai.routes,
    ...searchRoutes(platform, search),
    suggestRoute(createSuggester(mailbox, people)),
    ...usageRoutes(platform, outbound.sends),
    ...auditRoutes(platform.audit),
  ];
}
