import { closeSync, constants, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Who goes before when several threads or processes want to write. SQLite lets a writer wait by looking again every 0.1 s at
 * last, and gives the lock to whoever comes first when it is free: beside one that writes without pause, which leaves it free
 * for microseconds, everybody else waits until their busy_timeout is over (sqlite.org/c3ref/busy_timeout.html). So the
 * server's main thread, on which every answer waits, notes in a small file beside the database that it wants to write, and
 * the others begin no transaction meanwhile.
 */
export interface Precedence {
  /** Runs `begin`, which takes the write lock, when it is this writer's turn. */
  take(begin: () => void): void;
  close(): void;
}

/** `first` is for one thread of all that have a database open; everybody else is `last`. */
export type Place = "first" | "last";

const LOOK_AGAIN_MS = 1;
/** A transaction is put off for no longer: whoever is waited for may have died. */
const LONGEST_DELAY_MS = 1_000;

const IN_ORDER: Precedence = { take: (begin) => begin(), close: () => {} };

/** @param path that of the database; where no file can be made for this, each writer takes its chance */
export function openWritePriority(path: string, place: Place): Precedence {
  try {
    const folder = join(dirname(path), "run");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const note = new Note(openSync(join(folder, "next-writer"), constants.O_RDWR | constants.O_CREAT, 0o600));
    return { take: place === "first" ? goFirst(note) : giveWay(note), close: () => note.close() };
  } catch {
    return IN_ORDER;
  }
}

/** A number in the file: odd while the one who goes first waits, and another one each time. */
class Note {
  readonly #number = new Uint32Array(1);
  readonly #bytes = new Uint8Array(this.#number.buffer);

  /** Null once it is closed: the number of the descriptor may be another file's by then. */
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
      // On a full disk the others do not hear of it.
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

const isOdd = (number: number) => number % 2 === 1;

function goFirst(note: Note): Precedence["take"] {
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

function giveWay(note: Note): Precedence["take"] {
  /** It was waited for in vain. */
  let given_up = 0;
  return (begin) => {
    let now = note.read();
    for (let waited = 0; isOdd(now) && now !== given_up; waited += LOOK_AGAIN_MS) {
      if (waited >= LONGEST_DELAY_MS) given_up = now;
      else Bun.sleepSync(LOOK_AGAIN_MS);
      now = note.read();
    }
    begin();
  };
}
