import { INDEX_SIZES } from "../../src/mailbox/search/fulltext-index.ts";

/**
 * Preloaded into a server and its workers: segments so small that a few dozen messages are flushed and merged many times.
 * `bun --preload` alone does not reach workers.
 */
Object.assign(INDEX_SIZES, { flushFrom: 24, mostFlushed: 48, fan: 3, levelDocuments: 24, lastLevel: 4 });

const Ordinary = globalThis.Worker;
globalThis.Worker = class extends Ordinary {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, { ...options, preload: [import.meta.path] });
  }
};
