import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Grants } from "../grants/grants.ts";
import { NOTED_SALT, saltFile } from "./master-key.ts";

/** Notes the salt that has just made the right key, so that backups carry no other one. @param used whether a passphrase does */
export function noteSalt(grants: Grants, data_dir: string, used: boolean): void {
  const salt = used ? readFileSync(saltFile(join(data_dir, "keys")), "utf8") : null;
  if (!grants.holdsFile(NOTED_SALT, salt)) grants.noteFile(NOTED_SALT, salt);
}
