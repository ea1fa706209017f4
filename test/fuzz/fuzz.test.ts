import { expect, test } from "bun:test";
import { dice } from "../faults/campaign.ts";
import { CAMPAIGNS } from "./campaigns.ts";

/**
 * The short forms, with one seed: a failure here is due to the last change, not to chance. `./dev fuzz` uses other
 * seeds.
 */
const SEED = 7;
const LONGEST_MS = 240_000;

for (const [name, campaign] of Object.entries(CAMPAIGNS)) {
  test(
    `fuzzing of ${name} finds nothing`,
    async () => {
      const result = await campaign({ short: true, random: dice(SEED), say: () => {} });
      if ("skipped" in result) throw new Error(result.skipped);
      console.info(`${name}: ${JSON.stringify(result.figures)}`);
      expect(result.misses).toEqual([]);
    },
    LONGEST_MS,
  );
}
