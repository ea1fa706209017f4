import { type Read, type ReadAll, readOnThisThread } from "../message/parsed-message.ts";
import type { Downloaded, Listed } from "./fetch.ts";

/**
 * Number of messages that commit together. Few, so that other writers wait only milliseconds. Not too few, because each
 * commit writes the same index pages again.
 */
export const WRITE_BATCH_MESSAGES = 50;

/** Messages that commit together: `present` are those that the server returned, with their contents. */
export interface WriteBatch {
  slice: readonly Listed[];
  present: readonly Listed[];
  /** Returns null if they are no longer wanted. */
  read: () => Promise<Read[] | null>;
}

/**
 * Splits a batch into commits. With `aside`, all of it is read ahead from now on, until `signal` says that it is no
 * longer wanted; otherwise each commit is read in turn.
 */
export function writeBatchesOf(
  batch: readonly Listed[],
  downloaded: readonly Downloaded[],
  aside: ReadAll | null,
  signal?: AbortSignal,
): WriteBatch[] {
  const rawOf = new Map(downloaded.map(({ listed, raw }) => [listed.uid, raw]));
  const commits: WriteBatch[] = [];
  for (let i = 0; i < batch.length; i += WRITE_BATCH_MESSAGES) {
    const slice = batch.slice(i, i + WRITE_BATCH_MESSAGES);
    const present = slice.filter(({ uid }) => rawOf.has(uid));
    const raws = present.map(({ uid }) => rawOf.get(uid)!);
    const reading = aside?.(raws, signal).catch((error: unknown) => {
      if (signal?.aborted) return null;
      throw error;
    });
    reading?.catch(() => {}); // reported when it is awaited
    commits.push({ slice, present, read: () => reading ?? readOnThisThread(raws) });
  }
  return commits;
}
