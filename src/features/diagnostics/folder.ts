/** The data folder: its permissions and its disk space. */
import { existsSync, readdirSync, realpathSync, statfsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import { pathsOpenToOthers, shortList } from "../../platform/private-folder.ts";
import { keyFile, saltFile } from "../../platform/sealing/master-key.ts";
import { recoveryRecipient } from "../../platform/sealing/recovery-file.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

const MIB = 1024 * 1024;
/** Below this, SQLite's write-ahead log and a checkpoint may no longer fit. */
const TOO_LITTLE_BYTES = 256 * MIB;
const LITTLE_BYTES = 2048 * MIB;
const OTHERS = 0o077;

/** Checks whether other users of this machine can read the data folder, and whether Postroom runs as root. */
export function folderFindings(data_dir: string, uid = process.getuid?.(), backupFolder = ""): Finding[] {
  // A closed folder keeps other users out, even if the files in it are readable.
  const open = (statSync(data_dir).mode & OTHERS) !== 0;
  return [
    open
      ? advice("data folder", `Other users can access it. Run: chmod 700 ${data_dir}`)
      : ok("data folder", "Only its owner can access it."),
    ...readableFindings(data_dir, backupFolder),
    ...(uid === 0 ? [advice("user", "Running as root. Use a dedicated user (see docs/operations.md).")] : []),
  ];
}

/** Reports files whose modes let other users read them: in the data folder, and backups that are stored elsewhere. */
function readableFindings(data_dir: string, backupFolder: string): Finding[] {
  const root = realpathSync(data_dir);
  const inside = pathsOpenToOthers(data_dir).filter((path) => path !== root);
  const backups = !isAbsolute(backupFolder) || !existsSync(backupFolder) ? [] : openBackups(backupFolder);
  const found = (check: string, paths: string[]) =>
    paths.length === 0
      ? []
      : [
          advice(
            check,
            `Other users can read ${paths.length} of its files and folders. Run: chmod go-rwx ${shortList(paths)}`,
          ),
        ];
  return [...found("data folder", inside), ...found("backup folder", backups)];
}

function openBackups(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .filter((path) => (statSync(path).mode & OTHERS) !== 0);
}

/** Checks the free space of the disk with the data folder. */
export function diskFinding(data_dir: string): Finding {
  const { bavail, bsize } = statfsSync(data_dir);
  const free = bavail * bsize;
  const detail = `${Math.floor(free / MIB)} MiB free in the data folder`;
  if (free < TOO_LITTLE_BYTES)
    return fault("disk space", `${detail}. Free up disk space; until then, mail stays on its servers.`);
  return free < LITTLE_BYTES
    ? advice("disk space", `${detail}. Free up disk space soon.`)
    : ok("disk space", `${detail}.`);
}

/** Reports where the master key is, whether someone else can read it, and whether losing it means losing the data. */
export function keyFindings(
  platform: Pick<Platform, "config" | "keyring" | "grants">,
  source: Platform["master_key_source"],
): Finding[] {
  const { data_dir } = platform.config;
  const dir = join(data_dir, "keys");
  const check = "master key";
  const findings: Finding[] = [];
  if (source === "file") {
    findings.push(
      advice(
        check,
        "Stored with the data (keys/master.key), so a stolen disk can be read. Use a passphrase, or store the key elsewhere (see 'postroom key-rotate --help').",
      ),
    );
    const readable = (statSync(keyFile(dir)).mode & OTHERS) !== 0;
    if (readable) findings.push(fault(check, `Other users can read it. Run: chmod 600 ${keyFile(dir)}`));
  } else {
    findings.push(
      ok(
        check,
        `Not stored in the data folder (${source}). Sealed values on a stolen disk cannot be opened without it.`,
      ),
    );
    const left = [keyFile(dir), ...(source === "given" ? [saltFile(dir)] : [])].filter((path) => existsSync(path));
    findings.push(...left.map((path) => advice(check, `${path} is no longer used. Delete it.`)));
  }
  return [...findings, recoveryFinding(platform, source)];
}

/** Checks for a printed recovery key, because without the master key it is the only way to decrypt the data. */
function recoveryFinding(
  platform: Pick<Platform, "config" | "keyring" | "grants">,
  source: Platform["master_key_source"],
): Finding {
  const check = "key backup";
  try {
    if (recoveryRecipient(platform) === null) return withoutRecovery(check, source);
    return ok(
      check,
      "A recovery key was created. Make sure that you still have it: it opens the data if the master key is lost.",
    );
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return fault(check, error.message);
  }
}

function withoutRecovery(check: string, source: Platform["master_key_source"]): Finding {
  const what = source === "passphrase" ? "the passphrase" : source === "file" ? "keys/master.key" : "the key";
  return advice(
    check,
    `There is no recovery key. Keep a copy of ${what} in another place: without it, no one can open the data.`,
  );
}
