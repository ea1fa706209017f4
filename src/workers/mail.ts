/** Entry point of the mail worker. Owns every IMAP connection, and parses, seals and stores arriving mail. */
import { readFileSync } from "node:fs";
import { connectEgress, createTokens } from "../app/connect.ts";
import {
  MAINTENANCE_JOB,
  maintenanceHandler,
  REINDEX_JOB,
  REMOVE_LEGACY_JOB,
  reindexHandler,
  removeLegacyHandler,
} from "../app/fulltext.ts";
import { mailPipeline } from "../app/mail.ts";
import { createCalendarSync, createPeople } from "../app/people.ts";
import { FILES_JOB, filesHandler } from "../app/search-files.ts";
import { HeldView } from "../backup/lease/held.ts";
import { CALDAV_JOB } from "../features/calendar/calendars.ts";
import { COUNT_JOB, countHandler } from "../features/contacts/count-job.ts";
import { APPLY_JOB } from "../features/rules/runs.ts";
import { ParseThread } from "../inbound/message/parse-thread.ts";
import { RETRY_STEPS_JOB } from "../inbound/message/steps.ts";
import { PartFetcher } from "../inbound/port/part-fetcher.ts";
import { servePort } from "../inbound/port/worker.ts";
import type { FromMailWorker, ToMailWorker } from "../inbound/port/worker-messages.ts";
import { CompletenessCheck } from "../inbound/sync/completeness.ts";
import { PRIORITY } from "../inbound/sync/connection-queue.ts";
import { SyncSupervisor } from "../inbound/sync/supervisor.ts";
import { SYNC_JOB } from "../mailbox/accounts/accounts.ts";
import { CHECK_JOB, CompletenessStore } from "../mailbox/accounts/completeness.ts";
import { MIRROR_JOB } from "../mailbox/changes/edits.ts";
import { LABEL_JOB } from "../mailbox/changes/label-changes.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { createDraftSync } from "../outbound/draft-sync.ts";
import { DRAFTS_JOB } from "../outbound/drafts/store.ts";
import { Mirror, type MirrorParts } from "../outbound/mirror/mirror.ts";
import { COPY_JOB, FIND_JOB } from "../outbound/sends/dispatch.ts";
import { SentCopies } from "../outbound/sends/sent-copy.ts";
import { SendStore } from "../outbound/sends/store.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { startCheckpoints } from "../platform/db/checkpoint.ts";
import { type JobHandler, JobRunner } from "../platform/jobs/runner.ts";
import { openPlatform } from "../platform/platform.ts";
import { workInBackground } from "../platform/process/background.ts";
import { whenDiskSpaceIsFree } from "../platform/process/repeat.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { systemSteadyClock } from "../platform/steady-clock.ts";

declare const self: Worker;

workInBackground();

self.onmessage = ({ data }: MessageEvent<ToMailWorker>) => {
  if (data.type === "start") begin(data);
};

