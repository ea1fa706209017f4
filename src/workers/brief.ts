/**
 * Root of the brief worker: reads mail and compiles briefs beside the running server. It writes nothing, and knows of the
 * rest of the program no more than that takes: every worker is a copy of what it imports inside the executable.
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

/** How soon it hears that it is to stop, ms; nobody else waits for this thread. */
const HEARS_MS = 50;

const tell = (message: FromBriefWorker) => self.postMessage(message);
let handle: (message: ToBriefWorker) => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToBriefWorker>) => {
  if (data.type === "start") handle = begin(data);
  else handle(data);
};

function begin({ data_dir, master_key }: ToBriefWorker & { type: "start" }): (message: ToBriefWorker) => void {
  const db = openDb(join(data_dir, "postroom.db"), "normal");
  const keyring = new Keyring(db, systemClock, master_key);
  let stopping = false;
  const giveWay = yieldInSlices(HEARS_MS);
  const compile = briefCompiler({ db, keyring }, async () => {
    await giveWay();
    if (stopping) throw new Error("the server is stopping");
  });
  let last: Promise<void> = Promise.resolve();
  return (message) => {
    if (message.type === "compile") {
      last = compile(message.asked).then(
        (brief) => tell({ type: "compiled", brief }),
        ({ message: reason, stack = "" }: Error) => tell({ type: "failed", reason, stack }),
      );
    } else if (message.type === "stop") {
      stopping = true;
      void last.finally(() => {
        db.close();
        tell({ type: "stopped" });
      });
    }
  };
}
