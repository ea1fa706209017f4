import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../platform/db/open.ts";
import { messages } from "../store/tables.ts";
import { threadLabels, threads } from "../threading/tables.ts";
import { comparison, THREAD_FILTER_LIST, type ThreadFilterName } from "./thread-filters.ts";

/** Number of list statements that are kept. The statements of searches differ with what is searched for. */
const MAX_STATEMENTS = 200;

/** The properties that determine the text of the list's statement. Values are bound later (listQuery in threads.ts). */
export interface ListShape {
  byAccount: boolean;
  label: "rare" | "common" | null;
  sent: boolean;
  /** The filters of THREAD_FILTERS that are given; of a flag, the value that it must have. */
  compared: Partial<Record<ThreadFilterName, boolean>>;
  /** The text of ThreadFilter.found. */
  found: string | undefined;
  continued: boolean;
}

/** One row of the list in its stored form. */
export type ListedRow = ReturnType<typeof build>["_"]["result"][number];

/** Builds and keeps the statements of the thread list. */
export class ListStatements {
  readonly #statements = new Map<string, { text: string; params: unknown[] }>();
  readonly #orm: Orm;

  constructor(orm: Orm) {
    this.#orm = orm;
  }

  /** Returns the statement for a shape. Building a statement takes as long as running it, so statements are kept. */
  of(shape: ListShape): { text: string; params: unknown[] } {
    const key = JSON.stringify(shape);
    let built = this.#statements.get(key);
    if (!built) {
      const { sql: text, params } = build(this.#orm, shape).toSQL();
      built = { text, params };
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      this.#statements.set(key, built);
    }
    return built;
  }
}

function build(orm: Orm, shape: ListShape) {
  const rare = shape.label === "rare";
  // A unary plus keeps SQLite from using an index where another one is better: a rare label's, else the mailbox's, else
  // the user's. For sent mail, the only index is by user.
  const byAccount = shape.byAccount && !shape.sent;
  const value = sql.placeholder;
  const is = (column: SQLiteColumn, name: string, walked: boolean) =>
    sql`${walked ? column : plus(column)} = ${value(name)}`;
  // Constants, not parameters: SQLite uses a partial index only when it can read its condition in the statement.
  const flag = (column: SQLiteColumn, wanted: boolean | undefined) =>
    wanted === undefined ? undefined : sql`${rare ? plus(column) : column} = ${sql.raw(wanted ? "1" : "0")}`;
  const conditions: (SQL | undefined)[] = [
    is(threads.user_id, "user_id", !rare && !byAccount),
    shape.byAccount ? is(threads.account_id, "account_id", !rare && byAccount) : undefined,
    shape.sent ? flag(threads.has_sent, true) : is(threads.state, "state", !rare),
    ...THREAD_FILTER_LIST.map(([name, entry]) => {
      const given = shape.compared[name];
      if (given === undefined) return undefined;
      return entry.kind === "flag" ? flag(entry.column, given) : comparison(entry, value(`filter_${name}`));
    }),
    shape.label === null ? undefined : labelCondition(rare),
    shape.found === undefined ? undefined : hasMessage(shape.found),
    shape.continued ? sql`(${threads.last_at}, ${threads.id}) < (${value("last_at")}, ${value("id")})` : undefined,
  ];
  return orm
    .select({
      id: threads.id,
      account_id: threads.account_id,
      state: threads.state,
      last_at: threads.last_at,
      top_message_id: threads.top_message_id,
      message_count: threads.message_count,
      unread: threads.unread,
      starred: threads.starred,
      important: threads.important,
      has_attachment: threads.has_attachment,
      category: threads.category,
      head: messages.head,
    })
    .from(threads)
    .innerJoin(messages, eq(messages.id, threads.top_message_id))
    .where(and(...conditions))
    .orderBy(desc(threads.last_at), desc(threads.id))
    .limit(value("limit"));
}

/** Returns a column that SQLite does not look up in an index. */
function plus(column: SQLiteColumn): SQL {
  return sql`+${column}`;
}

/** Returns the condition that binds the list to a label; see ListShape. */
function labelCondition(rare: boolean): SQL {
  const { thread_id, label_id } = threadLabels;
  const wanted = sql.placeholder("label_id");
  if (rare) return sql`${threads.id} IN (SELECT ${thread_id} FROM ${threadLabels} WHERE ${label_id} = ${wanted})`;
  return sql`EXISTS (SELECT 1 FROM ${threadLabels} WHERE ${thread_id} = ${plus(threads.id)} AND ${label_id} = ${wanted})`;
}

/** Returns the condition that one of a thread's messages meets `text`, whose rows are `m` and `t`. */
function hasMessage(text: string): SQL {
  const chunks = text
    .split("?")
    .flatMap((part, i, all) => [sql.raw(part), ...(i < all.length - 1 ? [sql`${sql.placeholder(`found${i}`)}`] : [])]);
  const { id } = threads;
  return sql`${id} IN (SELECT m.thread_id FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${sql.join(chunks)})`;
}
