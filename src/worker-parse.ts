/** Root of the parse worker: MIME and quoted text of history, on a thread that knows neither keys nor the database. */
import { readHere } from "./inbound/contents.ts";
import { type FromParser, slim, type ToParser, unpack } from "./inbound/parse-thread.ts";
import { workInBackground } from "./platform/background.ts";

declare const self: Worker;

workInBackground();

/** Left alone, the heap of a thread grows to several times what it holds before it is swept. */
const SWEEP_BYTES = 4 * 1024 * 1024;
let unswept = 0;

self.onmessage = async ({ data }: MessageEvent<ToParser>) => {
  const read = await readHere(unpack(data));
  self.postMessage({ id: data.id, read: read.map(slim) } satisfies FromParser);
  unswept += data.packed.length;
  if (unswept < SWEEP_BYTES) return;
  unswept = 0;
  Bun.gc(true);
};
