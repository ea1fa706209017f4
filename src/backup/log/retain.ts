import type { ObjectStore } from "../../platform/objects/store.ts";
import { LOG_FOLDER } from "./crypt.ts";
import type { LogPart } from "./log-part.ts";

const OBJECT = /^log\/[0-9a-f]{64}$/;
/** More waits for the next day, so that a list of any length fits into memory. */
const MOST_DELETED = 100_000;

/**
 * Returns the log without the bases that a restore to a moment after `before` does not need: the newest one that is not
 * after it is kept, and all later ones.
 */
export function retained(part: LogPart, before: number): LogPart {
  const first = part.bases.findLastIndex(({ at }) => at <= before);
  if (first <= 0) return part;
  const bases = part.bases.slice(first);
  const oldest = bases[0]!.seq;
  const ancestors = part.ancestors.filter(({ seq }) => seq >= oldest);
  const step = part.step && part.step.seq > oldest ? part.step : null;
  return { ...part, bases, ancestors, step };
}

/**
 * Deletes objects that were written before the oldest base began, by the clock of the store.
 * @returns how many were deleted, and how many the store refused to delete; null if the base lacks an object
 */
export async function deleteOld(
  store: ObjectStore,
  { bases }: LogPart,
): Promise<{ deleted: number; kept: number } | null> {
  const oldest = bases[0];
  if (!oldest) return { deleted: 0, kept: 0 };
  const first = await store.head(oldest.first);
  if (!first) return null;
  // If someone wrote that object again, it would make the base itself look old.
  const began = Math.min(first.modifiedAt, oldest.firstAt);
  const old: string[] = [];
  for await (const { key, modifiedAt } of store.list(LOG_FOLDER)) {
    if (OBJECT.test(key) && modifiedAt > 0 && modifiedAt < began) old.push(key);
    if (old.length === MOST_DELETED) break;
  }
  let kept = 0;
  for (const key of old) if ((await store.delete(key)) === "kept") kept++;
  return { deleted: old.length - kept, kept };
}
