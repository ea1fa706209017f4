/** A target figure, and the measured one. */
export interface Target {
  what: string;
  measured: number;
  atMost?: number;
  atLeast?: number;
  unit: string;
}

/** Returns the missed targets, a line each. */
export function missed(targets: readonly Target[]): string[] {
  return targets
    .filter(({ measured, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) => {
      return !(measured <= atMost && measured >= atLeast);
    })
    .map(({ what, measured, atMost, atLeast, unit }) => {
      const bound = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
      return `${what}: ${Number(measured.toPrecision(4))} instead of ${bound} ${unit}`.trim();
    });
}
