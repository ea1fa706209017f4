import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Grants } from "../grants/grants.ts";
import { NOTED_SALT, saltFile } from "./master-key.ts";

/**
 * Registers the salt with which the right key was just derived, so that backups contain no other salt.
 * @param used whether the master key is derived from a passphrase
 */
export function noteSalt(grants: Grants, data_dir: string, used: boolean): void {
  const salt = used ? readFileSync(saltFile(join(data_dir, "keys")), "utf8") : null;
  if (!grants.holdsFile(NOTED_SALT, salt)) grants.noteFile(NOTED_SALT, salt);
}
