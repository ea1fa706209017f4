import { closeSync, constants, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Who goes before when several threads or processes want to write. SQLite lets a writer wait by looking again every 0.1 s at
 * last, and takes whoever comes first when the lock is free: one that writes without pause (a first sync, an import from the
 * command line) leaves it free for microseconds, and everybody else waits until their busy_timeout is over
 * (sqlite.org/c3ref/busy_timeout.html). So the server's main thread, on which every answer waits, writes into a small file
 * beside the database that it wants to write, and the others begin no transaction meanwhile.
 */
export interface Precedence {
  /** Runs `begin`, which takes the write lock, when it is this writer's turn. */
  take(begin: () => void): void;
  close(): void;
}

/** `first` is for one thread of all that have a database open; everybody else is `last`. */
export type Place = "first" | "last";

/** Whoever goes first has the lock by then, or has given up (busy_timeout). */
const LONGEST_MS = 10_000;
const LOOK_AGAIN_MS = 1;
/** A transaction of the other kind is not put off for longer than this. */
const LONGEST_DELAY_MS = 1_000;

const IN_ORDER: Precedence = { take: (begin) => begin(), close: () => {} };

/** @param path that of the database; where no file can be made for this, each writer takes its chance */
export function openPrecedence(path: string, place: Place): Precedence {
  let file: number;
  try {
    const folder = join(dirname(path), "run");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    file = openSync(join(folder, "next-writer"), constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    return IN_ORDER;
  }
  const close = () => closeSync(file);
  return { take: place === "first" ? goFirst(file) : giveWay(file), close };
}

/** The file holds the time at which the one who goes first began to wait, ms since the epoch; 0: does not wait. */
function goFirst(file: number): Precedence["take"] {
  const time = new Float64Array(1);
  const bytes = new Uint8Array(time.buffer);
  const note = (at: number) => {
    time[0] = at;
    try {
      writeSync(file, bytes, 0, bytes.length, 0);
    } catch {
      // On a full disk the others do not hear of it.
    }
  };
  return (begin) => {
    note(Date.now());
    try {
      begin();
    } finally {
      note(0);
    }
  };
}

function giveWay(file: number): Precedence["take"] {
  const time = new Float64Array(1);
  const bytes = new Uint8Array(time.buffer);
  const isAwaited = () => {
    try {
      if (readSync(file, bytes, 0, bytes.length, 0) < bytes.length) return false;
    } catch {
      return false;
    }
    // A process that died waiting, or a clock that was set, keeps nobody.
    const waited = Date.now() - time[0]!;
    return waited >= 0 && waited < LONGEST_MS;
  };
  return (begin) => {
    for (let waited = 0; waited < LONGEST_DELAY_MS && isAwaited(); waited += LOOK_AGAIN_MS)
      Bun.sleepSync(LOOK_AGAIN_MS);
    begin();
  };
}
