import { BackupLedger } from "../backup/ledger.ts";
import { nextBackup } from "../backup/retention.ts";
import { runBackup } from "../backup/run.ts";
import { backupSettings } from "../backup/settings.ts";
import { UserError } from "../kernel/errors.ts";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import type { RootRights } from "../platform/process/folder-owner.ts";
import { downloadFile, downloadText, type ReleaseFolder } from "../platform/update/download.ts";
import { type Staged, sha256Of, stage, swapIn } from "../platform/update/executable.ts";
import type { PublicKey } from "../platform/update/minisign.ts";
import { writeRecord } from "../platform/update/record.ts";
import { type Release, readRelease, SIGNATURE, SUMS } from "../platform/update/release.ts";
import { VERSION } from "../version.ts";
import { terminalSafe } from "./table.ts";

const SELF_TEST_MS = 180_000;
const SHOWN_CHARS = 300;

/** Where releases come from, and how they are verified. */
export interface Source {
  folder: ReleaseFolder;
  key: PublicKey;
  target: string;
}

/** Reads which release a folder has, and verifies its signature. @throws UserError */
export async function fetchRelease({ folder, key, target }: Source, signal?: AbortSignal): Promise<Release> {
  const signature = await downloadText(folder, SIGNATURE, signal);
  const sums = await downloadText(folder, SUMS, signal);
  return readRelease(sums, Buffer.from(signature).toString(), key, target);
}

export interface StageOptions {
  data_dir: string;
  source: Pick<Source, "folder">;
  release: Release;
  executable: string;
  rights: RootRights;
  progress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Downloads the executable of a release beside the present one, and verifies and tests it there.
 * @throws UserError; nothing is left then
 */
export async function stageRelease(options: StageOptions): Promise<Staged> {
  const { data_dir, source, release, executable, rights, progress, signal } = options;
  const staged = rights.asRoot(() => stage(executable, release.version));
  try {
    const write = (chunk: Uint8Array) => staged.write(chunk);
    const received = await downloadFile(source.folder, release.file, { write, progress, signal });
    rights.asRoot(() => staged.finish());
    // The file as it is on the disk counts, because it is what will run.
    if (received !== release.sha256 || rights.asRoot(() => sha256Of(staged.path)) !== release.sha256) {
      throw new UserError(`${release.file} does not have the signed checksum. Nothing was changed.`);
    }
    await testExecutable(staged.path, { data_dir, version: release.version, signal });
    return staged;
  } catch (error) {
    rights.asRoot(() => staged.discard());
    throw error;
  }
}

async function testExecutable(
  path: string,
  { data_dir, version, signal }: { data_dir: string; version: string; signal: AbortSignal },
): Promise<void> {
  const said = await run([path, "version"], signal);
  if (!said.startsWith(`postroom ${version} (`)) {
    throw new UserError(
      `The new executable says that it is "${terminalSafe(said).slice(0, SHOWN_CHARS)}" instead of version ${version}. Nothing was changed.`,
    );
  }
  await run([path, "update", "--self-test", "--data", data_dir], signal);
}

/** @throws UserError with what the program wrote, unless it exits with code 0 */
async function run(command: string[], signal: AbortSignal): Promise<string> {
  let code: number | null = null;
  let [stdout, stderr] = ["", ""];
  try {
    const child = Bun.spawn(command, {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: SELF_TEST_MS,
      signal,
    });
    [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    code = await child.exited;
  } catch (error) {
    stderr = (error as Error).message;
  }
  if (code === 0) return stdout.trim();
  const why = terminalSafe(stderr.trim()).slice(0, SHOWN_CHARS) || `exit code ${code ?? "unknown"}`;
  throw new UserError(`The new executable does not work on this machine: ${why}. Nothing was changed.`);
}

/** Creates the next backup of the installation. @returns its file @throws UserError */
export async function backUpFirst(
  platform: Platform,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<string> {
  const kept = new BackupLedger(platform).present().filter((run) => run.kept);
  const { file, since } = nextBackup(backupSettings(platform), kept, platform.clock.now());
  const made = await runBackup({
    platform,
    version: VERSION,
    file,
    ...(since === null ? {} : { since }),
    kept: true,
    progress: ({ done, total }) => progress(done, total),
    signal,
  });
  return made.file;
}

export interface SwapOptions {
  platform: Platform;
  rights: RootRights;
  executable: string;
  staged: Staged;
  from: string;
  to: string;
}

/** Records the update, and puts the new executable in place. */
export function swap({ platform, rights, executable, staged, from, to }: SwapOptions): void {
  const { audit, clock, config, db } = platform;
  // First, so that a rollback is possible even if this process ends now.
  writeRecord(config.data_dir, { from, to, migration: MIGRATION_NAMES.at(-1)!, at: clock.now() });
  rights.asRoot(() => swapIn(executable, staged.path));
  const owner = platform.users.list().find(({ role }) => role === "owner");
  if (!owner) return;
  const change = { before: { version: from }, after: { version: to } };
  db.write(() => {
    audit.record({ user_id: owner.id, actor: SYSTEM_ACTOR, action: "program.update", target: null, ...change });
  });
}
