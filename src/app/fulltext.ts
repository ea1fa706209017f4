import type { InboundStep } from "../inbound/message/arrival.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { damagedTables, dropIfReadable, replaceTables } from "../mailbox/search/damaged-tables.ts";
import { FullTextIndex } from "../mailbox/search/fulltext-index.ts";
import { readTerms } from "../mailbox/search/indexable.ts";
import { legacyIndexRemains, removeLegacyIndex } from "../mailbox/search/legacy.ts";
import { isReindexed, usersOf } from "../mailbox/search/reindex.ts";
import { repairIndex } from "../mailbox/search/repair.ts";
import type { Damage } from "../mailbox/search/segments/snapshot.ts";
import { IndexDamaged, isCorrupt, unusedSegment } from "../mailbox/search/segments/store.ts";
import { numberOf } from "../mailbox/store/message-numbers.ts";
import { overwriteFreePages } from "../platform/db/free-pages.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { yieldInSlices } from "../platform/process/yielding.ts";
import { queueFiles } from "./search-files.ts";

/**
 * Builds segments from pending documents, merges segments and drops deleted text. At most one job per user is pending.
 */
export const MAINTENANCE_JOB = "fulltext-upkeep";
/** Indexes mail from its stored text, after an upgrade or after damage to an index. */
export const REINDEX_JOB = "fulltext-reindex";
/** Removes the index of an earlier version once all mail of all users is in the new one. */
export const REMOVE_LEGACY_JOB = "fulltext-remove-legacy";

/**
 * Keeps deleted text out of the index within a day. A shorter delay would rewrite large segments for a few messages.
 */
const COMPACT_AFTER_MS = 12 * 3_600_000;
/** Delay before work is retried after damage was found, because building the replacement takes a moment. */
const RETRY_MS = 5_000;
/** A job runs for at most this long before other jobs get their turn. */
const REINDEX_SLICE_MS = 30_000;
/** Once a user has this many pending documents, their segments are built before indexing continues. */
const MAX_PENDING = 2_048;
const PAUSE_MS = 1_000;

interface MaintenancePayload {
  /** Null: delete only segments without a user. */
  user_id: string | null;
  compact: boolean;
}

/** Indexes the text of arriving mail, in the transaction that stores the mail. */
export function fullTextStep(platform: Platform, { fullText }: Mailbox): InboundStep {
  return {
    name: "index the text",
    run: ({ target: { user_id }, incoming, imported }) => {
      if (imported.outcome !== "new") return;
      const n = numberOf(platform.db, imported.message_id);
      const terms = incoming.terms ?? readTerms(fullText.reader, incoming);
      if (fullText.add(user_id, n, incoming.internalDate, terms)) queueMaintenance(platform, user_id);
    },
  };
}

function queueMaintenance({ jobs }: Platform, user_id: string | null, compactAt?: number): void {
  const compact = compactAt !== undefined;
  const payload: MaintenancePayload = { user_id, compact };
  const dedupe_key = `${user_id ?? "sweep"}${compact ? ":compact" : ""}`;
  jobs.enqueue({ kind: MAINTENANCE_JOB, dedupe_key, payload, ...(compact ? { run_at: compactAt } : {}) });
}

/** Queues the work that the indexes need. Called at startup and at intervals. */
export function queueIndexWork(platform: Platform): void {
  const { db, clock } = platform;
  db.write(() => {
    queueReindexing(platform);
    for (const user_id of usersOf(db, "search_deleted"))
      queueMaintenance(platform, user_id, clock.now() + COMPACT_AFTER_MS);
    if (unusedSegment(db) !== null) queueMaintenance(platform, null);
    for (const user_id of new FullTextIndex(platform).due()) queueMaintenance(platform, user_id);
    queueRemoval(platform);
  });
}

/** Queues mail to be indexed from its stored text, and attachments to be read again. */
function queueReindexing(platform: Platform): void {
  for (const user_id of usersOf(platform.db, "search_queue")) {
    platform.jobs.enqueue({ kind: REINDEX_JOB, dedupe_key: user_id, payload: { user_id } });
  }
  queueFiles(platform);
}

function queueRemoval(platform: Platform): void {
  if (!isReindexed(platform.db) || !legacyIndexRemains(platform.db)) return;
  platform.jobs.enqueue({ kind: REMOVE_LEGACY_JOB, dedupe_key: "all" });
}

