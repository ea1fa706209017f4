/** Root of the parse worker: MIME, quoted text and terms of history, on a thread that knows no database and no key. */

import { type FromParser, slim, type ToParser, unpack } from "../inbound/message/parse-thread.ts";
import { readHere } from "../inbound/message/parsed-message.ts";
import { TermReader } from "../mailbox/search/documents.ts";
import { readTerms } from "../mailbox/search/indexable.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

workInBackground();

/** Left alone, the heap of a thread grows to several times what it holds before it is swept. */
const SWEEP_BYTES = 2 * 1024 * 1024;
let unswept = 0;

const reader = new TermReader();

self.onmessage = async ({ data }: MessageEvent<ToParser>) => {
  const read = await readHere(unpack(data));
  const answer = read.map((one) => slim({ ...one, terms: readTerms(reader, one.contents) }));
  self.postMessage({ id: data.id, read: answer } satisfies FromParser);
  unswept += data.packed.length + answer.reduce((sum, { terms }) => sum + (terms?.length ?? 0), 0);
  if (unswept < SWEEP_BYTES) return;
  unswept = 0;
  Bun.gc(true);
};
