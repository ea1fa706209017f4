/** How one campaign is run. */
export interface CampaignOptions {
  /** A fraction of the faults, for every day. */
  short: boolean;
  /** The same numbers at every run with this seed: 0 <= n < 1. */
  random: () => number;
  say: (line: string) => void;
}

/** What a campaign did, and what was not as it should have been. */
export interface CampaignReport {
  /** "kills", "requests", "slowest_ms" and so on, for the table and the JSON. */
  figures: Record<string, number | string>;
  /** Empty when all is well. */
  misses: string[];
}

export type Campaign = (options: CampaignOptions) => Promise<CampaignReport | { skipped: string }>;

/** Numbers that a seed decides: 0 <= n < 1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** A whole number from `least` up to and not including `below`. */
export function between(random: () => number, least: number, below: number): number {
  return least + Math.floor(random() * (below - least));
}

/** A new order. */
export function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
