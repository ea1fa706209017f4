import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { Secret } from "../envelope.ts";
import { chainOf } from "../retention.ts";
import type { BackupSource, SourceReader } from "../source.ts";
import { type Copy, INDEX_KEY, LONGEST_INDEX_BYTES, openIndex } from "./copy-index.ts";

/** A backup in a store, with those that it is based on. */
export interface StoredBackup {
  newest: BackupSource;
  older: BackupSource[];
  made_at: number;
  /** True if the store has no newer one. */
  latest: boolean;
}

const FIRST_READ_BYTES = 256 * 1024;
const LONGEST_READ_BYTES = 8 * 1024 * 1024;

/** Reads the list of backups in a store. @throws UserError if there is none, or no secret opens it */
export async function listStored(store: ObjectStore, secrets: readonly Secret[]): Promise<Copy[]> {
  const found = await explained(() => store.get(INDEX_KEY, LONGEST_INDEX_BYTES));
  if (!found) throw new UserError(`${store.place} has no backups: there is no object ${INDEX_KEY}.`);
  return (await openIndex(store.place, found.bytes, secrets)).backups;
}

/**
 * Finds the newest backup not after a time, and checks that all of its objects are there.
 * @param at ms; null: the newest @throws UserError that names what is missing
 */
export async function findStored(
  store: ObjectStore,
  copies: readonly Copy[],
  at: number | null,
): Promise<StoredBackup> {
  const newestFirst = [...copies].sort((a, b) => b.made_at - a.made_at).map(linked);
  const chosen = newestFirst.find(({ made_at }) => at === null || made_at <= at);
  if (!chosen) {
    const oldest = newestFirst.at(-1);
    const since = oldest ? ` The oldest is of ${isoTime(oldest.made_at)}.` : "";
    throw new UserError(`${store.place} has no backup from that time or before.${since}`);
  }
  const chain = chainOf(chosen, newestFirst);
  if (!chain)
    throw new UserError(`The list in ${store.place} lacks a backup that ${nameOf(store, chosen)} is based on.`);
  await requireObjects(store, chain);
  const [newest, ...older] = chain.map((copy) => new StoredSource(store, copy));
  return { newest: newest!, older, made_at: chosen.made_at, latest: chosen === newestFirst[0] };
}

/** Checks that objects exist with their sizes. @throws UserError that names the first that does not */
export async function requireObjects(store: ObjectStore, copies: readonly Copy[]): Promise<void> {
  for (const copy of copies) {
    const found = await explained(() => store.head(copy.object));
    if (!found) throw new UserError(`${nameOf(store, copy)} is missing.`);
    if (found.bytes !== copy.bytes) {
      throw new UserError(`${nameOf(store, copy)} has ${found.bytes} bytes instead of ${copy.bytes}.`);
    }
  }
}

function linked(copy: Copy): Copy & { backup_id: string; base_id: string | null } {
  return { ...copy, backup_id: copy.id, base_id: copy.base };
}

function nameOf({ place }: ObjectStore, { object, kind, made_at }: Copy): string {
  return `${place}/${object} (${kind} backup of ${isoTime(made_at)})`;
}

/** An object as the source of a backup. What is read from beginning to end must have the hash of the index. */
class StoredSource implements BackupSource {
  readonly path: string;
  readonly id: string;
  readonly bytes: number;

  constructor(
    private readonly store: ObjectStore,
    private readonly copy: Copy,
  ) {
    this.path = nameOf(store, copy);
    this.id = copy.id;
    this.bytes = copy.bytes;
  }

  async open(): Promise<SourceReader> {
    const { store, copy, path } = this;
    const hasher = new Bun.CryptoHasher("sha256");
    let hashed = 0;
    let from = 0;
    let ahead: Uint8Array = new Uint8Array(0);
    let next = FIRST_READ_BYTES;
    const fill = async (at: number, length: number) => {
      const kept = at >= from && at <= from + ahead.length ? ahead.subarray(at - from) : new Uint8Array(0);
      const start = at + kept.length;
      const wanted = Math.min(Math.max(next, length - kept.length), copy.bytes - start);
      next = Math.min(next * 2, LONGEST_READ_BYTES);
      const more = await explained(() => store.read(copy.object, start, wanted));
      if (start === hashed) {
        hasher.update(more);
        hashed += more.length;
      }
      ahead = Buffer.concat([kept, more]);
      from = at;
    };
    return {
      async read(at, length) {
        const wanted = Math.min(length, copy.bytes - at);
        if (at < from || at + wanted > from + ahead.length) await fill(at, wanted);
        return ahead.slice(at - from, at - from + wanted);
      },
      finish() {
        if (hashed === copy.bytes && hasher.digest("hex") === copy.sha256) return;
        throw new UserError(`${path} is damaged or was replaced: its content differs from the list of backups.`);
      },
      close: async () => {},
    };
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreFault ? new UserError(error.message) : error;
  }
}
