import { beforeAll, expect, test } from "bun:test";
import { type Campaign, dice } from "./campaign.ts";
import { CAMPAIGNS } from "./campaigns.ts";

/*
 * The short forms of the campaigns, with one seed: a failure here is due to the last change, not to chance. `./dev
 * faults` uses other seeds. The `dns` campaign mostly waits, so it runs beside the others.
 */
const { dns, ...OTHERS } = CAMPAIGNS;
const SEED = 7;
const LONGEST_MS = 240_000;

const run = (campaign: Campaign) => campaign({ short: true, random: dice(SEED), say: () => {} });

let waiting: ReturnType<Campaign>;
beforeAll(() => {
  waiting = run(dns!);
  waiting.catch(() => {}); // reported when it is awaited
});

const RUNS: [name: string, result: () => ReturnType<Campaign>][] = [
  ...Object.entries(OTHERS).map(([name, campaign]): (typeof RUNS)[number] => [name, () => run(campaign)]),
  ["dns", () => waiting],
];

for (const [name, ended] of RUNS) {
  test(
    `faults of ${name} lose, duplicate and corrupt nothing`,
    async () => {
      const result = await ended();
      if ("skipped" in result) {
        // Where packages can be installed, as in continuous integration, a missing one must not go unnoticed.
        if (process.env.CI && /not installed/.test(result.skipped)) throw new Error(result.skipped);
        console.info(`skipped: ${name} (${result.skipped})`);
        return;
      }
      console.info(`${name}: ${JSON.stringify(result.figures)}`);
      expect(result.misses).toEqual([]);
    },
    LONGEST_MS,
  );
}
