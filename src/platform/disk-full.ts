/** What the file system or SQLite says when the disk is full. */
const CODES = new Set(["SQLITE_FULL", "ENOSPC", "EDQUOT"]);

/** True for a fault that ends when somebody makes room on the disk. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && CODES.has(code);
}
