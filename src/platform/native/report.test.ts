import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { explain, NativeLoadError, nativeBinding, provideBinding } from "./binding.ts";
import { loadTransformers } from "./load.ts";
import { nativeReport } from "./report.ts";

test("from source both libraries load and compute, and nothing is written to the cache", async () => {
  const cache = mkdtempSync(join(tmpdir(), "postroom-native-"));
  try {
    const lines = await nativeReport(cache);
    expect(lines.map(({ name, version, ok }) => ({ name, version, ok }))).toEqual([
      { name: "usearch", version: manifest.dependencies.usearch, ok: true },
      { name: "onnxruntime", version: manifest.dependencies["onnxruntime-node"], ok: true },
    ]);
    expect(readdirSync(cache)).toEqual([]);
  } finally {
    rmSync(cache, { recursive: true });
  }
});

test("transformers.js does not download models", async () => {
  expect((await loadTransformers("unused")).env.allowRemoteModels).toBe(false);
});

test("the installed ONNX Runtime contains no telemetry", async () => {
  const folder = join(import.meta.dir, "../../../node_modules/onnxruntime-node");
  for (const processor of ["x64", "arm64"]) {
    const library = join(folder, "bin/napi-v6/linux", processor, "libonnxruntime.so.1");
    const text = Buffer.from(await Bun.file(library).bytes());
    // Version 1.30.0, which reports to its vendor, contains both strings.
    for (const trace of ["events.data.microsoft.com", "DeveloperTools"]) expect(text.includes(trace)).toBe(false);
  }
});

test("only one ONNX Runtime is installed, because a second copy would not be checked for telemetry", () => {
  const modules = join(import.meta.dir, "../../../node_modules");
  expect(existsSync(join(modules, "@huggingface/transformers/node_modules/onnxruntime-node"))).toBe(false);
});

test("a missing or invalid library is an error with its name", () => {
  expect(() => nativeBinding("usearch")).toThrow(NativeLoadError);
  provideBinding("usearch", "/nowhere/usearch.node");
  expect(() => nativeBinding("usearch")).toThrow(/cannot load the native library usearch: .*usearch\.node/);
});

test.each([
  ["libonnxruntime.so.1: failed to map segment from shared object", "mounted noexec"],
  ["libstdc++.so.6: cannot open shared object file: No such file or directory", "package libstdc++6"],
  ["/lib/libm.so.6: version `GLIBC_2.34' not found", "glibc 2.34 or newer"],
  ["version `GLIBCXX_3.4.29' not found", "package libstdc++6"],
])("the loader's message %p gets a remedy", (message, remedy) => {
  expect(explain(message)).toStartWith(message);
  expect(explain(message)).toContain(remedy);
});
