import type { Clock } from "../../kernel/clock.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Passage } from "../embedding/passage.ts";
import { passageOf } from "../embedding/passage.ts";
import { quantize } from "../vectors/quantize.ts";
import type { LoadedModel, SemanticEngine } from "./engine.ts";

/** Embeds a user's waiting mail. At most one job is pending for each user. */
export const EMBED_JOB = "embed-mail";

/** A message that is to be embedded. */
export interface Waiting extends Passage {
  n: number;
  /** ISO 639-1; null if it could not be detected. */
  language: string | null;
}

export interface BackfillParts {
  engine: SemanticEngine;
  clock: Clock;
  /** Opens messages of a user. Deleted ones are left out. */
  open: (user_id: string, numbers: readonly number[]) => Waiting[];
  /** True while a first sync of this user's mail runs, when only mail of the last day is embedded. */
  isImporting: (user_id: string) => boolean;
  /** True while other work goes before all mail of this user (`isHeldBack`). */
  isHeldBack: (user_id: string) => boolean;
  /** Returns false if the worker must stop. */
  mayContinue: () => boolean;
  /** Called after every batch, with the number of its messages. */
  onProgress: (messages: number) => void;
  /** Called each time the model cannot be loaded, usually because it is not installed. */
  onNoModel: (error: unknown) => void;
}

/** Messages stored together. */
const BATCH = 32;
/** A job ends after this time and is queued again, so that other users' mail is also processed. */
const SLICE_MS = 1_500;
const WHILE_IMPORTING_MS = 2_000;
const RECENT_MS = 86_400_000;
/** Share of each time slice that stays free for other work. */
const REST_SHARE = 0.15;
const LONGEST_REST_MS = 200;
/** Delay between checks for a missing model, however much new mail waits. */
const NO_MODEL_MS = 60_000;

/** Returns the handler of EMBED_JOB. */
export function embedHandler(parts: BackfillParts): JobHandler {
  let nextTry = 0;
  const current = () =>
    parts.engine.current().catch((error: unknown) => {
      nextTry = parts.clock.now() + NO_MODEL_MS;
      parts.onNoModel(error);
      return null;
    });
  const run = async (job: Job): Promise<AttemptOutcome> => {
    // A longer wait means that the clock was set back. It is ignored.
    const waitMs = nextTry - parts.clock.now();
    const again = (): AttemptOutcome => ({ outcome: "retry", run_at: nextTry });
    if (waitMs > 0 && waitMs <= NO_MODEL_MS) return again();
    return embed(parts, job, current, again);
  };
  return { concurrency: 1, run };
}

async function embed(
  { engine, clock, open, isImporting, isHeldBack, mayContinue, onProgress }: BackfillParts,
  job: Job,
  current: () => Promise<LoadedModel | null>,
  onNoModel: () => AttemptOutcome,
): Promise<AttemptOutcome> {
  const { user_id } = job.payload as { user_id: string };
  const began = clock.now();
  const again = (waitMs: number): AttemptOutcome => ({ outcome: "retry", run_at: clock.now() + waitMs });
  /** During a first sync only new mail, which must be found within seconds even then. */
  const next = () => engine.store.waiting(user_id, BATCH, isImporting(user_id) ? clock.now() - RECENT_MS : 0);
  if (isHeldBack(user_id)) return again(WHILE_IMPORTING_MS);
  // Checked before the model is loaded, because loading takes longer than embedding a few messages.
  if (next().length === 0 && isImporting(user_id)) return again(WHILE_IMPORTING_MS);
  const loaded = await current();
  if (!loaded) return onNoModel();
  const { model, embedder } = loaded;
  for (;;) {
    const numbers = next();
    if (numbers.length === 0 && isImporting(user_id)) return again(WHILE_IMPORTING_MS);
    if (numbers.length === 0) break;
    const waiting = open(user_id, numbers);
    const known = waiting.filter(
      ({ language }) => model.languages === null || language === null || model.languages.includes(language),
    );
    let at = clock.now();
    const vectors = await embedder.embed(known.map(passageOf), async () => {
      const now = clock.now();
      await new Promise<void>((resolve) => clock.after(Math.min((now - at) * REST_SHARE, LONGEST_REST_MS), resolve));
      at = clock.now();
    });
    const found = new Map(known.map(({ n }, i) => [n, quantize(vectors[i]!)]));
    engine.store.put(
      user_id,
      model.id,
      numbers.map((message_n) => ({ message_n, vector: found.get(message_n) ?? null })),
    );
    onProgress(numbers.length);
    if (isHeldBack(user_id)) return again(WHILE_IMPORTING_MS);
    if (!mayContinue() || clock.now() - began > SLICE_MS) return again(0);
  }
  engine.store.dropOthers(user_id, model.id);
  engine.save();
  return { outcome: "done" };
}
