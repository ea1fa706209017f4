import type { ObjectStore } from "../../platform/objects/store.ts";
import { LOG_FOLDER } from "./crypt.ts";
import type { LogPart } from "./log-part.ts";

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
  const began = await store.head(oldest.first);
  if (!began) return null;
  const old: string[] = [];
  for await (const { key, modifiedAt } of store.list(LOG_FOLDER)) {
    if (key.startsWith(LOG_FOLDER) && modifiedAt > 0 && modifiedAt < began.modifiedAt) old.push(key);
  }
  let kept = 0;
  for (const key of old) if ((await store.delete(key)) === "kept") kept++;
  return { deleted: old.length - kept, kept };
}
