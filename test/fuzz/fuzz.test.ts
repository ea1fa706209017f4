import { expect, test } from "bun:test";
import { type Campaign, dice } from "../faults/campaign.ts";
import { apiCampaign, appCampaign } from "./api.ts";
import { authorityCampaign } from "./authority.ts";
import { imapAnswersCampaign } from "./imap-answers.ts";
import { parsersCampaign } from "./parsers.ts";

/** The short forms, with one seed: what fails here is of the last change, not of the dice. `./dev fuzz` throws others. */
const DAILY: Record<string, Campaign> = {
  api: apiCampaign,
  app: appCampaign,
  authority: authorityCampaign,
  parsers: parsersCampaign,
  "imap-answers": imapAnswersCampaign,
};
const SEED = 7;
const LONGEST_MS = 240_000;

for (const [name, campaign] of Object.entries(DAILY)) {
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
