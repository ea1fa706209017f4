/**
 * Entry point of the full-text worker. Searches the full-text index beside the main thread, and writes nothing. Keep
 * its imports few: the executable holds a copy of them for each worker.
 */
import { join } from "node:path";
import type { Calls, FromFullTextWorker, Question, ToFullTextWorker } from "../features/search/fulltext-worker.ts";
import { FullTextSearch } from "../mailbox/search/search.ts";
import { Labels } from "../mailbox/store/labels.ts";
import { systemClock } from "../platform/clock.ts";
import { openReader } from "../platform/db/reader.ts";
import { Keyring } from "../platform/sealing/keyring.ts";

declare const self: Worker;

const send = (message: FromFullTextWorker) => self.postMessage(message);
/** Queries between two garbage collections. Without them the thread's heap grows to several times what it holds. */
const QUERIES_PER_COLLECTION = 64;

let handle: (message: ToFullTextWorker) => void = () => {};

/** In a large installation, a search opens many blocks. This thread ends when no one searches. */
const CACHED_BLOCKS = 1_024;

self.onmessage = ({ data }: MessageEvent<ToFullTextWorker>) => {
  if (data.type === "start") handle = begin(data);
  else handle(data);
};

function begin({ data_dir, master_key }: ToFullTextWorker & { type: "start" }): (message: ToFullTextWorker) => void {
  const db = openReader(join(data_dir, "postroom.db"));
  const keyring = new Keyring(db, systemClock, master_key);
  const labels = new Labels(db, keyring, () => {
    throw new Error("This thread writes nothing.");
  });
  const search: Calls = new FullTextSearch({ db, keyring }, labels, { cachedBlocks: CACHED_BLOCKS });
  const answer = ({ call, args }: Question) =>
    (search[call] as (...given: unknown[]) => ReturnType<Calls[typeof call]>).apply(search, args);
  let answered = 0;
  send({ type: "ready" });
  return (message) => {
    if (message.type === "ask") {
      const { id, question } = message;
      try {
        send({ type: "found", id, found: answer(question) });
      } catch (error) {
        // The main thread runs the search instead.
        send({ type: "failed", id, reason: (error as Error).message });
      }
      if (++answered < QUERIES_PER_COLLECTION) return;
      answered = 0;
      Bun.gc(true);
    } else if (message.type === "stop") {
      db.close();
      send({ type: "stopped" });
    }
  };
}
