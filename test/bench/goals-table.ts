import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, shortNumber, verdictOn } from "./figures.ts";
import { boundText, GOALS, type GoalGroup, goalsOf } from "./goals.ts";
import { formatTable } from "./measure.ts";

const GROUPS = Object.keys(GOALS) as GoalGroup[];
/** Longer texts of peers would make the table too wide. */
const MAX_PEER = 40;

/** A recorded run of a benchmark or of the soak, as far as the table needs it. */
export interface Recorded {
  name: string;
  at: string;
  commit: string;
  form: string;
  steal_percent?: number | null;
  figures?: Figure[];
  /** Of the soak. */
  result?: { figures?: Record<string, number | string> };
}

/** Formats the figures of the last runs with their goals, and the goals that were not measured. The last line counts them. */
export function goalsTable(recorded: readonly Recorded[]): string {
  const rows: string[][] = [];
  const counts = { met: 0, missed: 0, inPart: 0, missing: 0 };
  for (const group of GROUPS) {
    const runs = recorded.filter(({ name }) => name === group || name.startsWith(`${group}-hours`));
    const measured = runs.flatMap((run) => figuresOf(group, run).map((figure) => ({ run, figure })));
    for (const [key, goal] of Object.entries(goalsOf(group))) {
      const found = measured.filter(({ figure }) => figure.key === key);
      for (const { run, figure } of found) {
        if (figure.met !== null) counts[isWhole(run) ? (figure.met ? "met" : "missed") : "inPart"]++;
        rows.push(rowOf(group, run, figure));
      }
      if (found.length > 0 || goal.optional) continue;
      counts.missing++;
      rows.push([named(group, goal.work), "not measured", "", boundText(goal), "", "", "", ""]);
    }
  }
  const head = ["work", "ours", "peer", "goal", "", "date", "commit", "steal"];
  const closing = `${counts.met} met, ${counts.missed} missed, ${counts.inPart} measured in part, ${counts.missing} not measured`;
  return `${formatTable(head, rows)}\n\ngoals: ${closing}`;
}

/** Judges the figures of a run by the goals of today, which may be stricter than those of its day. */
function figuresOf(group: GoalGroup, { figures, result }: Recorded): Figure[] {
  const goals = goalsOf(group);
  if (figures) {
    return figures.flatMap((figure) => {
      const goal = goals[figure.key];
      return goal ? [{ ...figure, ...verdictOn(goal, figure.value ?? Number.NaN) }] : [];
    });
  }
  const minutes = Number(result?.figures?.minutes);
  const of = minutes < 90 ? `${minutes} minutes` : `${minutes / 60} hours`;
  return Object.entries(goals).flatMap(([key, goal]) => {
    const value = result?.figures?.[key];
    if (typeof value !== "number") return [];
    return [{ key, name: `${goal.work}: ${of}`, value, unit: goal.unit, ...verdictOn(goal, value), peer: null }];
  });
}

function rowOf(group: string, run: Recorded, { name, value, unit, peer, goal, met }: Figure): string[] {
  const ours = Number.isFinite(value) ? `${shortNumber(value)} ${unit}`.trim() : "unknown";
  const steal = typeof run.steal_percent === "number" ? `${run.steal_percent.toFixed(1)}%` : "";
  // A smaller mailbox or a shorter run proves nothing about the goal.
  const date = run.at.slice(0, 10) + (isWhole(run) ? "" : " (in part)");
  const word = met ? "met" : "MISSED";
  const verdict = met === null ? "" : isWhole(run) ? word : `(${word})`;
  const there = (peer ?? "").slice(0, MAX_PEER);
  return [named(group, name), ours, there, goal ?? "", verdict, date, run.commit, steal];
}

const isWhole = ({ form }: Recorded) => form === "full";
const named = (group: string, work: string) => `${group}: ${work}`;

/**
 * Reads the last runs, of each the complete one if there is one; otherwise a short one.
 * @param folders those of this machine first; a later one counts only for what is not in an earlier one
 */
export function lastRuns(folders: readonly string[]): Recorded[] {
  const found = new Map<string, Recorded>();
  for (const isShort of [false, true]) {
    for (const folder of folders.filter((path) => existsSync(path))) {
      for (const file of readdirSync(folder).sort()) {
        if (!file.endsWith(".json") || file.endsWith("-short.json") !== isShort) continue;
        const run = JSON.parse(readFileSync(join(folder, file), "utf8")) as Recorded;
        // A run of an earlier version has no figures to judge, and hides no other.
        if (!found.has(run.name) && (run.figures || run.result)) found.set(run.name, run);
      }
    }
  }
  return [...found.values()];
}
