import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { copiesBeforeUpgrade } from "../../platform/db/before-upgrade.ts";
import { legacyTables } from "./legacy.ts";

const ZEROS = Buffer.alloc(1024 * 1024);

/**
 * Returns the paths of database copies from before upgrades that contain a full-text index of the old kind, oldest
 * first. A copy that cannot be read is included, because it may contain one.
 */
export function copiesWithLegacyIndex(dataDir: string): string[] {
  return copiesBeforeUpgrade(dataDir).filter((path) => {
    // No process writes to a copy. Opening it as immutable creates no files beside it.
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    try {
      const copy = new DatabaseSync(url, { readOnly: true });
      try {
        return legacyTables((sql) => copy.prepare(sql).all() as { name: string }[]).length > 0;
      } finally {
        copy.close();
      }
    } catch {
      return true;
    }
  });
}

/**
 * Overwrites and deletes the copies that `copiesWithLegacyIndex` finds. A file system that never writes in place, or a
 * solid-state disk, can keep their old content. @returns their paths
 */
export function deleteCopiesWithLegacyIndex(dataDir: string): string[] {
  const paths = copiesWithLegacyIndex(dataDir);
  for (const path of paths) {
    overwrite(path);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  }
  return paths;
}

function overwrite(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  try {
    for (let at = 0; at < size; at += ZEROS.length) writeSync(file, ZEROS, 0, Math.min(ZEROS.length, size - at), at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
