import { createWebhooks, type Webhooks } from "../features/webhooks/webhooks.ts";
import { ApiError, UserError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";
import type { Config } from "../platform/config/load.ts";
import { readCaFile } from "../platform/egress/ca-file.ts";
import { EgressClient } from "../platform/egress/client.ts";
import { EgressGuard } from "../platform/egress/guard.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Histogram } from "../platform/metrics.ts";
import type { Platform } from "../platform/platform.ts";
import { VERSION } from "../version.ts";

/** Webhooks and their outgoing connections. Call `close` after the deliverer has stopped. */
export interface WebhookServices extends Webhooks {
  close(): void;
}

/**
 * Opens webhooks. Events flow from the log through one queue per endpoint and the guard to HTTPS.
 * @throws UserError for invalid settings
 */
export function openWebhooks(
  platform: Platform,
  mailbox: Mailbox,
  outbound: Outbound = createOutbound(platform, mailbox),
  durations?: Histogram,
): WebhookServices {
  const { config, clock } = platform;
  const { guard, ca } = webhookSettings(config);
  const egress = new EgressClient({ guard, clock, ca });
  const webhooks = createWebhooks({
    platform,
    guard,
    egress: durations ? timed(egress, durations) : egress,
    notify: (user_id, mail) => mailOwner(platform, mailbox, outbound, user_id, mail),
    user_agent: `Postroom/${VERSION}`,
    random: Math.random,
  });
  return { ...webhooks, close: () => egress.close() };
}

/** Observes the duration of requests by the class of their response status. */
function timed(egress: EgressClient, durations: Histogram): Pick<EgressClient, "request"> {
  const answer = ({ status }: { status: number }) => `${Math.floor(status / 100)}xx`;
  return { request: (request) => durations.time(answer, () => egress.request(request)) };
}

/** Reads the webhook settings. @throws UserError that names the invalid setting */
export function webhookSettings(config: Config): { guard: EgressGuard; ca: string | null } {
  try {
    const guard = new EgressGuard(config.get("webhooks.allow"), "webhooks.allow");
    return { guard, ca: readCaFile("webhooks.ca_file", config.get("webhooks.ca_file")) };
  } catch (error) {
    if (!(error instanceof UserError) || error.message.startsWith("webhooks.")) throw error;
    throw new UserError(`webhooks.allow: ${error.message}`);
  }
}

/**
 * Mails a person from one of their own mailboxes to the same address. Prefers the primary mailbox if it can send. The
 * message is a normal send: it has an audit row and counts against the day's sends.
 * @throws ApiError when no mailbox can send, or the day's sends are used up
 */
export function mailOwner(
  { users }: Platform,
  { accounts }: Mailbox,
  { scheduler }: Outbound,
  user_id: string,
  { subject, text }: { subject: string; text: string },
): void {
  const own = accounts.list(user_id).filter(({ read_only }) => !read_only);
  const account = own.find(({ is_primary }) => is_primary) ?? own[0];
  if (!account) throw new ApiError("invalid_params", "There is no mailbox to send from.");
  const user = users.get(user_id);
  if (!user) throw new ApiError("not_found", "This person is being removed.");
  const writer = { user_id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
  const sender = { ...writer, key: { id: SYSTEM_KEY, created_at: 0 }, user };
  const message = { account_id: account.id, to: [account.email], subject, body: text };
  scheduler.sendNow(sender, message, { undo_window_s: 0 });
}

/** Used in place of an API key for sends that no key requested. */
const SYSTEM_KEY = "system";
