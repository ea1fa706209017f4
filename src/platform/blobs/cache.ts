import { rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { Config } from "../config/load.ts";
import type { Keyring } from "../sealing/keyring.ts";
import { BlobFiles, type BlobName, entries, PARTIAL } from "./files.ts";

/** Names to compute before yielding to other work. */
const SWEEP_SLICE = 500;

/** Minimum time for which a returned file is kept, so that its reader can open it. */
const HOLD_MS = 30_000;
/** Minimum interval between updates of a file's time of last use, which only the next start reads. */
const TOUCH_MS = 60_000;

interface Entry {
  /** Size on disk, sealed. */
  bytes: number;
  usedAt: number;
  touchedAt: number;
}

/** A locally available blob that can be read more than once. */
export interface CachedBlob {
  /** Plain bytes. */
  size: number;
  read(start?: number, end?: number): ReadableStream<Uint8Array>;
}

/**
 * Caches what was fetched from mail servers, sealed, within `store.cache_bytes`; the least recently used part is
 * dropped first. One per process, in the thread that serves requests. The mail worker only writes files and reports
 * them. Files in `blobs` are also read here, but never evicted.
 */
export class PartCache {
  readonly files: BlobFiles;
  readonly #limitBytes: number;
  readonly #clock: Clock;
  /** By path, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #sweep: CancelTimer | null = null;

  constructor(platform: { config: Config; keyring: Keyring; clock: Clock }) {
    this.files = new BlobFiles(platform);
    this.#limitBytes = platform.config.get("store.cache_bytes");
    this.#clock = platform.clock;
  }

  /** Lists the files that an earlier run left, and deletes unfinished ones. Call it before any writer starts. */
  start(): void {
    for (const path of walk(this.files.root("blobs"))) if (path.endsWith(PARTIAL)) rmSync(path, { force: true });
    const found: [string, Entry][] = [];
    for (const path of walk(this.files.root("cache"))) {
      if (path.endsWith(PARTIAL)) rmSync(path, { force: true });
      else {
        const { size, mtimeMs } = statSync(path);
        // A clock that was set back must not make a file the newest permanently.
        const usedAt = Math.min(mtimeMs, this.#clock.now() - HOLD_MS);
        found.push([path, { bytes: size, usedAt, touchedAt: usedAt }]);
      }
    }
    for (const [path, entry] of found.sort(([, a], [, b]) => a.usedAt - b.usedAt)) this.#put(path, entry);
    this.#evict();
  }

  /** Bytes on disk that count against the limit. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the blob if it is available locally. */
  async open(name: BlobName): Promise<CachedBlob | null> {
    const found = await this.files.find(name);
    if (!found) {
      this.#forget(this.files.path("cache", name));
      return null;
    }
    if (found.root === "cache") this.#use(found.path);
    return { size: found.size, read: (start, end) => this.files.readFound(name, found, start, end) };
  }

  /** Counts a blob that a writer has finished, and evicts others if needed. */
  added(name: BlobName): void {
    if (this.files.rootFor(name) === "cache") this.#use(this.files.path("cache", name));
    this.#evict();
  }

  /** Removes all bytes of a message. Call it when the message's row is deleted. */
  removeMessage(user_id: string, message_id: string): void {
    for (const root of ["cache", "blobs"] as const) {
      for (const path of this.files.ofMessage(root, user_id, message_id)) this.#remove(path);
    }
  }

  /** Removes all bytes of a user. Call it before the user's keys are destroyed: file names are derived from them. */
  removeUser(user_id: string): void {
    for (const root of ["cache", "blobs"] as const) {
      const folder = join(this.files.root(root), this.files.userName(user_id));
      for (const path of walk(folder)) this.#forget(path);
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Removes the bytes of deleted messages in small batches. @returns the number of files */
  async sweep(userIds: Iterable<string>, messagesOf: (user_id: string) => Iterable<string>): Promise<number> {
    let removed = 0;
    for (const user_id of userIds) {
      // List the files first: a message stored during the sweep is then already in the list of messages.
      const files = (["cache", "blobs"] as const).flatMap((root) => [...this.files.ofUser(root, user_id)]);
      if (files.length === 0) continue;
      const live = new Set<string>();
      for (const id of messagesOf(user_id)) {
        live.add(this.files.messageName(user_id, id));
        if (live.size % SWEEP_SLICE === 0) await Bun.sleep(0);
      }
      for (const { path, message } of files) {
        if (live.has(message) || path.endsWith(PARTIAL)) continue;
        this.#remove(path);
        removed++;
      }
    }
    return removed;
  }

  #use(path: string): void {
    const now = this.#clock.now();
    const known = this.#entries.get(path);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    this.#forget(path);
    if (bytes === undefined) return;
    const touch = !known || now - known.touchedAt >= TOUCH_MS;
    if (touch) utimesSync(path, now / 1000, now / 1000);
    this.#put(path, { bytes, usedAt: now, touchedAt: touch ? now : known.touchedAt });
  }

  #put(path: string, entry: Entry): void {
    this.#entries.set(path, entry);
    this.#bytes += entry.bytes;
  }

  #forget(path: string): void {
    this.#bytes -= this.#entries.get(path)?.bytes ?? 0;
    this.#entries.delete(path);
  }

  #remove(path: string): void {
    this.#forget(path);
    rmSync(path, { force: true });
  }

  #evict(): void {
    const now = this.#clock.now();
    let held = false;
    for (const [path, entry] of this.#entries) {
      if (this.#bytes <= this.#limitBytes) return;
      if (entry.usedAt > now - HOLD_MS) held = true;
      else this.#remove(path);
    }
    if (!held || this.#sweep) return;
    this.#sweep = this.#clock.after(HOLD_MS, () => {
      this.#sweep = null;
      this.#evict();
    });
  }
}

/** Yields the paths of all files in a folder and its subfolders. */
function* walk(folder: string): Iterable<string> {
  for (const entry of entries(folder)) {
    const path = join(folder, entry);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) yield* walk(path);
    else yield path;
  }
}
