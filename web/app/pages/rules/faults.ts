import { Fault, messageOf } from "../../api/client.ts";
import { type Action, type Condition, needOf } from "./labels.ts";

/** Errors by field, as the API names it: "name", "conditions[1].value". */
export type RuleFaults = Readonly<Record<string, string | undefined>>;

/** Returns the errors of one condition or action by the name of its field: "value". */
export function partFaults(faults: RuleFaults, part: string): RuleFaults {
  const prefix = `${part}.`;
  return Object.fromEntries(
    Object.entries(faults).flatMap(([param, text]) =>
      param.startsWith(prefix) ? [[param.slice(prefix.length), text]] : [],
    ),
  );
}

/** Returns the fields that still need a value. */
export function missingValues(conditions: readonly Condition[], actions: readonly Action[]): RuleFaults {
  const faults: Record<string, string> = {};
  for (const [i, { op, value }] of conditions.entries()) {
    if (op !== "exists" && !value.trim()) faults[`conditions[${i}].value`] = "Enter a value.";
  }
  for (const [i, { type, value }] of actions.entries()) {
    if (needOf(type) && !value.trim()) faults[`actions[${i}].value`] = "Enter a label.";
  }
  return faults;
}

const SHOWN = /^(?:name|conditions\[\d+\]\.(?:field|op|value)|actions\[\d+\]\.(?:type|value))$/;

/** Splits an error of the API into the error of a field of the form, or an error for the whole form. */
export function splitFault(error: unknown): { faults: RuleFaults; rest: unknown } {
  if (!(error instanceof Fault) || !error.param || !SHOWN.test(error.param)) return { faults: {}, rest: error };
  return { faults: { [error.param]: messageOf(error) }, rest: null };
}
