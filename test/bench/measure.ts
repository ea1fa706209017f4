import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One measured run. */
export interface Run {
  /** Wall time, ms. */
  ms: number;
  /** Processor time of the process, ms; null where it is unknown. */
  cpu_ms: number | null;
  /** Most memory that the process held at any time, bytes. */
  peak_bytes: number | null;
}

/** Runs a command to its end. @throws an error with its output when it fails */
export async function runCommand(command: string[], env: Record<string, string | undefined> = {}): Promise<Run> {
  const began = performance.now();
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const words = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const ms = performance.now() - began;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${(await words).join("").slice(-500)}`);
  const usage = child.resourceUsage();
  return {
    ms,
    cpu_ms: usage ? Number(usage.cpuTime.total) / 1000 : null,
    peak_bytes: usage ? usage.maxRSS : null,
  };
}

/** Runs a script of this folder in a separate process and returns the JSON that it prints. @throws when it fails */
export async function runScript<T>(file: string, args: string[]): Promise<T> {
  const command = [process.execPath, join(import.meta.dir, file), ...args];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const printed = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${file} failed`);
  return JSON.parse(printed) as T;
}

/** Combines consecutive runs: times are summed, memory is not. */
export function together(runs: readonly Run[]): Run {
  const total = (values: (number | null)[]) =>
    values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return {
    ms: total(runs.map((run) => run.ms))!,
    cpu_ms: total(runs.map((run) => run.cpu_ms)),
    peak_bytes: runs.some((run) => run.peak_bytes === null) ? null : Math.max(...runs.map((run) => run.peak_bytes!)),
  };
}

/**
 * Returns memory and processor time of a running process, from /proc; null where there is no such file. `own_bytes` of
 * `rss_bytes` are not file-backed pages, which the system reclaims when it needs them.
 */
export function processUsage(
  pid: number,
): { rss_bytes: number; own_bytes: number; peak_bytes: number; cpu_ms: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
    // Fields behind the command's name in brackets, which may hold blanks; the clock ticks 100 times a second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const cpu_ms = (Number(fields[11]) + Number(fields[12])) * 10;
    const [rss_bytes, own_bytes, peak_bytes] = ["VmRSS", "RssAnon", "VmHWM"].map((name) => kb(name) * 1024);
    return { rss_bytes: rss_bytes!, own_bytes: own_bytes!, peak_bytes: peak_bytes!, cpu_ms };
  } catch {
    return null;
  }
}

/** Returns the value below which a share of all values is. `values` may be in any order. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Formats rows of text with aligned columns; numbers are right-aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

export const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
export const megabytes = (bytes: number | null): string => (bytes === null ? "?" : `${Math.round(bytes / 1e6)} MB`);
