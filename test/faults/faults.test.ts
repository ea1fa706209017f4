import { expect, test } from "bun:test";
import { type Campaign, dice } from "./campaign.ts";
import { certificateCampaign } from "./certificate.ts";
import { clockJumpsCampaign } from "./clock-jumps.ts";
import { damagedFilesCampaign } from "./damaged-files.ts";
import { diskFullCampaign } from "./disk-full.ts";
import { imapLineCampaign } from "./imap-line.ts";
import { killSend } from "./kill-send.ts";
import { killSync } from "./kill-sync.ts";
import { killWebhooks } from "./kill-webhooks.ts";
import { smtpLineCampaign } from "./smtp-line.ts";
import { twoInstancesCampaign } from "./two-instances.ts";

/*
 * The short forms of the campaigns, with one seed: what fails here is of the last change, not of the dice. `./dev faults`
 * throws others. That of lost names takes minutes, because real waits have to pass: it runs with `./dev faults` only.
 */
const DAILY: Record<string, Campaign> = {
  "kill-sync": killSync,
  "kill-send": killSend,
  "kill-webhooks": killWebhooks,
  "imap-line": imapLineCampaign,
  "smtp-line": smtpLineCampaign,
  certificate: certificateCampaign,
  "disk-full": diskFullCampaign,
  "damaged-files": damagedFilesCampaign,
  "clock-jumps": clockJumpsCampaign,
  "two-instances": twoInstancesCampaign,
};
const SEED = 7;
const LONGEST_MS = 240_000;

for (const [name, campaign] of Object.entries(DAILY)) {
  test(
    `no fault of ${name} leaves anything lost, doubled or inconsistent`,
    async () => {
      const result = await campaign({ short: true, random: dice(SEED), say: () => {} });
      if ("skipped" in result) console.info(`skipped: ${name}, for ${result.skipped}`);
      else {
        console.info(`${name}: ${JSON.stringify(result.figures)}`);
        expect(result.misses).toEqual([]);
      }
    },
    LONGEST_MS,
  );
}
