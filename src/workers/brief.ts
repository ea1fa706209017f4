/**
 * Entry point of the brief worker. Reads mail and compiles briefs beside the running server, and writes nothing. Keep
 * its imports few: the executable holds a copy of them for each worker.
 */
import { join } from "node:path";
import { briefCompiler } from "../features/brief/compile.ts";
import type { FromBriefWorker, ToBriefWorker } from "../features/brief/thread.ts";
import { systemClock } from "../platform/clock.ts";
import { openDb } from "../platform/db/open.ts";
import { workInBackground } from "../platform/process/background.ts";
import { yieldInSlices } from "../platform/process/yielding.ts";
import { Keyring } from "../platform/sealing/keyring.ts";

declare const self: Worker;

workInBackground();

/** Longest delay before a stop message is noticed, ms. Nothing else waits for this thread. */
const STOP_DELAY_MS = 50;

const send = (message: FromBriefWorker) => self.postMessage(message);
let handle: (message: ToBriefWorker) => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToBriefWorker>) => {
  if (data.type === "start") handle = begin(data);
  else handle(data);
};

function begin({ data_dir, master_key }: ToBriefWorker & { type: "start" }): (message: ToBriefWorker) => void {
  const db = openDb(join(data_dir, "postroom.db"), "normal");
  const keyring = new Keyring(db, systemClock, master_key);
  let stopping = false;
  const yieldToOthers = yieldInSlices(STOP_DELAY_MS);
  const compile = briefCompiler({ db, keyring }, async () => {
    await yieldToOthers();
    if (stopping) throw new Error("the server is stopping");
  });
  let last: Promise<void> = Promise.resolve();
  return (message) => {
    if (message.type === "compile") {
      last = compile(message.asked).then(
        (brief) => send({ type: "compiled", brief }),
        ({ message: reason, stack = "" }: Error) => send({ type: "failed", reason, stack }),
      );
    } else if (message.type === "stop") {
      stopping = true;
      void last.finally(() => {
        db.close();
        send({ type: "stopped" });
      });
    }
  };
}
