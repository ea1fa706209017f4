import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS, type TargetName, targetNamed } from "../build/targets.ts";
import { baseFiles } from "./base-packages.ts";
import { changelogSection } from "./changelog.ts";
import { npmPackage, pythonPackages } from "./client-packages.ts";
import { type DebianArchitecture, debianName, debianPackage } from "./debian-package.ts";
import { imageArchive, imageName } from "./image.ts";

/**
 * Writes all files of a release into a folder. `release.ts` runs this in two copies of the source:
 *
 *   bun tools/release/assemble.ts --out FOLDER --commit HASH --time SECONDS [--targets A,B]
 */

const ROOT = resolve(import.meta.dir, "../..");

/** Packages cannot know the processor, so those for x64 contain the executable that runs on all of them. */
const PACKAGED: Record<DebianArchitecture, TargetName> = { amd64: "linux-x64-baseline", arm64: "linux-arm64" };

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    out: { type: "string" },
    commit: { type: "string" },
    time: { type: "string" },
    targets: { type: "string", default: Object.keys(TARGETS).join(",") },
  },
});
const { version } = manifest;
const out = resolve(values.out!);
const commit = values.commit!;
const time = Number(values.time);
const targets = values.targets.split(",").map(targetNamed);

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const executable = (target: TargetName) => `postroom-${target}`;

/** Runs `./dev build` as users do. A separate process, because a bundler keeps its memory. */
function build(target: TargetName): void {
  const outfile = join(out, executable(target));
  const options = ["--target", target, "--outfile", outfile, "--commit", commit.slice(0, 12)];
  const command = [process.execPath, join(ROOT, "tools/build/build.ts"), ...options];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: ROOT, stdout: "inherit", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(stderr.toString().trim());
  // SHA256SUMS has the sums of all files.
  rmSync(`${outfile}.sha256`);
}

async function packageFor(architecture: DebianArchitecture): Promise<void> {
  const bytes = readFileSync(join(out, executable(PACKAGED[architecture])));
  const copyright = `${read("LICENSE")}\n${read("NOTICE")}`;
  const common = { version, architecture, time, executable: bytes, copyright };
  const unit = read("deploy/systemd/postroom.service");
  const deb = await debianPackage({ ...common, unit, changelog: read("CHANGELOG.md") });
  writeFileSync(join(out, debianName(version, architecture)), deb);
  const base = await baseFiles(architecture, join(ROOT, ".cache/debian"));
  writeFileSync(join(out, imageName(version, architecture)), await imageArchive({ ...common, commit, base }));
}

mkdirSync(out, { recursive: true });
try {
  for (const target of targets) build(target);
  for (const architecture of ["amd64", "arm64"] as const) {
    if (targets.includes(PACKAGED[architecture])) await packageFor(architecture);
  }
  for (const { name, bytes } of [await npmPackage(ROOT, time), ...(await pythonPackages(ROOT, time))]) {
    writeFileSync(join(out, name), bytes);
  }
  writeFileSync(join(out, "install.sh"), read("install.sh"));
  writeFileSync(join(out, `CHANGELOG-${version}.md`), changelogSection(read("CHANGELOG.md"), version).text);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
