import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/**
 * What this machine notes about the log, in the data folder. It is in `cache/`, which no backup and no log includes. If
 * it is lost, the next run sends a new base.
 */
export const LOCAL_FOLDER = "cache/log";

/** Writes a file that has either the old or the new content, also after a power failure. */
export function writeAtomically(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.tmp`;
  const fd = openSync(temporary, "w", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
}
