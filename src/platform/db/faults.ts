import { isDiskFull } from "../disk-full.ts";

/** SQLite codes that concern the statement or one virtual table, not the database or the disk. */
const OF_THE_STATEMENT = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|CORRUPT_VTAB)(?:_|$)/;
/** Operating system codes that concern the disk or the process. */
const OF_THE_SYSTEM = new Set(["EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM"]);

/**
 * Returns true for an error that would affect other work, too: a full disk, or a database that is busy, damaged, or
 * cannot be read or written. The transaction must then end and be retried later.
 */
export function isStorageFault(error: unknown): boolean {
  for (
    let fault: unknown = error, depth = 0;
    fault && depth < 8;
    fault = (fault as { cause?: unknown }).cause, depth++
  ) {
    if (isDiskFull(fault)) return true;
    const { code } = fault as { code?: unknown };
    if (typeof code !== "string") continue;
    if (code.startsWith("SQLITE_") ? !OF_THE_STATEMENT.test(code) : OF_THE_SYSTEM.has(code)) return true;
  }
  return false;
}

/**
 * Runs `fn` in a savepoint: if it fails, its writes are undone and the surrounding transaction continues. `name` is one
 * word.
 * @throws what `fn` throws
 */
export function inSavepoint<T>({ sql }: { sql: { run(text: string): unknown } }, name: string, fn: () => T): T {
  sql.run(`SAVEPOINT ${name}`);
  try {
    const result = fn();
    sql.run(`RELEASE ${name}`);
    return result;
  } catch (error) {
    // SQLite may already have rolled back the whole transaction.
    if (isStorageFault(error)) throw error;
    sql.run(`ROLLBACK TO ${name}`);
    sql.run(`RELEASE ${name}`);
    throw error;
  }
}
