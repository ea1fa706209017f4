import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { type Entry, gzip, tar } from "./archives.ts";

/** A package that a registry accepts: its file name and its bytes. */
export interface PackageFile {
  name: string;
  bytes: Uint8Array;
}

/** Returns the package of the TypeScript client for npm, as `npm pack` names it. @param root folder of the project */
export async function npmPackage(root: string, time: number): Promise<PackageFile> {
  const source = join(root, "clients/typescript");
  const folder = mkdtempSync(join(tmpdir(), "postroom-npm-"));
  try {
    cpSync(source, folder, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const { exitCode, stdout } = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "-p", "."], {
      cwd: folder,
      stdout: "pipe",
    });
    if (exitCode !== 0) throw new Error(`the TypeScript client does not compile:\n${stdout}`);
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Record<string, unknown>;
    const { name, version } = manifest as { name: string; version: string };
    // Npm reads `scripts` when it installs; this package has nothing to build.
    delete manifest.scripts;
    const files: Entry[] = [
      { name: "package.json", bytes: `${JSON.stringify(manifest, null, 2)}\n` },
      { name: "LICENSE", bytes: readFileSync(join(root, "LICENSE")) },
      { name: "README.md", bytes: readFileSync(join(source, "README.md")) },
      ...readdirSync(join(folder, "dist"))
        .sort()
        .map((file) => ({ name: `dist/${file}`, bytes: readFileSync(join(folder, "dist", file)) })),
    ];
    const entries = files.map((file) => ({ ...file, name: `package/${file.name}` }));
    return { name: `${name}-${version}.tgz`, bytes: gzip(await tar(entries, time)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface PythonProject {
  name: string;
  version: string;
  description: string;
  license: { text: string };
  "requires-python": string;
  dependencies: string[];
}

/** Returns the version in the form of PEP 440: "1.0.0rc1" for "1.0.0-rc.1". */
export function pythonVersion(version: string): string {
  return version.replace(/-(alpha|beta|rc)\.?(\d+)$/, (_, kind: string, number: string) => {
    return `${kind === "rc" ? "rc" : kind[0]}${number}`;
  });
}

/** Returns the wheel and the source package of the Python client for PyPI. @param root folder of the project */
export async function pythonPackages(root: string, time: number): Promise<PackageFile[]> {
  const source = join(root, "clients/python");
  const read = (path: string) => readFileSync(join(source, path));
  const { project } = Bun.TOML.parse(read("pyproject.toml").toString()) as { project: PythonProject };
  if (project.dependencies.length > 0) throw new Error("the metadata of dependencies of the Python client is missing");
  // PEP 625 and PEP 427: names of files have underscores.
  const base = `${project.name.replace(/[-_.]+/g, "_")}-${project.version}`;
  const license = readFileSync(join(root, "LICENSE"));
  const metadata = `${[
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License: ${project.license.text}`,
    `Requires-Python: ${project["requires-python"]}`,
    "Description-Content-Type: text/markdown",
    "License-File: LICENSE",
  ].join("\n")}\n\n${read("README.md")}`;
  const modules = readdirSync(join(source, "postroom"))
    .filter((name) => /\.(py|typed)$/.test(name))
    .sort()
    .map((name) => ({ name: `postroom/${name}`, bytes: read(`postroom/${name}`) }));
  const sdist: Entry[] = [
    { name: "PKG-INFO", bytes: metadata },
    { name: "LICENSE", bytes: license },
    { name: "README.md", bytes: read("README.md") },
    { name: "pyproject.toml", bytes: read("pyproject.toml") },
    ...modules,
  ];
  const sourceEntries = sdist.map((entry) => ({ ...entry, name: `${base}/${entry.name}` }));
  return [
    { name: `${base}-py3-none-any.whl`, bytes: wheel(base, metadata, license, modules) },
    { name: `${base}.tar.gz`, bytes: gzip(await tar(sourceEntries, time)) },
  ];
}

/** Returns a wheel (PEP 427): a zip archive with a list of its files and their hashes. */
function wheel(base: string, metadata: string, license: Buffer, modules: readonly PackageFile[]): Uint8Array {
  const info = `${base}.dist-info`;
  const about = "Wheel-Version: 1.0\nGenerator: postroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
  const files: PackageFile[] = [
    ...modules,
    { name: `${info}/LICENSE`, bytes: license },
    { name: `${info}/METADATA`, bytes: Buffer.from(metadata) },
    { name: `${info}/WHEEL`, bytes: Buffer.from(about) },
    { name: `${info}/top_level.txt`, bytes: Buffer.from("postroom\n") },
  ];
  const row = ({ name, bytes }: PackageFile) =>
    `${name},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}\n`;
  const record = `${info}/RECORD`;
  files.push({ name: record, bytes: Buffer.from(`${files.map(row).join("")}${record},,\n`) });
  const entries: Zippable = {};
  // Times in zip archives are local and begin in 1980. This one is the same in every time zone.
  const options = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 } as const;
  for (const { name, bytes } of files) entries[name] = [new Uint8Array(bytes), options];
  return zipSync(entries);
}
