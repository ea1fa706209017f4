import { randomBytes } from "node:crypto";
import { UserError } from "../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../platform/objects/store.ts";
import type { Platform } from "../platform/platform.ts";
import { INDEX_KEY, LONGEST_INDEX_BYTES, OBJECTS, openIndex, otherInstallation } from "./copies/copy-index.ts";
import { readCopyState } from "./copies/state.ts";
import { type BackupTarget, OtherInstallation, openTarget } from "./target.ts";

/** What a test of a place found. */
export interface TargetReport {
  /** Whether the place refuses a write whose condition does not hold. A standby needs this. */
  conditional_writes: boolean;
  /** False if the place keeps objects that were deleted, for example because of an object lock. */
  deletes: boolean;
  /** Backups of this installation that are already there. */
  copies: number;
}

/** A person waits. */
const PATIENCE = { attempts: 2, timeoutMs: 10_000 };
const LIST_ATTEMPTS = 3;
const LIST_PAUSE_MS = 500;

/**
 * Tests a place with a small object: writes, reads, lists and deletes it.
 * @throws StoreFault, UserError with the reason. The fault names the setting to correct, if that is known
 */
export async function testTarget(
  platform: Platform,
  target: BackupTarget,
  options: { signal?: AbortSignal } = {},
): Promise<TargetReport> {
  const store = openTarget(platform, { ...options, target, patience: PATIENCE });
  try {
    // An object that stays because the process dies is deleted after two days, like the remains of an upload.
    const key = `${OBJECTS}test-${randomBytes(12).toString("hex")}`;
    const content = randomBytes(64);
    await store.put(key, content, { absent: true });
    let report: Omit<TargetReport, "deletes">;
    try {
      report = {
        conditional_writes: await checkConditions(store, key, content),
        copies: await countCopies(platform, target, store),
      };
      await step("listed", () => requireListed(platform, store, key));
    } catch (error) {
      await store.delete(key).catch(() => {});
      throw error;
    }
    return { ...report, deletes: (await step("deleted", () => store.delete(key))) === "deleted" };
  } finally {
    store.close();
  }
}

/** Reads the object and writes it on conditions. @returns whether the conditions were checked */
async function checkConditions(store: ObjectStore, key: string, content: Uint8Array): Promise<boolean> {
  const found = await step("read", () => store.get(key, 1_024));
  if (!found || Buffer.compare(found.bytes, content) !== 0) {
    throw new StoreFault(
      "refused",
      `${store.place} does not return what was written to it. Check the endpoint (backup.s3.endpoint).`,
      undefined,
      "backup.s3.endpoint",
    );
  }
  const wrong = [{ absent: true } as const, { etag: '"00000000000000000000000000000000"' }];
  for (const condition of wrong) if (!(await conflicts(store, key, condition))) return false;
  // A store that refuses every conditional write would refuse this one, too.
  return !(await conflicts(store, key, { etag: found.etag }));
}

async function conflicts(store: ObjectStore, key: string, condition: Parameters<ObjectStore["put"]>[2]) {
  try {
    await store.put(key, randomBytes(64), condition);
    return false;
  } catch (error) {
    if (error instanceof StoreFault && error.reason === "conflict") return true;
    throw error;
  }
}

/** @throws StoreFault if the place has backups of another installation */
async function countCopies(platform: Platform, target: BackupTarget, store: ObjectStore): Promise<number> {
  const known = readCopyState(platform, target.id);
  if (known.generation > 0) return known.copies.length;
  const found = await store.get(INDEX_KEY, LONGEST_INDEX_BYTES);
  if (!found) return 0;
  try {
    const secret = { kind: "master key" as const, key: platform.keyring.master };
    return (await openIndex(store.place, found.bytes, [secret])).backups.length;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new OtherInstallation("refused", otherInstallation(store.place), error, "backup.to");
  }
}

async function requireListed({ clock }: Platform, store: ObjectStore, key: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    for await (const object of store.list(OBJECTS)) if (object.key === key) return;
    if (attempt === LIST_ATTEMPTS) break;
    await new Promise<void>((resolve) => clock.after(LIST_PAUSE_MS, resolve));
  }
  throw new StoreFault("refused", `${store.place} does not list it.`);
}

/** Says in a fault how far the test came. */
async function step<T>(done: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const { reason, message, setting } = error;
    throw new StoreFault(reason, `A test object was written, but cannot be ${done}. ${message}`, error, setting);
  }
}
