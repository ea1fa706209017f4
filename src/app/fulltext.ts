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

/** Makes segments of what is pending, merges them and leaves out deleted text. One for each user is pending at most. */
export const MAINTENANCE_JOB = "fulltext-upkeep";
/** Indexes mail from its stored text: after an upgrade, or where an index was damaged. */
export const REINDEX_JOB = "fulltext-reindex";
/** Removes the index of an earlier version, as soon as all mail of everybody is in the new one. */
export const REMOVE_LEGACY_JOB = "fulltext-remove-legacy";

/** Deleted text is gone from the index within a day; more often would write large segments again for a few messages. */
const COMPACT_AFTER_MS = 12 * 3_600_000;
/** After damage was met: what replaces it takes a moment. */
const AGAIN_MS = 5_000;
/** A job runs for so long at most before others have their turn. */
const REINDEX_SLICE_MS = 30_000;
/** While so many documents of a user are pending, their segments are made first. */
const MOST_PENDING = 2_048;
const PAUSE_MS = 1_000;

interface MaintenancePayload {
  /** Null: only what no user has any more is deleted. */
  user_id: string | null;
  compact: boolean;
}

/** Indexes the text of arriving mail, in its transaction. */
export function fullTextStep(platform: Platform, { fullText }: Mailbox): InboundStep {
  return {
    name: "index the text",
    run: ({ target: { user_id }, incoming, imported }) => {
      if (imported.outcome !== "new") return;
      const n = numberOf(platform.db, imported.message_id);
      const terms = incoming.terms ?? readTerms(fullText.reader, incoming);
      if (fullText.add(user_id, n, incoming.internal_date, terms)) queueMaintenance(platform, user_id);
    },
  };
}

function queueMaintenance({ jobs }: Platform, user_id: string | null, compactAt?: number): void {
  const compact = compactAt !== undefined;
  const payload: MaintenancePayload = { user_id, compact };
  const dedupe_key = `${user_id ?? "sweep"}${compact ? ":compact" : ""}`;
  jobs.enqueue({ kind: MAINTENANCE_JOB, dedupe_key, payload, ...(compact ? { run_at: compactAt } : {}) });
}

/** Queues what the indexes need: to be called at the start, and now and then. */
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

/** Queues what is to be indexed from its stored text, and attachments that are to be read again. */
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

/** Has damaged parts of an index made again from the stored text of their messages. @returns whether these are queued */
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
    log.error("a part of the full-text index is damaged: its messages are indexed again", {
      user_id,
      segments,
      messages,
    });
    return true;
  } catch (error) {
    // The next search tries it again.
    log.error("a damaged part of the full-text index could not be replaced", {
      user_id,
      segments,
      ...errorFields(error),
    });
    return false;
  }
}

/** Puts new tables in the place of damaged ones, and has all mail indexed again that was in these. */
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
  log.error("pages of the database are damaged: tables of the full-text index were replaced", {
    tables: left.join(" "),
  });
}

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
        return { outcome: "retry", run_at: platform.clock.now() + AGAIN_MS, detail: (error as Error).message };
      }
      while (!fullText.sweep()) await rest();
      // Replaced blocks and deleted mail are in free pages now.
      if (compact && !(await overwriteFreePages(platform, rest)))
        platform.log.info("the write-ahead log is in use, and keeps deleted mail until its pages are used again");
      return { outcome: "done" };
    },
  };
}

function damageOf({ db }: Platform, error: unknown): Damage | null {
  if (error instanceof IndexDamaged)
    return { segments: error.segment === null ? [] : [error.segment], hasTable: false };
  return isCorrupt(error) && damagedTables(db).length > 0 ? { segments: [], hasTable: true } : null;
}

export function reindexHandler(platform: Platform, { reindexer, fullText }: Mailbox): JobHandler {
  const { clock, db } = platform;
  return {
    concurrency: 1,
    run: async ({ payload }) => {
      const { user_id } = payload as { user_id: string };
      const began = clock.now();
      const rest = yieldInSlices();
      for (;;) {
        const { goesOn, isEnough } = reindexer.some(user_id);
        if (isEnough) {
          queueMaintenance(platform, user_id);
          if (fullText.pendingCount(user_id) > MOST_PENDING)
            return { outcome: "retry", run_at: clock.now() + PAUSE_MS };
        }
        if (!goesOn) break;
        await rest();
        if (clock.now() - began > REINDEX_SLICE_MS) return { outcome: "retry", run_at: clock.now() };
      }
      db.write(() => queueRemoval(platform));
      return { outcome: "done" };
    },
  };
}

export function removeLegacyHandler(platform: Platform): JobHandler {
  const { clock, log } = platform;
  return {
    concurrency: 1,
    run: async () => {
      // An index was damaged and is made again: the end of that queues this job again.
      if (!isReindexed(platform.db)) return { outcome: "done" };
      const outcome = await removeLegacyIndex(platform);
      if (outcome === "again") return { outcome: "retry", run_at: clock.now() + PAUSE_MS };
      log.info("the search index of an earlier version was removed");
      return { outcome: "done" };
    },
  };
}
