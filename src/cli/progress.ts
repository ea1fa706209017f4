import { UserError } from "../kernel/errors.ts";

const EVERY_MS = 200;
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** A line at the terminal that tells how far something is; nothing where nobody watches. */
export interface ProgressLine {
  /** @param unit "messages"; bytes when absent */
  show(done: number, total: number, unit?: string): void;
  /** Takes the line away. */
  end(): void;
}

export function progressLine(what: string, output: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shown_at = Number.NEGATIVE_INFINITY;
  if (!output.isTTY) return { show() {}, end() {} };
  return {
    show(done, total, unit) {
      const now = performance.now();
      if (now - shown_at < EVERY_MS) return;
      shown_at = now;
      const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
      const amounts = unit ? `${done} of ${total} ${unit}` : `${gibibytes(done)} of about ${gibibytes(total)}`;
      output.write(`\r${what}: ${percent} % (${amounts})\u001b[K`);
    },
    end: () => void output.write("\r\u001b[K"),
  };
}

/** "3.2 MiB", "10.5 GiB" */
export function gibibytes(bytes: number): string {
  return bytes < GIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}

/** Runs something long that Ctrl-C and SIGTERM end in order, so that it can tidy up. @throws UserError then */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new UserError("Interrupted. Nothing was left behind.");
    throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort);
  }
}
