import type { Copying } from "../backup/continuous/copying.ts";
import { DRILL_JOB } from "../backup/continuous/drills.ts";
import { BACKUP_COPY_JOB } from "../backup/copies/service.ts";
import { BACKUP_JOB } from "../backup/service.ts";
import { Auth } from "../features/auth/auth.ts";
import { keyStorageOf } from "../features/auth/key-storage.ts";
import { authPages } from "../features/auth/pages.ts";
import { feedPage } from "../features/calendar/feed.ts";
import { examine } from "../features/diagnostics/diagnostics.ts";
import { IMPORT_JOB } from "../features/import/service.ts";
import { SearchService } from "../features/search/service.ts";
import { settingsPages } from "../features/settings-page/pages.ts";
import { RunningMetrics } from "../features/system/running-metrics.ts";
import { SystemService } from "../features/system/service.ts";
import { storedMetrics } from "../features/system/stored-metrics.ts";
import { ApiGuard } from "../http/guard/api-guard.ts";
import { createHttpPipeline, type HttpPipeline } from "../http/pipeline.ts";
import { MailPort } from "../inbound/port/port.ts";
import { WAKE_JOB } from "../mailbox/changes/changes.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { AttachmentSizes } from "../mailbox/store/attachment-sizes.ts";
import type { Extension } from "../mcp/server.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { SETTLE_JOB, STORE_JOB } from "../outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../outbound/sends/store.ts";
import { submitWithTokens } from "../outbound/sends/token-submit.ts";
import { PartCache } from "../platform/blobs/cache.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import { JobRunner } from "../platform/jobs/runner.ts";
import type { Platform } from "../platform/platform.ts";
import { VERSION } from "../version.ts";
import type { SmtpPool } from "../wire/smtp/pool.ts";
import { createAi } from "./ai.ts";
import { appRoutes } from "./app-routes.ts";
import { retrieveBySearch } from "./ask.ts";
import { openBackups } from "./backup.ts";
import { openBriefThread } from "./brief.ts";
import { openConnectServices } from "./connect.ts";
import { repair } from "./fulltext.ts";
import { openUploadRunner, uploadParts } from "./import.ts";
import { openMcp } from "./mcp.ts";
import { createMembers } from "./members.ts";
import { openNotifications } from "./notifications.ts";
import { assistantParts, openOAuth } from "./oauth.ts";
import { createPeople } from "./people.ts";
import { apiRoutes } from "./routes.ts";
import { seed } from "./sandbox.ts";
import { createSemanticWorker, openFullTextWorker } from "./search.ts";
import { createDispatcher, createSmtp } from "./sending.ts";
import { STOP_LIMITS } from "./stop.ts";
import { openWebhooks } from "./webhooks.ts";

/** The dependencies of `buildParts`. */
export interface PartsOptions {
  platform: Platform;
  sources: ConfigSources;
  copying: Copying;
  /** The setup code of this process; null if the installation already has its owner. */
  setupToken: string | null;
  /** Called after the master key was moved or the data keys changed. Threads that hold keys must then restart. */
  onKeyMoved: (renewWorkers: () => Promise<void>) => void;
  /** Only tests register more tools than the catalog has. */
  extend?: Extension | undefined;
}

/**
 * Builds every part of the main thread in dependency order, and starts none of them. `startRun` (run.ts) starts them, and
 * `stopParts` (shutdown.ts) stops them. What the mail worker builds is in src/workers/mail.ts.
 *
 * 1. Mailbox and outbound:  mailbox/mailbox.ts, outbound/outbound.ts (stores and services over one database)
 * 2. Outgoing connections:  app/webhooks.ts (events), inbound/port/port.ts (calls to the mail worker), app/sending.ts
 *                           (SMTP, dispatcher), app/connect.ts (provider discovery, OAuth tokens)
 * 3. Worker handles:        app/search.ts (semantic and full-text workers), app/brief.ts (brief worker)
 * 4. Features:              app/people.ts, app/ai.ts, app/members.ts, app/backup.ts, app/notifications.ts
 * 5. Jobs:                  platform/jobs/runner.ts, with one handler for each kind of job
 * 6. HTTP:                  app/routes.ts (API), app/app-routes.ts (settings page) → http/pipeline.ts
 */
