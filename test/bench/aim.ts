/** A figure that was aimed at, and what was measured. */
export interface Aim {
  what: string;
  measured: number;
  at_most?: number;
  at_least?: number;
  unit: string;
}

/** The aims that were missed, a line each. */
export function missed(aims: readonly Aim[]): string[] {
  return aims
    .filter(({ measured, at_most = Number.POSITIVE_INFINITY, at_least = Number.NEGATIVE_INFINITY }) => {
      return !(measured <= at_most && measured >= at_least);
    })
    .map(({ what, measured, at_most, at_least, unit }) => {
      const bound = at_most === undefined ? `at least ${at_least}` : `at most ${at_most}`;
      return `${what}: ${Number(measured.toPrecision(4))} instead of ${bound} ${unit}`.trim();
    });
}
