import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { backupKeys } from "../keys.ts";
import { LOCAL_FOLDER, writeAtomically } from "./local-files.ts";
import {
  KEYS_KEY,
  LONGEST_KEYS_BYTES,
  LogKeys,
  type LogKeysContent,
  newKey,
  openKeys,
  readersId,
  sealKeys,
} from "./log-keys.ts";

const CONTEXT = "log.keys";
const ATTEMPTS = 5;

type Base = Pick<Platform, "config" | "keyring" | "grants" | "log">;

/** The keys as this installation last wrote or read them, so that it can recognize and repair them. */
interface Noted {
  place: string;
  etag: string;
  content: LogKeysContent;
}

/**
 * The object `keys` of a place as this installation keeps it: only from the version that it has read, like the list of
 * backups (`copies/shared-index.ts`).
 */
export class OwnKeys {
  #etag: string | null = null;

  private constructor(
    private readonly platform: Base,
    private readonly store: ObjectStore,
    /** The keys. This object stays the same when they change. */
    readonly keys: LogKeys,
  ) {}

  /**
   * Reads the keys of the log in a store, or creates them. If the keys of backups changed (a new recovery key, another
   * master key), adds a key for everything that is written from now on.
   * @throws UserError if the log belongs to another installation
   */
  static async open(platform: Base, store: ObjectStore): Promise<OwnKeys> {
    const noted = readNoted(platform, store.place);
    const own = new OwnKeys(platform, store, new LogKeys(noted?.content ?? fresh(platform)));
    await own.check();
    return own;
  }

  /**
   * True if the keys of backups are not those in the store. Needs no request. Check it before anything is sent: a state
   * under a master key that the store does not have could not be restored.
   */
  get changed(): boolean {
    return !isCurrent(this.platform, this.keys.content);
  }

  /** Reads the keys again, repairs them, and adds a key if it is needed. */
  async check(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#check();
      } catch (error) {
        if (!(error instanceof StoreFault) || error.reason !== "conflict" || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Notes that `primary` is sealed with the newest key, so that no one who knows an earlier one can replace it. Call it
   * after each renewal.
   */
  async sealed(): Promise<void> {
    const { content, newest } = this.keys;
    if (content.primary !== newest) await this.#write({ ...content, primary: newest });
  }

  /** Removes keys that no object is sealed with. @param used ids */
  async drop(used: ReadonlySet<string>): Promise<void> {
    const { content, newest } = this.keys;
    const keys = content.keys.filter(({ id }) => used.has(id) || id === newest);
    if (keys.length < content.keys.length) await this.#write({ ...content, keys });
  }

  async #check(): Promise<void> {
    const { platform, store } = this;
    const noted = readNoted(platform, store.place);
    const found = await store.get(KEYS_KEY, LONGEST_KEYS_BYTES);
    this.#etag = found?.etag ?? null;
    const opened = found && (await this.#open(found.bytes, found.etag === noted?.etag));
    const content = opened && (!noted || opened.generation >= noted.content.generation) ? opened : noted?.content;
    if (noted && opened !== content && found?.etag !== noted.etag) {
      const what = found ? (opened ? "older than those that Postroom wrote" : "damaged") : "missing";
      const warning = `The keys of the continuous copy in ${store.place} were ${what}, and were written again. If you did not change them yourself, someone else may have access to this place.`;
      platform.log.warn("the continuous copy was repaired", { warning });
    }
    const next = content ?? this.keys.content;
    const { keys, readers } = backupKeys(platform);
    if (next.readers !== readersId(readers)) return this.#write({ ...next, keys: [...next.keys, newKey(keys)] });
    if (!isCurrent(platform, next)) {
      const newest = { ...next.keys.at(-1)!, backupKeys: keys };
      return this.#write({ ...next, keys: [...next.keys.slice(0, -1), newest] });
    }
    if (content !== opened || !found) return this.#write(next);
    this.keys.replace(next);
    note(platform, { place: store.place, etag: found.etag, content: next });
  }

  async #write(content: LogKeysContent): Promise<void> {
    const { platform, store } = this;
    const { readers } = backupKeys(platform);
    const next = { ...content, generation: content.generation + 1, readers: readersId(readers) };
    const bytes = await sealKeys(next, readers);
    this.#etag = await store.put(KEYS_KEY, bytes, this.#etag === null ? { absent: true } : { etag: this.#etag });
    this.keys.replace(next);
    note(platform, { place: store.place, etag: this.#etag, content: next });
  }

  /** @param own whether this installation wrote these bytes, maybe with an earlier master key; @returns null: damaged */
  async #open(bytes: Uint8Array, own: boolean): Promise<LogKeysContent | null> {
    const { platform, store } = this;
    try {
      const secret = { kind: "master key" as const, key: platform.keyring.master };
      return (await openKeys(store.place, bytes, [secret])).keys.content;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const noted = readNoted(platform, store.place);
      if (own || (noted && error.message.includes("damaged"))) return null;
      throw new UserError(
        `${store.place} has the continuous copy of another installation, or the object ${KEYS_KEY} in it is damaged. Nothing was sent. Choose another prefix or folder in backup.to, or delete the objects ${KEYS_KEY} and primary and the folder log if you do not need this copy.`,
      );
    }
  }
}

function fresh(platform: Base): LogKeysContent {
  const { keys, readers } = backupKeys(platform);
  const key = newKey(keys);
  return {
    format: 1,
    logId: randomBytes(16).toString("hex"),
    generation: 0,
    readers: readersId(readers),
    primary: key.id,
    keys: [key],
  };
}

function isCurrent(platform: Base, content: LogKeysContent): boolean {
  const { keys, readers } = backupKeys(platform);
  return (
    content.readers === readersId(readers) &&
    JSON.stringify(Object.entries(content.keys.at(-1)!.backupKeys).sort()) ===
      JSON.stringify(Object.entries(keys).sort())
  );
}

const pathOf = ({ config }: Base) => join(config.data_dir, LOCAL_FOLDER, "keys");

function readNoted(platform: Base, place: string): Noted | null {
  try {
    const sealed = readFileSync(pathOf(platform));
    const noted = platform.keyring.system().openJson<Noted>(CONTEXT, sealed);
    return noted.place === place ? noted : null;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    // A damaged note is as good as none: the object in the store counts.
    if (missing || error instanceof SealBroken) return null;
    throw error;
  }
}

function note(platform: Base, noted: Noted): void {
  const path = pathOf(platform);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeAtomically(path, platform.keyring.system().sealJson(CONTEXT, noted));
}