export function buildParts({ platform, sources, copying, setupToken, onKeyMoved, extend }: PartsOptions) {
  const mailbox = createMailbox(platform);
  mailbox.search.onDamage = (...damaged) => repair(platform, ...damaged);
  const outbound = createOutbound(platform, mailbox);
  const metrics = new RunningMetrics();
  const webhooks = openWebhooks(platform, mailbox, outbound, metrics.webhooks);
  const partCache = new PartCache(platform);
  const mail = new MailPort({
    platform,
    parts: partCache,
    sizes: new AttachmentSizes(platform),
    timeouts: { stopMs: STOP_LIMITS.workMs },
  });
  const smtp = createSmtp(platform);
  const connecting = openConnectServices(platform, mailbox);
  const submitTimed: SmtpPool["submit"] = (...given) =>
    metrics.submissions.time(
      ({ outcome }) => outcome,
      () => smtp.submit(...given),
    );
  const submit = submitWithTokens(submitTimed, mailbox.accounts, connecting.tokens);
  const dispatcher = createDispatcher(platform, mailbox, outbound, { submit }, copying);
  const people = createPeople(platform, mailbox);
  const onRestart = () => metrics.restarts.add("semantic");
  const backfill = platform.acting.pause === null;
  const semantic = createSemanticWorker(platform, sources, { backfill, onRestart });
  const fullText = openFullTextWorker(platform, mailbox, { onRestart: () => metrics.restarts.add("words") });
  const searched = { platform, mailbox, semantic, lookup: fullText };
  const retrieve = retrieveBySearch(platform, mailbox, new SearchService(searched));
  const search = new SearchService({ ...searched, durations: metrics.searches });
  const embed = (texts: readonly string[]) => semantic.embed([...texts]);
  const briefs = openBriefThread(platform, () => metrics.restarts.add("brief"));
  const ai = createAi({ platform, mailbox, outbound, people, retrieve, embed, compile: briefs.compile });
  const renewWorkers = async () => {
    await Promise.all([briefs.renew(), fullText.renew(), semantic.renew()]);
  };
  const members = createMembers({
    platform,
    mailbox,
    outbound,
    people,
    engines: ai.engines,
    parts: partCache,
    accountsChanged: () => mail.accountsChanged(),
    renewWorkers,
    seed: (sandboxId) => seed(platform, mailbox, sandboxId),
  });
  const { backups, copies, drills, targets } = openBackups(platform, sources);
  targets.onChanged(() => {
    copying.renew();
    drills.start();
  });
  const examineQuickly = () =>
    examine(platform, mailbox, { database: false, untrustedProxies: platform.untrustedProxies.list() });
  const notifications = openNotifications({
    platform,
    mailbox,
    outbound,
    people,
    examine: examineQuickly,
    backups: () => backups,
  });
  const uploads = openUploadRunner(platform, sources);
  const jobs = new JobRunner(platform.jobs, platform.clock, platform.log, {
    [WAKE_JOB]: mailbox.snooze.wakeHandler,
    [DISPATCH_JOB]: dispatcher.handler,
    [SETTLE_JOB]: dispatcher.settleHandler,
    [STORE_JOB]: dispatcher.storeHandler,
    ...ai.jobs,
    ...members.jobs,
    ...notifications.jobs,
    [BACKUP_JOB]: backups.handler,
    [BACKUP_COPY_JOB]: copies.handler,
    [DRILL_JOB]: drills.handler,
    [IMPORT_JOB]: uploads.handler,
  });
  const system = new SystemService({
    platform,
    version: VERSION,
    examine: (options) => examine(platform, mailbox, options),
    custody: () => keyStorageOf(platform),
  });
  const auth = new Auth({ platform, version: VERSION, setupToken, onKeyMoved: () => onKeyMoved(renewWorkers) });
  const routes = apiRoutes(platform, mailbox, outbound, mail, webhooks, people, ai, search);
  const guard = new ApiGuard(platform);
  const { draftReview } = ai;
  const mcp = openMcp({ platform, mailbox, outbound, people, guard, routes, draftReview, extend });
  const pipeline: HttpPipeline = createHttpPipeline({
    platform,
    guard,
    routes,
    bearerPages: mcp.pages,
    appRoutes: appRoutes({
      platform,
      auth,
      members,
      connecting,
      backups,
      copies,
      targets,
      system,
      webhooks,
      notifications: notifications.service,
      exporting: { platform, mailbox, content: mail },
      importing: uploadParts(platform, mailbox),
      assistants: assistantParts(platform, mailbox),
      approvals: { platform, sends: mcp.sends },
    }),
    pages: [
      ...settingsPages(),
      ...authPages(auth),
      feedPage(people.calendarFeed),
      ...mcp.publicPages,
      ...openOAuth(platform),
    ],
    metrics: [storedMetrics(platform), metrics.source],
    version: VERSION,
  });
  return {
    mailbox,
    outbound,
    metrics,
    webhooks,
    partCache,
    mail,
    smtp,
    connecting,
    dispatcher,
    people,
    semantic,
    fullText,
    briefs,
    ai,
    members,
    backups,
    copies,
    drills,
    notifications,
    uploads,
    jobs,
    mcp,
    pipeline,
  };
}

/** The parts of the main thread. */
export type Parts = ReturnType<typeof buildParts>;
