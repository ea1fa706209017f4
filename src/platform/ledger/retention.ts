import type { CancelTimer } from "../../kernel/clock.ts";
import { errorFields } from "../log.ts";
import type { Platform } from "../platform.ts";

const EVERY_MS = 3_600_000;
/** The first requests need not wait for it. */
const FIRST_MS = 5_000;
const DAY_MS = 86_400_000;
/** Days to keep request and send counts: a little more than the charts of the settings page show. */
const METER_DAYS = 40;

/**
 * Prunes every growing ledger soon after the start and then once an hour, and runs the pruning functions that other
 * modules pass in.
 * @returns a function that stops it
 */
export function startRetention(platform: Platform, more: readonly (() => void)[] = []): () => void {
  let cancel: CancelTimer;
  const run = () => {
    try {
      prune(platform);
      for (const task of more) task();
    } catch (error) {
      platform.log.warn("old rows could not be removed", errorFields(error));
    }
    cancel = platform.clock.after(EVERY_MS, run);
  };
  cancel = platform.clock.after(FIRST_MS, run);
  return () => cancel();
}

/** Deletes rows that are older than their retention. */
export function prune({
  config,
  clock,
  events,
  audit,
  jobs,
  meters,
  idempotency,
  sessions,
  signIn,
  assistantClients,
  assistantTokens,
  log,
}: Platform): void {
  const before = (days: number) => clock.now() - days * DAY_MS;
  const removed = {
    events: events.prune(before(config.get("retention.events_days"))),
    audit: audit.prune(before(config.get("retention.audit_days"))),
    jobs: jobs.prune(before(config.get("retention.jobs_days"))),
    meters: meters.prune(before(METER_DAYS)),
    replies: idempotency.prune(),
    sessions: sessions.prune(),
    failures: signIn.attempts.prune(),
    tokens: assistantTokens.prune(),
    clients: assistantClients.prune(),
  };
  if (Object.values(removed).some((rows) => rows > 0)) log.debug("old rows removed", removed);
}
