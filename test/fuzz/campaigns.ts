import type { Campaign } from "../faults/campaign.ts";
import { apiCampaign, appCampaign } from "./api.ts";
import { authorityCampaign } from "./authority.ts";
import { imapAnswersCampaign } from "./imap-answers.ts";
import { parsersCampaign } from "./parsers.ts";

/**
 * Every fuzzing campaign, in the order in which they run: `./dev fuzz` runs them in full, the daily tests in short
 * form.
 */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  api: apiCampaign,
  app: appCampaign,
  authority: authorityCampaign,
  parsers: parsersCampaign,
  "imap-answers": imapAnswersCampaign,
};
