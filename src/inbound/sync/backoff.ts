/** Delays between attempts to reach a server: doubled from 1 s to 5 min, with jitter. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** Returns the delay in milliseconds after the nth failure in a row. */
export function backoffMs(failures: number): number {
  const step = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  return step * (0.5 + Math.random() / 2);
}
