import type { ImapFlow } from "imapflow";
import { AnswerTooLarge } from "../../wire/imap/bounds.ts";
import { isRejection } from "../../wire/imap/failures.ts";
import { batches, type Downloaded, download, type FetchLimits, type Listed, listMessages } from "./fetch.ts";
import { listable } from "./uid-windows.ts";

/** First width of a look back in UIDs; sparse folders widen it. */
const FIRST_WINDOW = 500;
const WIDEST_WINDOW = 2 ** 31;
/** After an answer beyond all bounds. */
const SMALLEST_WINDOW = 50;
/** A window that lists more than this was too wide. */
const WINDOW_MESSAGES = 2_000;
/** UIDs of a window that is listed and fetched by one command, and how much is asked of each message at most. */
const TOGETHER_WINDOW = 200;
const TOGETHER_BYTES = 64 * 1024;
/** Messages that do not fit into it are begun in vain, so they must be few. */
const TOGETHER_SHARE = 0.95;

/** How wide the next look goes, and whether it fetches at once: learnt from the looks before. Kept between walks. */
export interface BatchSize {
  width: number;
  /** As wide as a look may go at most. */
  widest: number;
  together: boolean;
}

export const firstBatchSize = (): BatchSize => ({ width: FIRST_WINDOW, widest: WIDEST_WINDOW, together: false });

/** Some messages of a walk, newest first. Once they are stored, everything from the UID `reaches` on is here. */
export interface Batch {
  batch: Listed[];
  downloaded: Downloaded[];
  reaches: number;
}

export interface Walk {
  client: ImapFlow;
  /** Where it begins: UIDs below this. */
  below: number;
  limits: FetchLimits;
  batch_bytes: number;
  batchSize: BatchSize;
  /** Leaves out what need not be fetched. */
  wanted: (listed: Listed[]) => Promise<Listed[]>;
  /** False: what is listed may be here already, and is not fetched before `wanted` was asked. */
  mayFetchTogether: boolean;
}

/** Walks down a folder's history in windows of UIDs, and yields it in batches bounded by bytes. */
export async function* walkHistory(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { client, limits, batch_bytes, batchSize } = walk;
  for (let top = walk.below; top > 1; ) {
    const [low] = await listable(client, [Math.max(1, top - batchSize.width), top - 1], "high");
    const listed = (await list(walk, `${low}:${top - 1}`))
      .filter(({ uid }) => uid >= low && uid < top)
      .sort((a, b) => b.uid - a.uid);
    adapt(walk, listed);
    const work = batches(await walk.wanted(listed), batch_bytes, limits);
    if (work.length === 0) yield { batch: [], downloaded: [], reaches: low };
    for (const [i, batch] of work.entries()) {
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
    // Many messages lay behind a gap, or have many keywords. The next connection is asked for fewer at once.
    if (error instanceof AnswerTooLarge) {
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
    // One message that the server cannot give is not told from the others here, but in `download`.
    if (!isRejection(error)) throw error;
    return listMessages(client, range);
  }
}

/**
 * UID gaps cost round trips, not memory: the window widens over gaps and narrows in dense places. Where messages are small
 * and UIDs dense, the server is asked once instead of twice, for listing costs as much as fetching; a window of messages
 * that then turn out to be large is the most that is held: TOGETHER_WINDOW × TOGETHER_BYTES, 13 MB.
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
