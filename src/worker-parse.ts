/**
 * Root of the parse worker: MIME, quoted text and words of history, on a thread that knows no database and no key but the
 * one that blinds words.
 */
import { readHere } from "./inbound/contents.ts";
import { type FromParser, slim, type ToParser, unpack } from "./inbound/parse-thread.ts";
import { WordReader } from "./mailbox/search/words.ts";
import { workInBackground } from "./platform/background.ts";

declare const self: Worker;

workInBackground();

/** Left alone, the heap of a thread grows to several times what it holds before it is swept. */
const SWEEP_BYTES = 2 * 1024 * 1024;
let unswept = 0;

let reader: { key: Uint8Array; words: WordReader } | null = null;

/** One for the owner of the mail that is read now: accounts come one after the other mostly. */
function readerOf(key: Uint8Array): WordReader {
  if (!reader || Buffer.compare(reader.key, key) !== 0) reader = { key, words: new WordReader(key) };
  return reader.words;
}

self.onmessage = async ({ data }: MessageEvent<ToParser>) => {
  const read = await readHere(unpack(data));
  const words = data.word_key && readerOf(data.word_key);
  const answer = read.map((one) => slim(words ? { ...one, words: words.read(one.contents) } : one));
  self.postMessage({ id: data.id, read: answer } satisfies FromParser);
  unswept += data.packed.length + answer.reduce((sum, { words }) => sum + (words?.tokens.length ?? 0), 0);
  if (unswept < SWEEP_BYTES) return;
  unswept = 0;
  Bun.gc(true);
};
