import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UserError } from "../../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { requireCopyFolder } from "../folder.ts";
import type { BackupRun } from "../ledger.ts";
import { keptOf } from "../retention.ts";
import { backupSettings } from "../settings.ts";
import { backupTarget, openTarget } from "../target.ts";
import { type Copy, OBJECTS } from "./copy-index.ts";
import type { CopyState } from "./copy-state.ts";
import { SharedIndex } from "./shared-index.ts";
import { changeCopyState, readCopyState } from "./state.ts";
import { pendingRuns } from "./status.ts";

export interface SendOptions {
  platform: Platform;
  /** Called with the bytes of the backup that is being sent. */
  progress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  /** For tests; by default the place that was chosen. */
  store?: ObjectStore;
}

const CHECK_EVERY_MS = 86_400_000;
/** Younger objects that the index does not list may be of an upload that is not complete. */
const LEFTOVER_MS = 2 * 86_400_000;

/**
 * Sends the backups that are not in the chosen place yet, oldest first, and deletes there what retention no
 * longer keeps. Records the outcome. Safe to repeat after any interruption.
 * @returns how many were sent @throws UserError, StoreFault
 */
export async function sendCopies(options: SendOptions): Promise<number> {
  const { platform, signal } = options;
  const { config, clock } = platform;
  const target = backupTarget(platform);
  if (!target) return 0;
  const place = target.id;
  let store: ObjectStore | null = null;
  try {
    if (target.place.kind === "folder") {
      const known = readCopyState(platform, place).mount ?? target.mount;
      const { mount } = requireCopyFolder(config.data_dir, target.place.path, known);
      changeCopyState(platform, place, { mount });
    }
    store = options.store ?? openTarget(platform, { target, ...(signal ? { signal } : {}) });
    const sent = await new Sending(options, store, place).run();
    changeCopyState(platform, place, { failing_since: null, failures: 0, error: null });
    return sent;
  } catch (error) {
    if (signal?.aborted) throw error;
    const { failing_since, failures } = readCopyState(platform, place);
    const known = error instanceof UserError || error instanceof StoreFault;
    changeCopyState(platform, place, {
      failing_since: failing_since ?? clock.now(),
      failures: failures + 1,
      error: known ? error.message : "Sending failed. See the log for details.",
    });
    throw error;
  } finally {
    if (!options.store) store?.close();
  }
}

/** One pass over the backups. */
class Sending {
  readonly #index: SharedIndex;

  constructor(
    private readonly options: SendOptions,
    private readonly store: ObjectStore,
    /** The `id` of the place. */
    private readonly place: string,
  ) {
    this.#index = new SharedIndex(options.platform, store, place);
  }

