import { LINE_FAULTS, type LineFault, WRITE_FAULT } from "./line-proxy.ts";

/** A fault at a step of the dialogue. */
export interface Pair {
  step: string;
  fault: LineFault;
}

/** An exception of a plan: a step, or only one fault of it. */
export interface Exception {
  step: string;
  fault?: LineFault;
  why: string;
}

/** Steps at which the client writes nothing that could be cut in the middle. */
const SERVER_SPEAKS = new Set(["greeting", "literal", "tls"]);
/** Steps without a separate answer. */
const CLIENT_WRITES = new Set(["content"]);

/** Plans every fault at every step, with exceptions. */
export function plan(steps: readonly string[], exceptions: readonly Exception[] = []): Pair[] {
  const faultsAt = (step: string): readonly LineFault[] => {
    if (CLIENT_WRITES.has(step)) return [WRITE_FAULT];
    return SERVER_SPEAKS.has(step) ? LINE_FAULTS : [...LINE_FAULTS, WRITE_FAULT];
  };
  const isLeftOut = (pair: Pair) =>
    exceptions.some(({ step, fault }) => step === pair.step && (fault === undefined || fault === pair.fault));
  return steps.flatMap((step) => faultsAt(step).map((fault) => ({ step, fault }))).filter((pair) => !isLeftOut(pair));
}

export const pairName = ({ step, fault }: Pair): string => `${fault} at ${step}`;

/**
 * Returns steps that the dialogue had and the plan lacks: otherwise it would go unnoticed that they were never spoiled.
 */
export function unknownSteps(
  seen: ReadonlySet<string>,
  steps: readonly string[],
  exceptions: readonly Exception[] = [],
): string[] {
  const known = new Set([...steps, ...exceptions.map(({ step }) => step)]);
  return [...seen].filter((step) => !known.has(step)).map((step) => `the plan does not know the step ${step}`);
}
