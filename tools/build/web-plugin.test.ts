import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bundleWebApp, type WebApp } from "../../web/bundle.ts";
import { webPlugin } from "./web-plugin.ts";

const folder = mkdtempSync(join(tmpdir(), "postroom-web-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the built executable contains the settings page, and needs neither its source nor a bundler", async () => {
  const module = JSON.stringify(resolve(import.meta.dir, "../../web/embedded.ts"));
  const entry = join(folder, "entry.ts");
  writeFileSync(entry, `export { embeddedWebApp } from ${module};`);
  const built = await Bun.build({
    entrypoints: [entry],
    target: "bun",
    outdir: folder,
    plugins: [webPlugin(await bundleWebApp())],
  });
  const [output] = built.outputs;
  expect(await output!.text()).not.toContain("Bun.build");
  const { embeddedWebApp } = (await import(output!.path)) as { embeddedWebApp(): Promise<WebApp> };
  const { assets, script, style, early, docs } = await embeddedWebApp();
  expect(assets.map(({ name }) => name).sort()).toEqual([script, style, early, docs].sort());
  for (const { name, plain, gzip, brotli } of assets) {
    expect(plain.length).toBeGreaterThan(50);
    expect([name, gunzipSync(gzip).equals(plain), brotliDecompressSync(brotli).equals(plain)]).toEqual([
      name,
      true,
      true,
    ]);
  }
}, 60_000);
