import { fstatSync, openSync, readSync, statSync } from "node:fs";

/**
 * Descriptors of database files, by device and inode, for the life of the thread.
 *
 * They are never closed. POSIX locks belong to the process, not to a descriptor: closing any descriptor of a file drops
 * all locks that the process has on it, also those of SQLite, whose connections could then corrupt the database
 * (https://sqlite.org/howtocorrupt.html, section 2.2). The same is true for the file -shm, which is not read for this
 * reason. The file -wal has no locks. When a thread ends, Bun ends its transactions and leaves its descriptors open.
 */
const OPEN = new Map<string, number>();

/** Opens a database file for reading, or returns the descriptor from an earlier call. It must not be closed. */
export function openForever(path: string): number {
  // Checked by path first: opening the file again only to find its descriptor would leave one more open.
  const known = OPEN.get(identity(statSync(path)));
  if (known !== undefined) return known;
  const fd = openSync(path, "r");
  OPEN.set(identity(fstatSync(fd)), fd);
  return fd;
}

const identity = ({ dev, ino }: { dev: number; ino: number }) => `${dev} ${ino}`;

/** Reads at a position until `target` is full or the file ends. @returns the number of bytes read */
export function readFully(fd: number, target: Uint8Array, position: number): number {
  let got = 0;
  while (got < target.length) {
    const read = readSync(fd, target, got, target.length - got, position + got);
    if (read === 0) break;
    got += read;
  }
  return got;
}
