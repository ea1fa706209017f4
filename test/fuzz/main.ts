/** Fuzzing: `./dev fuzz [NAME...] [--short] [--seed N] [--json]`. NAME is api, app, authority, parsers or imap-answers. */
import { join } from "node:path";
import { runCampaigns } from "../faults/run-campaigns.ts";
import { apiCampaign, appCampaign } from "./api.ts";
import { authorityCampaign } from "./authority.ts";
import { imapAnswersCampaign } from "./imap-answers.ts";
import { parsersCampaign } from "./parsers.ts";

await runCampaigns("fuzz", join(import.meta.dir, "results"), {
  api: apiCampaign,
  app: appCampaign,
  authority: authorityCampaign,
  parsers: parsersCampaign,
  "imap-answers": imapAnswersCampaign,
});
