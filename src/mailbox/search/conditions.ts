import type { Labels } from "../labels.ts";
import type { MailScope } from "../queries.ts";
import type { Blinding } from "./blinding.ts";
import type { Filter, Place } from "./filters.ts";
import { conditionMatch } from "./match.ts";
import type { Condition, Query } from "./query.ts";

/** SQL with its parameters. Message rows are `m`, thread rows `t`. */
export interface Sql {
  text: string;
  params: (string | number)[];
  /**
   * Where it asks for more than the index `messages_filters` has: what that can tell of it, a condition that is no stricter; null:
   * nothing. Absent where the index has all of it.
   */
  by_index?: Sql | null;
}

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

export interface ConditionParts {
  scope: MailScope;
  blinding: Blinding;
  /** The user's word table. */
  table: string;
  labels: Pick<Labels, "find">;
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
    default:
      throw new Error("words are matched above");
  }
}

function filterSql(filter: Filter, { scope, labels }: ConditionParts): Sql {
  switch (filter.field) {
    case "in":
      return placeSql(filter.place, scope.user_id);
    case "is":
      return {
        text: filter.flag === "starred" ? "m.starred = 1" : `m.unread = ${Number(filter.flag === "unread")}`,
        params: [],
      };
    case "attachment":
      return { text: "m.has_attachment = 1", params: [] };
    case "label": {
      const id = labels.find(scope.user_id, filter.name);
      if (id === null) return { text: "0", params: [] };
      return {
        text: "m.id IN (SELECT message_id FROM message_labels WHERE label_id = ?)",
        params: [id],
        by_index: null,
      };
    }
    case "before":
      return { text: "m.internal_date < ?", params: [filter.at] };
    case "after":
      return { text: "m.internal_date >= ?", params: [filter.at] };
  }
}

/** Where a conversation is, as its state says; sent mail and drafts are told message by message. */
function placeSql(place: Place, user_id: string): Sql {
  switch (place) {
    case "anywhere":
      return { text: "1", params: [] };
    case "drafts":
      return { text: "m.is_draft = 1", params: [] };
    case "sent": {
      // Threads with sent mail are few, and the index has them; the folders of each message are looked for in these alone.
      const by_index = {
        text: "m.thread_id IN (SELECT id FROM threads WHERE user_id = ? AND has_sent = 1)",
        params: [user_id],
      };
      return {
        text: `(${by_index.text} AND EXISTS (SELECT 1 FROM locations l JOIN folders f ON f.id = l.folder_id
                                             WHERE l.message_id = m.id AND f.role = 'sent'))`,
        params: by_index.params,
        by_index,
      };
    }
    default:
      return { text: "t.state = ?", params: [place], by_index: null };
  }
}
