/** Entry point of the semantic worker. Owns the embedding model and the vector index. */
import { createMailbox } from "../mailbox/mailbox.ts";
import { guessLanguage } from "../mailbox/search/language.ts";
import { openTexts } from "../mailbox/search/texts.ts";
import { BUILT_IN_SETTING } from "../ml/embedding/model.ts";
import { EMBED_JOB, embedHandler } from "../ml/semantic/backfill.ts";
import { isHeldBack } from "../ml/semantic/embed-queue.ts";
import { type LoadedModel, loadModel, SemanticEngine } from "../ml/semantic/engine.ts";
import type { FromSemanticWorker, ToSemanticWorker } from "../ml/semantic/messages.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { JobRunner } from "../platform/jobs/runner.ts";
import { errorFields } from "../platform/log.ts";
import { openPlatform } from "../platform/platform.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

// Requests take priority. The model's threads start later and inherit this setting.
workInBackground();

/**
 * Collects garbage after this many messages. Otherwise the heap grows in proportion to all vectors, not only to memory
 * in use.
 */
const COLLECT_AFTER_MESSAGES = 256;

/** Vectors are read at random, so most of a larger cache would only occupy memory. */
const CACHE_BYTES = 4 * 1024 * 1024;

const send = (message: FromSemanticWorker) => self.postMessage(message);
/** What is loaded before the start, by the value of `embedding.model`. */
const preloaded = new Map<string, Promise<LoadedModel>>();
let handle: (message: ToSemanticWorker) => void = (message) => {
  // No one needs this thread.
  if (message.type === "stop") void endPreloading();
};

self.onmessage = ({ data }: MessageEvent<ToSemanticWorker>) => {
  if (data.type === "start") handle = begin(data);
  else if (data.type === "preload") {
    const loading = loadModel(data.data_dir, BUILT_IN_SETTING);
    // If this fails, the first query reports the error.
    loading.catch(() => preloaded.delete(BUILT_IN_SETTING));
    preloaded.set(BUILT_IN_SETTING, loading);
  } else handle(data);
};

async function endPreloading(): Promise<void> {
  for (const loading of preloaded.values()) await (await loading.catch(() => null))?.embedder.close();
  send({ type: "stopped" });
}

function begin({
  sources,
  inherited,
  backfill,
}: ToSemanticWorker & { type: "start" }): (message: ToSemanticWorker) => void {
  const config = loadConfig(sources);
  // Vectors are derived from stored mail and can be computed again.
  const platform = openPlatform({ config, clock: systemClock, durability: "normal", inherited });
  platform.db.setCacheSize(CACHE_BYTES);
  const { accounts } = createMailbox(platform);
  let stopping = false;
  let uncollected = 0;
  const engine = new SemanticEngine(platform, preloaded);
  const embed = embedHandler({
    engine,
    clock: platform.clock,
    open: (user_id, numbers) =>
      openTexts(platform, user_id, numbers).map(({ n, head: { subject }, new_text, text }) => ({
        n,
        subject,
        new_text,
        text,
        language: guessLanguage(new_text.trim() === "" ? text : new_text),
      })),
    isImporting: (user_id) =>
      accounts.list(user_id).some(({ sync, status }) => sync.phase === "importing" && status === "active"),
    isHeldBack: (user_id) => isHeldBack(platform.db, user_id),
    mayContinue: () => !stopping,
    onProgress: (messages) => {
      send({ type: "busy" });
      uncollected += messages;
      if (uncollected < COLLECT_AFTER_MESSAGES) return;
      uncollected = 0;
      Bun.gc(true);
    },
    onNoModel: (error) =>
      platform.log.error("mail is not embedded, because the model cannot be loaded", errorFields(error)),
  });
  const runner = new JobRunner(platform.jobs, platform.clock, platform.log, { [EMBED_JOB]: embed });
  if (backfill) runner.start();
  send({ type: "ready" });
  const answering = new Set<Promise<void>>();
  const answer = (id: number, work: () => Promise<FromSemanticWorker>) => {
    const answered = work()
      .then(send, (error) => {
        platform.log.warn("a semantic search query failed", errorFields(error));
        send({ type: "failed", id, reason: "The model is not available." });
      })
      .finally(() => answering.delete(answered));
    answering.add(answered);
  };
  return (message) => {
    if (message.type === "search") {
      const { id, request } = message;
      answer(id, async () => ({ type: "found", id, answer: await engine.search(request) }));
    } else if (message.type === "embed") {
      const { id, texts } = message;
      answer(id, async () => ({ type: "embedded", id, vectors: await engine.embed(texts) }));
    } else if (message.type === "warm") {
      // If this fails, the first query reports the error.
      void engine.warm(message.user_id).catch(() => {});
    } else if (message.type === "stop") {
      stopping = true;
      void runner
        .stop()
        // The receiver of "stopped" ends this thread, which must not be in native code at that moment.
        .then(() => Promise.all(answering))
        .then(() => engine.close())
        .finally(() => {
          platform.close();
          send({ type: "stopped" });
        });
    }
  };
}
