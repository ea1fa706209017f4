import { timingSafeEqual } from "node:crypto";
import type { PutCondition } from "../../platform/objects/store.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import { newId } from "./body.ts";

/** Key of the object of the lease. */
export const PRIMARY_KEY = "primary";
const LONGEST_BYTES = 4 * 1024 * 1024;
/** Settings of a store for the lease: a request that takes longer would end too late to be useful. */
export const LEASE_PATIENCE = { attempts: 2, timeoutMs: 4_000 };

/** One object that is changed only from a version that was read. */
export interface LeasePort {
  /** Where the object is, for people. */
  readonly place: string;
  /** Returns the object; null if there is none. @throws StoreFault */
  read(): Promise<{ body: Uint8Array; etag: string } | null>;
  /**
   * Writes the object if the condition holds. @returns its tag
   * @throws StoreFault "conflict", also if the write succeeded and its answer was lost; "unavailable" if it is unknown
   */
  write(body: Uint8Array, condition: PutCondition): Promise<string>;
}

/** The object of the lease in an object store. */
export class StoreLeasePort implements LeasePort {
  #isProved = false;

  /**
   * @param isStrict whether the store must compare and write in one step (mode "standby"), which is tried before the
   * first write. Otherwise, a store that cannot is asked for the version before a write without a condition
   */
  constructor(
    private readonly store: ObjectStore,
    private readonly isStrict: boolean,
  ) {}

  get place(): string {
    return this.store.place;
  }

  async read(): Promise<{ body: Uint8Array; etag: string } | null> {
    const found = await this.store.get(PRIMARY_KEY, LONGEST_BYTES);
    return found && { body: found.bytes, etag: found.etag };
  }

  async write(body: Uint8Array, condition: PutCondition): Promise<string> {
    const etag = await this.#put(body, condition);
    if (etag !== "") return etag;
    // The store did not name the version that it made.
    const now = await this.read();
    if (now && isSame(now.body, body)) return now.etag;
    throw new StoreFault("conflict", `${this.place} was changed.`);
  }

  async #put(body: Uint8Array, condition: PutCondition): Promise<string> {
    if (this.isStrict && !this.#isProved) {
      await requireConditions(this.store);
      this.#isProved = true;
    }
    try {
      return await this.store.put(PRIMARY_KEY, body, { ...condition, strict: true });
    } catch (error) {
      if (this.isStrict || !(error instanceof StoreFault) || error.reason !== "unsupported") throw error;
    }
    const found = await this.read();
    const holds = "absent" in condition ? found === null : found?.etag === condition.etag;
    if (!holds) throw new StoreFault("conflict", `${this.place} was changed.`);
    return this.store.put(PRIMARY_KEY, body);
  }
}

/**
 * Tries whether a store compares and writes in one step. Some stores refuse conditional writes, others ignore the
 * condition.
 * @throws StoreFault "unsupported" if it does not
 */
async function requireConditions(store: ObjectStore): Promise<void> {
  const key = `primary-test/${newId()}`;
  const write = async (condition: PutCondition): Promise<boolean> => {
    const bytes = Buffer.from(newId());
    try {
      await store.put(key, bytes, { ...condition, strict: true });
      return true;
    } catch (error) {
      if (!(error instanceof StoreFault) || error.reason !== "conflict") throw error;
      // The write may have succeeded although its answer was lost.
      const now = await store.get(key, LONGEST_BYTES);
      return now !== null && isSame(now.bytes, bytes);
    }
  };
  const first = await store.put(key, Buffer.from(newId()), { absent: true, strict: true }).catch((error) => {
    throw error instanceof StoreFault && error.reason === "unsupported" ? unsupported(store.place, error) : error;
  });
  try {
    const ignored =
      (await write({ absent: true })) || !(await write({ etag: first })) || (await write({ etag: first }));
    if (ignored) throw unsupported(store.place);
  } finally {
    await store.delete(key).catch(() => {});
  }
}

function unsupported(place: string, cause?: unknown): StoreFault {
  return new StoreFault(
    "unsupported",
    `${place} has no conditional writes, so it cannot decide which machine acts. Set backup.standby to false, or choose a store that supports If-Match and If-None-Match.`,
    cause,
  );
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
