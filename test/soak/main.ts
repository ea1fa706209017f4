/** The soak: `./dev soak [--short] [--minutes N] [--seed N] [--json]`. An hour; ten minutes in short form. */
import { join } from "node:path";
import { runCampaigns } from "../faults/run-campaigns.ts";
import { soakFor } from "./soak.ts";

const at = Bun.argv.indexOf("--minutes");
const given = at > 0 ? Number(Bun.argv.splice(at, 2)[1]) : null;
const minutes = given ?? (Bun.argv.includes("--short") ? 10 : 60);
await runCampaigns("soak", join(import.meta.dir, "results"), { soak: soakFor({ minutes }) });
