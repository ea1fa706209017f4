/** The soak: `./dev soak [--short] [--minutes N] [--seed N] [--json]`. An hour; ten minutes in short form. */
import { join } from "node:path";
import { refuse, runCampaigns } from "../faults/run-campaigns.ts";
import { soakFor } from "./soak.ts";

const HOUR = 60;
const SHORT = 10;

/** Removes `--minutes N` or `--minutes=N` from the command line; the other options are those of every campaign. */
function minutesGiven(): number | null {
  const at = Bun.argv.findIndex((word) => word === "--minutes" || word.startsWith("--minutes="));
  if (at < 0) return null;
  const [name, joined] = Bun.argv[at]!.split("=");
  const given = joined ?? Bun.argv[at + 1];
  Bun.argv.splice(at, joined === undefined ? 2 : 1);
  const minutes = Number(given);
  return minutes > 0 ? minutes : refuse("soak", `${name} is a number of minutes, not ${given}`);
}

const given = minutesGiven();
const minutes = given ?? (Bun.argv.includes("--short") ? SHORT : HOUR);
const form = given === null || given >= HOUR ? undefined : `${given} minutes`;
await runCampaigns("soak", join(import.meta.dir, "results"), { soak: soakFor({ minutes }) }, form);
