import { Database } from "bun:sqlite";
import type { Db } from "./open.ts";
import { compileOnce } from "./statements.ts";

/** The parts of a database that a read-only thread needs. */
export type ReadDb = Pick<Db, "sql" | "write" | "close">;

const BUSY_TIMEOUT_MS = 10_000;

/** Opens the database of a running server for reading. Any attempt to change it throws. */
export function openReader(path: string): ReadDb {
  const sql = new Database(path, { readonly: true, strict: true });
  const endStatements = compileOnce(sql);
  // A reader waits only for rare events, such as a recreated log.
  sql.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sql.run("PRAGMA temp_store = MEMORY");
  sql.run("PRAGMA cache_size = -16384");
  return {
    sql,
    write: () => {
      throw new Error("This thread must not write.");
    },
    close: () => {
      endStatements();
      sql.close();
    },
  };
}
