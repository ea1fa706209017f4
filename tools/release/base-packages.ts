import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { extract } from "tar-stream";
import { type Entry, sha256 } from "./archives.ts";
import type { DebianArchitecture } from "./debian-package.ts";

/**
 * The packages of Debian 12 whose files are in the container image, pinned by hash (docs/decisions/0044).
 *
 *   bun tools/release/base-packages.ts     prints this table with the versions that Debian has now
 */
export const BASE_PACKAGES: Record<string, { version: string } & Record<DebianArchitecture, string>> = {
  "base-files": {
    version: "12.4+deb12u15",
    amd64: "3eb1ea6d85488f488cc2a163b98ad640ef88cee4c79287cf14e361aaf6206f47",
    arm64: "b1272fbdc197f7d5bd22c05b741a03840f8bec66ca68c8d797f567ff2c99d42d",
  },
  "gcc-12-base": {
    version: "12.2.0-14+deb12u1",
    amd64: "1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619",
    arm64: "674cf6cba6d432bd200c45fe866c1652c7a53523cc2e7a613e05bc4abf7b5440",
  },
  libc6: {
    version: "2.36-9+deb12u14",
    amd64: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
    arm64: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
  },
  "libgcc-s1": {
    version: "12.2.0-14+deb12u1",
    amd64: "3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7",
    arm64: "576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3",
  },
  "libstdc++6": {
    version: "12.2.0-14+deb12u1",
    amd64: "5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d",
    arm64: "26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2",
  },
};

interface Needed {
  /** The files of the package that the image has. Licenses are always included. */
  files: RegExp;
}

/** What the executable and its native libraries load, and what tells scanners which system it is. */
const NEEDED: Record<string, Needed> = {
  "base-files": { files: /^(etc\/(debian_version|os-release)|usr\/lib\/os-release)$/ },
  "gcc-12-base": { files: /^$/ },
  // Without the conversions of iconv and the libraries for auditing, which nothing here loads.
  libc6: { files: /^(lib|lib64|usr\/lib|usr\/lib64)\/(?!.*\/(gconv|audit)(\/|$)).*/ },
  "libgcc-s1": { files: /^(usr\/)?lib\/.*/ },
  "libstdc++6": { files: /^usr\/lib\/.*/ },
};

/** Returns the files of the pinned packages, and Debian's description of each, which scanners read. */
export async function baseFiles(architecture: DebianArchitecture, cache: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [name, { files }] of Object.entries(NEEDED)) {
    const path = fetchPackage(name, architecture, cache);
    const license = `usr/share/doc/${name}`;
    for (const entry of await unpack(path)) {
      const isLicense = entry.name === `${license}/copyright` || (entry.name === license && entry.link !== undefined);
      if (isLicense || files.test(entry.name)) entries.push(entry);
    }
    entries.push({ name: `var/lib/dpkg/status.d/${name}`, bytes: run(["dpkg-deb", "--field", path]) });
  }
  return entries;
}

/** Returns the path of a pinned package. Downloads it with apt if necessary. @throws Error if Debian has it no more */
function fetchPackage(name: string, architecture: DebianArchitecture, cache: string): string {
  const pin = BASE_PACKAGES[name]!;
  const kept = join(cache, `${pin[architecture]}.deb`);
  if (existsSync(kept) && sha256(readFileSync(kept)) === pin[architecture]) return kept;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, ".fetch-"));
  try {
    const apt = aptFor(architecture, cache);
    try {
      run([...apt, "download", `${name}=${pin.version}`], folder);
    } catch (error) {
      throw new Error(
        `Debian's mirror does not have ${name} ${pin.version} for ${architecture}. If it has a newer version, run ` +
          `"bun tools/release/base-packages.ts" and update tools/release/base-packages.ts. (${(error as Error).message})`,
      );
    }
    const [file] = new Bun.Glob("*.deb").scanSync(folder);
    const found = sha256(readFileSync(join(folder, file!)));
    if (found !== pin[architecture]) {
      throw new Error(`${file} has another hash (${found}) than tools/release/base-packages.ts expects`);
    }
    renameSync(join(folder, file!), kept);
    return kept;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns an apt-get command that reads the sources of this machine and keeps its state in the cache, so that it needs
 * no rights and finds packages of another architecture. Verifies Debian's signatures as usual.
 */
function aptFor(architecture: DebianArchitecture, cache: string): string[] {
  const state = resolve(cache, `apt-${architecture}`);
  const isNew = !existsSync(join(state, "updated"));
  for (const path of ["lists/partial", "archives/partial"]) mkdirSync(join(state, path), { recursive: true });
  writeFileSync(join(state, "status"), "");
  const options = {
    "APT::Architecture": architecture,
    "APT::Architectures::": architecture,
    "APT::Sandbox::User": "root",
    "Dir::State": state,
    "Dir::State::lists": join(state, "lists"),
    "Dir::State::status": join(state, "status"),
    "Dir::Cache": state,
  };
  const apt = ["apt-get", "-q", ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
  if (isNew) {
    run([...apt, "update"]);
    writeFileSync(join(state, "updated"), "");
  }
  return apt;
}

/** Reads a package's files, without the "./" before their names and without folders. */
async function unpack(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const archive = extract();
  archive.end(run(["dpkg-deb", "--fsys-tarfile", path]));
  for await (const file of archive) {
    const { name, type, mode, linkname } = file.header;
    const chunks: Uint8Array[] = [];
    for await (const chunk of file) chunks.push(chunk as Uint8Array);
    const entry = { name: name.replace(/^\.\//, "").replace(/\/$/, ""), mode: mode! };
    if (type === "symlink") entries.push({ name: entry.name, link: linkname! });
    else if (type === "file") entries.push({ ...entry, bytes: Buffer.concat(chunks) });
    else if (type !== "directory") throw new Error(`${path}: ${name} is neither a file nor a folder nor a link`);
  }
  return entries;
}

function run(command: string[], cwd?: string): Buffer {
  if (!Bun.which(command[0]!)) throw new Error(`${command[0]} is not installed: releases are made on Debian`);
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, LC_ALL: "C" },
    stdout: "pipe",
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr.toString().trim()}`);
  return stdout;
}

/** Prints the table with the current versions. */
function printPins(): void {
  const cache = resolve(import.meta.dir, "../../.cache/debian");
  for (const name of Object.keys(NEEDED)) {
    const pin: Record<string, string> = {};
    for (const architecture of ["amd64", "arm64"] as const) {
      rmSync(join(cache, `apt-${architecture}`, "updated"), { force: true });
      const [, ...options] = aptFor(architecture, cache);
      const [record] = run(["apt-cache", ...options, "show", name])
        .toString()
        .split("\n\n");
      const field = (key: string) => new RegExp(`^${key}: (.*)$`, "m").exec(record!)![1]!;
      if (pin.version !== undefined && pin.version !== field("Version")) {
        throw new Error(`${name} has other versions on other architectures`);
      }
      pin.version = field("Version");
      pin[architecture] = field("SHA256");
    }
    console.log(`  ${JSON.stringify(name)}: ${JSON.stringify(pin)},`);
  }
}

if (import.meta.main) printPins();
