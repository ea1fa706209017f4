import type { Outage } from "./off-machine-store.ts";
import type { FolderView } from "./off-machine-view.ts";

/** Something that the API confirmed, or that it showed. */
export interface Written {
  /** "draft drf_… at version 3" */
  what: string;
  /** When it was requested at the earliest, and when it was confirmed: performance.now(). */
  asked: number;
  acked: number;
  /** The process that confirmed it. */
  by: string;
  holds: (view: FolderView) => boolean;
  /** `holds` is false for every state before it was requested. */
  isExact: boolean;
}

/** The moment up to which a folder is compared with the journal. */
export interface Cut {
  at: number;
  /** Times without a store, of the machine of a process. */
  outagesOf: (process: string) => readonly Outage[];
  /** How old something may be that is missing, ms of time in which the store was reachable. */
  promiseMs: number;
  /** What is missing is given up: the folder is the new primary. */
  adopt: boolean;
  /** Nothing that was requested after the cut may be there. */
  isPast?: boolean;
}

export interface Judgement {
  /** Entries that had to be there, and those that were allowed to be missing and are. */
  required: number;
  lost: number;
  /** The age of the oldest entry that is missing, in time with a store. */
  worstMs: number;
  misses: string[];
}

const MAX_MISSES = 5;

/** Everything that was confirmed and that no copy may be without, except for the last seconds. */
export class Journal {
  #entries: Written[] = [];
  /** All entries so far. */
  written = 0;

  add(entry: Written): void {
    this.written++;
    this.#entries.push(entry);
  }

  /** Compares a folder with what was confirmed before the cut. */
  judge(view: FolderView, cut: Cut): Judgement {
    const misses: string[] = [];
    const before = this.#entries.filter(({ acked }) => acked <= cut.at);
    const missing = new Set(before.filter((entry) => !entry.holds(view)));
    const age = ({ acked, by }: Written) => reachable(acked, cut.at, cut.outagesOf(by));
    for (const entry of missing) {
      if (age(entry) <= cut.promiseMs) continue;
      misses.push(`${entry.what} of ${entry.by} is missing, confirmed ${(age(entry) / 1000).toFixed(1)} s before`);
    }
    // Commits are a sequence: what was requested after an entry was confirmed cannot be there without it.
    const newest = latest(before.filter((entry) => entry.isExact && !missing.has(entry)));
    for (const entry of missing) {
      if (newest && newest.asked > entry.acked)
        misses.push(`${newest.what} is there without ${entry.what}, which was confirmed before it was requested`);
    }
    for (const { what, isExact, asked, holds } of cut.isPast ? this.#entries : [])
      if (isExact && asked > cut.at && holds(view)) misses.push(`${what} is there before it was requested`);
    if (cut.adopt) this.#entries = this.#entries.filter((entry) => !missing.has(entry) && entry.acked <= cut.at);
    return {
      required: before.filter((entry) => age(entry) > cut.promiseMs).length,
      lost: missing.size,
      worstMs: Math.round(Math.max(0, ...[...missing].map(age))),
      misses: [
        ...misses.slice(0, MAX_MISSES),
        ...(misses.length > MAX_MISSES ? [`and ${misses.length - MAX_MISSES} more`] : []),
      ],
    };
  }
}

function latest(entries: readonly Written[]): Written | null {
  return entries.reduce<Written | null>((best, entry) => (best && best.asked >= entry.asked ? best : entry), null);
}

/** Returns how much of a time was in none of the outages, which may overlap, ms. */
export function reachable(from: number, to: number, outages: readonly Outage[]): number {
  let [at, sum] = [from, 0];
  for (const outage of outages.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, Math.min(to, outage.from) - at);
    at = Math.max(at, outage.to);
  }
  return sum + Math.max(0, to - at);
}
