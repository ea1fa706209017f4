import { type Read, type ReadAll, readHere } from "../message/parsed-message.ts";
import type { Downloaded, Listed } from "./fetch.ts";

/**
 * Messages that commit together: few, so that other writers wait milliseconds, but not too few, for each commit writes the
 * same pages of the indexes anew.
 */
export const WRITE_BATCH_MESSAGES = 50;

/** Messages that commit together, `present` those of them that the server gave, and what these say. */
export interface WriteBatch {
  slice: readonly Listed[];
  present: readonly Listed[];
  read: () => Promise<Read[]>;
}

/** Cuts a batch into commits. Read aside, all of it is read from now on; read here, each commit in its turn. */
export function writeBatchesOf(
  batch: readonly Listed[],
  downloaded: readonly Downloaded[],
  aside: ReadAll | null,
): WriteBatch[] {
  const rawOf = new Map(downloaded.map(({ listed, raw }) => [listed.uid, raw]));
  const commits: WriteBatch[] = [];
  for (let i = 0; i < batch.length; i += WRITE_BATCH_MESSAGES) {
    const slice = batch.slice(i, i + WRITE_BATCH_MESSAGES);
    const present = slice.filter(({ uid }) => rawOf.has(uid));
    const raws = present.map(({ uid }) => rawOf.get(uid)!);
    const reading = aside?.(raws);
    reading?.catch(() => {}); // reported when it is awaited
    commits.push({ slice, present, read: () => reading ?? readHere(raws) });
  }
  return commits;
}
