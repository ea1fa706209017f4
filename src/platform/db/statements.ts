import type { Database, Statement } from "bun:sqlite";

/** Compiled statements that a connection keeps. Bun itself keeps the first 20 that it meets. */
const MOST_STATEMENTS = 1_000;
/** A comment, a string or a name in quotes, or a bare parameter after one of the operators that tell the planner its value. */
const READ_BY_PLANNER =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|(=|\bis|\blimit|\boffset)(\s*)(\?\d*|[:@$]\w+)/gi;

/**
 * The same statement with a plan that does not depend on the values of its parameters: `a = ?` becomes `a = +?`, and
 * `LIMIT ?` becomes `LIMIT +?`.
 *
 * SQLite looks at the value of a bare parameter when it plans a join or a limit, and so compiles the statement anew each
 * time that a value is bound: 10 to 400 µs, more than most of our queries take. Nothing is lost, for it has no statistics
 * of single values. The unary plus hides the value, and does nothing to it (sqlite.org/lang_expr.html, "Operators").
 */
export function withStablePlan(sql: string): string {
  return sql.replace(READ_BY_PLANNER, (found, operator?: string, space?: string, parameter?: string) =>
    operator === undefined ? found : `${operator}${space}+${parameter}`,
  );
}

/**
 * Makes a connection compile each statement once, drizzle's with the others. Nobody else finalizes what it hands out.
 * @returns ends the compiled statements; called before the connection is closed
 */
export function compileOnce(sql: Database): () => void {
  const compile = sql.prepare.bind(sql);
  /** By their text, least recently used first. */
  const compiled = new Map<string, Statement>();
  const once = (text: string): Statement => {
    let statement = compiled.get(text);
    if (statement) compiled.delete(text);
    else statement = compile(withStablePlan(text));
    compiled.set(text, statement);
    // What is dropped may be in use; it ends when it is collected.
    if (compiled.size > MOST_STATEMENTS) compiled.delete(compiled.keys().next().value!);
    return statement;
  };
  sql.query = once as Database["query"];
  sql.prepare = once as Database["prepare"];
  return () => {
    for (const statement of compiled.values()) statement.finalize();
    compiled.clear();
  };
}
