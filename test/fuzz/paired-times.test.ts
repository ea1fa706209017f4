import { expect, test } from "bun:test";
import { dice } from "../faults/campaign.ts";
import { pairedTimes } from "./paired-times.ts";

const THEIRS = ["drf_01jz4t9h2m8q5r7v3w6x0y1z2a", "drf_01jz4t9h2m0aq5r7v3w6x8y1z2"];

/** Times on a simulated clock, and not this machine's. */
function measure(ms: (foreign: boolean, n: number, random: () => number) => number) {
  const random = dice(3);
  let [at, asked] = [0, 0];
  const ask = async (id: string) => {
    at += ms(THEIRS.includes(id), asked++, random);
  };
  return pairedTimes(ask, THEIRS, 200, random, () => at);
}

test("another person's id that takes a little longer is reported, even if the machine slows down", async () => {
  const { difference_ms, sigmas } = await measure((foreign, n, random) => 2 + n / 10 + random() + (foreign ? 0.4 : 0));
  expect(difference_ms).toBeGreaterThan(0.2);
  expect(difference_ms).toBeLessThan(0.6);
  expect(sigmas).toBeGreaterThan(4);
});

test("the effect of the order in a pair is not attributed to the ids", async () => {
  const { difference_ms, sigmas } = await measure((_, n, random) => (n % 2 === 0 ? 3 : 2) + random());
  expect(Math.abs(difference_ms)).toBeLessThan(0.2);
  expect(sigmas).toBeLessThan(3);
});

test("a single slow request does not decide", async () => {
  const { difference_ms } = await measure((foreign, n, random) => (foreign && n % 50 === 0 ? 900 : 2) + random());
  expect(Math.abs(difference_ms)).toBeLessThan(0.2);
});
