import type { Database, Statement } from "bun:sqlite";

/** Compiled statements that a connection keeps. Bun itself keeps the first 20. */
const MAX_STATEMENTS = 1_000;
/**
 * A comment, a quoted string or name, or a bare parameter after an operator that makes the planner inspect its value.
 */
const READ_BY_PLANNER =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|(=|\bis|\blimit|\boffset)(\s*)(\?\d*|[:@$]\w+)/gi;

/**
 * Returns the same statement with a plan that does not depend on the values of its parameters: `a = ?` becomes `a =
 * +?`, and `LIMIT ?` becomes `LIMIT +?`.
 *
 * SQLite inspects the value of a bare parameter when it plans a join or a limit, and so recompiles the statement each
 * time a value is bound. That takes 10 to 400 µs, more than most of our queries. Hiding the value loses nothing,
 * because SQLite has no statistics of single values here. The unary plus does not change the value
 * (sqlite.org/lang_expr.html, "Operators").
 */
export function withStablePlan(sql: string): string {
  return sql.replace(READ_BY_PLANNER, (found, operator?: string, space?: string, parameter?: string) =>
    operator === undefined ? found : `${operator}${space}+${parameter}`,
  );
}

/**
 * Makes a connection compile each statement once, including drizzle's. No other code finalizes these statements.
 * @returns a function that finalizes the compiled statements; call it before the connection is closed
 */
export function compileOnce(sql: Database): () => void {
  const compile = sql.prepare.bind(sql);
  /** By text, least recently used first. */
  const compiled = new Map<string, Statement>();
  const query = (text: string): Statement => {
    let statement = compiled.get(text);
    if (statement) compiled.delete(text);
    else statement = compile(withStablePlan(text));
    compiled.set(text, statement);
    // A dropped statement may be in use; it is finalized when it is garbage-collected.
    if (compiled.size > MAX_STATEMENTS) compiled.delete(compiled.keys().next().value!);
    return statement;
  };
  sql.query = query as Database["query"];
  sql.prepare = query as Database["prepare"];
  return () => {
    for (const statement of compiled.values()) statement.finalize();
    compiled.clear();
  };
}
