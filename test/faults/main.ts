/**
 * Faults: `./dev faults [NAME...] [--short] [--seed N] [--json]`. The campaigns run in the order of the names below; a
 * seed determines everything that is random, except how fast the machine is at that moment.
 */
import { join } from "node:path";
import { CAMPAIGNS } from "./campaigns.ts";
import { runCampaigns } from "./run-campaigns.ts";

await runCampaigns("faults", join(import.meta.dir, "results"), CAMPAIGNS);
