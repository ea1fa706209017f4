import type { Condition, Query } from "./query.ts";
import { tokenize } from "./tokens.ts";

/** Returns the query with the user's own addresses instead of `me` (`from:me`). */
export function withOwnAddresses(query: Query, addressesOf: () => readonly string[]): Query {
  if (!query.conditions.some(namesOwn)) return query;
  const addresses = addressesOf();
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

function namesOwn(condition: Condition): boolean {
  switch (condition.kind) {
    case "own":
      return true;
    case "all":
    case "any":
      return condition.of.some(namesOwn);
    case "not":
      return namesOwn(condition.of);
    default:
      return false;
  }
}
