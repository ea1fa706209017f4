import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { bundleWebApp } from "../../web/bundle.ts";
import { billOfMaterials, fingerprint } from "./bom.ts";
import { imapflowPlugin } from "./imapflow-plugin.ts";
import { lazyPlugin } from "./lazy-plugin.ts";
import { modelSources, nativeSources } from "./native-files.ts";
import { nativePlugin } from "./native-plugin.ts";
import { runtimeFor } from "./runtime.ts";
import { hostTarget, TARGETS, type TargetName, targetNamed } from "./targets.ts";
import { webPlugin } from "./web-plugin.ts";

/**
 * Builds the one executable. Run it through `./dev build`:
 *
 *   ./dev build [--target linux-x64|linux-x64-baseline|linux-arm64|darwin-arm64|all] [--outfile FILE] [--commit HASH]
 *
 * Without a target: dist/postroom for this machine. With one: dist/postroom-TARGET, and beside it its SHA-256 sum
 * (`.sha256`, for `sha256sum -c`) and its bill of materials (`.cdx.json`, CycloneDX).
 */

const ROOT = resolve(import.meta.dir, "../..");

/**
 * Every worker must be an entry point; otherwise `workerUrl` (src/platform/process/worker-url.ts) names a missing
 * module.
 */
const ENTRY_POINTS = [
  "src/main.ts",
  "src/workers/mail.ts",
  "src/workers/parse.ts",
  "src/workers/semantic.ts",
  "src/workers/fulltext.ts",
  "src/workers/backup.ts",
  "src/workers/log.ts",
  "src/workers/import.ts",
  "src/workers/brief.ts",
  "src/wire/documents/document-worker.ts",
];

/** A larger file contains a stray library or model: fail before anyone downloads it. */
const MAX_BYTES = 220_000_000;

export interface BuildOptions {
  /** Absolute paths; the first is the program. */
  entrypoints: string[];
  outfile: string;
  target: TargetName;
  commit: string;
  /** Whether to append the bundle to the Bun that targets.ts pins, or, for this machine, to the running one. */
  pinned: boolean;
  /** Default: the version in `package.json`. A test of updates builds a newer one. */
  version?: string;
}

/** Writes `outfile` and returns its size in bytes. @throws Error with the bundler's messages on any failure */
export async function buildExecutable(options: BuildOptions): Promise<number> {
  const { entrypoints, outfile, target, commit, pinned, version = manifest.version } = options;
  const { platform, bun } = TARGETS[target];
  const plugins = [nativePlugin(ROOT, platform), imapflowPlugin(), lazyPlugin(ROOT), webPlugin(await bundleWebApp())];
  const executablePath = pinned ? await runtimeFor(target, join(ROOT, ".cache/bun")) : null;
  mkdirSync(dirname(outfile), { recursive: true });
  // Built in another folder and renamed, so that a running executable is not overwritten, and source maps are left
  // behind.
  const workshop = mkdtempSync(join(dirname(outfile), ".build-"));
  try {
    const built = join(workshop, basename(outfile));
    const result = await Bun.build({
      entrypoints,
      root: dirname(entrypoints[0]!),
      compile: {
        target: bun as Bun.Build.CompileTarget,
        outfile: built,
        // Bun would read these files from the current folder. In the container, that is the data folder, where a
        // bunfig.toml could name code to run and a .env could change any setting.
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadPackageJson: false,
        autoloadTsconfig: false,
        ...(executablePath ? { executablePath } : {}),
      },
      target: "bun",
      format: "esm",
      // Names are kept so that stack traces in users' logs are readable. The source map for lines is embedded, too.
      minify: { whitespace: true, syntax: true, identifiers: false },
      sourcemap: "linked",
      bytecode: true,
      // Code that the program and its threads share is included once, which saves 23 MB.
      splitting: true,
      define: {
        POSTROOM_VERSION: JSON.stringify(version),
        POSTROOM_COMMIT: JSON.stringify(commit),
        "process.env.NODE_ENV": '"production"',
        // With these, packages search for files beside them, which the executable does not have. Bun would insert the
        // paths on the building machine, and builds in two folders would differ.
        __dirname: '"/postroom"',
        __filename: '"/postroom/module.js"',
      },
      plugins,
      throw: false,
    });
    if (!result.success) throw new Error(result.logs.map(String).join("\n") || "the bundler failed without a message");
    const { size } = statSync(built);
    if (size > MAX_BYTES)
      throw new Error(`the executable would be ${megabytes(size)}; at most ${megabytes(MAX_BYTES)} are allowed`);
    renameSync(built, outfile);
    return size;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Writes the files that make a downloaded executable verifiable: `FILE.sha256` and `FILE.cdx.json`. */
export async function describeExecutable(outfile: string, target: TargetName, commit: string): Promise<void> {
  const native = {
    ...(await nativeSources(join(ROOT, "node_modules"), TARGETS[target].platform)),
    model: await modelSources(),
  };
  const file = fingerprint(outfile);
  writeFileSync(`${outfile}.cdx.json`, billOfMaterials({ target, commit, file, native }));
  const beside = [file, fingerprint(`${outfile}.cdx.json`)];
  writeFileSync(`${outfile}.sha256`, beside.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""));
}

/** Returns the current commit, with `-dirty` if files differ from it, or `unknown` outside a git checkout. */
export function gitCommit(): string {
  const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: ROOT, stderr: "ignore" });
  try {
    const head = git("rev-parse", "--short=12", "HEAD");
    if (!head.success) return "unknown";
    const dirty = git("status", "--porcelain", "--untracked-files=no").stdout.length > 0;
    return head.stdout.toString().trim() + (dirty ? "-dirty" : "");
  } catch {
    return "unknown"; // no git on this machine
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Bun.argv.slice(2),
    options: {
      target: { type: "string" },
      outfile: { type: "string" },
      commit: { type: "string" },
      version: { type: "string" },
    },
  });
  const commit = values.commit ?? gitCommit();
  try {
    const wanted = values.target === "all" ? Object.keys(TARGETS) : [values.target ?? hostTarget()];
    if (wanted.length > 1 && values.outfile !== undefined)
      throw new Error("--outfile names one file, but --target all creates several");
    for (const name of wanted) {
      const target = targetNamed(name);
      const standard = values.target === undefined ? "dist/postroom" : `dist/postroom-${target}`;
      const outfile = resolve(values.outfile ?? join(ROOT, standard));
      const entrypoints = ENTRY_POINTS.map((path) => join(ROOT, path)).filter((path) => existsSync(path));
      const size = await buildExecutable({
        ...{ entrypoints, outfile, target, commit, pinned: values.target !== undefined },
        ...(values.version === undefined ? {} : { version: values.version }),
      });
      if (values.target !== undefined) await describeExecutable(outfile, target, commit);
      console.log(`${outfile}  ${megabytes(size)}  postroom ${manifest.version} (${commit}) for ${target}`);
    }
  } catch (error) {
    console.error(`build failed: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