function begin({ sources, inherited, held }: ToMailWorker): void {
  const config = loadConfig(sources);
  // Mail imported here is still on the server, so commits need not wait for the disk (docs/reliability.md,
  // "Durability").
  const platform = openPlatform({ config, clock: systemClock, durability: "normal", inherited });
  const mailbox = createMailbox(platform);
  const { accounts, folders, labels, locationSync, locations, pending } = mailbox;
  const ca_file = platform.config.get("mail.ca_file");
  const ca = ca_file ? readFileSync(ca_file, "utf8") : null;
  const startParser = () => new Worker(workerUrl("workers/parse.ts"));
  const parser = new ParseThread(startParser, platform.clock, platform.log);
  const egress = connectEgress(platform);
  const tokens = createTokens(platform, egress);
  const pipeline = mailPipeline(platform, mailbox);
  const lease = held && new HeldView(systemSteadyClock, held);
  /** Another machine may act when the lease has ended, before this thread is stopped. */
  const permit = lease ? { mayAct: () => lease.mayAct() } : {};
  const supervisor = new SyncSupervisor(platform, mailbox, pipeline, { ca, ...permit }, parser.read, tokens);
  /** Changes a mailbox on its server. */
  const withMailbox: MirrorParts["withMailbox"] = async (account_id, task) => {
    lease?.assertActing();
    return supervisor.withMailbox(account_id, PRIORITY.mirror, task);
  };
  const files = new BlobFiles(platform);
  const content = new PartFetcher({
    platform,
    accounts,
    locations,
    files,
    connectionQueue: (account_id) => supervisor.connectionQueue(account_id),
  });
  const mirror = new Mirror({
    platform,
    accounts,
    folders,
    labels,
    locationSync,
    locations,
    pending,
    withMailbox,
  });
  const sentCopies = new SentCopies({
    platform,
    accounts,
    folders,
    sends: new SendStore(platform),
    files,
    withMailbox,
    syncNow: (account_id) => supervisor.syncNow(account_id),
  });
  const drafts = createDraftSync(platform, mailbox, {
    withMailbox,
    syncNow: (account_id) => supervisor.syncNow(account_id),
  });
  const check = new CompletenessCheck({
    sync: supervisor.parts,
    store: new CompletenessStore(platform, folders),
    withMailbox: (account_id, priority, task) => supervisor.withMailbox(account_id, priority, task),
  });
  const people = createPeople(platform, mailbox);
  const calendars = createCalendarSync(platform, people);
  const syncNow: JobHandler = {
    concurrency: 1,
    run: async ({ payload }) => {
      supervisor.reconcile();
      supervisor.syncNow((payload as { account_id: string }).account_id);
      return { outcome: "done" };
    },
  };
  const handlers = {
    [MIRROR_JOB]: mirror.handler,
    [COPY_JOB]: sentCopies.copyHandler,
    [FIND_JOB]: sentCopies.findHandler,
    [APPLY_JOB]: people.rule_runs.handler,
    [LABEL_JOB]: mailbox.labelChanges.handler,
    [COUNT_JOB]: countHandler(platform),
    [CALDAV_JOB]: calendars.handler,
    [DRAFTS_JOB]: drafts.handler,
    [FILES_JOB]: filesHandler({ platform, mailbox, content, files }),
    [MAINTENANCE_JOB]: maintenanceHandler(platform, mailbox),
    [REINDEX_JOB]: reindexHandler(platform, mailbox),
    [REMOVE_LEGACY_JOB]: removeLegacyHandler(platform),
    [CHECK_JOB]: check.handler,
    [RETRY_STEPS_JOB]: pipeline.steps.handler,
    [SYNC_JOB]: syncNow,
  };
  const runner = new JobRunner(platform.jobs, platform.clock, platform.log, handlers);
  servePort(self, platform.log, {
    content: (request, sink, signal) => content.fetch(request, sink, signal),
    syncNow: (account_id) => supervisor.syncNow(account_id),
    accountsChanged: async () => {
      for (const user_id of platform.keyring.dropDestroyed()) mailbox.search.forget(user_id);
      supervisor.reconcile();
    },
    stop: async () => {
      stopCheckpoints();
      drafts.stop();
      calendars.stop();
      check.stop();
      await Promise.all([runner.stop(), supervisor.stop()]);
      parser.close();
      egress.close();
      platform.close();
    },
  });
  platform.events.listen(() => self.postMessage({ type: "events" } satisfies FromMailWorker));
  const stopCheckpoints = startCheckpoints(platform);
  whenDiskSpaceIsFree(platform, "mailbox changes and calendars could not be started", () => {
    mirror.resume();
    pipeline.steps.resume();
    calendars.resume();
  });
  supervisor.start();
  runner.start();
  drafts.start();
  check.start();
  self.postMessage({ type: "ready" } satisfies FromMailWorker);
}
