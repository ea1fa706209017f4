import type { Blinding } from "./blinding.ts";
import { type FilterParts, filterSql, type Sql } from "./filter-sql.ts";
import { conditionMatch } from "./match.ts";
import type { Condition, Query } from "./query.ts";

/** What a query demands of every hit, apart from its plain words. */
export interface Demands {
  /** FTS5 expressions that all must match, and such of which none may. */
  match: string[];
  never: string[];
  /** Conditions on the rows. */
  rows: Sql[];
  /** True when rows are demanded to be more than the user's and not thrown away. */
  filtered: boolean;
}

/** Where nobody looks unless asked to. */
const LEFT_OUT: Sql = { text: "t.state NOT IN ('trash', 'spam')", params: [], by_index: null };

export interface ConditionParts extends FilterParts {
  blinding: Blinding;
  /** The user's word table. */
  table: string;
}

export function demandsOf(query: Query, parts: ConditionParts): Demands {
  const demands: Demands = { match: [], never: [], rows: [], filtered: false };
  for (const condition of query.conditions) {
    const match = conditionMatch(parts.blinding, condition);
    const never = condition.kind === "not" ? conditionMatch(parts.blinding, condition.of) : null;
    if (match !== null) demands.match.push(match);
    else if (never !== null) demands.never.push(never);
    else demands.rows.push(conditionSql(condition, parts));
  }
  demands.filtered = demands.rows.length > 0;
  const { user_id, account_id } = parts.scope;
  demands.rows.push({ text: "m.user_id = ?", params: [user_id] });
  if (account_id !== null) demands.rows.push({ text: "m.account_id = ?", params: [account_id] });
  if (!query.names_place) demands.rows.push(LEFT_OUT);
  return demands;
}

/** The demands as one condition on rows, for where no match ranks. */
export function demandsSql({ match, never, rows }: Demands, table: string): Sql {
  const all = [...rows];
  if (match.length > 0) all.push(wordsSql(table, match.join(" AND ")));
  if (never.length > 0) all.push(negated(wordsSql(table, never.join(" OR "))));
  return joined(all, " AND ");
}

/** What must match, and the whole with what must not, as FTS5 expressions. */
export interface Match {
  wanted: string;
  whole: string;
}

/** Null where only row conditions remain. */
export function matchOf({ match, never }: Demands, plain: string | null): Match | null {
  const parts = [...match, ...(plain === null ? [] : [plain])];
  if (parts.length === 0) return null;
  const wanted = parts.join(" AND ");
  return { wanted, whole: never.length === 0 ? wanted : `(${wanted}) NOT (${never.join(" OR ")})` };
}

export function joined(parts: readonly Sql[], operator: " AND " | " OR "): Sql {
  return {
    text: parts.length === 0 ? "1" : `(${parts.map(({ text }) => text).join(operator)})`,
    params: parts.flatMap(({ params }) => params),
    ...(parts.some(({ by_index }) => by_index !== undefined) ? { by_index: null } : {}),
  };
}

function wordsSql(table: string, match: string): Sql {
  return { text: `m.n IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`, params: [match], by_index: null };
}

const negated = ({ text, params, by_index }: Sql): Sql => ({
  text: `NOT (${text})`,
  params,
  ...(by_index === undefined ? {} : { by_index: null }),
});

function conditionSql(condition: Condition, parts: ConditionParts): Sql {
  const match = conditionMatch(parts.blinding, condition);
  if (match !== null) return wordsSql(parts.table, match);
  switch (condition.kind) {
    case "not":
      return negated(conditionSql(condition.of, parts));
    case "all":
    case "any": {
      const of = condition.of.map((part) => conditionSql(part, parts));
      return joined(of, condition.kind === "all" ? " AND " : " OR ");
    }
    case "filter":
      return filterSql(condition, parts);
    case "tag":
    case "own":
      // Temporary: the present index has no tags, and the sealed one takes its place.
      return { text: "0", params: [] };
    default:
      throw new Error("words are matched above");
  }
}