/**
 * Queues the messages of damaged index parts to be indexed again from their stored text.
 * @returns whether they were queued
 */
export function repair(platform: Platform, user_id: string, damage: Damage): boolean {
  const { db, log } = platform;
  const segments = damage.segments.join(" ");
  try {
    if (damage.hasTable) repairTables(platform);
    const messages = db.write(() => {
      const waiting = repairIndex(platform, user_id, damage.segments);
      queueReindexing(platform);
      queueMaintenance(platform, null);
      return waiting;
    });
    log.error("a part of the full-text index is damaged, so its messages are indexed again", {
      user_id,
      segments,
      messages,
    });
    return true;
  } catch (error) {
    // The next search retries.
    log.error("a damaged part of the full-text index could not be replaced", {
      user_id,
      segments,
      ...errorFields(error),
    });
    return false;
  }
}

/** Replaces damaged tables and queues all mail to be indexed again. */
function repairTables(platform: Platform): void {
  const { db, log } = platform;
  const tables = damagedTables(db);
  if (tables.length === 0) return;
  const left = db.write(() => {
    const names = replaceTables(db, tables);
    for (const user_id of usersOf(db, "messages")) repairIndex(platform, user_id, []);
    return names;
  });
  for (const name of left) dropIfReadable(db, name);
  log.error("pages of the database are damaged, so tables of the full-text index were replaced", {
    tables: left.join(" "),
  });
}

/** Returns the handler of MAINTENANCE_JOB. */
export function maintenanceHandler(platform: Platform, { fullText }: Mailbox): JobHandler {
  return {
    concurrency: 1,
    run: async ({ payload }) => {
      const { user_id, compact } = payload as MaintenancePayload;
      const rest = yieldInSlices();
      try {
        if (user_id !== null) await fullText.maintain(user_id, { rest, compact });
      } catch (error) {
        const damage = damageOf(platform, error);
        if (user_id === null || damage === null) throw error;
        repair(platform, user_id, damage);
        return { outcome: "retry", run_at: platform.clock.now() + RETRY_MS, detail: (error as Error).message };
      }
      while (!fullText.sweep()) await rest();
      // Replaced blocks and deleted mail are now in free pages.
      if (compact && !(await overwriteFreePages(platform, rest)))
        platform.log.info("the write-ahead log is in use, so it contains deleted mail until its pages are reused");
      return { outcome: "done" };
    },
  };
}

function damageOf({ db }: Platform, error: unknown): Damage | null {
  if (error instanceof IndexDamaged)
    return { segments: error.segment === null ? [] : [error.segment], hasTable: false };
  return isCorrupt(error) && damagedTables(db).length > 0 ? { segments: [], hasTable: true } : null;
}

/** Returns the handler of REINDEX_JOB. */
export function reindexHandler(platform: Platform, { reindexer, fullText }: Mailbox): JobHandler {
  const { clock, db } = platform;
  return {
    concurrency: 1,
    run: async ({ payload }) => {
      const { user_id } = payload as { user_id: string };
      const began = clock.now();
      const rest = yieldInSlices();
      for (;;) {
        const { hasMore, isSegmentDue } = reindexer.reindexBatch(user_id);
        if (isSegmentDue) {
          queueMaintenance(platform, user_id);
          if (fullText.pendingCount(user_id) > MAX_PENDING) return { outcome: "retry", run_at: clock.now() + PAUSE_MS };
        }
        if (!hasMore) break;
        await rest();
        if (clock.now() - began > REINDEX_SLICE_MS) return { outcome: "retry", run_at: clock.now() };
      }
      db.write(() => queueRemoval(platform));
      return { outcome: "done" };
    },
  };
}

/** Returns the handler of REMOVE_LEGACY_JOB. */
export function removeLegacyHandler(platform: Platform): JobHandler {
  const { clock, log } = platform;
  return {
    concurrency: 1,
    run: async () => {
      // A damaged index is being rebuilt. When that is done, this job is queued again.
      if (!isReindexed(platform.db)) return { outcome: "done" };
      const outcome = await removeLegacyIndex(platform);
      if (outcome === "again") return { outcome: "retry", run_at: clock.now() + PAUSE_MS };
      log.info("the search index of an earlier version was removed");
      return { outcome: "done" };
    },
  };
}
