/** What the file system or SQLite says when the disk is full. */
const CODES = new Set(["SQLITE_FULL", "ENOSPC", "EDQUOT"]);

/** SQLITE_FULL, as node:sqlite tells it. */
const SQLITE_FULL = 13;

/** True for a fault that ends when somebody makes room on the disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return (typeof code === "string" && CODES.has(code)) || errcode === SQLITE_FULL;
}
