/**
 * Entry point of the parse worker. Handles MIME, quoted text and search terms of the mail history, without access to
 * the database or any key.
 */
import { type FromParser, isCancelled, packTexts, type ToParser, unpack } from "../inbound/message/parse-thread.ts";
import { readOnThisThread } from "../inbound/message/parsed-message.ts";
import { TermReader } from "../mailbox/search/documents.ts";
import { readTerms } from "../mailbox/search/indexable.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

workInBackground();

/** Collects garbage after this many bytes. Otherwise the thread's heap grows to several times what it holds. */
const COLLECT_AFTER_BYTES = 2 * 1024 * 1024;
let uncollected = 0;

const reader = new TermReader();

self.onmessage = async ({ data }: MessageEvent<ToParser>) => {
  if (isCancelled(data)) return;
  const read = await readOnThisThread(unpack(data));
  const answer = read.map((one) => packTexts({ ...one, terms: readTerms(reader, one.contents) }));
  self.postMessage({ id: data.id, read: answer } satisfies FromParser);
  uncollected += data.packed.length + answer.reduce((sum, { terms }) => sum + (terms?.length ?? 0), 0);
  if (uncollected < COLLECT_AFTER_BYTES) return;
  uncollected = 0;
  Bun.gc(true);
};
