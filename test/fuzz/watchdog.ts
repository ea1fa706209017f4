import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Wall time limit of one input; the slowest known inputs take half a second of processor time. */
const PATIENCE_MS = 10_000;
/** Longer inputs are saved truncated. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;

/** The shared memory begins with these numbers (Int32); the names of the target and the input follow. */
export const CELL = { beat: 0, target_bytes: 1, inputBytes: 2 } as const;
export const HEAD_BYTES = 16;
/** Offsets of the target's name, and of the input. */
export const TARGET_AT = HEAD_BYTES;
export const INPUT_AT = TARGET_AT + 256;

/** What the thread receives when it starts. */
export interface Post {
  shared: SharedArrayBuffer;
  folder: string;
  patience_ms: number;
}

/** Watches a campaign from another thread. */
export interface Watchdog {
  /**
   * Runs one input, one at a time. When it has not ended after ten seconds of wall time, in an endless loop or in an
   * endless wait, the process prints the campaign, the target and the path of the saved input, and ends with code 1.
   */
  during<T>(target: string, input: string | Uint8Array, run: () => T | Promise<T>): Promise<T>;
  /** Adds to the running input, for inputs that are made while they run. */
  add(more: string | Uint8Array): void;
  /** The campaign is over; the thread, which all campaigns of a process share, watches nothing until the next one. */
  close(): void;
}

/** For all campaigns. */
let inputs = 0;
let thread: Promise<SharedArrayBuffer> | null = null;

/** One for all campaigns of a process, so that none has to wait for the start or the end of another's. */
async function startThread(post: Post): Promise<SharedArrayBuffer> {
  const worker = new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData: post });
  // It must already watch when the first input blocks this thread.
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  worker.unref();
  return post.shared;
}

/**
 * Starts a separate watching thread that continues when this one does not. The first call sets the options.
 * @param folder where the input of a hang is saved, as hang-CAMPAIGN-HASH.bin
 */
export async function openWatchdog(
  campaign: string,
  { patience_ms = PATIENCE_MS, folder = join(import.meta.dir, "results") } = {},
): Promise<Watchdog> {
  thread ??= startThread({ shared: new SharedArrayBuffer(INPUT_AT + MAX_INPUT_BYTES), folder, patience_ms });
  const shared = await thread;
  const cells = new Int32Array(shared, 0, HEAD_BYTES / 4);
  const bytes = Buffer.from(shared);
  const write = (at: number, end: number, content: string | Uint8Array): number => {
    if (typeof content === "string") return bytes.write(content, at, end - at);
    const fitting = content.subarray(0, end - at);
    bytes.set(fitting, at);
    return fitting.length;
  };
  const add = (more: string | Uint8Array) => {
    const at = INPUT_AT + cells[CELL.inputBytes]!;
    cells[CELL.inputBytes]! += write(at, bytes.length, more);
  };
  return {
    async during(target, input, run) {
      cells[CELL.target_bytes] = write(TARGET_AT, INPUT_AT, `${campaign}: ${target}`);
      cells[CELL.inputBytes] = 0;
      add(input);
      inputs = (inputs % 0x7fff_ffff) + 1;
      Atomics.store(cells, CELL.beat, inputs);
      try {
        return await run();
      } finally {
        Atomics.store(cells, CELL.beat, 0);
      }
    },
    add,
    close: () => void Atomics.store(cells, CELL.beat, 0),
  };
}
