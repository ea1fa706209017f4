/**
 * Map of the code: the main flows of Postroom and the files they pass through. Paths are relative to src/; a path without an
 * extension is a folder.
 *
 * Threads:    main.ts → cli; `postroom serve` (cli/serve.ts) runs this file on the main thread (HTTP, jobs, SMTP, webhooks).
 *             workers/: mail (IMAP), parse (MIME), semantic (embeddings), fulltext (search), brief, backup, import
 * Mail in:    inbound/sync/watch.ts (IDLE, polling) → inbound/sync/sync.ts (bounded batches) →
 *             inbound/message/parse-thread.ts (parsing) → inbound/message/pipeline.ts (store) →
 *             app/mail.ts (the list of steps) → events
 * Mail out:   features/drafts → outbound/sends/schedule.ts (send, job, usage and audit in one transaction) → undo window →
 *             outbound/sends/dispatch.ts (claim, compose, submit over SMTP, record) →
 *             outbound/sends/sent-copy.ts (copy in the server's Sent folder) → events
 * Changes:    PATCH → mailbox/changes/changes.ts (state, audit, event and mirror job in one transaction) →
 *             outbound/mirror/mirror.ts → IMAP
 * Events:     platform/ledger/events.ts (in the transaction of the change) → features/webhooks/deliverer.ts (one queue per
 *             endpoint) → platform/egress/guard.ts → HTTPS receivers; or GET /events
 * Notify:     the event log and checks → features/notifications (rows and jobs for each target: quiet hours, digests) →
 *             platform/egress → ntfy, Apprise API
 * Search:     app/fulltext.ts and app/search.ts (the steps that index arriving mail; pending terms are written in the
 *             transaction of the mail, embeddings are queued) → mailbox/search, ml/semantic;
 *             POST /search → features/search → both
 * AI:         features/ai, features/brief and features/agent over ml/extract (rules, on this machine) and
 *             ml/language-model (only if configured). Rules decide; a model may write. app/ai.ts connects them.
 * Assistants: app/mcp.ts; http/pipeline.ts (HTTP) or cli/mcp.ts and the control socket (standard input and output) →
 *             mcp/tool-server.ts → mcp/server.ts → mcp/tools → http/internal-call.ts (routes of the API);
 *             sends: outbound/approvals/service.ts (confirmation, policy, approval) → outbound/sends/schedule.ts
 * Requests:   http/server.ts → http/pipeline.ts (key, limits, plan, scope, quota: http/guard) → features → mailbox
 * Assembly:   app/parts.ts builds the parts of the main thread, this file starts them, app/shutdown.ts stops them
 */
import { type HttpServer, startServer } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { type ConfigSources, loadConfig } from "../platform/config/load.ts";
import { startControl } from "../platform/control/server.ts";
import { startRetention } from "../platform/ledger/retention.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { whenDiskSpaceIsFree } from "../platform/process/repeat.ts";
import { controlHandlers } from "./control.ts";
import { ensureOwner, setupUrl } from "./first-start.ts";
import { startMailWorker } from "./mail-worker.ts";
import { browserUrl } from "./own-address.ts";
import { buildParts, type PartsOptions } from "./parts.ts";
import { retentionSteps } from "./retention.ts";
import { seedPerson } from "./sandbox.ts";
import { followModel, warmSemanticWorker } from "./search.ts";
import { stopParts } from "./shutdown.ts";

/** A running Postroom. */
export interface App {
  platform: Platform;
  mailbox: Mailbox;
  server: HttpServer;
  /** Address at which a browser on this machine opens this installation, without a slash at the end. */
  browserUrl: string;
  /** Address at which the owner sets up this installation, including the code; null once set up. */
  setupUrl: string | null;
  stop(): Promise<void>;
}

/**
 * Starts Postroom in this order: lock, data folder, owner, HTTP and the mail worker at the same time, jobs.
 * @param extend only for tests: tools beside those of the catalog. No command or setting gives it
 * @throws UserError for problems that the user can fix
 */
export async function startApp(
  sources: ConfigSources,
  clock: Clock,
  { extend }: Pick<PartsOptions, "extend"> = {},
): Promise<App> {
  const loaded = loadConfig(sources);
  const lock = lockInstance(loaded.data_dir);
  const platform = openPlatform({ config: loaded, clock, writerPriority: "first" });
  const { config, log } = platform;
  ensureOwner(platform);
  const parts = buildParts({
    platform,
    sources,
    extend,
    onKeyMoved: (renewWorkers) => {
      void renewWorkers();
      void starting.then((worker) => worker.renew());
    },
  });
  const { mailbox, mail, pipeline, metrics, backups, copies, webhooks, jobs, semantic } = parts;
  parts.partCache.start();
  const starting = startMailWorker(platform, sources, mail, () => metrics.restarts.add("mail"));
  // Requests are answered while the worker still starts. Those that need the mail server wait for it.
  const server = startServer({ pipeline, host: config.get("http.host"), port: config.get("http.port"), log });
  const baseUrl = await browserUrl(config, server.port);
  const address = parts.setupToken === null ? null : setupUrl(baseUrl, parts.setupToken);
  if (address) log.warn("not set up yet: open this address", { address });
  const worker = await starting;
  const backupProgress = () => backups.state().running;
  const handlers = controlHandlers({ platform, mail, members: parts.members, url: server.url, backupProgress });
  const streams = { mcp: ({ credential }: { credential: string }) => parts.mcp.connect(credential, baseUrl) };
  const control = await startControl({ data_dir: config.data_dir, handlers, streams, log });
  whenDiskSpaceIsFree(platform, "scheduled work could not be queued", () => {
    parts.dispatcher.resume();
    followModel(platform);
    backups.start();
    copies.start();
    parts.ai.start();
  });
  warmSemanticWorker(platform, semantic);
  semantic.start();
  jobs.start();
  webhooks.deliverer.start();
  parts.notifications.start();
  // When a person leaves a team or is removed, the endpoints of their keys are disabled.
  platform.keys.listen(() => webhooks.deliverer.refresh());
  const stopLoopWatch = metrics.watchLoop(clock);
  const stopRetention = startRetention(platform, retentionSteps(platform, parts));
  for (const person of platform.users.list()) await seedPerson(platform, mailbox, person.id);
  return {
    platform,
    mailbox,
    server,
    browserUrl: baseUrl,
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
