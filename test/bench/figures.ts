import { boundText, type Goal, type GoalGroup, type Goals, goalsOf } from "./goals.ts";

/** A measured figure beside its goal, as it is recorded. */
export interface Figure {
  /** Its key in goals.ts. */
  key: string;
  name: string;
  value: number;
  unit: string;
  /** "≤ 350 MB"; null where there is none. */
  goal: string | null;
  met: boolean | null;
  /** The same work by other means, in the same run. */
  peer: string | null;
}

/** What a benchmark measured of one of its goals. */
export interface Measured<K extends string> {
  key: K;
  value: number;
  /** What the figure is of, where there are several: "Cranfield". */
  of?: string;
  peer?: string;
}

/** Judges figures of a benchmark by its goals. A value that is not a number misses its goal. */
export function judged<G extends GoalGroup>(
  group: G,
  measured: readonly Measured<Extract<keyof Goals[G], string>>[],
): Figure[] {
  return measured.map(({ key, value, of, peer = null }) => {
    const goal = goalsOf(group)[key]!;
    const name = of === undefined ? goal.work : `${goal.work}: ${of}`;
    return { key, name, value, unit: goal.unit, ...verdictOn(goal, value), peer };
  });
}

/** Returns the goal in words, and whether a value meets it; nulls without a bound. */
export function verdictOn(goal: Goal, value: number): Pick<Figure, "goal" | "met"> {
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  const text = boundText(goal);
  return text === "" ? { goal: null, met: null } : { goal: text, met: value <= atMost && value >= atLeast };
}

/** Returns the missed goals, a line each. */
export function missesOf(figures: readonly Figure[]): string[] {
  return figures
    .filter(({ met }) => met === false)
    .map(({ name, value, unit, goal }) => `${name}: ${`${shortNumber(value)} ${unit}`.trim()} instead of ${goal}`);
}

/** Formats a number with up to four digits: 0.2864, 11.06, 1500. */
export function shortNumber(value: number): string {
  return Math.abs(value) >= 1_000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}
