/** Codes of the file system and of SQLite for a full disk. */
const CODES = new Set(["SQLITE_FULL", "ENOSPC", "EDQUOT"]);

/** SQLITE_FULL, as node:sqlite reports it. */
const SQLITE_FULL = 13;

/** Returns whether an error was caused by a full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return (typeof code === "string" && CODES.has(code)) || errcode === SQLITE_FULL;
}
