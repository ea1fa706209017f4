import type { Served } from "../faults/served.ts";

/**
 * How late timers of the server's main thread ran: how many were checked, and how many were more than 0.1 s and 0.5 s
 * late.
 */
export async function lagsOf(served: Served): Promise<Record<string, number>> {
  const { text } = await served.call("GET", "metrics");
  const upTo = (bound: string) =>
    Number(new RegExp(`lag_seconds_bucket\\{thread="main",le="${bound}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  const all = upTo("\\+Inf");
  return {
    server_lags: all,
    server_lags_over_100_ms: all - upTo("0\\.1"),
    server_lags_over_500_ms: all - upTo("0\\.5"),
  };
}

/** Returns what was counted between two readings. */
export function since(before: Record<string, number>, now: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/**
 * Returns whether all samples between two times, ms, are good; each covers the time since the previous one. The time
 * after the last sample is not covered.
 * @param samples in order
 */
export function samplesBetween<S extends { at_h: number }>(
  samples: readonly S[],
  says: (sample: S) => boolean,
): (fromMs: number, toMs: number) => boolean {
  const edges = samples.map(({ at_h }) => at_h * 3_600_000);
  const nos = [0];
  for (const sample of samples) nos.push(nos.at(-1)! + (says(sample) ? 0 : 1));
  const indexAt = (timeMs: number) => {
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle]! < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (fromMs, toMs) => nos[Math.min(samples.length, indexAt(toMs) + 1)] === nos[indexAt(fromMs)];
}
