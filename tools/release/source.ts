import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { changelogSection } from "./changelog.ts";
import { pythonVersion } from "./client-packages.ts";

/** The commit that a release is made from. */
export interface Source {
  /** Full hash. */
  commit: string;
  /** Seconds since 1970. */
  time: number;
  /** Whether the tag of the version names the commit. */
  tagged: boolean;
}

/** Larger than the source as a tar archive. */
const MAX_ARCHIVE_BYTES = 1 << 30;

/** Versions as in semver.org, without build metadata. */
const VERSION = /^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/;

/** Verifies that the folder is a clean checkout of a version. @throws Error that says what to do */
export function checkedSource(root: string, version: string): Source {
  if (!VERSION.test(version)) {
    throw new Error(`"${version}" is not a version. Versions have the form 1.2.3 or 1.2.3-rc.1, without a "v"`);
  }
  const commit = git(root, "rev-parse", "HEAD");
  const changed = git(root, "status", "--porcelain", "--untracked-files=normal").split("\n").filter(Boolean);
  if (changed.length > 0) {
    const shown = changed.slice(0, 5).map((line) => line.trim().replace(/^\S+\s+/, ""));
    const more = changed.length > shown.length ? ` and ${changed.length - shown.length} more` : "";
    throw new Error(
      `these files are not as in the last commit: ${shown.join(", ")}${more}. Commit or remove them first`,
    );
  }
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const declared = (path: string) => (JSON.parse(read(path)) as { version: string }).version;
  const python = (Bun.TOML.parse(read("clients/python/pyproject.toml")) as { project: { version: string } }).project;
  const versions: [path: string, found: string, expected: string][] = [
    ...["package.json", "clients/typescript/package.json", "clients/n8n/package.json"].map(
      (path) => [path, declared(path), version] as [string, string, string],
    ),
    ["clients/python/pyproject.toml", python.version, pythonVersion(version)],
  ];
  for (const [path, found, expected] of versions) {
    if (found !== expected) throw new Error(`${path} has version ${found}, not ${expected}`);
  }
  const { unreleased } = changelogSection(read("CHANGELOG.md"), version);
  const tag = `v${version}`;
  const tagged = git(root, "tag", "--list", tag) === "" ? null : git(root, "rev-parse", `${tag}^{commit}`);
  if (tagged !== null && tagged !== commit) {
    throw new Error(
      `the tag ${tag} names another commit (${tagged.slice(0, 12)}). Check it out, or choose a new version`,
    );
  }
  if (tagged !== null && unreleased) {
    throw new Error(`CHANGELOG.md says "${version} (unreleased)", but the tag ${tag} exists. Write the date instead`);
  }
  return { commit, time: Number(git(root, "show", "--no-patch", "--format=%ct", "HEAD")), tagged: tagged !== null };
}

/** Writes the files of the commit into a new folder, with the downloads of the checkout, whose hashes are pinned. */
export function exportSource(root: string, commit: string, folder: string): void {
  mkdirSync(join(folder, ".cache"), { recursive: true });
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "archive", "--format=tar", commit], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
    maxBuffer: MAX_ARCHIVE_BYTES,
  });
  if (exitCode !== 0) throw new Error(`git archive failed: ${stderr.toString().trim()}`);
  const unpacked = Bun.spawnSync(["tar", "-x", "-C", folder], { stdin: stdout, stderr: "pipe" });
  if (unpacked.exitCode !== 0) throw new Error(`tar failed: ${unpacked.stderr.toString().trim()}`);
  for (const name of ["bun", "debian"]) {
    mkdirSync(join(root, ".cache", name), { recursive: true });
    symlinkSync(join(root, ".cache", name), join(folder, ".cache", name));
  }
}

function git(root: string, ...args: string[]): string {
  if (!Bun.which("git")) throw new Error("git is not installed");
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd: root, stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`git ${args[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString().trim();
}
