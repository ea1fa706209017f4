import { ApiError, UserError } from "../kernel/errors.ts";
import { stackFrames } from "../platform/log.ts";
import { SealBroken } from "../platform/sealing/box.ts";

/** Faults of the machine, in words that say what to do. */
const SENTENCES: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "this is not a folder",
  EISDIR: "this is a folder",
  ENOENT: "there is no such file or folder",
  EEXIST: "a file stands where a folder should be",
  EMFILE: "too many files are open",
  EADDRINUSE: "something else listens at this address and port; choose another with --port, or stop it",
  EADDRNOTAVAIL: "this machine does not have the address to listen on (--host)",
  SQLITE_CANTOPEN: "the database cannot be opened; may this user write to the data folder?",
  SQLITE_READONLY: "the database is not writable for this user",
  SQLITE_FULL: "the disk is full",
  SQLITE_NOTADB: "postroom.db is not a database of Postroom",
  SQLITE_CORRUPT: "the database is damaged; restore it from a backup",
  SQLITE_BUSY: "the database stayed locked by another process",
};

/**
 * The sentence for a failure that somebody at the command line caused or can mend; null for a fault of ours. No secret,
 * no mail content.
 */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof UserError || error instanceof ApiError) return error.message;
  if (error instanceof SealBroken) {
    return "Something in the data folder is damaged, or was sealed with another key. Restore it from a backup.";
  }
  if (!(error instanceof Error)) return null;
  const { code, path } = error as Error & { code?: unknown; path?: unknown };
  if (typeof code !== "string") return null;
  // SQLite's extended codes: SQLITE_READONLY_DIRECTORY, SQLITE_CORRUPT_INDEX, …
  const known = SENTENCES[code] ?? SENTENCES[code.split("_").slice(0, 2).join("_")];
  if (!known) return null;
  return typeof path === "string" ? `${path}: ${known}.` : `${known[0]!.toUpperCase()}${known.slice(1)}.`;
}

/** What is printed of a fault of ours: its kind and where, and its message, which may quote mail, only when debugging. */
export function faultReport(error: unknown, debugging: boolean): string {
  if (!(error instanceof Error)) return "an unexpected fault (not an error object)";
  const message = debugging ? `: ${error.message}` : " (POSTROOM_LOG_LEVEL=debug shows its message)";
  return [
    `an unexpected fault, ${error.name}${message}`,
    ...stackFrames(error)
      .slice(0, 8)
      .map((frame) => `    ${frame}`),
  ].join("\n");
}
