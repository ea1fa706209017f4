import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";

/** A disk that is full when a test wants it to be, for the commits of one database connection. */
export interface FullDisk {
  /** Commits that were attempted since the last `watch`. */
  readonly asked: number;
  /**
   * Counts commits from now on; those from `from` (0 is the first) up to but not including `to` fail for lack of space.
   */
  watch(from?: number, to?: number): void;
  /** Makes space available again. */
  free(): void;
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i;

/**
 * Intercepts the writes of a connection: `COMMIT`, and each statement outside a transaction, may fail with SQLite's own
 * error.
 */
export function fullDisk(sql: Database): FullDisk {
  const state = { asked: 0, from: Number.POSITIVE_INFINITY, to: 0 };
  const commit = () => {
    const n = state.asked++;
    if (n >= state.from && n < state.to) throwFull();
  };
  const run = sql.run.bind(sql);
  sql.run = ((text: string, ...bindings: SQLQueryBindings[][]) => {
    if (/^\s*COMMIT\b/i.test(text)) commit();
    return run(text, ...bindings);
  }) as Database["run"];
  const query = sql.query.bind(sql);
  sql.query = ((text: string) => {
    const statement = query(text);
    return WRITES.test(text) ? checked(statement, () => void (sql.inTransaction || commit())) : statement;
  }) as Database["query"];
  return {
    get asked() {
      return state.asked;
    },
    watch: (from = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY) =>
      void Object.assign(state, { asked: 0, from, to }),
    free: () => void Object.assign(state, { from: Number.POSITIVE_INFINITY, to: 0 }),
  };
}

const EXECUTES = new Set<PropertyKey>(["run", "get", "all", "values"]);

function checked(statement: Statement, before: () => void): Statement {
  return new Proxy(statement, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (EXECUTES.has(name)) before();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}

/** @throws SQLite's own error, whose fields cannot be written and so cannot be imitated */
function throwFull(): never {
  const full = new Database(":memory:");
  full.run("PRAGMA max_page_count = 1");
  full.run("CREATE TABLE no_room (at)");
  throw new Error("SQLite did not report a full disk.");
}
