/**
 * Root of the search worker: looks up words beside the running server. It writes nothing, and knows of the rest of the program
 * no more than that takes: every worker is a copy of what it imports inside the executable.
 */
import { join } from "node:path";
import type { Calls, FromWordWorker, Question, ToWordWorker } from "./features/search/word-thread.ts";
import { Labels } from "./mailbox/labels.ts";
import { FullTextSearch } from "./mailbox/search/search.ts";
import { systemClock } from "./platform/clock.ts";
import { openReader } from "./platform/db/reader.ts";
import { Keyring } from "./platform/sealing/keyring.ts";

declare const self: Worker;

const tell = (message: FromWordWorker) => self.postMessage(message);
/** Left alone, the heap of a thread grows to several times what it holds before it is swept. */
const SWEEP_QUESTIONS = 64;

let handle: (message: ToWordWorker) => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToWordWorker>) => {
  if (data.type === "start") handle = begin(data);
  else handle(data);
};

function begin({ data_dir, master_key }: ToWordWorker & { type: "start" }): (message: ToWordWorker) => void {
  const db = openReader(join(data_dir, "postroom.db"));
  const keyring = new Keyring(db, systemClock, master_key);
  const labels = new Labels(db, keyring, () => {
    throw new Error("This thread writes nothing.");
  });
  const search: Calls = new FullTextSearch({ db, keyring }, labels);
  const look = ({ call, args }: Question) =>
    (search[call] as (...given: unknown[]) => ReturnType<Calls[typeof call]>).apply(search, args);
  let unswept = 0;
  tell({ type: "ready" });
  return (message) => {
    if (message.type === "ask") {
      const { id, question } = message;
      try {
        tell({ type: "found", id, found: look(question) });
      } catch (error) {
        // The main thread looks by itself.
        tell({ type: "failed", id, reason: (error as Error).message });
      }
      if (++unswept < SWEEP_QUESTIONS) return;
      unswept = 0;
      Bun.gc(true);
    } else if (message.type === "stop") {
      db.close();
      tell({ type: "stopped" });
    }
  };
}
