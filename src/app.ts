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
import { readFileSync } from "node:fs";
import { type AiRoom, createAi } from "./app-ai.ts";
import { retrieveBySearch } from "./app-ask.ts";
import { openBackups } from "./app-backup.ts";
import { openBriefThread } from "./app-brief.ts";
import { createUnsubscriber, openConnecting } from "./app-connect.ts";
import { controlHandlers } from "./app-control.ts";
import { repair } from "./app-fulltext.ts";
import { localDelivery } from "./app-mail.ts";
import { createMembers } from "./app-members.ts";
import { createPeople, type People } from "./app-people.ts";
import {
  createSemanticWorker,
  followModel,
  NO_MEANING,
  openFullTextWorker,
  sweepIndexes,
  warmSemanticWorker,
} from "./app-search.ts";
import { seed, seedPerson } from "./app-seed.ts";
import { appRoutes } from "./app-settings.ts";
import { STOP, within } from "./app-stop.ts";
import { sweepFiles } from "./app-sweep.ts";
import { openWebhooks } from "./app-webhooks.ts";
import { BACKUP_JOB } from "./backup/room.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { attachmentRoutes } from "./features/attachments/routes.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { feedPage } from "./features/calendar/feed.ts";
import { calendarRoutes } from "./features/calendar/routes.ts";
import { completenessRoutes } from "./features/connect/routes.ts";
import { contactRoutes } from "./features/contacts/routes.ts";
import { contextRoutes } from "./features/context/routes.ts";
import { custodyOf } from "./features/door/custody.ts";
import { Door } from "./features/door/door.ts";
import { doorPages } from "./features/door/pages.ts";
import { newSetupToken } from "./features/door/setup.ts";
import { draftRoutes } from "./features/drafts/routes.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { messageRoutes } from "./features/messages/routes.ts";
import { ruleRoutes } from "./features/rules/routes.ts";
import { searchRoutes } from "./features/search/routes.ts";
import { SearchService } from "./features/search/service.ts";
import { sendRoutes } from "./features/sends/routes.ts";
import { settingsPages } from "./features/settings-page/pages.ts";
import { RunningMeasures } from "./features/system/running-measures.ts";
import { SystemService } from "./features/system/service.ts";
import { storedMeasures } from "./features/system/stored-measures.ts";
import { threadRoutes } from "./features/threads/routes.ts";
import { unsubscribeRoutes } from "./features/unsubscribe/routes.ts";
import { usageRoutes } from "./features/usage/routes.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";
import type { Webhooks } from "./features/webhooks/webhooks.ts";
import { createEdge, type Edge } from "./http/edge.ts";
import type { Route } from "./http/route.ts";
import { type HttpServer, startServer } from "./http/server.ts";
import { pruneFailedSteps } from "./inbound/failed-steps.ts";
import { MailPort } from "./inbound/port.ts";
import type { FromMailWorker, ToMailWorker } from "./inbound/worker-messages.ts";
import type { Clock } from "./kernel/clock.ts";
import { isPlan } from "./kernel/plans.ts";
import { AttachmentSizes } from "./mailbox/attachment-sizes.ts";
import { WAKE_JOB } from "./mailbox/changes.ts";
import { CompletenessStore } from "./mailbox/completeness.ts";
import type { ContentSource } from "./mailbox/content.ts";
import { createMailbox, type Mailbox } from "./mailbox/mailbox.ts";
import { searchProgress } from "./mailbox/search/progress.ts";
import { Unsubscribes } from "./mailbox/unsubscribes.ts";
import { Dispatcher, SETTLE_JOB, STORE_JOB } from "./outbound/dispatch.ts";
import { createOutbound, type Outbound } from "./outbound/outbound.ts";
import { DISPATCH_JOB } from "./outbound/sends-store.ts";
import { SentMail } from "./outbound/sent-mail.ts";
import { submitWithTokens } from "./outbound/token-submit.ts";
import { PartCache } from "./platform/blobs/cache.ts";
import { BlobFiles } from "./platform/blobs/files.ts";
import { type Config, type ConfigSources, loadConfig } from "./platform/config/load.ts";
import { startControl } from "./platform/control/server.ts";
import { JobRunner } from "./platform/jobs/runner.ts";
import { lockInstance } from "./platform/lock.ts";
import { errorFields } from "./platform/log.ts";
import { openPlatform, type Platform } from "./platform/platform.ts";
import { onceThereIsRoom } from "./platform/repeat.ts";
import { startRetention } from "./platform/retention.ts";
import { VERSION } from "./version.ts";
import { SmtpPool } from "./wire/smtp/pool.ts";

