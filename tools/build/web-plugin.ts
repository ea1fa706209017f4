import type { BunPlugin } from "bun";
import type { WebApp, WebAsset } from "../../web/bundle.ts";

/**
 * Puts the settings page into the executable in place of web/carried.ts.
 * @param app bundled and compressed in advance: a bundler that is started inside another one never ends
 */
export function webPlugin(app: WebApp): BunPlugin {
  return {
    name: "postroom-web",
    setup(build) {
      build.onLoad({ filter: /[\\/]web[\\/]carried\.ts$/ }, () => ({
        contents: carriedModule(app),
        loader: "js",
      }));
    },
  };
}

/** Returns the module that replaces web/carried.ts in the executable. */
export function carriedModule({ assets, script, style, early }: WebApp): string {
  const names = JSON.stringify({ script, style, early });
  return [
    "const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));",
    `const assets = [${assets.map(carriedAsset).join(",\n")}];`,
    `export async function carriedWebApp() { return { assets, ...${names} }; }`,
  ].join("\n");
}

function carriedAsset({ name, type, plain, gzip, brotli }: WebAsset): string {
  const bytes = (content: Uint8Array) => `bytes("${Buffer.from(content).toString("base64")}")`;
  const text = { name: JSON.stringify(name), type: JSON.stringify(type) };
  return `{ name: ${text.name}, type: ${text.type}, plain: ${bytes(plain)}, gzip: ${bytes(gzip)}, brotli: ${bytes(brotli)} }`;
}
