import type { CompileBrief } from "../features/brief/compile.ts";
import { DailyBriefs, type MailBrief } from "../features/brief/daily.ts";
import { briefText } from "../features/brief/email.ts";
import { BriefService } from "../features/brief/service.ts";
import { BriefStore } from "../features/brief/store.ts";
import { BriefThread } from "../features/brief/thread.ts";
import { isoTime } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Conversations } from "../mailbox/queries/conversations.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import type { People } from "./people.ts";
import { mailOwner } from "./webhooks.ts";

/** What briefs stand on; `compile` runs where the map says. */
export interface BriefThreadParts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: People;
  conversations: Conversations;
  compile: CompileBrief;
}

/** Briefs on request and by the clock. */
export function createBriefs(parts: BriefThreadParts) {
  const { platform, people, conversations, compile } = parts;
  const store = new BriefStore(platform);
  const daily: DailyBriefs = new DailyBriefs(platform, store, () => service, briefMailer(parts));
  const service: BriefService = new BriefService({
    platform,
    conversations,
    store,
    compile,
    vips: (user_id) => vipAddresses(people, user_id),
    calendar: (user_id, from, to) =>
      people.calendar
        .list(user_id, from, to)
        .filter(({ status }) => status !== "cancelled" && status !== "declined")
        .map(({ id, title, start }) => ({ title, start: isoTime(start), event_id: id })),
    onSettings: (user) => daily.plan(user),
  });
  return { service, store, daily };
}

/** Briefs are compiled on a worker of their own (`src/workers/brief.ts`), which is started when somebody asks for one. */
export function openBriefThread({ clock, log, config, keyring }: Platform, onRestart?: () => void): BriefThread {
  return new BriefThread({
    clock,
    log,
    start: () => new Worker(workerUrl("workers/brief.ts")),
    begin: () => ({ type: "start", data_dir: config.data_dir, master_key: keyring.master }),
    ...(onRestart ? { onLost: onRestart } : {}),
  });
}

function briefMailer({ platform, mailbox, outbound }: BriefThreadParts): MailBrief {
  return (user, brief) => {
    try {
      mailOwner(platform, mailbox, outbound, user.id, briefText(brief, user.timezone));
    } catch (error) {
      // No mailbox that sends, or the day's sends are used up: the brief is there all the same.
      if (!(error instanceof ApiError)) throw error;
      platform.log.warn("the brief could not be mailed", { user: user.id, reason: error.message });
    }
  };
}

const MOST_VIPS = 1_000;

/**
 * Addresses of the people that the user marked as VIPs, lower case: those that the user wrote to or that an address book gives,
 * and the only one of a person. Contacts are joined by name, and anybody can write under the name of a VIP.
 */
export function vipAddresses({ contacts }: People, user_id: string): ReadonlySet<string> {
  const rows = contacts.queries.list({ user_id, account_id: null }, { vip: true }, null, MOST_VIPS);
  const theirs = rows.flatMap(({ emails, knownEmails }) => (emails.length === 1 ? emails : knownEmails));
  return new Set(theirs.map((email) => email.toLowerCase()));
}
