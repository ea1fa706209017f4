import { isDiskFull } from "../disk-full.ts";

/** Codes of SQLite that blame the statement or one virtual table, not the database or the disk. */
const OF_THE_STATEMENT = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|CORRUPT_VTAB)(?:_|$)/;
/** Codes of the operating system that blame the disk or the process. */
const OF_THE_SYSTEM = new Set(["EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM"]);

/**
 * Returns true for a fault that other work would meet as well: a full disk, or a database that is busy, damaged, or cannot be
 * read or written. The transaction has to end and is tried again later.
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
 * Runs `fn` in a savepoint: when it fails, its writes are undone and the transaction around it continues. `name` is one word.
 * @throws what `fn` throws
 */
export function inSavepoint<T>({ sql }: { sql: { run(text: string): unknown } }, name: string, fn: () => T): T {
  sql.run(`SAVEPOINT ${name}`);
  try {
    const result = fn();
    sql.run(`RELEASE ${name}`);
    return result;
  } catch (error) {
    // SQLite may have rolled back the whole transaction already.
    if (isStorageFault(error)) throw error;
    sql.run(`ROLLBACK TO ${name}`);
    sql.run(`RELEASE ${name}`);
    throw error;
  }
}
