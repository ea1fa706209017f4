/** Options of one campaign run. */
export interface CampaignOptions {
  /** Runs a fraction of the faults, for daily runs. */
  short: boolean;
  /** Returns the same sequence in every run with this seed: 0 <= n < 1. */
  random: () => number;
  say: (line: string) => void;
}

/** The figures of a campaign, and its misses: results that differ from what is required. */
export interface CampaignReport {
  /** "kills", "requests", "slowest_ms" and so on, for the table and the JSON. */
  figures: Record<string, number | string>;
  /** Empty when everything is correct. */
  misses: string[];
}

export type Campaign = (options: CampaignOptions) => Promise<CampaignReport | { skipped: string }>;

/** Returns a generator of numbers that a seed determines: 0 <= n < 1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks one item of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Picks a whole number from `least` up to but not including `below`. */
export function between(random: () => number, least: number, below: number): number {
  return least + Math.floor(random() * (below - least));
}

/** Returns the items in random order. */
export function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
