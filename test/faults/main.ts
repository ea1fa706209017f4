/**
 * Faults: `./dev faults [NAME...] [--short] [--seed N] [--json]`. The order is that of the names below; a seed decides all
 * that chance decides, except how fast the machine is at that moment.
 */
import { join } from "node:path";
import { CAMPAIGNS } from "./campaigns.ts";
import { runCampaigns } from "./run-campaigns.ts";

await runCampaigns("faults", join(import.meta.dir, "results"), CAMPAIGNS);
