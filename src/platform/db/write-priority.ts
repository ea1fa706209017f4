import { closeSync, constants, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Orders writers when several threads or processes want to write. A waiting SQLite writer polls, in the end only every
 * 0.1 s, and the lock is granted to the first that polls while it is free. Next to a process that writes continuously
 * and leaves the lock free for microseconds, all others therefore wait until their busy_timeout expires
 * (sqlite.org/c3ref/busy_timeout.html). To avoid this, the server's main thread, which every reply needs, announces in
 * a small file next to the database that it wants to write, and the others then start no transaction.
 */
export interface WriteScheduler {
  /** Runs `begin`, which takes the write lock, when it is this writer's turn. */
  take(begin: () => void): void;
  close(): void;
}

/** `first` is for one thread among all that have a database open; all others are `last`. */
export type WriterPriority = "first" | "last";

const POLL_MS = 1;
/** Maximum delay of a transaction. The writer that it waits for may have died. */
const LONGEST_DELAY_MS = 1_000;

const UNORDERED: WriteScheduler = { take: (begin) => begin(), close: () => {} };

/**
 * Opens the file of announcements. If it cannot be created, writers compete without priority.
 * @param path of the database
 */
export function openWritePriority(path: string, priority: WriterPriority): WriteScheduler {
  try {
    const folder = join(dirname(path), "run");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const note = new Note(openSync(join(folder, "next-writer"), constants.O_RDWR | constants.O_CREAT, 0o600));
    return { take: priority === "first" ? announceWrite(note) : yieldToPriority(note), close: () => note.close() };
  } catch {
    return UNORDERED;
  }
}

/** The announcement: a number that is odd while the writer with priority waits, and different each time. */
class Note {
  readonly #number = new Uint32Array(1);
  readonly #bytes = new Uint8Array(this.#number.buffer);

  /** Null once closed: the descriptor's number may belong to another file by then. */
  #file: number | null;

  constructor(file: number) {
    this.#file = file;
  }

  read(): number {
    if (this.#file === null) return 0;
    try {
      const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
      return length === this.#bytes.length ? this.#number[0]! : 0;
    } catch {
      return 0;
    }
  }

  write(number: number): void {
    if (this.#file === null) return;
    this.#number[0] = number;
    try {
      writeSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
    } catch {
      // On a full disk the others do not see the announcement.
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

const isOdd = (number: number) => number % 2 === 1;

function announceWrite(note: Note): WriteScheduler["take"] {
  let last = note.read();
  return (begin) => {
    last += isOdd(last) ? 2 : 1;
    note.write(last);
    try {
      begin();
    } finally {
      last++;
      note.write(last);
    }
  };
}

function yieldToPriority(note: Note): WriteScheduler["take"] {
  /** The announcement whose wait timed out. */
  let expired = 0;
  return (begin) => {
    let now = note.read();
    for (let waited = 0; isOdd(now) && now !== expired; waited += POLL_MS) {
      if (waited >= LONGEST_DELAY_MS) expired = now;
      else Bun.sleepSync(POLL_MS);
      now = note.read();
    }
    begin();
  };
}
