import { join } from "node:path";
import { FullTextWorker } from "../features/search/fulltext-worker.ts";
import type { Mode, SearchResult } from "../features/search/model.ts";
import { type Ranking, SearchService } from "../features/search/service.ts";
import { Suggester } from "../features/search/suggest.ts";
import { viewResults } from "../features/search/views.ts";
import type { InboundStep } from "../inbound/message/arrival.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { LocalFolder } from "../mailbox/store/local-folder.ts";
import { newestNumber } from "../mailbox/store/message-numbers.ts";
import { BUILT_IN_ID, BUILT_IN_SETTING } from "../ml/embedding/model.ts";
import { EMBED_JOB } from "../ml/semantic/backfill.ts";
import { takeEarlySemanticThread } from "../ml/semantic/early-worker.ts";
import { isEmbeddingDue, queueEmbedding } from "../ml/semantic/embed-queue.ts";
import { SemanticWorker } from "../ml/semantic/semantic-worker.ts";
import { Snapshots } from "../ml/vectors/snapshot.ts";
import { VectorStore } from "../ml/vectors/store.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import { releaseFilePages } from "../platform/native/file-pages.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { queueIndexWork, repair } from "./fulltext.ts";
import type { PeopleServices } from "./people.ts";

/** During a first sync, embedding is batched: one job covers all mail of this interval. */
const QUEUE_EVERY_MS = 10_000;
/**
 * A message that was sent from here is not embedded before that: messages that are still to be sent have priority, and
 * several are embedded together.
 */
const SENT_WAIT_MS = 5_000;

/** Queues arriving mail for embedding. */
export function semanticStep(platform: Platform): InboundStep {
  const queuedAt = new Map<string, number>();
  return {
    name: "queue the embedding",
    run: ({ target: { user_id, id }, folder, incoming, imported, importing }) => {
      if (imported.outcome !== "new") return;
      queueEmbedding(platform.db, imported.message_id, id, incoming.internalDate);
      const now = platform.clock.now();
      if (importing && now - (queuedAt.get(user_id) ?? 0) < QUEUE_EVERY_MS) return;
      queuedAt.set(user_id, now);
      const run_at = LocalFolder.is(folder) ? now + SENT_WAIT_MS : now;
      platform.jobs.enqueue({ kind: EMBED_JOB, dedupe_key: user_id, user_id, payload: { user_id }, run_at });
    },
  };
}

/** By then, the semantic worker has loaded its model, which uses much code once. */
const LOADED_MS = 20_000;

/**
 * Creates the main thread's handle of the semantic worker.
 * @param options.backfill false for a command beside a running server, because the server embeds the mail
 */
export function createSemanticWorker(
  platform: Platform,
  sources: ConfigSources,
  { backfill = true, onRestart }: { backfill?: boolean; onRestart?: () => void } = {},
): SemanticWorker {
  const { clock, log, keyring, config } = platform;
  const libraries = join(config.data_dir, "cache/native");
  let cancelRelease = () => {};
  return new SemanticWorker({
    clock,
    log,
    start: () => {
      const worker = takeEarlySemanticThread() ?? new Worker(workerUrl("workers/semantic.ts"));
      cancelRelease();
      cancelRelease = clock.after(LOADED_MS, () => releaseFilePages(libraries, true));
      return worker;
    },
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
    onEnd: () => {
      cancelRelease();
      releaseFilePages(libraries, false);
    },
    ...(onRestart ? { onLost: onRestart } : {}),
  });
}

/** From this many messages in the installation, the first search would wait noticeably for vectors to load. */
const WARM_FROM_MESSAGES = 20_000;

/** Preloads what the owner's first search needs if there is much mail. Called once, at startup. */
export function warmSemanticWorker({ db, users }: Platform, semantic: Pick<SemanticWorker, "warm">): void {
  const owner = users.list().find(({ role }) => role === "owner");
  if (owner && newestNumber(db) >= WARM_FROM_MESSAGES) semantic.warm(owner.id);
}

/** The full-text worker is used from this many messages in the installation. */
const LARGE_INSTALLATION = 200_000;

/**
 * Opens the main thread's handle of the full-text worker, which is used in large installations.
 * @param options.large number of messages from which the worker is used
 */
export function openFullTextWorker(
  platform: Platform,
  mailbox: Pick<Mailbox, "search">,
  { large = LARGE_INSTALLATION, onRestart }: { large?: number; onRestart?: () => void } = {},
): FullTextWorker {
  const { clock, log, config, keyring, db } = platform;
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

/** Creates the completion of queries, from contacts, labels and recent mail. */
export function createSuggester(mailbox: Mailbox, { contactSuggestions }: PeopleServices): Suggester {
  const { accounts, labelQueries, recentSubjects, now } = mailbox;
  return new Suggester({
    contacts: (scope, text, limit) => contactSuggestions.matching(scope, text, limit),
    subjects: (scope, text, limit) => recentSubjects.matching(scope, text, limit),
    labels: (scope) => labelQueries.seen(scope).map(({ name }) => name),
    addresses: ({ user_id, account_id }) =>
      accounts
        .list(user_id)
        .filter(({ id }) => account_id === null || id === account_id)
        .flatMap(({ email, aliases }) => [email, ...aliases]),
    now,
  });
}

/** For processes without a semantic worker, such as some commands: keyword search answers instead. */
export const NO_SEMANTIC_SEARCH = { search: () => Promise.reject(new Error("No semantic worker runs here.")) };
