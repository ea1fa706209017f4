import { mkdtempSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { type Config, loadConfig } from "../platform/config/load.ts";
import { nativeReport } from "../platform/native/report.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { becomeOwner, type RootRights } from "../platform/process/folder-owner.ts";
import { requireReplaceable } from "../platform/update/executable.ts";
import { type PublicKey, parsePublicKey } from "../platform/update/minisign.ts";
import { compareVersions, type Release, targetOf } from "../platform/update/release.ts";
import { RELEASE_KEY } from "../platform/update/release-key.ts";
import { COMMIT, VERSION } from "../version.ts";
import { askPassphrase, type CommonOptions, command, explained, requireData, sourcesOf } from "./context.ts";
import { interruptible, progressLine } from "./progress.ts";
import { printRows } from "./table.ts";
import { backUpFirst, fetchRelease, type Source, stageRelease, swap } from "./update-install.ts";
import { restartInto } from "./update-restart.ts";
import { rollBack } from "./update-rollback.ts";
import { runningServer } from "./update-server.ts";

interface UpdateOptions extends CommonOptions {
  check?: true;
  rollback?: true;
  restoreDatabase?: true;
  requests?: true;
  selfTest?: true;
  url?: string;
  allowDowngrade?: true;
  backup: boolean;
  restart?: string;
  wait: string;
}

const DEFAULT_WAIT_S = "300";

/** Defines `postroom update`. */
export function updateCommand(): Command {
  return explained(
    command("update", "Replace this executable by the newest release, or return to the one before.")
      .option("--check", "only show whether there is a newer release")
      .option("--rollback", "return to the executable that the last update replaced")
      .option(
        "--restore-database",
        "with --rollback: also put back the database from before the update, if it has changed",
      )
      .option("--requests", "show the requests that this command has made")
      .option("--self-test", "only check that this executable works on this machine")
      .option("--url <folder>", "folder of the release (default: update.url)")
      .option("--allow-downgrade", "also install a release that is older than this version")
      .option("--no-backup", "do not create a backup first")
      .option("--restart <command>", "command that restarts the server (default: ask systemd, runit or s6)")
      .option("--wait <seconds>", "how long the new version may take to start", DEFAULT_WAIT_S)
      .option("--json", "print JSON"),
    {
      notes: `Postroom never looks for releases itself: only this command does, at the address in update.url. Each request is
recorded before it leaves; --requests shows them. The list of checksums must be signed with the key of the
project, or the key in update.public_key, and the executable must have its checksum. The new executable is
tested, a backup is created, and then the new executable replaces this one in one step. The earlier one
stays beside it with the name postroom.previous.

A server that systemd, runit or s6 supervises is restarted. If the new version does not become ready in time,
the command returns to the earlier one, with the database from before. For any other server, the command prints what to do. If the
executable belongs to root, use sudo: the data folder is still used as its owner.

If the new version has upgraded the database, --rollback needs --restore-database. What Postroom alone had
since then is lost; mail is fetched again from its servers. Messages that may have been sent in the meantime
are looked up on the mail server and not sent again. The replaced database stays in upgrades/.`,
      examples: [
        "postroom update --check",
        "sudo postroom update --data /var/lib/postroom",
        "postroom update --url https://example.org/postroom/0.3.1",
        "postroom update --rollback",
      ],
    },
  ).action(update);
}

async function update(options: UpdateOptions): Promise<void> {
  if (options.selfTest) return selfTest(options);
  requireData(options);
  await askPassphrase(options);
  // Root may read files with a key that the owner of the folder may not.
  const config = loadConfig(sourcesOf(options));
  const rights = becomeOwner(options.data);
  try {
    if (options.rollback) await rollback(options, config, rights);
    else await inFolder(config, options, rights);
  } finally {
    rights.restore();
  }
}

async function inFolder(config: Config, options: UpdateOptions, rights: RootRights): Promise<void> {
  const platform = openPlatform({ config, clock: systemClock });
  try {
    if (options.requests) return printRequests(platform, options.json);
    const source = sourceOf(platform, options);
    const release = await interruptible((signal) => fetchRelease(source, signal), "Interrupted. Nothing was changed.");
    const difference = compareVersions(release.version, VERSION);
    if (options.check || difference === 0) return report(release, difference, options);
    if (difference < 0 && !options.allowDowngrade) {
      throw new UserError(
        `The release is version ${release.version}, which is older than this version ${VERSION}. Nothing was changed. To install it anyway, add --allow-downgrade.`,
      );
    }
    const executable = ownExecutable();
    rights.asRoot(() => requireReplaceable(executable));
    const server = await runningServer(options.data, executable);
    const line = progressLine("download");
    const staged = await interruptible(
      (signal) =>
        stageRelease({ data_dir: options.data, source, release, executable, rights, progress: line.show, signal }),
      "Interrupted. Nothing was changed.",
    ).finally(line.end);
    try {
      if (options.backup) {
        const saved = progressLine("backup");
        const file = await interruptible(
          (signal) => backUpFirst(platform, signal, saved.show),
          "Interrupted. Nothing was changed.",
        ).finally(saved.end);
        if (!options.json) console.log(`Backed up to ${file}.`);
      }
      swap({ platform, rights, executable, staged, from: VERSION, to: release.version });
    } finally {
      rights.asRoot(() => staged.discard());
    }
    platform.close();
    const parts = { data_dir: options.data, executable, rights, server, restart: options.restart };
    const ended = await restartInto({ ...parts, from: VERSION, to: release.version, waitMs: waitOf(options) });
    if (options.json) return console.log(JSON.stringify({ version: release.version, before: VERSION, ...ended }));
    console.log(`${executable} is now version ${release.version}. Version ${VERSION} is in ${executable}.previous.`);
    console.log(ended.message);
  } finally {
    platform.close();
  }
}

function report({ version }: Release, difference: number, { json }: UpdateOptions): void {
  if (json) console.log(JSON.stringify({ version: VERSION, newest: version, newer: difference > 0 }));
  else if (difference > 0) console.log(`Version ${version} is available. This is version ${VERSION}.`);
  else if (difference === 0) console.log(`This is the newest version, ${VERSION}.`);
  else console.log(`The release is version ${version}. This version, ${VERSION}, is newer.`);
}

async function rollback(options: UpdateOptions, config: Config, rights: RootRights): Promise<void> {
  const executable = ownExecutable().replace(/\.previous$/, "");
  rights.asRoot(() => requireReplaceable(executable));
  const server = await runningServer(options.data, executable);
  const parts = { data_dir: options.data, executable, rights, server, restart: options.restart };
  const restore = options.restoreDatabase ?? false;
  const ended = await rollBack({
    ...parts,
    restore,
    waitMs: waitOf(options),
    openFolder: () => openPlatform({ config, clock: systemClock }),
  });
  if (options.json) return console.log(JSON.stringify(ended));
  console.log(`${executable} is version ${ended.version} again.`);
  if (ended.replaced_database) console.log(`The database of the newer version is in ${ended.replaced_database}.`);
  console.log(ended.message);
}

function sourceOf({ config, updateCalls }: Platform, options: UpdateOptions): Source {
  const url = options.url ?? config.get("update.url");
  if (url === "") {
    throw new UserError(
      "There is no address for releases. Set update.url, or name the folder of a release with --url.",
    );
  }
  if (!/^https?:\/\/[^?#]+$/i.test(url) || !URL.canParse(url)) {
    throw new UserError(`${url} is not an http:// or https:// address of a folder.`);
  }
  return { folder: { url, calls: updateCalls, clock: systemClock }, key: keyOf(config), target: targetOf(process) };
}

/** @throws UserError if neither the program nor the configuration has a key */
function keyOf(config: Config): PublicKey {
  const key = parsePublicKey(config.get("update.public_key") || (RELEASE_KEY ?? ""));
  if (key) return key;
  throw new UserError(
    "This program has no key to verify releases with, so it cannot update itself. Set update.public_key to the public key that belongs to your releases.",
  );
}

/** @throws UserError if the program runs from its source */
function ownExecutable(): string {
  if (COMMIT === "source") {
    throw new UserError("This Postroom runs from its source. Update the source instead: git pull.");
  }
  return realpathSync(linkOfProcess() ?? process.execPath);
}

/** Returns the path of the executable of this process; null on systems without /proc. */
function linkOfProcess(): string | null {
  try {
    return readlinkSync("/proc/self/exe");
  } catch {
    return null;
  }
}

function waitOf({ wait }: UpdateOptions): number {
  if (!/^\d{1,6}$/.test(wait)) throw new UserError("--wait must be a number of seconds.");
  return Number(wait) * 1000;
}

function printRequests({ updateCalls }: Platform, json: boolean | undefined): void {
  const rows = updateCalls.list().map(({ file, host, result, bytes_in, started_at }) => ({
    at: isoTime(started_at),
    host,
    file,
    result,
    bytes_in,
  }));
  printRows(rows, json, "This command has made no requests.");
}

/** Loads the native libraries, and creates and opens a data folder. */
async function selfTest({ data, json }: UpdateOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "postroom-self-test-"));
  try {
    const failed = (await nativeReport(join(data, "cache"))).find(({ ok }) => !ok);
    if (failed) throw new UserError(`${failed.name} does not work on this machine: ${failed.detail}`);
    const config = loadConfig({ data_dir: folder, env: {}, flags: { "log.level": "error" } });
    openPlatform({ config, clock: systemClock }).close();
    openPlatform({ config, clock: systemClock }).close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(json ? JSON.stringify({ version: VERSION, ok: true }) : `Version ${VERSION} works on this machine.`);
}
