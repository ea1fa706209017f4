import { FullTextWorker } from "../features/search/fulltext-worker.ts";
import type { Mode, SearchResult } from "../features/search/model.ts";
import { type Ranking, SearchService } from "../features/search/service.ts";
import { viewResults } from "../features/search/views.ts";
import type { InboundStep } from "../inbound/message/arrival.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { newestNumber } from "../mailbox/store/message-numbers.ts";
import { BUILT_IN_ID, BUILT_IN_SETTING } from "../ml/embedding/model.ts";
import { EMBED_JOB } from "../ml/semantic/backfill.ts";
import { isEmbeddingDue, queueEmbedding } from "../ml/semantic/embed-queue.ts";
import { SemanticWorker } from "../ml/semantic/semantic-worker.ts";
import { Snapshots } from "../ml/vectors/snapshot.ts";
import { VectorStore } from "../ml/vectors/store.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { queueIndexWork, repair } from "./fulltext.ts";

/** During a first sync, embedding is batched: one job covers all mail of this interval. */
const QUEUE_EVERY_MS = 10_000;

/** Queues arriving mail for embedding. */
export function semanticStep(platform: Platform): InboundStep {
  const queuedAt = new Map<string, number>();
  return {
    name: "queue the embedding",
    run: ({ target: { user_id, id }, incoming, imported, importing }) => {
      if (imported.outcome !== "new") return;
      queueEmbedding(platform.db, imported.message_id, id, incoming.internal_date);
      const now = platform.clock.now();
      if (importing && now - (queuedAt.get(user_id) ?? 0) < QUEUE_EVERY_MS) return;
      queuedAt.set(user_id, now);
      platform.jobs.enqueue({ kind: EMBED_JOB, dedupe_key: user_id, user_id, payload: { user_id } });
    },
  };
}

/**
 * Creates the main thread's handle of the semantic worker.
 * @param options.backfill false for a command beside a running server, because the server embeds the mail
 */
export function createSemanticWorker(
  platform: Platform,
  sources: ConfigSources,
  { backfill = true, onRestart }: { backfill?: boolean; onRestart?: () => void } = {},
): SemanticWorker {
  const { clock, log, keyring } = platform;
  return new SemanticWorker({
    clock,
    log,
    start: () => new Worker(workerUrl("workers/semantic.ts")),
    begin: {
      type: "start",
      sources: { ...sources, env: { ...process.env } },
      // The key may change while the server runs, so each new worker gets the current key.
      inherited: {
        get master_key() {
          return keyring.master;
        },
      },
      backfill,
    },
    isWorkDue: () => isEmbeddingDue(platform),
    ...(onRestart ? { onLost: onRestart } : {}),
  });
}

/** From this many messages in the installation, the first search would wait noticeably for vectors to load. */
const WARM_FROM_MESSAGES = 20_000;

/** Preloads what the owner's first search needs if there is much mail. Called once, at startup. */
export function warmSemanticWorker({ db, users }: Platform, semantic: Pick<SemanticWorker, "warm">): void {
  const owner = users.list().find(({ role }) => role === "owner");
  if (owner && (n ?? 0) >= WARM_FROM_MESSAGES) semantic.warm(owner.id);
}

/** A job that killed this many workers is skipped until a worker starts for another reason. */
const MAX_WORKER_DEATHS = 4;

/**
 * Returns true when mail is due to be embedded and no first sync delays it. A user's own mail waits for that user's
 * first sync; sample mail waits for anyone's. Until mail is due, the model is not loaded and uses no memory. Call only
 * while no semantic worker runs: a job in state `running` then belongs to a worker that died.
 */
export function isEmbeddingDue({ db, clock }: Platform): boolean {
  // Runs every second. Each half of the union uses an index of the few unfinished jobs.
  const due = db.sql
    .query(
      `SELECT 1 FROM (
           SELECT user_id FROM jobs WHERE kind = ?3 AND state = 'pending' AND run_at <= ?1
           UNION ALL
           SELECT user_id FROM jobs r WHERE kind = ?3 AND state = 'running'
             AND (SELECT count(*) FROM job_attempts l WHERE l.job_id = r.id AND l.outcome = 'lost') < ?2
         ) j JOIN users u ON u.id = j.user_id
         WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.provider <> 'sandbox' AND a.sync_phase <> 'live'
           AND a.status IN ('active', 'connecting') AND (u.role = 'sandbox' OR a.user_id = u.id)) LIMIT 1`,
    )
    .get(clock.now(), MAX_WORKER_DEATHS, EMBED_JOB);
  return due !== null;
}

/** The full-text worker is used from this many messages in the installation. */
const LARGE_INSTALLATION = 200_000;

/**
 * Opens the main thread's handle of the full-text worker, which is used in large installations. @param options.large
 * messages
 */
export function openFullTextWorker(
  platform: Platform,
  mailbox: Pick<Mailbox, "search">,
  { large = LARGE_INSTALLATION, onRestart }: { large?: number; onRestart?: () => void } = {},
): FullTextWorker {
  const { clock, log, config, keyring, db } = platform;
  // Rows are numbered in order of arrival. SQLite finds the last number immediately; a count would read all rows.
  const last = db.sql.query<{ n: number | null }, []>("SELECT max(n) AS n FROM messages");
  return new FullTextWorker({
    clock,
    log,
    here: mailbox.search,
    isLarge: () => newestNumber(db) >= large,
    start: () => new Worker(workerUrl("workers/fulltext.ts")),
    begin: () => ({ type: "start", data_dir: config.data_dir, master_key: keyring.master }),
    ...(onRestart ? { onLost: onRestart } : {}),
  });
}

/** Deletes what is left of the indexes of removed users. */
export function sweepIndexes(platform: Platform): void {
  queueIndexWork(platform);
  new Snapshots(platform).sweep();
}

/** Queues all mail for embedding again if the model has changed since the last start. */
export function followModel(platform: Platform): void {
  const { config, db, jobs, users } = platform;
  const adopted = new VectorStore(platform).adopted();
  const setting = config.get("embedding.model");
  const same = setting === BUILT_IN_SETTING ? adopted?.id === BUILT_IN_ID : adopted?.setting === setting;
  if (adopted === null || same) return;
  db.write(() => {
    for (const person of users.list()) {
      for (const user_id of [person.id, users.sandboxOf(person.id).id]) {
        jobs.enqueue({ kind: EMBED_JOB, dedupe_key: user_id, user_id, payload: { user_id } });
      }
    }
  });
}

/** Runs one search for the command line and returns the rows of `postroom search`, best first. Spends no credit. */
export async function searchOnce(
  platform: Platform,
  mailbox: Mailbox,
  sources: ConfigSources,
  wanted: { user_id: string; query: string; mode: Mode; limit: number },
): Promise<Pick<Ranking, "partial" | "waiting_full_text"> & { results: SearchResult[] }> {
  const { user_id, query, mode, limit } = wanted;
  const semantic = createSemanticWorker(platform, sources, { backfill: false });
  mailbox.search.onDamage = (...damaged) => repair(platform, ...damaged);
  try {
    const search = new SearchService({ platform, mailbox, semantic });
    const ranking = await search.find({ user_id, account_id: null }, query, mode, limit);
    const { partial, waiting_full_text } = ranking;
    return { results: viewResults(platform, user_id, ranking, 0, limit), partial, waiting_full_text };
  } finally {
    await semantic.stop();
  }
}

/** For processes without a semantic worker, such as some commands: keyword search answers instead. */
export const NO_SEMANTIC_SEARCH = { search: () => Promise.reject(new Error("No semantic worker runs here.")) };
