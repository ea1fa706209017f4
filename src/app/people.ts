import { readFileSync } from "node:fs";
import { Calendars } from "../features/calendar/calendars.ts";
import { CalendarFeed } from "../features/calendar/feed.ts";
import { Invitations } from "../features/calendar/invitations.ts";
import { CalendarService } from "../features/calendar/service.ts";
import { EventStore } from "../features/calendar/store.ts";
import { CalendarSync } from "../features/calendar/sync.ts";
import { CalendarSyncJob } from "../features/calendar/sync-job.ts";
import { ContactQueries } from "../features/contacts/queries.ts";
import { recordContacts } from "../features/contacts/record-contact.ts";
import { ContactService } from "../features/contacts/service.ts";
import { ContactStore } from "../features/contacts/store.ts";
import { ContactSuggestions } from "../features/contacts/suggestions.ts";
import { ContextFiles } from "../features/context/files.ts";
import { ContextService } from "../features/context/service.ts";
import { ContextStore } from "../features/context/store.ts";
import { isRuled, RuleEngine } from "../features/rules/engine.ts";
import { RulePreviewer } from "../features/rules/preview.ts";
import { RuleRuns } from "../features/rules/runs.ts";
import { RuleService } from "../features/rules/service.ts";
import { RuleStore } from "../features/rules/store.ts";
import type { InboundStep } from "../inbound/message/arrival.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { RuledMessages } from "../mailbox/queries/rules.ts";
import { isAnnounced } from "../mailbox/store/importer.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import type { Platform } from "../platform/platform.ts";
import { decodeText } from "../wire/charset/charset.ts";
import { isCalendar } from "../wire/mime/parts-kept.ts";

/** The features about people: contacts, rules, personal context, calendar. Each thread has one instance of each. */
export interface PeopleServices {
  contactStore: ContactStore;
  contacts: ContactService;
  contactSuggestions: ContactSuggestions;
  ruleEngine: RuleEngine;
  rule_runs: RuleRuns;
  rules: RuleService;
  context: ContextService;
  contextFiles: ContextFiles;
  events: EventStore;
  calendars: Calendars;
  calendar: CalendarService;
  calendarFeed: CalendarFeed;
  invitations: Invitations;
  calendarSync: CalendarSync;
}

/** Builds the features about people. */
export function createPeople(platform: Platform, mailbox: Mailbox): PeopleServices {
  const { accounts, labels } = mailbox;
  const contactStore = new ContactStore(platform);
  const store = new RuleStore(platform);
  const messages = new RuledMessages(platform, labels);
  const engine = new RuleEngine(platform, mailbox, messages, store);
  const previewer = new RulePreviewer(platform, accounts, messages);
  const context = new ContextStore(platform);
  const events = new EventStore(platform);
  const calendars = new Calendars(platform);
  const runs = new RuleRuns({ platform, store, messages, previewer, engine });
  return {
    contactStore,
    contacts: new ContactService(platform, contactStore, new ContactQueries(platform, accounts)),
    contactSuggestions: new ContactSuggestions(platform, accounts),
    ruleEngine: engine,
    rule_runs: runs,
    rules: new RuleService({ platform, accounts, store, previewer, runs }),
    context: new ContextService(platform, context),
    contextFiles: new ContextFiles({ platform, store: context, files: new BlobFiles(platform) }),
    events,
    calendars,
    calendar: new CalendarService({ platform, accounts, store: events, calendars }),
    calendarFeed: new CalendarFeed(platform, events),
    invitations: new Invitations(platform, events, calendars),
    calendarSync: new CalendarSync({
      platform,
      store: events,
      calendars,
      own: (user_id) => accounts.ownAddresses(user_id),
    }),
  };
}

/** Builds the sync of calendars with their servers, on the thread that runs its job. */
export function createCalendarSync(
  platform: Platform,
  { calendars, calendarSync: sync }: PeopleServices,
): CalendarSyncJob {
  const ca_file = platform.config.get("mail.ca_file");
  return new CalendarSyncJob({ platform, calendars, sync, ca: ca_file ? readFileSync(ca_file, "utf8") : null });
}

/** Returns the steps that update contacts, rules and the calendar for arriving mail. */
export function peopleSteps(
  platform: Platform,
  people: PeopleServices,
): { rules: InboundStep; contacts: InboundStep; invitations: InboundStep } {
  return {
    rules: {
      name: "apply rules",
      run: ({ target, roles, imported, live, own, announced, retried }) => {
        if (!live || !isRuled(roles, own) || !isAnnounced(roles, own)) return;
        // Runs once for each message. A copy that was moved, or fetched again after a re-sync, keeps the state that
        // people gave it.
        if (announced) return;
        people.ruleEngine.arrive(target.user_id, target.id, imported.message_id, retried);
      },
    },
    contacts: {
      name: "touch contacts",
      run: ({ target, roles, incoming, imported, own }) => {
        const { user_id, self } = target;
        recordContacts(platform, people.contactStore, {
          user_id,
          self,
          roles,
          own,
          incoming,
          message_id: imported.message_id,
        });
      },
    },
    invitations: {
      name: "take invitations into the calendar",
      run: ({ target, roles, incoming, imported }) => {
        if (incoming.flags.draft || roles.some((role) => role === "spam" || role === "trash" || role === "drafts"))
          return;
        for (const { content, mime, name } of incoming.attachments) {
          if (!content || !isCalendar(mime, name)) continue;
          const mail = { message_id: imported.message_id, wrote: roles.includes("sent"), own: target.self };
          people.invitations.take(target.user_id, mail, decodeText(content));
        }
      },
    },
  };
}
