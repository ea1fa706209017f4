/** Fuzzing: `./dev fuzz [NAME...] [--short] [--seed N] [--json]`. The names are those of campaigns.ts. */
import { join } from "node:path";
import { runCampaigns } from "../faults/run-campaigns.ts";
import { CAMPAIGNS } from "./campaigns.ts";

await runCampaigns("fuzz", join(import.meta.dir, "results"), CAMPAIGNS);
