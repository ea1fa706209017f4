/**
 * THE MAP. What Postroom is made of, and in which order things flow.
 *
 * Mail in:   inbound/watch (IDLE, poll) → inbound/sync (a bounded batch) → parse → app-mail.ts (the steps) → events
 * Change:    PATCH → mailbox/changes (state, audit, event and mirror job in one transaction) → outbound/mirror → IMAP
 * Answers:   http/edge (key, limits, plan, scope, quota) → features/*
 */
import { mailPipeline } from "./app-mail.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import { attachmentRoutes } from "./features/attachments/routes.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { messageRoutes } from "./features/messages/routes.ts";
import { threadRoutes } from "./features/threads/routes.ts";
import { usageRoutes } from "./features/usage/routes.ts";
import { createEdge, type Edge } from "./http/edge.ts";
import type { Route } from "./http/route.ts";
import { type HttpServer, startServer } from "./http/server.ts";
import { MailPort } from "./inbound/port.ts";
import { seedSandbox } from "./inbound/sandbox.ts";
import type { FromMailWorker, ToMailWorker } from "./inbound/worker-messages.ts";
import type { Clock } from "./kernel/clock.ts";
import { isPlan } from "./kernel/plans.ts";
import { WAKE_JOB } from "./mailbox/changes.ts";
import type { ContentSource } from "./mailbox/content.ts";
import { createMailbox, type Mailbox } from "./mailbox/mailbox.ts";
import { PartCache } from "./platform/blobs/cache.ts";
import { BlobFiles } from "./platform/blobs/files.ts";
import { type ConfigSources, loadConfig } from "./platform/config/load.ts";
import { JobRunner } from "./platform/jobs/runner.ts";
import { lockInstance } from "./platform/lock.ts";
import { openPlatform, type Platform } from "./platform/platform.ts";
import { startRetention } from "./platform/retention.ts";
import { VERSION } from "./version.ts";

/** Every path of the API, feature by feature. */
export function apiRoutes(platform: Platform, mailbox: Mailbox, content: ContentSource): Route[] {
  const { clock, log } = platform;
  return [
    ...accountRoutes(mailbox.accounts),
    ...threadRoutes(mailbox),
    ...messageRoutes(mailbox.messageQueries, { content, clock, log }),
    ...attachmentRoutes(mailbox.messageQueries, content),
    ...usageRoutes(platform),
    ...auditRoutes(platform.audit),
  ];
}

/** A running Postroom. */
export interface App {
  platform: Platform;
  mailbox: Mailbox;
  server: HttpServer;
  stop(): Promise<void>;
}

/** Boots in this order: lock, data folder, owner, worker, jobs, HTTP. @throws UserError for what a person can mend */
export async function startApp(sources: ConfigSources, clock: Clock): Promise<App> {
  const config = loadConfig(sources);
  const lock = lockInstance(config.data_dir);
  const platform = openPlatform({ config, clock });
  const mailbox = createMailbox(platform);
  ensureOwner(platform);
  const parts = new PartCache(platform);
  parts.start();
  const mail = new MailPort({ platform, parts });
  const worker = await startMailWorker(platform, sources, mail);
  const jobs = new JobRunner(platform.jobs, clock, platform.log, { [WAKE_JOB]: mailbox.snooze.wakeHandler });
  const edge: Edge = createEdge({ platform, routes: apiRoutes(platform, mailbox, mail), version: VERSION });
  const server = startServer({ edge, host: config.get("http.host"), port: config.get("http.port"), log: platform.log });
  jobs.start();
  const stopRetention = startRetention(platform, [() => sweepFiles(platform, mailbox, parts)]);
  for (const person of platform.users.list()) await seed(platform, mailbox, platform.users.sandboxOf(person.id).id);
  return {
    platform,
    mailbox,
    server,
    async stop() {
      stopRetention();
      await server.stop();
      await Promise.all([jobs.stop(), worker.stop()]);
      platform.close();
      lock.release();
    },
  };
}

/** An empty data folder gets an owner and the linked sandbox user (decisions, "Test keys and the sandbox"). */
export function ensureOwner(platform: Platform): void {
  const { config, users } = platform;
  if (users.list().length > 0) return;
  const plan = config.get("owner.plan");
  users.add({
    email: config.get("owner.email"),
    plan: isPlan(plan) ? plan : "autopilot",
    role: "owner",
    timezone: config.get("owner.timezone"),
  });
}

/** Fills a sandbox user's mailbox with the sample mail, once. */
export function seed(platform: Platform, mailbox: Mailbox, user_id: string): Promise<void> {
  const { accounts, folders } = mailbox;
  const files = new BlobFiles(platform);
  const keepRaw = (user_id: string, message_id: string, raw: Uint8Array) =>
    files.storeRaw({ user_id, message_id }, raw);
  return seedSandbox({ platform, accounts, folders, pipeline: mailPipeline(platform, mailbox), keepRaw }, user_id);
}

/** Deletes kept files whose message is gone. */
function sweepFiles({ users }: Platform, { messageQueries }: Mailbox, parts: PartCache): void {
  const people = users.list();
  const ids = people.flatMap((person) => [person.id, users.sandboxOf(person.id).id]);
  void parts.sweep(ids, (user_id) => messageQueries.idsOf(user_id));
}

const WORKER_RESTART_MS = 1_000;

/** Starts the mail worker and keeps one running: a fault in it must not end mail for good. */
async function startMailWorker(
  platform: Platform,
  sources: ConfigSources,
  mail: MailPort,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let current: Worker;
  const start = (): Promise<void> => {
    const worker = new Worker(new URL("./worker-mail.ts", import.meta.url).href);
    current = worker;
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromMailWorker>) => {
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
        platform.clock.after(WORKER_RESTART_MS, () => void start().catch(() => {}));
      });
      const inherited = { master_key: platform.keyring.master };
      const env = { ...process.env };
      worker.postMessage({ type: "start", sources: { ...sources, env }, inherited } satisfies ToMailWorker);
    });
  };
  await start();
  return {
    async stop() {
      stopping = true;
      await mail.stop().catch(() => {});
      current.terminate();
    },
  };
}
