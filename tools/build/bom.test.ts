import { expect, test } from "bun:test";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import manifest from "../../package.json" with { type: "json" };
import { billOfMaterials } from "./bom.ts";
import { ROOT } from "./bundled-packages.ts";
import { nativeSources } from "./native-files.ts";

interface Bom {
  metadata: { component: { name: string; version: string; hashes: { content: string }[] } };
  components: {
    name: string;
    version: string;
    purl?: string;
    licenses?: unknown[];
    hashes?: unknown[];
    type: string;
  }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

async function bom(): Promise<string> {
  const native = await nativeSources(join(ROOT, "node_modules"), "linux-arm64");
  const file = { name: "postroom-linux-arm64", sha256: "a".repeat(64) };
  return billOfMaterials({ target: "linux-arm64", commit: "0123456789ab", file, native });
}

test("the bill of materials is valid CycloneDX 1.6", async () => {
  const fault = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(await bom());
  expect(fault).toBeNull();
});

test("the bill of materials lists the executable, the runtime, every direct dependency with license and hash, and native files", async () => {
  const { metadata, components, dependencies } = JSON.parse(await bom()) as Bom;
  expect(metadata.component).toMatchObject({ name: "postroom", version: manifest.version });
  expect(metadata.component.hashes[0]!.content).toBe("a".repeat(64));
  const find = (name: string) => components.find((one) => one.name === name);
  expect(find("@oven/bun-linux-aarch64")).toMatchObject({ type: "platform", version: "1.4.5" });
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const found = find(name);
    expect(found).toMatchObject({ name, version, purl: expect.stringMatching(/^pkg:npm\//) });
    expect(found!.licenses).toHaveLength(1);
    expect(found!.hashes).toHaveLength(1);
  }
  for (const name of ["usearch.node", "onnxruntime_binding.node", "libonnxruntime.so.1"]) {
    expect(find(name)).toMatchObject({ type: "file" });
  }
  expect(dependencies.find(({ ref }) => ref.startsWith("postroom@"))!.dependsOn).toHaveLength(components.length);
  // Tools for the build and the tests are not included.
  for (const name of Object.keys(manifest.devDependencies)) expect(find(name)).toBeUndefined();
});

test("two builds of one commit have the same bill of materials", async () => {
  expect(await bom()).toBe(await bom());
});
