import { existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "../mailbox/accounts.ts";
import { envName, OPTIONS, type Option } from "../platform/config/table.ts";
import type { Platform } from "../platform/platform.ts";
import { keyFile, saltFile } from "../platform/sealing/master-key.ts";

/** One line of `postroom doctor`. `advice`: it works, but could be safer. */
export interface Finding {
  check: string;
  result: "ok" | "advice" | "FAULT";
  detail: string;
}

const MIB = 1024 * 1024;
/** Below this SQLite's log and a checkpoint may no longer fit. */
const TOO_LITTLE_BYTES = 256 * MIB;
const LITTLE_BYTES = 2048 * MIB;
const OTHERS = 0o077;

/** May other users of this machine look into the data folder? */
export function folderFinding(data_dir: string): Finding {
  const open = [data_dir, join(data_dir, "postroom.db")].filter((path) => (statSync(path).mode & OTHERS) !== 0);
  // The folder keeps others out whatever the modes of its files are.
  return open.includes(data_dir)
    ? { check: "data folder", result: "advice", detail: `other users can look into it: chmod 700 ${data_dir}` }
    : { check: "data folder", result: "ok", detail: "only its owner can look into it" };
}

export function diskFinding(data_dir: string): Finding {
  const { bavail, bsize } = statfsSync(data_dir);
  const free = bavail * bsize;
  const result = free < TOO_LITTLE_BYTES ? "FAULT" : free < LITTLE_BYTES ? "advice" : "ok";
  return { check: "disk space", result, detail: `${Math.floor(free / MIB)} MiB free in the data folder` };
}

/** Where the master key is, and whether somebody else could read it. */
export function keyFindings(data_dir: string, source: Platform["master_key_source"]): Finding[] {
  const dir = join(data_dir, "keys");
  const check = "master key";
  if (source !== "file") {
    const detail = `comes from outside the data folder (${source}): a stolen disk cannot be read without it`;
    const left = [keyFile(dir), ...(source === "given" ? [saltFile(dir)] : [])].filter((path) => existsSync(path));
    return [
      { check, result: "ok", detail },
      ...left.map((path) => ({
        check,
        result: "advice" as const,
        detail: `${path} opens nothing any more: remove it`,
      })),
    ];
  }
  const readable = (statSync(keyFile(dir)).mode & OTHERS) !== 0;
  return [
    {
      check,
      result: "advice",
      detail:
        "lies beside the data (keys/master.key): a stolen disk can be read. Use a passphrase or keep the key elsewhere ('postroom key-rotate --help')",
    },
    ...(readable
      ? [{ check, result: "FAULT" as const, detail: `other users can read it: chmod 600 ${keyFile(dir)}` }]
      : []),
  ];
}

export function accountFinding({ email, status, last_error }: Account): Finding {
  const works = status === "active" || status === "paused" || status === "connecting";
  return { check: `mailbox ${email}`, result: works ? "ok" : "FAULT", detail: last_error ?? status };
}

/** Variables that are meant for us and for nothing else. */
const OTHER_VARIABLES = new Set(["POSTROOM_DATA", "POSTROOM_NO_APT"]);

/** Names of variables that look like settings and are none: a misspelt one is silently without effect. */
export function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known = new Set(OTHER_VARIABLES);
  for (const [key, option] of Object.entries<Option>(OPTIONS)) {
    known.add(envName(key));
    if (option.secret) known.add(`${envName(key)}_FILE`);
  }
  return Object.keys(env)
    .filter((name) => name.startsWith("POSTROOM_") && !known.has(name))
    .sort();
}
