import { type FilterParts, filterSql, numbersSql, type Sql } from "./filter-sql.ts";
import { isOfIndex } from "./plan.ts";
import type { Condition, Query } from "./query.ts";
import type { Span } from "./ranking.ts";

/** The conditions of a query, without its plain words, by who can test them. */
export interface SplitConditions {
  /** Conditions that the full-text index can test. */
  index: Condition[];
  /** Conditions on rows of the database. */
  rows: Sql[];
  /** True where `rows` has more than the user and the exclusion of trash and spam, which every search has. */
  filtersRows: boolean;
  /** The range of receipt times that the conditions allow, to the second. The rows test the exact times. */
  span: Span;
}

interface ConditionParts extends FilterParts {
  /** Returns the numbers of the messages that meet a condition of the index. */
  matching: (condition: Condition) => number[];
}

/** Excluded unless `in:` names a folder. */
const LEFT_OUT: Sql = { text: "t.state NOT IN ('trash', 'spam')", params: [] };

/** Splits the conditions of a query into those that the index can test and those on database rows. */
export function splitConditions(query: Query, parts: ConditionParts): SplitConditions {
  const index = query.conditions.filter(isOfIndex);
  const rows = query.conditions.filter((condition) => !isOfIndex(condition)).map((one) => conditionSql(one, parts));
  const { user_id, account_id } = parts.scope;
  const filtersRows = rows.length > 0 || account_id !== null;
  rows.push({ text: "m.user_id = ?", params: [user_id] });
  if (account_id !== null) rows.push({ text: "m.account_id = ?", params: [account_id] });
  if (!query.namesFolder) rows.push(LEFT_OUT);
  return { index, rows, filtersRows, span: spanOf(query.conditions) };
}

function spanOf(conditions: readonly Condition[]): Span {
  const span: Span = { from: null, to: null };
  for (const condition of conditions) {
    if (condition.kind !== "filter") continue;
    if (condition.field === "after") span.from = Math.max(span.from ?? 0, Math.floor(condition.at / 1_000));
    if (condition.field === "before") {
      span.to = Math.min(span.to ?? Number.POSITIVE_INFINITY, Math.floor((condition.at - 1) / 1_000));
    }
  }
  return span;
}

/** Joins conditions. Without any, AND always holds and OR never does. */
export function joined(parts: readonly Sql[], operator: " AND " | " OR "): Sql {
  const none = operator === " AND " ? "1" : "0";
  return {
    text: parts.length === 0 ? none : `(${parts.map(({ text }) => text).join(operator)})`,
    params: parts.flatMap(({ params }) => params),
  };
}

function conditionSql(condition: Condition, parts: ConditionParts): Sql {
  if (isOfIndex(condition)) return numbersSql(parts.matching(condition));
  switch (condition.kind) {
    case "not": {
      const { text, params } = conditionSql(condition.of, parts);
      return { text: `NOT (${text})`, params };
    }
    case "all":
    case "any": {
      // One list of numbers for all conditions that the index can test: each list can be as long as the mailbox.
      const indexed = condition.of.filter(isOfIndex);
      const others = condition.of.filter((part) => !isOfIndex(part));
      const index = indexed.length > 0 ? [conditionSql({ kind: condition.kind, of: indexed }, parts)] : [];
      const of = [...index, ...others.map((part) => conditionSql(part, parts))];
      return joined(of, condition.kind === "all" ? " AND " : " OR ");
    }
    case "filter":
      return filterSql(condition, parts);
    default:
      throw new Error("The addresses of `me` were not filled in.");
  }
}
