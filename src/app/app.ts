/**
 * Map of the code: the main flows of Postroom and the files they pass through. Paths are relative to src/; a path without an
 * extension is a folder.
 *
 * Threads:    main.ts → cli; `postroom serve` (cli/serve.ts) runs this file on the main thread (HTTP, jobs, SMTP, webhooks).
 *             workers/: mail (IMAP), parse (MIME), semantic (embeddings), fulltext (search), brief, backup, import, log
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
 * Copies:     backup/service.ts (backups on schedule) → backup/copies (sent to `backup.to`);
 *             backup/continuous/service.ts → workers/log.ts (lease, changed pages → backup/log → the same place)
 * Assembly:   app/parts.ts builds the parts of the main thread, app/run.ts starts them, app/shutdown.ts stops them. This
 *             file stops one run and starts the next when the server may no longer act, or may act again
 */
import type { Copying } from "../backup/continuous/copying.ts";
import { newSetupToken } from "../features/auth/setup.ts";
import { type HttpServer, startServer } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { type ConfigSources, loadConfig } from "../platform/config/load.ts";
import { startControl } from "../platform/control/server.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { refuseStandby } from "../platform/process/standby-folder.ts";
import { openCopying } from "./continuous.ts";
import { controlHandlers } from "./control.ts";
import { ensureOwner, setupUrl } from "./first-start.ts";
import { browserUrl } from "./own-address.ts";
import type { PartsOptions } from "./parts.ts";
import { RunSwitch } from "./run-switch.ts";
import { STOP_LIMITS } from "./stop.ts";

/** A running Postroom. */
export interface App {
  platform: Platform;
  readonly mailbox: Mailbox;
  server: HttpServer;
  /** Address at which a browser on this machine opens this installation, without a slash at the end. */
  browserUrl: string;
  /** Address at which the owner sets up this installation, including the code; null once set up. */
  setupUrl: string | null;
  stop(): Promise<void>;
}

/** What only tests give. */
export interface AppOptions extends Pick<PartsOptions, "extend"> {
  /** Replaces the continuous copy of the configuration. */
  openCopying?: (platform: Platform, sources: ConfigSources) => Copying;
}

/**
 * Starts Postroom in this order: lock, data folder, owner, the lease if there is one, HTTP and the mail worker at the
 * same time, jobs. Without the lease, the server starts paused, and acts as soon as it has the lease.
 * @throws UserError for problems that the user can fix
 */
export async function startApp(sources: ConfigSources, clock: Clock, options: AppOptions = {}): Promise<App> {
  refuseStandby(sources.data_dir);
  const loaded = loadConfig(sources);
  const lock = lockInstance(loaded.data_dir);
  const platform = openPlatform({ config: loaded, clock, writerPriority: "first" });
  const { config, log } = platform;
  ensureOwner(platform);
  const copying = (options.openCopying ?? openCopying)(platform, sources);
  const setupToken = platform.signIn.claim.isClaimed ? null : newSetupToken();
  const runs = await RunSwitch.start({ platform, sources, copying, setupToken, extend: options.extend });
  // Requests are answered while the worker still starts. Those that need the mail server wait for it.
  const { pipeline } = runs;
  const server = startServer({ pipeline, host: config.get("http.host"), port: config.get("http.port"), log });
  const baseUrl = await browserUrl(config, server.port);
  const address = setupToken === null ? null : setupUrl(baseUrl, setupToken);
  if (address) log.warn("not set up yet: open this address", { address });
  await runs.started;
  const handlers = controlHandlers({ platform, parts: () => runs.parts, url: server.url });
  const streams = { mcp: ({ credential }: { credential: string }) => runs.parts.mcp.connect(credential, baseUrl) };
  const control = await startControl({ data_dir: config.data_dir, handlers, streams, log });
  return {
    platform,
    get mailbox() {
      return runs.parts.mailbox;
    },
    server,
    browserUrl: baseUrl,
    setupUrl: address,
    async stop() {
      control.close();
      await runs.stop(() => server.stop(STOP_LIMITS.requestsMs));
      await copying.stop();
      platform.close();
      lock.release();
    },
  };
}