/** Every path of the API, feature by feature. */
export function apiRoutes(
  platform: Platform,
  mailbox: Mailbox,
  outbound: Outbound,
  content: ContentSource,
  webhooks: Pick<Webhooks, "service" | "deliveries">,
  people: People = createPeople(platform, mailbox),
  ai: AiRoom = createAi({ platform, mailbox, outbound, people }),
  search: SearchService = new SearchService({ platform, mailbox, meaning: NO_MEANING }),
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
    ...messageRoutes(mailbox.messageQueries, { content, clock, log, unsubscribes: new Unsubscribes(platform) }),
    ...unsubscribeRoutes(createUnsubscriber(platform, mailbox)),
    ...attachmentRoutes(mailbox.messageQueries, content),
    ...draftRoutes({
      accounts: mailbox.accounts,
      drafts: outbound.drafts,
      files: outbound.draft_files,
      ai: ai.drafting,
    }),
    ...sendRoutes(outbound),
    ...contactRoutes(people.contacts),
    ...ruleRoutes(people.rules),
    ...contextRoutes(people.context, people.context_files),
    ...calendarRoutes(people.calendar),
    ...eventRoutes(platform),
    ...webhookRoutes(webhooks),
    ...ai.routes,
    ...searchRoutes(platform, search),
    ...usageRoutes(platform, outbound.sends),
    ...auditRoutes(platform.audit),
  ];
}

/** A running Postroom. */
export interface App {
  platform: Platform;
  mailbox: Mailbox;
  server: HttpServer;
  /** Where the owner sets this installation up, with the code in it; null when that is done. */
  setup_url: string | null;
  stop(): Promise<void>;
}

