import type { Labels } from "../labels.ts";
import type { MailScope } from "../queries.ts";
import { filterSql, type Sql } from "./filter-sql.ts";
import { isOfIndex } from "./plan.ts";
import type { Condition, Query } from "./query.ts";
import type { Span } from "./ranking.ts";

export type { Sql } from "./filter-sql.ts";

/** What a query demands of every hit, apart from its plain words. */
export interface Demands {
  /** Conditions that the index can tell. */
  index: Condition[];
  /** Conditions on rows. */
  rows: Sql[];
  /** Whether the query has any of these: whose mail it is, and that it is not in the trash, is asked of every row. */
  filtersRows: boolean;
  /** The time that they allow, to the second; the rows tell it exactly. */
  span: Span;
}

export interface ConditionParts {
  scope: MailScope;
  labels: Pick<Labels, "find">;
  /** Numbers of the user's messages that have one of these Message-ID headers. */
  withMessageId: (user_id: string, headers: readonly string[]) => number[];
  /** Numbers of the messages that meet a condition of the index. */
  matching: (condition: Condition) => number[];
}

/** Where nobody looks unless asked to. */
const LEFT_OUT: Sql = { text: "t.state NOT IN ('trash', 'spam')", params: [] };

export function demandsOf(query: Query, parts: ConditionParts): Demands {
  const index = query.conditions.filter(isOfIndex);
  const rows = query.conditions.filter((condition) => !isOfIndex(condition)).map((one) => conditionSql(one, parts));
  const { user_id, account_id } = parts.scope;
  const filtersRows = rows.length > 0 || account_id !== null;
  rows.push({ text: "m.user_id = ?", params: [user_id] });
  if (account_id !== null) rows.push({ text: "m.account_id = ?", params: [account_id] });
  if (!query.names_place) rows.push(LEFT_OUT);
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

export function joined(parts: readonly Sql[], operator: " AND " | " OR "): Sql {
  // None of no alternatives holds.
  const none = operator === " AND " ? "1" : "0";
  return {
    text: parts.length === 0 ? none : `(${parts.map(({ text }) => text).join(operator)})`,
    params: parts.flatMap(({ params }) => params),
  };
}

/** Messages by their numbers. */
export function numbersSql(numbers: readonly number[]): Sql {
  return { text: "m.n IN (SELECT value FROM json_each(?))", params: [JSON.stringify(numbers)] };
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
      // One list of numbers for all that the index can tell: each may be as long as the mailbox.
      const told = condition.of.filter(isOfIndex);
      const others = condition.of.filter((part) => !isOfIndex(part));
      const index = told.length > 0 ? [conditionSql({ kind: condition.kind, of: told }, parts)] : [];
      const of = [...index, ...others.map((part) => conditionSql(part, parts))];
      return joined(of, condition.kind === "all" ? " AND " : " OR ");
    }
    case "filter":
      return filterSql(condition, parts);
    default:
      throw new Error("The addresses of `me` were not filled in.");
  }
}
