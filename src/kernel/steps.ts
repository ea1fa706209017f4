/** Long work in small steps: each `yield` is a place where it may pause. Returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs all steps. @param rest called and awaited between them */
export async function runStepsSlowly<T>(steps: Steps<T>, rest: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await rest();
  }
}
