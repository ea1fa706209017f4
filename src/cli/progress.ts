import { UserError } from "../kernel/errors.ts";

const EVERY_MS = 200;
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** A progress line in the terminal. Without a terminal, nothing is written. */
export interface ProgressLine {
  /** @param unit such as "messages"; bytes by default */
  show(done: number, total: number, unit?: string): void;
  /** Erases the line. */
  end(): void;
}

/** Creates a progress line, which is updated a few times per second. @param what the task: "backup" */
export function progressLine(what: string, output: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAt = Number.NEGATIVE_INFINITY;
  if (!output.isTTY) return { show() {}, end() {} };
  return {
    show(done, total, unit) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
      const counts = unit ? `${done} of ${total} ${unit}` : `${gibibytes(done)} of about ${gibibytes(total)}`;
      output.write(`\r${what}: ${percent}% (${counts})\u001b[K`);
    },
    end: () => void output.write("\r\u001b[K"),
  };
}

/** Formats a size: "3.2 MiB", "10.5 GiB". */
export function gibibytes(bytes: number): string {
  return bytes < GIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}

/**
 * Runs a long task that Ctrl-C and SIGTERM cancel, so that it can clean up.
 * @param interrupted message of the UserError that is thrown then
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  interrupted = "Interrupted. Nothing was left behind.",
): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new UserError(interrupted);
    throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort);
  }
}
