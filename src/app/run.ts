import { join } from "node:path";
import { startRetention } from "../platform/ledger/retention.ts";
import { releaseFilePages } from "../platform/native/file-pages.ts";
import type { Platform } from "../platform/platform.ts";
import { whenDiskSpaceIsFree } from "../platform/process/repeat.ts";
import { startMailWorker } from "./mail-worker.ts";
import { buildParts, type Parts, type PartsOptions } from "./parts.ts";
import { retentionSteps } from "./retention.ts";
import { seedPerson } from "./sandbox.ts";
import { followModel, sweepIndexes, warmSemanticWorker } from "./search.ts";
import { stopParts } from "./shutdown.ts";
import { recordTakeover } from "./takeover.ts";

/** The parts of the main thread between a start and a stop. A server that pauses stops one run and starts another. */
export interface Run {
  parts: Parts;
  /** Resolves when everything that acts has started; at once while the server is paused. */
  started: Promise<void>;
  /** @param endRequests lets running requests end */
  stop(endRequests: () => Promise<void>): Promise<void>;
}

export interface RunOptions extends Omit<PartsOptions, "onKeyMoved"> {
  /** Called after the master key was moved or the data keys changed. */
  onKeyMoved(): void;
}

/** When the pages of files are given back that only a start needs: soon, and again after what follows the first requests. */
const RELEASES_MS = [5_000, 60_000, 600_000];

/**
 * Builds the parts and, unless the server is paused (`platform.acting`), starts everything that acts: the mail worker,
 * jobs, sending, webhooks, notifications. Requests can be answered from the moment this returns.
 */
export function startRun(options: RunOptions): Run {
  const { platform, copying, onKeyMoved } = options;
  const paused = platform.acting.pause !== null;
  platform.db.setBusyTimeout(null);
  const parts = buildParts({
    ...options,
    onKeyMoved: (renewWorkers) => {
      onKeyMoved();
      void renewWorkers();
      void starting.then((worker) => worker.renew());
    },
  });
  const libraries = join(platform.config.data_dir, "cache/native");
  const releases = RELEASES_MS.map((ms) => platform.clock.after(ms, () => releaseFilePages(libraries, true)));
  const stopLoopWatch = parts.metrics.watchLoop(platform.clock);
  // When a person leaves a team or is removed, the endpoints of their keys are disabled.
  const stopListening = platform.keys.listen(() => parts.webhooks.deliverer.refresh());
  if (paused) parts.notifications.startPaused();
  else {
    // Before the mail worker starts, for which the first semantic search need not wait.
    warmSemanticWorker(platform, parts.semantic);
    parts.partCache.start();
  }
  const starting = paused ? Promise.resolve(NO_WORKER) : startWorker(options, parts, copying.held);
  let stopRetention = () => {};
  let stopping = false;
  const started = starting.then(async () => {
    if (paused || stopping) return;
    startActing(platform, parts);
    stopRetention = startRetention(platform, retentionSteps(platform, parts));
    for (const person of platform.users.list()) await seedPerson(platform, parts.mailbox, person.id);
  });
  return {
    parts,
    started,
    async stop(endRequests) {
      stopping = true;
      stopRetention();
      stopLoopWatch();
      for (const stopRelease of releases) stopRelease();
      stopListening();
      const worker = { stop: () => starting.then((running) => running.stop()) };
      await stopParts(platform, parts, { endRequests, worker });
    },
  };
}

type MailWorker = Awaited<ReturnType<typeof startMailWorker>>;
const NO_WORKER: MailWorker = { renew: () => {}, stop: () => Promise.resolve() };

function startWorker(
  { platform, sources }: RunOptions,
  { mail, metrics }: Parts,
  held: SharedArrayBuffer | null,
): Promise<MailWorker> {
  return startMailWorker(platform, sources, { mail, held, onRestart: () => metrics.restarts.add("mail") });
}

function startActing(platform: Platform, parts: Parts): void {
  const { dispatcher, backups, copies, drills, ai, semantic, jobs, webhooks, notifications } = parts;
  whenDiskSpaceIsFree(platform, "scheduled work could not be queued", () => {
    recordTakeover(platform);
    dispatcher.resume();
    followModel(platform);
    // Mail of an earlier version is indexed again from now on, not when old rows are first removed.
    sweepIndexes(platform);
    backups.start();
    copies.start();
    drills.start();
    ai.start();
  });
  semantic.start();
  jobs.start();
  webhooks.deliverer.start();
  notifications.start();
}
