import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { writeSecretFile } from "../sealing/master-key.ts";

/** The file that makes a folder a standby. Without it, a folder that follows a primary would look empty. */
export interface StandbyMarker {
  format: 1;
  /** The place that the folder follows: "s3://bucket/prefix" or a path. */
  from: string;
  /** Set when a promotion has begun to change the data: the state that it had; null while the folder follows. */
  promoting: { token: number; seq: number } | null;
}

const fileOf = (data_dir: string) => join(data_dir, "standby.json");

/** Returns the marker of a standby folder; null for other folders. @throws UserError if it is damaged */
export function readStandbyMarker(data_dir: string): StandbyMarker | null {
  let text: string;
  try {
    text = readFileSync(fileOf(data_dir), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isMarker(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UserError(`${fileOf(data_dir)} is damaged. Delete the folder, and start the standby again.`);
}

/** Checked without a library, because every thread has this module and nearly no folder has the file. */
function isMarker(value: unknown): value is StandbyMarker {
  const { format, from, promoting } = (value ?? {}) as Partial<StandbyMarker>;
  const { token, seq } = promoting ?? {};
  const isUnderstood = promoting === null || (Number.isInteger(token) && Number.isInteger(seq));
  return format === 1 && typeof from === "string" && isUnderstood;
}

/** Writes the marker, so that it survives a power failure. */
export function writeStandbyMarker(data_dir: string, marker: StandbyMarker): void {
  writeSecretFile(fileOf(data_dir), `${JSON.stringify(marker)}\n`);
}

/** Ends being a standby. */
export function removeStandbyMarker(data_dir: string): void {
  rmSync(fileOf(data_dir), { force: true });
}

/** @throws UserError if the folder is a standby, which no server and no other command may use */
export function refuseStandby(data_dir: string): void {
  if (readStandbyMarker(data_dir) === null) return;
  throw new UserError(
    `${data_dir} is a standby, which follows another server. To let it take over, run 'postroom promote --data ${data_dir}'.`,
  );
}
