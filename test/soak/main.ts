/**
 * The soak: `./dev soak [--short] [--hours N | --minutes N] [--source] [--seed N] [--json]`. An hour; ten minutes in
 * short form. It runs the executable, which is built first; --source runs without building.
 * Results of other numbers of hours have their own files, soak-hours-6.json.
 */
import { join } from "node:path";
import { buildExecutable } from "../bench/executable.ts";
import { refuse, runCampaigns } from "../faults/run-campaigns.ts";
import { soakFor } from "./soak.ts";

const HOUR = 60;
const SHORT = 10;

/** Removes `--NAME N` or `--NAME=N` from the command line; the other options are those of every campaign. */
function numberGiven(option: "hours" | "minutes"): number | null {
  const at = Bun.argv.findIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  if (at < 0) return null;
  const [name, joined] = Bun.argv[at]!.split("=");
  const given = joined ?? Bun.argv[at + 1];
  Bun.argv.splice(at, joined === undefined ? 2 : 1);
  const number = Number(given);
  return number > 0 ? number : refuse("soak", `${name} is a number of ${option}, not ${given}`);
}

/** Removes `--source` from the command line. @returns whether it was there */
function isFromSource(): boolean {
  const at = Bun.argv.indexOf("--source");
  if (at >= 0) Bun.argv.splice(at, 1);
  return at >= 0;
}

const executable = isFromSource() ? null : await buildExecutable();
const hours = numberGiven("hours");
const given = hours === null ? numberGiven("minutes") : hours * HOUR;
const minutes = given ?? (Bun.argv.includes("--short") ? SHORT : HOUR);
const form = given === null || given >= HOUR ? undefined : `${given} minutes`;
const name = minutes > HOUR ? `soak-hours-${minutes / HOUR}` : "soak";
await runCampaigns("soak", join(import.meta.dir, "results"), { [name]: soakFor({ minutes, executable }) }, form);
