import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PageMap } from "../../platform/pages/page-map.ts";
import type { LogPosition } from "./history.ts";
import { LOCAL_FOLDER, writeAtomically } from "./local-files.ts";
import type { LogKeys } from "./log-keys.ts";
import { compress, decompress } from "./manifest.ts";
import type { StoredFile } from "./records.ts";

/** A file that the log has, and its time here when it was read; -1 if that is not known. */
export interface KnownFile extends StoredFile {
  mtimeMs: number;
}

/** What the log has at a state, so that only the difference is sent after a restart. */
export interface Checkpoint {
  position: LogPosition;
  map: PageMap;
  files: KnownFile[];
  /** Bytes that were sent since the newest base. */
  bytesSince: number;
}

interface Noted {
  logId: string;
  position: LogPosition;
  files: KnownFile[];
  bytesSince: number;
  /** Name of the file with the page map. */
  map: string;
}

const STATE = "state";
const MAP = /^map-\d+$/;

/** Reads the checkpoint of a data folder. @returns null if there is none for this log, or it is damaged */
export function readCheckpoint(data_dir: string, keys: LogKeys): Checkpoint | null {
  const folder = join(data_dir, LOCAL_FOLDER);
  if (!existsSync(join(folder, STATE))) return null;
  const plain = keys.openLocal(readFileSync(join(folder, STATE)));
  if (!plain) return null;
  const noted = JSON.parse(Buffer.from(decompress(plain)).toString()) as Noted;
  if (noted.logId !== keys.logId || !existsSync(join(folder, noted.map))) return null;
  const map = PageMap.from(readFileSync(join(folder, noted.map)));
  // The map has no protection against changes, but the state is sealed, and names it.
  if (map?.state !== noted.position.state) return null;
  const { position, files, bytesSince } = noted;
  return { position, map, files, bytesSince };
}

/** Writes the checkpoint: killed at any moment, the earlier or the new one remains. @returns bytes that were written */
export function writeCheckpoint(data_dir: string, keys: LogKeys, checkpoint: Checkpoint): number {
  const { position, map, files, bytesSince } = checkpoint;
  const folder = join(data_dir, LOCAL_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `map-${position.seq}`;
  const bytes = map.bytes();
  writeAtomically(join(folder, name), bytes);
  const noted: Noted = { logId: keys.logId, position, files, bytesSince, map: name };
  const sealed = keys.sealLocal(compress(Buffer.from(JSON.stringify(noted))));
  writeAtomically(join(folder, STATE), sealed);
  for (const other of readdirSync(folder)) if (MAP.test(other) && other !== name) rmSync(join(folder, other));
  return bytes.length + sealed.length;
}

/** Forgets the checkpoint, when what it says is no longer true. */
export function dropCheckpoint(data_dir: string): void {
  rmSync(join(data_dir, LOCAL_FOLDER, STATE), { force: true });
}
