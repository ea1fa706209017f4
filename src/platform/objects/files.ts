import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { type ObjectInfo, type PutCondition, StoreFault } from "./store.ts";

export interface FileStatus {
  bytes: number;
  modifiedAt: number;
  isFolder: boolean;
}

/**
 * A tree of files, on a drive or on another machine, for stores that keep each object in a file. Paths are relative to
 * its root. Every method throws StoreFault.
 */
export interface Files {
  /** For people: where the file is. */
  nameOf(path: string): string;
  stat(path: string): Promise<FileStatus | null>;
  /** Returns the whole file; null if there is none. @throws StoreFault also if it is larger than `maxBytes` */
  readWhole(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /** Returns exactly `length` bytes. @throws StoreFault "missing" */
  read(path: string, at: number, length: number): Promise<Uint8Array>;
  /** Creates a file that did not exist, with all missing folders, and waits until its bytes are on the drive. */
  create(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Gives a file or a folder another name, in one step. A file replaces another one; a folder replaces only an empty
   * one. @returns false if there is nothing at `from`, or a folder at `to` that is not empty
   */
  move(from: string, to: string): Promise<boolean>;
  /** Returns the names in a folder, sorted; null if there is no such folder. */
  names(path: string): Promise<string[] | null>;
  /** Removes a file. @returns false if that is not permitted */
  remove(path: string): Promise<boolean>;
  /** Removes a folder if it is empty, and does nothing otherwise. */
  removeFolder(path: string): Promise<void>;
}

export interface PutOrder {
  key: string;
  bytes: Uint8Array;
  condition: PutCondition | undefined;
  clock: Clock;
  /** Names of the writers of this order. The caller keeps the array if it repeats the order after a lost answer. */
  writers: string[];
}

/** Folders of killed writers are removed after this time, by the clock of the files. */
const LEFTOVER_MS = 3_600_000;
/** A writer holds the lock for four requests. Breaking the lock of one that is only slow costs it another attempt. */
const STALE_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** Larger than any object that is written on a condition. */
const LONGEST_COMPARED_BYTES = 64 * 1024 * 1024;

/** Returns the tag of an object that is a file. */
export function tagOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns another name for an object that is not complete yet. */
export function partialOf(key: string, id = randomBytes(6).toString("hex")): string {
  return `${key}.${id}.part`;
}

/** Describes an object; null if there is none. */
export async function headFile(files: Files, key: string): Promise<ObjectInfo | null> {
  const status = await files.stat(key);
  if (!status || status.isFolder) return null;
  return { key, bytes: status.bytes, etag: "", modifiedAt: status.modifiedAt };
}

/**
 * Writes an object whole or not at all. Writes with a condition are one step across machines: the new content is
 * prepared in a folder, which becomes the lock by a change of its name, and the object by another one. If a writer
 * pauses and others break its lock, its content has left the lock, so that its last step fails.
 * @returns the tag @throws StoreFault "conflict"
 */
export async function putFile(files: Files, order: PutOrder): Promise<string> {
  const { key, bytes, condition } = order;
  if (condition) return putOnCondition(files, order, condition);
  const partial = partialOf(key);
  await files.create(partial, bytes);
  await requireMoved(files, partial, key);
  return tagOf(bytes);
}

/** Gives a complete file its name. */
export async function requireMoved(files: Files, from: string, to: string): Promise<void> {
  if (!(await files.move(from, to))) throw new StoreFault("missing", `${files.nameOf(from)} has disappeared.`);
}

/** Keys whose leftovers were removed, for each connection or folder. */
const tidied = new WeakMap<Files, Set<string>>();

async function putOnCondition(files: Files, order: PutOrder, condition: PutCondition): Promise<string> {
  const { key, bytes, clock, writers } = order;
  const tag = tagOf(bytes);
  const lock = `${key}.lock`;
  const wait = waiting(clock);
  for (;;) {
    const repeated = writers.length > 0;
    const writer = randomBytes(6).toString("hex");
    const prepared = partialOf(key, writer);
    writers.push(writer);
    let holds = prepared;
    try {
      await files.create(`${prepared}/${writer}`, bytes);
      await removeLeftovers(files, key, prepared);
      await acquire(files, { prepared, lock, writers, wait });
      holds = lock;
      const found = await files.readWhole(key, LONGEST_COMPARED_BYTES);
      const now = found && tagOf(found);
      // An earlier attempt may have succeeded although its answer was lost.
      if (repeated && now === tag) return tag;
      const fits = "absent" in condition ? now === null : now === condition.etag;
      if (!fits) throw new StoreFault("conflict", `${files.nameOf(key)} was changed meanwhile.`);
      if (await files.move(`${lock}/${writer}`, key)) {
        holds = "";
        await files.removeFolder(lock);
        return tag;
      }
    } finally {
      if (holds !== "") await discard(files, holds, writer);
    }
  }
}

/** Removes what killed writers of an object left. @param fresh a folder that was just created, for its time */
async function removeLeftovers(files: Files, key: string, fresh: string): Promise<void> {
  const done = tidied.get(files) ?? new Set();
  if (done.has(key)) return;
  tidied.set(files, done.add(key));
  const now = (await files.stat(fresh))?.modifiedAt ?? 0;
  const slash = key.lastIndexOf("/") + 1;
  const isLeftover = new RegExp(`^${key.slice(slash)}(\\.lock)?\\.[0-9a-f]{12}\\.part$`);
  for (const name of (await files.names(key.slice(0, slash))) ?? []) {
    const path = `${key.slice(0, slash)}${name}`;
    if (!isLeftover.test(name)) continue;
    const found = await files.stat(path);
    if (found?.isFolder && now - found.modifiedAt > LEFTOVER_MS) await removeAll(files, path);
  }
}

/** Makes the prepared folder the lock. */
async function acquire(
  files: Files,
  { prepared, lock, writers, wait }: { prepared: string; lock: string; writers: string[]; wait: Waiting },
): Promise<void> {
  let holder = "";
  let seenMs = 0;
  while (!(await files.move(prepared, lock))) {
    const names = await files.names(lock);
    if (names?.length === 0) await files.removeFolder(lock);
    const other = names?.[0] ?? "";
    if (other !== holder) seenMs = wait.passedMs;
    holder = other;
    // Clocks of machines differ, so a lock is old once it has not changed for a while, whatever its date.
    const stale = holder !== "" && (writers.includes(holder) || wait.passedMs - seenMs > STALE_MS);
    if (stale) await breakLock(files, lock);
    else if (wait.passedMs > LONGEST_WAIT_MS) {
      throw new StoreFault("conflict", `Another process is writing ${files.nameOf(lock.replace(/\.lock$/, ""))}.`);
    } else await wait.pause();
  }
}

/** Takes the lock from a writer, whose next step then fails. */
async function breakLock(files: Files, lock: string): Promise<void> {
  const broken = partialOf(lock);
  if (!(await files.move(lock, broken))) return;
  await removeAll(files, broken);
}

async function removeAll(files: Files, folder: string): Promise<void> {
  for (const name of (await files.names(folder)) ?? []) await files.remove(`${folder}/${name}`);
  await files.removeFolder(folder);
}

async function discard(files: Files, folder: string, writer: string): Promise<void> {
  try {
    await files.remove(`${folder}/${writer}`);
    await files.removeFolder(folder);
  } catch {
    // Another writer breaks a lock that remains.
  }
}

interface Waiting {
  readonly passedMs: number;
  pause(): Promise<void>;
}

/** Counts only the pauses, so that a clock that jumps does not break a lock. */
function waiting(clock: Clock): Waiting {
  let passedMs = 0;
  let nextMs = FIRST_PAUSE_MS;
  return {
    get passedMs() {
      return passedMs;
    },
    async pause() {
      const pauseMs = nextMs * (0.5 + Math.random() / 2);
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
      passedMs += pauseMs;
      nextMs = Math.min(nextMs * 1.3, LONGEST_PAUSE_MS);
    },
  };
}
