import type { ImapFlow } from "imapflow";
import { ResponseTooLarge } from "../../wire/imap/bounds.ts";
import { isRejection } from "../../wire/imap/failures.ts";
import { batches, type Downloaded, download, type FetchLimits, type Listed, listMessages } from "./fetch.ts";
import { listable } from "./uid-windows.ts";

/** Initial width of a window in UIDs. Sparse folders widen it. */
const FIRST_WINDOW = 500;
const WIDEST_WINDOW = 2 ** 31;
/** Used after a response that was too large. */
const SMALLEST_WINDOW = 50;
/** A window that lists more than this was too wide. */
const WINDOW_MESSAGES = 2_000;
/** UIDs of a window that is listed and fetched by one command, and the most bytes requested of each message. */
const TOGETHER_WINDOW = 200;
const TOGETHER_BYTES = 64 * 1024;
/** Messages that exceed this are fetched in vain, so there must be few of them. */
const TOGETHER_SHARE = 0.95;

/**
 * Width of the next window, and whether it is fetched together with its list. Learned from earlier windows and kept
 * between walks.
 */
export interface BatchSize {
  width: number;
  /** Maximum width of a window. */
  widest: number;
  together: boolean;
}

export const firstBatchSize = (): BatchSize => ({ width: FIRST_WINDOW, widest: WIDEST_WINDOW, together: false });

/** Some messages of a walk, newest first. Once they are stored, everything from UID `reaches` up is here. */
export interface Batch {
  batch: Listed[];
  downloaded: Downloaded[];
  reaches: number;
}

export interface Walk {
  client: ImapFlow;
  /** The walk starts at UIDs below this. */
  below: number;
  limits: FetchLimits;
  batch_bytes: number;
  batchSize: BatchSize;
  /** Leaves out messages that need not be fetched. */
  wanted: (listed: Listed[]) => Promise<Listed[]>;
  /** Once it returns true, nothing further is fetched, and the walk ends. */
  isEnded: () => boolean;
  /** False if listed messages may already be here, so nothing is fetched before `wanted` was called. */
  mayFetchTogether: boolean;
}

/** Walks down a folder's history in windows of UIDs and yields it in batches limited by bytes. */
export async function* walkHistory(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { client, limits, batch_bytes, batchSize } = walk;
  for (let top = walk.below; top > 1 && !walk.isEnded(); ) {
    const [low] = await listable(client, [Math.max(1, top - batchSize.width), top - 1], "high");
    const listed = (await list(walk, `${low}:${top - 1}`))
      .filter(({ uid }) => uid >= low && uid < top)
      .sort((a, b) => b.uid - a.uid);
    adapt(walk, listed);
    const work = batches(await walk.wanted(listed), batch_bytes, limits);
    if (work.length === 0) yield { batch: [], downloaded: [], reaches: low };
    for (const [i, batch] of work.entries()) {
      if (walk.isEnded()) return;
      const reaches = i + 1 < work.length ? batch.at(-1)!.uid : low;
      yield { batch, downloaded: await download(client, batch, limits), reaches };
    }
    top = low;
  }
}

async function list(walk: Walk, range: string): Promise<Listed[]> {
  try {
    return await listWindow(walk, range);
  } catch (error) {
    // Many messages followed a gap, or have many keywords. The next connection asks for fewer at once.
    if (error instanceof ResponseTooLarge) {
      const { batchSize } = walk;
      batchSize.together = false;
      batchSize.width = batchSize.widest = Math.max(SMALLEST_WINDOW, Math.floor(batchSize.width / 16));
    }
    throw error;
  }
}

async function listWindow({ client, limits, batchSize }: Walk, range: string): Promise<Listed[]> {
  if (!batchSize.together) return listMessages(client, range);
  try {
    return await listMessages(client, range, Math.min(TOGETHER_BYTES, limits.full_source_bytes));
  } catch (error) {
    // A single message that the server cannot return is not identified here, but in `download`.
    if (!isRejection(error)) throw error;
    return listMessages(client, range);
  }
}

/**
 * Adapts the window. UID gaps cost round trips, not memory, so the window widens over gaps and narrows where UIDs are
 * dense. Where messages are small and UIDs dense, one command lists and fetches, because listing costs as much as
 * fetching. If such a window contains large messages after all, at most TOGETHER_WINDOW × TOGETHER_BYTES = 13 MB are
 * held.
 */
function adapt({ limits, batch_bytes, batchSize, mayFetchTogether }: Walk, listed: readonly Listed[]): void {
  const small = listed.filter(({ size }) => size < Math.min(TOGETHER_BYTES, limits.full_source_bytes));
  const bytes = small.reduce((sum, { size }) => sum + size, 0);
  const dense = listed.length >= batchSize.width / 4;
  batchSize.together =
    mayFetchTogether &&
    dense &&
    small.length >= listed.length * TOGETHER_SHARE &&
    (bytes / listed.length) * TOGETHER_WINDOW <= batch_bytes;
  if (batchSize.together) batchSize.width = TOGETHER_WINDOW;
  else if (batchSize.width < FIRST_WINDOW) batchSize.width = Math.min(FIRST_WINDOW, batchSize.widest);
  else if (listed.length < FIRST_WINDOW / 4) batchSize.width = Math.min(batchSize.width * 4, batchSize.widest);
  else if (listed.length > WINDOW_MESSAGES) batchSize.width = Math.max(FIRST_WINDOW, Math.floor(batchSize.width / 4));
}
