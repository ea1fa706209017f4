import { LogApplier, type LogTarget } from "./apply.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import { LogFault } from "./faults.ts";
import type { LogHistory } from "./history.ts";
import type { LogKeys } from "./log-keys.ts";

const OLDER =
  "The continuous copy was older than what Postroom had written to it. A new base is sent. If you did not put back an earlier version, someone else may have access to this place.";

/** Where a writer begins. */
export interface Start {
  /** What the log has; null: a new base is needed. */
  checkpoint: Checkpoint | null;
  /** Something unexpected, as a sentence. */
  warning: string | null;
}

/**
 * Returns what the log has, from what this machine noted and what the store has since then: segments list all pages
 * that changed. A restart therefore sends the difference, and no base.
 * @param history null: there is no log yet
 */
export async function catchUp(data_dir: string, keys: LogKeys, history: LogHistory | null): Promise<Start> {
  const noted = readCheckpoint(data_dir, keys);
  const head = history?.part.head;
  if (!history || !head) {
    const warning = noted ? "The continuous copy was missing in its place. A new base is sent." : null;
    return { checkpoint: null, warning };
  }
  if (!noted) return { checkpoint: null, warning: null };
  const { position } = noted;
  if (!history.reaches(position)) {
    return { checkpoint: null, warning: position.token > head.token || position.seq > head.seq ? OLDER : null };
  }
  try {
    if (!(await history.confirms(position))) return { checkpoint: null, warning: OLDER };
    return { checkpoint: await follow(noted, history), warning: null };
  } catch (error) {
    if (!(error instanceof LogFault)) throw error;
    return { checkpoint: null, warning: `${error.message} A new base is sent.` };
  }
}

async function follow(noted: Checkpoint, history: LogHistory): Promise<Checkpoint> {
  const files = new Map(noted.files.map((file) => [file.path, file]));
  const target: LogTarget = {
    begin() {},
    pages() {},
    piece() {},
    file: (file) => void files.set(file.path, { ...file, mtimeMs: -1 }),
    deleted: (path) => void files.delete(path),
    end(_segment, all) {
      if (all) for (const path of files.keys()) if (!all.has(path)) files.delete(path);
    },
  };
  const applier = new LogApplier(target, noted.map);
  let { position, bytesSince } = noted;
  for await (const segment of history.segments(position, "newest")) {
    await applier.apply(segment);
    position = segment.position;
    bytesSince += segment.bytes;
  }
  return { position, map: applier.map!, files: [...files.values()], bytesSince };
}