/** Boots in this order: lock, data folder, owner, HTTP while the worker starts, jobs. @throws UserError for what a person can mend */
export async function startApp(sources: ConfigSources, clock: Clock): Promise<App> {
  const loaded = loadConfig(sources);
  const lock = lockInstance(loaded.data_dir);
  const platform = openPlatform({ config: loaded, clock, place: "first" });
  const { config } = platform;
  const mailbox = createMailbox(platform);
  mailbox.search.onDamage = (...damaged) => repair(platform, ...damaged);
  const outbound = createOutbound(platform, mailbox);
  const measures = new RunningMeasures();
  const webhooks = openWebhooks(platform, mailbox, outbound, measures.webhooks);
  ensureOwner(platform);
  const parts = new PartCache(platform);
  parts.start();
  const mail = new MailPort({
    platform,
    parts,
    sizes: new AttachmentSizes(platform),
    timeouts: { stop_ms: STOP.work_ms },
  });
  const starting = startMailWorker(platform, sources, mail, () => measures.restarts.add("mail"));
  const smtp = createSmtp(platform);
  const connecting = openConnecting(platform, mailbox);
  const submitTimed: SmtpPool["submit"] = (...given) =>
    measures.submissions.time(
      ({ outcome }) => outcome,
      () => smtp.submit(...given),
    );
  const submit = submitWithTokens(submitTimed, mailbox.accounts, connecting.tokens);
  const dispatcher = createDispatcher(platform, mailbox, outbound, { submit });
  const people = createPeople(platform, mailbox);
  const onRestart = () => measures.restarts.add("semantic");
  const meaning = createSemanticWorker(platform, sources, { onRestart });
  const fullText = openFullTextWorker(platform, mailbox, { onRestart: () => measures.restarts.add("words") });
  const searched = { platform, mailbox, meaning, lookup: fullText };
  const retrieve = retrieveBySearch(platform, mailbox, new SearchService(searched));
  const search = new SearchService({ ...searched, durations: measures.searches });
  const embed = (texts: readonly string[]) => meaning.embed([...texts]);
  const briefs = openBriefThread(platform, () => measures.restarts.add("brief"));
  const ai = createAi({ platform, mailbox, outbound, people, retrieve, embed, compile: briefs.compile });
  const renewWorkers = async () => {
    await Promise.all([briefs.renew(), fullText.renew(), meaning.renew()]);
  };
  const members = createMembers({
    platform,
    mailbox,
    outbound,
    people,
    engines: ai.engines,
    parts,
    accountsChanged: () => mail.accountsChanged(),
    renewWorkers,
    seed: (sandbox_id) => seed(platform, mailbox, sandbox_id),
  });
  const backups = openBackups(platform, sources);
  const jobs = new JobRunner(platform.jobs, clock, platform.log, {
    [WAKE_JOB]: mailbox.snooze.wakeHandler,
    [DISPATCH_JOB]: dispatcher.handler,
    [SETTLE_JOB]: dispatcher.settleHandler,
    [STORE_JOB]: dispatcher.storeHandler,
    ...ai.jobs,
    ...members.jobs,
    [BACKUP_JOB]: backups.handler,
  });
  const system = new SystemService({ platform, mailbox, version: VERSION, custody: () => custodyOf(platform) });
  const setup_token = platform.sign_in.claim.isClaimed ? null : newSetupToken();
  const onKeyMoved = () => {
    void renewWorkers();
    void starting.then((worker) => worker.renew());
  };
  const door = new Door({ platform, version: VERSION, setup_token, onKeyMoved });
  const edge: Edge = createEdge({
    platform,
    routes: apiRoutes(platform, mailbox, outbound, mail, webhooks, people, ai, search),
    app_routes: appRoutes({
      platform,
      door,
      members,
      connecting,
      backups,
      system,
      webhooks,
      exporting: { platform, mailbox, content: mail },
    }),
    pages: [...settingsPages(), ...doorPages(door), feedPage(people.calendar_feed)],
    metrics: [storedMeasures(platform), measures.source],
    version: VERSION,
  });
  // Requests are answered while the worker still starts; what only the mail server has waits for it.
  const server = startServer({ edge, host: config.get("http.host"), port: config.get("http.port"), log: platform.log });
  const setup_url = setup_token === null ? null : setupUrl(config, server.port, setup_token);
  if (setup_url) platform.log.warn("not set up yet: open this address", { address: setup_url });
  const worker = await starting;
  const backupProgress = () => backups.state().running;
  const handlers = controlHandlers({ platform, mail, members, url: server.url, backupProgress });
  const control = await startControl({ data_dir: config.data_dir, handlers, log: platform.log });
  onceThereIsRoom(platform, "what is to be done next could not be queued", () => {
    dispatcher.resume();
    followModel(platform);
    backups.start();
    ai.start();
  });
  warmSemanticWorker(platform, meaning);
  meaning.start();
  jobs.start();
  webhooks.deliverer.start();
  // Who leaves a team, or is removed, has no endpoints of its keys any more.
  platform.keys.listen(() => webhooks.deliverer.refresh());
  const stopLoopWatch = measures.watchLoop(clock);
  const stopRetention = startRetention(platform, [
    () => {
      const failed = (error: unknown) => platform.log.warn("files could not be removed", errorFields(error));
      void sweepFiles(platform, mailbox, outbound, parts).catch(failed);
    },
    () => webhooks.service.prune(),
    () => people.contact_store.prune(),
    () => ai.prune(),
    () => backups.prune(),
    () => sweepIndexes(platform),
    () => pruneFailedSteps(platform),
  ]);
  for (const person of platform.users.list()) await seedPerson(platform, mailbox, person.id);
  return {
    platform,
    mailbox,
    server,
    setup_url,
    async stop() {
      stopRetention();
      stopLoopWatch();
      control.close();
      backups.stop();
      platform.db.sql.run(`PRAGMA busy_timeout = ${STOP.busy_ms}`);
      // No new job begins from here on. A message that is handed over just now gets a moment; one that takes longer is
      // looked for at the next start.
      const ended = Promise.all([jobs.stop(), webhooks.deliverer.stop()]);
      await server.stop(STOP.requests_ms);
      smtp.close();
      connecting.close();
      await Promise.all([
        within(clock, STOP.work_ms, ended),
        worker.stop(),
        meaning.stop(),
        fullText.stop(),
        briefs.stop(),
      ]);
      webhooks.close();
      platform.close();
      lock.release();
    },
  };
}

