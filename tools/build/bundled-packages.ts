/**
 * Lists the third-party packages in the executable, from the installed packages, for NOTICE and the bill of materials.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

/** Packages in node_modules that are not in the executable (docs/decisions/0001), or only install or declare types. */
const LEFT_OUT =
  /^(sharp|@img\/.*|onnxruntime-web|cpu-features|buildcheck|nan|adm-zip|global-agent|node-gyp-build|node-addon-api|bindings|@types\/.*|undici-types)$/;

export interface Manifest {
  name: string;
  version: string;
  license?: string;
  /** The form of old packages. */
  licenses?: { type: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A package that is part of the executable. */
export interface BundledPackage extends Manifest {
  /** Folder in node_modules, absolute. */
  folder: string;
  copyrights: string[];
  text: string;
}

/** Reads the package.json of a folder. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Returns the folder where Node would find a package that `from` imports. */
function folderOf(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === ROOT || at === dirname(at)) return null;
  }
}

function licenseText(folder: string): string {
  const names = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying)/i.test(name))
    .sort();
  return names[0] ? readFileSync(join(folder, names[0]), "utf8") : "";
}

function collect(folder: string, into: Map<string, BundledPackage>): Map<string, BundledPackage> {
  const { dependencies, optionalDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = LEFT_OUT.test(name) ? null : folderOf(name, folder);
    if (!found) continue;
    const manifest = manifestOf(found);
    const id = `${manifest.name} ${manifest.version}`;
    if (into.has(id)) continue;
    const text = licenseText(found);
    const lines = text.match(/^[ \t*]*Copyright (?:\(c\)|©|\d{4}|.* All rights reserved\.$).*$/gim) ?? [];
    const license = manifest.license ?? manifest.licenses?.[0]?.type;
    into.set(id, {
      ...manifest,
      ...(license ? { license } : {}),
      folder: found,
      text,
      copyrights: lines.map((line) => line.replace(/^[ \t*]+/, "").trim()),
    });
    collect(found, into);
  }
  return into;
}

/** Returns every package whose code is part of the executable, by name. */
export function bundledPackages(): BundledPackage[] {
  return [...collect(ROOT, new Map()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns one name for each license. If a package offers a choice, returns the license that Postroom uses. */
export function licenseOf(licenseName: string | undefined): string {
  const name = (licenseName ?? "").replace(/[()]/g, "");
  if (name.startsWith("MIT OR")) return "MIT";
  return name === "Apache 2.0" ? "Apache-2.0" : name;
}