  async run(): Promise<number> {
    const { platform } = this.options;
    await this.#index.read();
    this.#noteArrived();
    await this.#dropLost();
    let sent = 0;
    for (const run of pendingRuns(platform, this.#ids())) {
      // An incremental backup is useless without its base, which may be lost in both places.
      if (run.base_id !== null && !this.#ids().has(run.base_id)) continue;
      if (await this.#send(run)) sent++;
    }
    try {
      await this.#retain();
      await this.#sweep();
    } catch (error) {
      // What is left over costs space, nothing else. The next pass tries again.
      if (!(error instanceof StoreFault)) throw error;
      platform.log.warn("old copies of backups were not deleted", { reason: error.message });
    }
    return sent;
  }

  #ids(): Set<string> {
    return new Set(this.#index.copies.map(({ id }) => id));
  }

  /** Notes a backup that arrived although the answer to the last write of the index was lost. */
  #noteArrived(): void {
    const { upload } = this.#state();
    const copy = upload && this.#index.copies.find(({ id }) => id === upload.backup_id);
    if (!copy) return;
    const { made_at, bytes } = copy;
    this.#save({ upload: null, last: { at: this.options.platform.clock.now(), made_at, bytes } });
  }

  /** Once a day, takes copies off the list whose objects are missing, and those that are based on them. */
  async #dropLost(): Promise<void> {
    const { platform } = this.options;
    const now = platform.clock.now();
    const { checked_at } = this.#state();
    if (now - checked_at < CHECK_EVERY_MS && now >= checked_at && !this.#index.doubted) return;
    const whole = new Set<string>();
    const lost = new Set<string>();
    for (const { id, base, object, bytes } of this.#index.copies) {
      this.options.signal?.throwIfAborted();
      // Bases come first in the list.
      const based = base === null || whole.has(base);
      if (based && (await this.store.head(object))?.bytes === bytes) whole.add(id);
      else lost.add(id);
    }
    if (lost.size > 0) {
      await this.#index.change((copies) => copies.filter(({ id }) => !lost.has(id)));
      const many = lost.size === 1 ? "1 backup was" : `${lost.size} backups were`;
      this.#warn(`${many} missing or incomplete in ${this.store.place}. What is still here was sent again.`);
    } else if (!this.#index.doubted) changeCopyState(platform, this.place, { warning: null });
    changeCopyState(platform, this.place, { checked_at: now });
  }

  /** @returns false if the file was removed meanwhile */
  async #send(run: BackupRun): Promise<boolean> {
    const { platform, signal, progress } = this.options;
    const backup_id = run.backup_id!;
    const handle = await open(run.file, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (!handle) return false;
    try {
      if ((await hashOf(run.file)) !== run.sha256) {
        throw new UserError(`${run.file} is damaged: it is not as it was written. Create a new backup.`);
      }
      const earlier = this.#state().upload;
      const upload =
        earlier?.backup_id === backup_id
          ? earlier
          : { backup_id, object: `${OBJECTS}${randomBytes(16).toString("hex")}`, parts: null };
      this.#save({ upload });
      await this.store.upload(
        upload.object,
        {
          bytes: run.bytes,
          read: async (at, length) => {
            progress?.(at, run.bytes);
            return readAt(handle, at, length);
          },
        },
        {
          resume: upload.parts,
          saved: (parts) => this.#save({ upload: { ...upload, parts } }),
          ...(signal ? { signal } : {}),
        },
      );
      const { kind, started_at: made_at, bytes } = run;
      const base = run.base_id;
      const copy: Copy = { id: backup_id, base, kind, made_at, object: upload.object, bytes, sha256: run.sha256! };
      await this.#index.change((copies) => [...copies.filter(({ id }) => id !== backup_id), copy]);
      this.#save({ upload: null, last: { at: platform.clock.now(), made_at, bytes } });
      return true;
    } finally {
      await handle.close();
    }
  }

  /** Removes what retention no longer keeps: first from the index, then the objects. */
  async #retain(): Promise<void> {
    const keep = backupSettings(this.options.platform).keep;
    const dropped = (copies: readonly Copy[]) => {
      const newest = [...copies].reverse().map((copy) => ({ ...copy, backup_id: copy.id, base_id: copy.base }));
      const kept = new Set([...keptOf(newest, keep)].map(({ id }) => id));
      return copies.filter(({ id }) => !kept.has(id));
    };
    const old = dropped(this.#index.copies);
    if (old.length > 0) {
      await this.#index.change((copies) => {
        const gone = new Set(dropped(copies).map(({ id }) => id));
        return copies.filter(({ id }) => !gone.has(id));
      });
    }
    await this.#delete([...this.#state().locked, ...old.map(({ object }) => object)]);
  }

  /** Deletes objects, and notes those that the store refuses to delete. */
  async #delete(objects: readonly string[]): Promise<void> {
    const locked: string[] = [];
    for (const object of objects) if ((await this.store.delete(object)) === "kept") locked.push(object);
    if (locked.length > 0 || this.#state().locked.length > 0) this.#save({ locked });
  }

  /** Deletes objects that no index lists: remains of interrupted uploads. */
  async #sweep(): Promise<void> {
    const { platform, signal } = this.options;
    const listed = new Set(this.#index.copies.map(({ object }) => object));
    const current = this.#state().upload?.object;
    const leftovers: string[] = [];
    for await (const { key, modifiedAt } of this.store.list(OBJECTS)) {
      signal?.throwIfAborted();
      const old = modifiedAt > 0 && platform.clock.now() - modifiedAt > LEFTOVER_MS;
      if (old && !listed.has(key) && key !== current && key.startsWith(OBJECTS)) leftovers.push(key);
    }
    const known = this.#state().locked;
    if (leftovers.length > 0) await this.#delete([...known, ...leftovers.filter((key) => !known.includes(key))]);
  }

  #state(): CopyState {
    return readCopyState(this.options.platform, this.place);
  }

  #save(changes: Partial<CopyState>): void {
    changeCopyState(this.options.platform, this.place, changes);
  }

  #warn(warning: string): void {
    this.options.platform.log.warn("copies of backups were repaired", { warning });
    this.#save({ warning });
  }
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new UserError("A backup file became shorter while it was sent. Create a new backup.");
    done += bytesRead;
  }
  return bytes;
}

async function hashOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of createReadStream(path)) hasher.update(chunk as Uint8Array);
  return hasher.digest("hex");
}
