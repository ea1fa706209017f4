/** Finds remains of the full-text index of earlier versions, which reveals words without a key (docs/security.md). */
import { legacyIndexRemains } from "../../mailbox/search/legacy.ts";
import { copiesWithLegacyIndex } from "../../mailbox/search/legacy-copies.ts";
import type { Platform } from "../../platform/platform.ts";
import { advice, type Finding } from "./finding.ts";

/** The locations of an old index. */
export interface OldIndex {
  /** In the database, or in its pages that are not overwritten yet. */
  database: boolean;
  /** Paths of copies from before upgrades. */
  copies: string[];
}

/** Finds old indexes in the database and in the copies from before upgrades. */
export function findOldIndex({ db, config }: Pick<Platform, "db" | "config">): OldIndex {
  return { database: legacyIndexRemains(db), copies: copiesWithLegacyIndex(config.data_dir) };
}

/** Advises deleting copies of the database that contain an old index; returns no finding if there are none. */
export function copiesFinding(dataDir: string, { copies }: OldIndex): Finding[] {
  if (copies.length === 0) return [];
  const [are, have] = copies.length === 1 ? ["1 copy", "has"] : [`${copies.length} copies`, "have"];
  return [
    advice(
      "old copies",
      `${are} of the database in upgrades/ ${have} the search index of an earlier version, which reveals most words of your mail without a key. You need such a copy only to return to that version. To delete these copies, run: postroom doctor --delete-old-copies --data ${dataDir}`,
    ),
  ];
}
