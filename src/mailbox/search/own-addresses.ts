import type { Condition, Query } from "./query.ts";
import { tokenize } from "./tokens.ts";

/** The query with the person's own addresses in the place of `me` (`from:me`). */
export function withOwnAddresses(query: Query, addresses: readonly string[]): Query {
  const resolved = (condition: Condition): Condition => {
    switch (condition.kind) {
      case "own": {
        const { fields } = condition;
        const of = addresses.map(
          (address): Condition => ({
            kind: "words",
            fields,
            tokens: tokenize(address),
            prefix: false,
            exact: true,
            quoted: true,
          }),
        );
        return { kind: "any", of };
      }
      case "all":
      case "any":
        return { ...condition, of: condition.of.map(resolved) };
      case "not":
        return { kind: "not", of: resolved(condition.of) };
      default:
        return condition;
    }
  };
  return { ...query, conditions: query.conditions.map(resolved) };
}

/** Whether a query speaks of the person's own addresses. */
export function namesOwnAddresses({ conditions }: Query): boolean {
  const names = (condition: Condition): boolean =>
    condition.kind === "own" ||
    ((condition.kind === "all" || condition.kind === "any") && condition.of.some(names)) ||
    (condition.kind === "not" && names(condition.of));
  return conditions.some(names);
}
