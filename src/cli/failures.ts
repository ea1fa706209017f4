import { ApiError, UserError } from "../kernel/errors.ts";
import { stackFrames } from "../platform/log.ts";
import { SealBroken } from "../platform/sealing/box.ts";

/** Errors of the machine as sentences that say what to do. */
const SENTENCES: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "this is not a folder",
  EISDIR: "this is a folder",
  ENOENT: "there is no such file or folder",
  EEXIST: "a file exists where a folder is needed",
  EMFILE: "too many files are open",
  EADDRINUSE:
    "another program is listening on this address and port; choose another port with --port, or stop that program",
  EADDRNOTAVAIL: "this machine does not have the address to listen on; choose another with --host",
  SQLITE_CANTOPEN: "the database cannot be opened; make sure that this user can write to the data folder",
  SQLITE_READONLY: "this user cannot write to the database",
  SQLITE_FULL: "the disk is full",
  SQLITE_NOTADB: "postroom.db is not a Postroom database",
  SQLITE_CORRUPT: "the database is damaged; restore it from a backup",
  SQLITE_BUSY: "another process kept the database locked; try again",
};

/**
 * Returns the sentence for a failure that the user caused or can fix; null for a bug in Postroom. It contains no secret
 * and no mail content.
 */
export function errorSentence(error: unknown): string | null {
  if (error instanceof UserError || error instanceof ApiError) return error.message;
  if (error instanceof SealBroken) {
    return "Part of the data folder is damaged, or was sealed with another key. Restore it from a backup.";
  }
  if (!(error instanceof Error)) return null;
  const { code, path } = error as Error & { code?: unknown; path?: unknown };
  if (typeof code !== "string") return null;
  // SQLite's extended codes: SQLITE_READONLY_DIRECTORY, SQLITE_CORRUPT_INDEX, …
  const known = SENTENCES[code] ?? SENTENCES[code.split("_").slice(0, 2).join("_")];
  if (!known) return null;
  return typeof path === "string" ? `${path}: ${known}.` : `${known[0]!.toUpperCase()}${known.slice(1)}.`;
}

/** Returns the report of a bug: its kind and stack. Its message may quote mail, so only debugging shows it. */
export function faultReport(error: unknown, debugging: boolean): string {
  if (!(error instanceof Error)) return "unexpected error (not an Error object)";
  const message = debugging ? `: ${error.message}` : " (set POSTROOM_LOG_LEVEL=debug to see its message)";
  return [
    `unexpected error, ${error.name}${message}`,
    ...stackFrames(error)
      .slice(0, 8)
      .map((frame) => `    ${frame}`),
  ].join("\n");
}
