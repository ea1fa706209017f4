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
import type { PeopleServices } from "./people.ts";
import { mailOwner } from "./webhooks.ts";

/** The dependencies of briefs. The program passes a `compile` that runs on the brief worker. */
export interface BriefThreadParts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  conversations: Conversations;
  compile: CompileBrief;
}

/** Builds briefs, on request and on schedule. */
export function createBriefs(parts: BriefThreadParts) {
  const { platform, mailbox, people, conversations, compile } = parts;
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
        .map(({ id, title, start, message_id }) => ({
          title,
          start: isoTime(start),
          event_id: id,
          thread_id: message_id && mailbox.messageQueries.threadOf(user_id, message_id),
        })),
    onSettings: (user) => daily.plan(user),
  });
  return { service, store, daily };
}

/** Compiles briefs on a separate worker (`src/workers/brief.ts`), which starts with the first request for a brief. */
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
      // No mailbox can send, or the day's sends are used up. The brief is still available in Postroom.
      if (!(error instanceof ApiError)) throw error;
      platform.log.warn("the brief could not be mailed", { user: user.id, reason: error.message });
    }
  };
}

const MAX_VIPS = 1_000;

/**
 * Returns the lower-case addresses of the people whom the user marked as VIPs. Counts an address that the user wrote
 * to, one from an address book, and the only address of a person. Other addresses do not count: contacts are joined by
 * name, and anyone can write under the name of a VIP.
 */
export function vipAddresses({ contacts }: PeopleServices, user_id: string): ReadonlySet<string> {
  const rows = contacts.queries.list({ user_id, account_id: null }, { vip: true }, null, MAX_VIPS);
  const theirs = rows.flatMap(({ emails, knownEmails }) => (emails.length === 1 ? emails : knownEmails));
  return new Set(theirs.map((email) => email.toLowerCase()));
}
