import { between, shuffled } from "../faults/campaign.ts";
import { unknownLike } from "./own-paths.ts";

/** Pairs that run first and are not counted: they are for the compiler. */
const WARMING_UP = 5;

/** How much longer another person's id takes than an unassigned one. */
export interface PairedTimes {
  /** The median of the differences within each pair, ms. A temporary slowdown of the machine affects both of a pair. */
  difference_ms: number;
  /** How far the count of pairs in which it took longer is from chance (sign test). */
  sigmas: number;
}

/**
 * Times foreign ids against unassigned ones. Chance decides in which of the pairs the foreign one is first; it is first
 * in half of them, because the first of two requests was seen to take longer than the second, regardless of the id.
 * @param pairs an even number; @param now ms
 */
export async function pairedTimes(
  ask: (id: string) => Promise<unknown>,
  foreign: readonly string[],
  pairs: number,
  random: () => number,
  now: () => number = () => performance.now(),
): Promise<PairedTimes> {
  const time = async (id: string) => {
    const began = now();
    await ask(id);
    return now() - began;
  };
  const pair = async (theirsFirst: boolean): Promise<number> => {
    const theirs = foreign[between(random, 0, foreign.length)]!;
    const [first, second] = theirsFirst ? [theirs, unknownLike(theirs)] : [unknownLike(theirs), theirs];
    const difference_ms = (await time(first)) - (await time(second));
    return theirsFirst ? difference_ms : -difference_ms;
  };
  for (let i = 0; i < WARMING_UP; i++) await pair(i % 2 === 0);
  const orders = shuffled(
    random,
    Array.from({ length: pairs }, (_, i) => i % 2 === 0),
  );
  const differences: number[] = [];
  for (const theirsFirst of orders) differences.push(await pair(theirsFirst));
  const longer = differences.filter((difference) => difference > 0).length;
  differences.sort((a, b) => a - b);
  return {
    difference_ms: (differences[pairs / 2 - 1]! + differences[pairs / 2]!) / 2,
    sigmas: Math.abs(longer - pairs / 2) / Math.sqrt(pairs / 4),
  };
}
