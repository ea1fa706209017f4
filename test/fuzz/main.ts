/** Fuzzing: `./dev fuzz [NAME...] [--short] [--seed N] [--json]`. NAME is api, authority, parsers or imap-answers. */
import { join } from "node:path";
import { runCampaigns } from "../faults/run-campaigns.ts";
import { apiCampaign } from "./api.ts";
import { authorityCampaign } from "./authority.ts";
import { imapAnswersCampaign } from "./imap-answers.ts";
import { parsersCampaign } from "./parsers.ts";

await runCampaigns("fuzz", join(import.meta.dir, "results"), {
  api: apiCampaign,
  authority: authorityCampaign,
  parsers: parsersCampaign,
  "imap-answers": imapAnswersCampaign,
});
