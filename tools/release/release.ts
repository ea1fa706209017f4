import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fingerprint } from "../build/bom.ts";
import { TARGETS, targetNamed } from "../build/targets.ts";
import { expectEqual } from "./compare.ts";
import { readSigningKey, type SigningKey, signature } from "./minisign.ts";
import { checkedSource, exportSource, type Source } from "./source.ts";

/**
 * Makes a release from the last commit. Run it through `./dev release`:
 *
 *   ./dev release VERSION [--out FOLDER] [--key FILE] [--once] [--targets A,B]
 *
 * Everything is made twice, in two folders with different settings of the system, and compared byte by byte.
 * docs/releasing.md describes the files and the key.
 */

const ROOT = resolve(import.meta.dir, "../..");
const SUMS = "SHA256SUMS";

/**
 * What differs between the two builds: the length of the path, the permissions of new files, the time zone and the
 * language. The same output shows that it depends on none of these.
 */
const SURROUNDINGS = [
  { folder: "a", umask: "022", env: { TZ: "UTC", LC_ALL: "C" } },
  { folder: "another-folder/with-a-longer-path", umask: "077", env: { TZ: "Asia/Kathmandu", LC_ALL: "C.UTF-8" } },
];

interface Options {
  version: string;
  out: string;
  targets: string[];
  once: boolean;
  key: SigningKey | null;
}

function options(): Options {
  const { values, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    allowPositionals: true,
    options: {
      out: { type: "string" },
      key: { type: "string" },
      once: { type: "boolean", default: false },
      targets: { type: "string" },
    },
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new Error("usage: ./dev release VERSION");
  return {
    version,
    out: resolve(values.out ?? join(ROOT, "dist", `release-${version}`)),
    targets: (values.targets?.split(",") ?? Object.keys(TARGETS)).map(targetNamed),
    once: values.once,
    key: signingKey(values.key),
  };
}

/** Returns the key of `--key` or of the environment, or null if there is none. */
function signingKey(option: string | undefined): SigningKey | null {
  const {
    POSTROOM_RELEASE_KEY: text,
    POSTROOM_RELEASE_KEY_FILE: file,
    POSTROOM_RELEASE_KEY_PASSWORD: password,
  } = process.env;
  const path = option ?? (file || undefined);
  if (path !== undefined) return readSigningKey(readFileSync(path, "utf8"), password);
  return text ? readSigningKey(text, password) : null;
}

/** The environment of the builds, without the key and without settings of Postroom. */
function buildEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("POSTROOM_"));
  return Object.fromEntries(kept) as Record<string, string>;
}

/** Makes all files once in a new folder. @returns the folder with the files */
function makeOnce(workshop: string, source: Source, targets: string[], number: number): string {
  const { folder, umask, env } = SURROUNDINGS[number]!;
  const checkout = join(workshop, folder);
  const out = join(workshop, `out-${number}`);
  exportSource(ROOT, source.commit, checkout);
  const inCheckout = (...command: string[]) => {
    const child = Bun.spawnSync(["sh", "-c", `umask ${umask} && exec "$@"`, "sh", ...command], {
      cwd: checkout,
      env: { ...buildEnvironment(), ...env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    if (child.exitCode !== 0) throw new Error(child.stderr.toString().trim());
  };
  const bun = process.execPath;
  inCheckout(bun, "install", "--frozen-lockfile", "--ignore-scripts");
  const about = ["--commit", source.commit, "--time", String(source.time), "--targets", targets.join(",")];
  inCheckout(bun, "tools/release/assemble.ts", "--out", out, ...about);
  rmSync(checkout, { recursive: true, force: true });
  return out;
}

/** Writes the list of files, the checksums and the signature. */
function seal(folder: string, { version, key }: Options, { commit, time }: Source): void {
  const names = readdirSync(folder).sort();
  const files = names.map((name) => {
    const path = join(folder, name);
    return { name, bytes: statSync(path).size, sha256: fingerprint(path).sha256 };
  });
  const created = new Date(time * 1000).toISOString().replace(".000Z", "Z");
  writeFileSync(join(folder, "release.json"), `${JSON.stringify({ version, commit, created, files }, null, 2)}\n`);
  const sums = [...files, fingerprint(join(folder, "release.json"))]
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join("");
  writeFileSync(join(folder, SUMS), sums);
  if (!key) return;
  const comments = {
    untrusted: `Postroom ${version}, public key ${key.publicKey}`,
    trusted: `timestamp:${time}\tfile:${SUMS}\tversion:${version}\tcommit:${commit}`,
  };
  writeFileSync(join(folder, `${SUMS}.minisig`), signature(key, Buffer.from(sums), comments));
}

/** Prints name, size and SHA-256 of every file. */
function printListing(folder: string): void {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    console.log(`${name.padEnd(42)} ${String(statSync(path).size).padStart(11)}  ${fingerprint(path).sha256}`);
  }
}

function release(): void {
  const wanted = options();
  const { version, out, targets, once, key } = wanted;
  const source = checkedSource(ROOT, version);
  const say = (text: string) => console.error(`release: ${text}`);
  if (!source.tagged) say(`the commit has no tag v${version}: this is a rehearsal`);
  if (targets.length < Object.keys(TARGETS).length) say("some targets are left out: this is a rehearsal");
  if (!key) say("there is no signing key: the files will not be signed");
  const workshop = mkdtempSync(join(tmpdir(), "postroom-release-"));
  let keep = false;
  try {
    say(`building ${version} from ${source.commit.slice(0, 12)}`);
    const first = makeOnce(workshop, source, targets, 0);
    if (!once) {
      say("building again in another folder");
      const second = makeOnce(workshop, source, targets, 1);
      keep = true;
      expectEqual(first, second);
      keep = false;
      say("both builds are equal, byte for byte");
    }
    seal(first, wanted, source);
    mkdirSync(dirname(out), { recursive: true });
    const finished = mkdtempSync(join(dirname(out), ".release-"));
    // The folder for temporary files can be on another file system.
    for (const name of readdirSync(first)) {
      writeFileSync(join(finished, name), readFileSync(join(first, name)), {
        mode: /^postroom-(linux|darwin)-[^.]+$/.test(name) ? 0o755 : 0o644,
      });
    }
    chmodSync(finished, 0o755);
    if (existsSync(out)) rmSync(out, { recursive: true });
    renameSync(finished, out);
    printListing(out);
  } finally {
    if (!keep) rmSync(workshop, { recursive: true, force: true });
  }
}

try {
  release();
} catch (error) {
  console.error(`dev: cannot make the release: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
