import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { grantsAccess } from "../config/granting.ts";
import type { Config } from "../config/load.ts";
import { type ConfigValues, OPTIONS, type OptionKey } from "../config/table.ts";
import type { Log } from "../log.ts";
import { keyFile, masterKeyId, parseKey } from "../sealing/master-key.ts";
import type { Grants } from "./grants.ts";

/** Name of the data folder's configuration file in the register. */
export const NOTED_CONFIG = "postroom.toml";

/**
 * Returns the configuration without settings that grant access, if they are from a file in the data folder that the
 * owner has not accepted. If the master key is beside the data, anyone who can change the file also has the key. Each
 * start then accepts the file.
 */
export function trustedConfig(config: Config, master: Uint8Array, grants: Grants, log: Log): Config {
  const { beside, data_dir } = config;
  if (beside === undefined) {
    // The file in use is elsewhere, so a file that appears in the data folder later has not been accepted.
    if (!grants.isLost && grants.notes.files[NOTED_CONFIG] === undefined) grants.noteFile(NOTED_CONFIG, "");
    return config;
  }
  const known = grants.notes.files[NOTED_CONFIG] !== undefined;
  const accept = !grants.isLost && (!known || keyIsBeside(data_dir, master));
  if (accept && !grants.holdsFile(NOTED_CONFIG, beside.text)) grants.noteFile(NOTED_CONFIG, beside.text);
  if (grants.holdsFile(NOTED_CONFIG, beside.text)) return config;
  const ignored = beside.keys.filter(grantsAccess);
  if (ignored.length === 0) return config;
  log.error(
    "postroom.toml in the data folder was changed since it was accepted, so its settings that grant access are ignored (to accept them, run 'postroom trust --accept')",
    { ignored: ignored.join(", ") },
  );
  return {
    ...config,
    get: <K extends OptionKey>(key: K) =>
      (ignored.includes(key) ? OPTIONS[key].default : config.get(key)) as ConfigValues[K],
    isSet: (key) => !ignored.includes(key) && config.isSet(key),
  };
}

function keyIsBeside(data_dir: string, master: Uint8Array): boolean {
  const path = keyFile(join(data_dir, "keys"));
  try {
    return existsSync(path) && masterKeyId(parseKey(readFileSync(path, "utf8"))) === masterKeyId(master);
  } catch {
    return false;
  }
}
