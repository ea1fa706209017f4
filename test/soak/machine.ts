import { readFileSync } from "node:fs";
import type { Served } from "../faults/served.ts";

/** How late timers of the server's main thread ran, of as many as it looked at: how often by more than 0.1 and 0.5 s. */
export async function lagsOf(served: Served): Promise<Record<string, number>> {
  const { text } = await served.call("GET", "metrics");
  const upTo = (bound: string) =>
    Number(new RegExp(`lag_seconds_bucket\\{thread="main",le="${bound}"\\} (\\d+)`).exec(text)?.[1]);
  const all = upTo("\\+Inf");
  return {
    server_lags: all,
    server_lags_over_100_ms: all - upTo("0\\.1"),
    server_lags_over_500_ms: all - upTo("0\\.5"),
  };
}

/** Clock ticks of all processors since the machine began, and those of them that its host gave to others (proc(5), "steal"). */
export function processorTimes(): { all: number; stolen: number } {
  const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n")[0]!.trim().split(/\s+/);
  const counted = ticks.slice(0, 8).map(Number);
  return { all: counted.reduce((sum, value) => sum + value, 0), stolen: counted[7] ?? 0 };
}
