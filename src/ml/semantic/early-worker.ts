import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../platform/config/load.ts";
import { workerUrl } from "../../platform/process/worker-url.ts";
import { BUILT_IN_SETTING } from "../embedding/model.ts";
import type { FromSemanticWorker, ToSemanticWorker } from "./messages.ts";

/** Of about 20,000 messages: a code of 512 bits and a number each. With fewer, a first search need not be prepared. */
const LARGE_BYTES = 20_000 * 68;

/** A thread that was started early, until it is taken; `ended` settles when it can be terminated, or has died. */
let waiting: { worker: Worker; ended: Promise<void> } | null = null;

/**
 * Starts the thread of the semantic worker while the main thread still loads the rest of the program, if the data folder
 * has so many vectors that the worker will be needed at once. The thread loads its code, and the built-in model if that
 * is configured: another model is loaded only after the configuration was checked.
 */
export function startSemanticThreadEarly(config: Config): void {
  if (waiting || !hasManyVectors(config.data_dir)) return;
  const worker = new Worker(workerUrl("workers/semantic.ts"));
  const ended = Promise.withResolvers<void>();
  const end = () => {
    if (waiting?.worker === worker) waiting = null;
    ended.resolve();
  };
  worker.addEventListener("error", end);
  worker.addEventListener("close", end);
  worker.addEventListener("message", ({ data }: MessageEvent<FromSemanticWorker>) => {
    if (data.type === "stopped") ended.resolve();
  });
  waiting = { worker, ended: ended.promise };
  if (config.get("embedding.model") !== BUILT_IN_SETTING) return;
  worker.postMessage({ type: "preload", data_dir: config.data_dir } satisfies ToSemanticWorker);
}

/** Returns the thread that was started early, once; null if there is none. */
export function takeEarlySemanticThread(): Worker | null {
  const worker = waiting?.worker ?? null;
  waiting = null;
  return worker;
}

/** Ends the thread if no one has taken it. A thread in native code cannot be terminated before it has stopped. */
export async function endEarlySemanticThread(): Promise<void> {
  const left = waiting;
  waiting = null;
  if (!left) return;
  left.worker.postMessage({ type: "stop" } satisfies ToSemanticWorker);
  await left.ended;
  left.worker.terminate();
}

function hasManyVectors(data_dir: string): boolean {
  const folder = join(data_dir, "vectors");
  try {
    return readdirSync(folder).some((name) => statSync(join(folder, name)).size >= LARGE_BYTES);
  } catch {
    return false;
  }
}
