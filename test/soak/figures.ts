/** Returns the arithmetic mean; NaN for an empty list. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Rounds to one decimal place. */
export const round = (value: number): number => Math.round(value * 10) / 10;
