import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { nativeSources } from "./native-files.ts";
import { embeddedModule, nativePlugin, patch } from "./native-plugin.ts";

const ROOT = resolve(import.meta.dir, "../..");
const MODULES = join(ROOT, "node_modules");

test.each([
  ["linux-x64", ["usearch.node", "onnxruntime_binding.node", "libonnxruntime.so.1"]],
  ["linux-arm64", ["usearch.node", "onnxruntime_binding.node", "libonnxruntime.so.1"]],
  ["darwin-arm64", ["usearch.node", "onnxruntime_binding.node", "libonnxruntime.1.dylib"]],
] as const)("%s: only that platform's three files are included, with hashes", async (platform, names) => {
  const sources = await nativeSources(MODULES, platform);
  const files = Object.values(sources).flatMap((source) => source.files);
  expect(files.map((file) => file.name)).toEqual([...names]);
  expect(files.every((file) => /^[0-9a-f]{64}$/.test(file.sha256))).toBe(true);
  const module = embeddedModule(ROOT, sources);
  const folders = ["linux/x64", "linux/arm64", "darwin/arm64", "win32/"];
  const others = folders.filter((folder) => folder !== platform.replace("-", "/"));
  for (const other of [...others, ...others.map((folder) => folder.replace("/", "-"))]) {
    expect(module).not.toContain(`/${other}`);
  }
});

describe("patch", () => {
  test("replaces each text", () => {
    expect(patch("f.js", "load(a); load(b);", [["load(b)", "use(b)"]])).toBe("load(a); use(b);");
  });
  test("fails when a text is missing, and names the file", () => {
    expect(() => patch("f.js", "other()", [["load(b)", "use(b)"]])).toThrow("f.js: expected exactly one «load(b)»");
  });
  test("fails when a text occurs twice", () => {
    expect(() => patch("f.js", "load(b); load(b)", [["load(b)", "use(b)"]])).toThrow("found 2");
  });
});

async function bundle(source: string) {
  const probe = join(ROOT, "probe.ts");
  return Bun.build({
    entrypoints: [probe],
    files: { [probe]: source },
    target: "bun",
    format: "esm",
    plugins: [nativePlugin(ROOT, "linux-x64")],
    throw: false,
  });
}

test("the packages still contain the texts, and their search for libraries is fully replaced", async () => {
  const result = await bundle('export { loadTransformers, loadUsearch } from "./src/platform/native/load.ts";');
  expect(result.logs.map(String)).toEqual([]);
  const code = await result.outputs[0]!.text();
  for (const gone of ["requireFromHere(", "napi-v6/$", "build(getBuildDir"]) expect(code).not.toContain(gone);
  expect(code.match(/nativeBinding\("(usearch|onnxruntime)"\)/g)?.sort()).toEqual([
    'nativeBinding("onnxruntime")',
    'nativeBinding("usearch")',
  ]);
  expect(code).not.toContain("@img/sharp");
});

test("ssh2 is included without its native parts, which nothing searches for", async () => {
  const result = await bundle('export { Client } from "ssh2";');
  expect(result.logs.map(String)).toEqual([]);
  const code = await result.outputs[0]!.text();
  for (const part of ["cpu-features", "sshcrypto.node"]) {
    expect(code).toContain(`${part} is not part of Postroom`);
    expect(code).not.toMatch(new RegExp(`__require\\("[^"]*${part}"`));
  }
});

test("requiring usearch, whose CommonJS build is not patched, fails the build", async () => {
  const result = await bundle('export const usearch = require("usearch");');
  expect(result.success).toBe(false);
  expect(result.logs.map(String).join("\n")).toContain("The package has changed");
});
