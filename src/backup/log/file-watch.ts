import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { type DataFile, dataFiles, type FolderEntry, readFolder } from "../data-files.ts";

/** A folder whose time is younger may change again without another time: file systems count in steps of up to 2 s. */
const SETTLED_MS = 3_000;
/** After this time, folders are listed although their time is the same: a file may have been changed in place. */
const ALL_EVERY_MS = 3_600_000;

/**
 * Lists the files of a data folder often, at little cost. A folder is listed again only if its modification time is
 * another one: Postroom writes every file under another name first. The files directly in the data folder, such as
 * postroom.toml, which people edit in place, are looked at each time.
 */
export class FileWatch {
  readonly #root: string;
  readonly #known = new Map<string, { mtimeMs: number; entries: readonly FolderEntry[] }>();
  #allAt: number;

  /** @param except returns folders and files to leave out, because they are backups */
  constructor(
    data_dir: string,
    private readonly except: () => readonly string[],
    private readonly clock: Clock,
  ) {
    this.#root = resolve(data_dir);
    this.#allAt = clock.now();
  }

  list(): DataFile[] {
    const now = this.clock.now();
    if (Math.abs(now - this.#allAt) > ALL_EVERY_MS) {
      this.#known.clear();
      this.#allAt = now;
    }
    return [...dataFiles(this.#root, this.except(), (folder) => this.#read(folder))];
  }

  #read(folder: string): readonly FolderEntry[] {
    try {
      return folder === this.#root ? readFolder(folder) : this.#readChanged(folder);
    } catch (error) {
      // Deleted since its parent was listed.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === this.#root) throw error;
      this.#known.delete(folder);
      return [];
    }
  }

  #readChanged(folder: string): readonly FolderEntry[] {
    const { mtimeMs } = statSync(folder);
    const known = this.#known.get(folder);
    if (known?.mtimeMs === mtimeMs) return known.entries;
    const entries = readFolder(folder);
    if (this.clock.now() - mtimeMs > SETTLED_MS) this.#known.set(folder, { mtimeMs, entries });
    else this.#known.delete(folder);
    return entries;
  }
}
