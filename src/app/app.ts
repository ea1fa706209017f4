/**
 * THE MAP. What Postroom is made of, and in which order things flow.
 *
 * Mail in:   inbound/watch (IDLE, poll) → inbound/sync (a bounded batch) → parse → app-mail.ts (the steps) → events
 * Mail out:  features/drafts → outbound/schedule (send, job, usage and audit in one transaction) → undo window →
 *            outbound/dispatch (claim, compose, hand over, note) → outbound/sent-copy (IMAP) → events
 * Change:    PATCH → mailbox/changes (state, audit, event and mirror job in one transaction) → outbound/mirror → IMAP
 * Events:    platform/events (in the transaction of the change) → features/webhooks (a lane for each endpoint) →
 *            platform/egress (the guard) → receivers; or GET /events
 * Search:    mail in → terms (same transaction) and a queue → worker-ml (vectors); POST /search → mailbox/search, worker-ml
 * AI:        features/{ai,brief,agent} over ml/extract (rules, this machine) and ml/language-model (only if configured):
 *            what decides are rules, what writes may be a model, and app-ai.ts hands each what it may use
 * Answers:   http/edge (key, limits, plan, scope, quota) → features/*
 */
import { type HttpServer, startServer } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { type ConfigSources, loadConfig } from "../platform/config/load.ts";
import { startControl } from "../platform/control/server.ts";
import { startRetention } from "../platform/ledger/retention.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { onceDiskSpaceIsFree } from "../platform/process/repeat.ts";
import { controlHandlers } from "./control.ts";
import { ensureOwner, setupUrl } from "./first-start.ts";
import { startMailWorker } from "./mail-worker.ts";
import { buildParts } from "./parts.ts";
import { retentionSteps } from "./retention.ts";
import { seedPerson } from "./sandbox.ts";
import { followModel, warmSemanticWorker } from "./search.ts";
import { stopParts } from "./shutdown.ts";

/** A running Postroom. */
export interface App {
  platform: Platform;
  mailbox: Mailbox;
  server: HttpServer;
  /** Where the owner sets this installation up, with the code in it; null when that is done. */
  setupUrl: string | null;
  stop(): Promise<void>;
}

/**
 * Starts Postroom: lock, data folder, owner, HTTP while the mail worker starts, jobs.
 * @throws UserError for what the user can fix
 */
export async function startApp(sources: ConfigSources, clock: Clock): Promise<App> {
  const loaded = loadConfig(sources);
  const lock = lockInstance(loaded.data_dir);
  const platform = openPlatform({ config: loaded, clock, place: "first" });
  const { config, log } = platform;
  ensureOwner(platform);
  const parts = buildParts({
    platform,
    sources,
    onKeyMoved: (renewWorkers) => {
      void renewWorkers();
      void starting.then((worker) => worker.renew());
    },
  });
  const { mailbox, mail, pipeline, metrics, backups, webhooks, jobs, semantic } = parts;
  parts.partCache.start();
  const starting = startMailWorker(platform, sources, mail, () => metrics.restarts.add("mail"));
  // Requests are answered while the worker still starts. What only the mail server has waits for it.
  const server = startServer({ pipeline, host: config.get("http.host"), port: config.get("http.port"), log });
  const address = parts.setupToken === null ? null : setupUrl(config, server.port, parts.setupToken);
  if (address) log.warn("not set up yet: open this address", { address });
  const worker = await starting;
  const backupProgress = () => backups.state().running;
  const handlers = controlHandlers({ platform, mail, members: parts.members, url: server.url, backupProgress });
  const control = await startControl({ data_dir: config.data_dir, handlers, log });
  onceDiskSpaceIsFree(platform, "what is to be done next could not be queued", () => {
    parts.dispatcher.resume();
    followModel(platform);
    backups.start();
    parts.ai.start();
  });
  warmSemanticWorker(platform, semantic);
  semantic.start();
  jobs.start();
  webhooks.deliverer.start();
  // A person who leaves a team or is removed loses the endpoints of their keys.
  platform.keys.listen(() => webhooks.deliverer.refresh());
  const stopLoopWatch = metrics.watchLoop(clock);
  const stopRetention = startRetention(platform, retentionSteps(platform, parts));
  for (const person of platform.users.list()) await seedPerson(platform, mailbox, person.id);
  return {
    platform,
    mailbox,
    server,
    setupUrl: address,
    async stop() {
      stopRetention();
      stopLoopWatch();
      control.close();
      await stopParts(platform, parts, { server, worker });
      lock.release();
    },
  };
}
