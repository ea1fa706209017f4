import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NativeName } from "../../src/platform/native/embedded.ts";
import { builtInModel, MODEL_FILES, REVISION } from "./model/convert.ts";
import type { Platform } from "./targets.ts";

export interface NativeSource {
  version: string;
  /** Absolute paths; the base names are the required names of the files on disk. */
  files: { name: string; path: string; sha256: string }[];
  entry: string;
}

/** Paths of each platform's files in the packages. */
const USEARCH: Record<Platform, string> = {
  "linux-x64": "prebuilds/linux-x64",
  "linux-arm64": "prebuilds/linux-arm64",
  "darwin-arm64": "prebuilds/darwin-arm64+x64",
};
const ONNX_LIBRARY: Record<Platform, string> = {
  "linux-x64": "libonnxruntime.so.1",
  "linux-arm64": "libonnxruntime.so.1",
  "darwin-arm64": "libonnxruntime.1.dylib",
};

/** Returns the native files of one platform, with hashes. @throws Error if a package lacks an expected file */
export async function nativeSources(modules: string, platform: Platform): Promise<Record<NativeName, NativeSource>> {
  const [system, processor] = platform.split("-") as [string, string];
  return {
    usearch: await source(modules, "usearch", USEARCH[platform], ["usearch.node"]),
    onnxruntime: await source(modules, "onnxruntime-node", `bin/napi-v6/${system}/${processor}`, [
      "onnxruntime_binding.node",
      ONNX_LIBRARY[platform],
    ]),
  };
}

/** Returns the built-in embedding model, and converts it first if necessary. */
export async function modelSources(): Promise<NativeSource> {
  const folder = builtInModel();
  const files = await Promise.all(MODEL_FILES.map((name) => hashed(name, join(folder, name))));
  return { version: String(REVISION), files, entry: MODEL_FILES[0]! };
}

/** Returns files of a package. @param names the first is the file to load */
async function source(modules: string, pkg: string, folder: string, names: [string, ...string[]]) {
  const { version } = (await Bun.file(join(modules, pkg, "package.json")).json()) as { version: string };
  const files = [];
  for (const name of names) {
    const path = join(modules, pkg, folder, name);
    if (!existsSync(path)) throw new Error(`${pkg} ${version} does not contain ${folder}/${name}`);
    files.push(await hashed(name, path));
  }
  return { version, files, entry: names[0] };
}

async function hashed(name: string, path: string): Promise<NativeSource["files"][number]> {
  const bytes = await Bun.file(path).bytes();
  return { name, path, sha256: createHash("sha256").update(bytes).digest("hex") };
}