function createSmtp({ config, clock }: Platform): SmtpPool {
  const ca_file = config.get("mail.ca_file");
  return new SmtpPool({ clock, ca: ca_file ? readFileSync(ca_file, "utf8") : null });
}

/** The way out, on this thread: its commits wait for the disk, which sends must. */
export function createDispatcher(
  platform: Platform,
  mailbox: Mailbox,
  { sends, draft_store, draft_files }: Outbound,
  smtp: Pick<SmtpPool, "submit">,
): Dispatcher {
  const { accounts, folders, localFolder, places } = mailbox;
  const files = new BlobFiles(platform);
  const delivery = localDelivery(platform, mailbox);
  const sent_mail = new SentMail({ platform, folders, localFolder, places, files, delivery });
  const submit: SmtpPool["submit"] = (key, login, message) => smtp.submit(key, login, message);
  return new Dispatcher({ platform, accounts, sends, draft_store, draft_files, sent_mail, submit });
}

/** What a person opens to set the installation up; the code stands behind the #, which no browser sends and no proxy logs. */
function setupUrl(config: Config, port: number, token: string): string {
  const host = config.get("http.host");
  const reachable =
    host === "0.0.0.0" || host === "::"
      ? "localhost"
      : host.includes(":") && !host.startsWith("[")
        ? `[${host}]`
        : host;
  const base = config.get("http.public_url").replace(/\/$/, "");
  return `${base || `http://${reachable}:${port}${config.get("http.base_path")}`}/app/#/setup?token=${token}`;
}

/** An empty data folder gets an owner and the linked sandbox user (decisions, "Test keys and the sandbox"). */
export function ensureOwner(platform: Platform): void {
  const { config, users } = platform;
  if (users.exist()) return;
  const plan = config.get("owner.plan");
  users.add({
    email: config.get("owner.email"),
    plan: isPlan(plan) ? plan : "autopilot",
    role: "owner",
    timezone: config.get("owner.timezone"),
  });
}

const WORKER_RESTART_MS = 1_000;

/** Starts the mail worker and keeps one running: a fault in it must not end mail for good. */
async function startMailWorker(
  platform: Platform,
  sources: ConfigSources,
  mail: MailPort,
  onRestart: () => void,
): Promise<{ renew(): void; stop(): Promise<void> }> {
  let stopping = false;
  let current: Worker;
  const start = (): Promise<void> => {
    const worker = new Worker(new URL("./worker-mail.ts", import.meta.url).href);
    current = worker;
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromMailWorker>) => {
        if (data.type === "events") platform.events.announce();
        if (data.type !== "ready") return;
        mail.connect(worker);
        resolve();
      });
      worker.addEventListener("error", (event) => {
        platform.log.error("the mail worker failed", { reason: event.message });
        reject(new Error("the mail worker failed to start", { cause: event.message }));
      });
      worker.addEventListener("close", () => {
        mail.disconnect();
        if (stopping || current !== worker) return;
        onRestart();
        platform.clock.after(WORKER_RESTART_MS, () => void start().catch(() => {}));
      });
      const inherited = { master_key: platform.keyring.master };
      const env = { ...process.env };
      worker.postMessage({ type: "start", sources: { ...sources, env }, inherited } satisfies ToMailWorker);
    });
  };
  await start();
  return {
    /** Another one in its place, with the master key of this moment. */
    renew: () => current.terminate(),
    async stop() {
      stopping = true;
      await mail.stop().catch(() => {});
      current.terminate();
    },
  };
}
