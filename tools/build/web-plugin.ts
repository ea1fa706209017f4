import type { BunPlugin } from "bun";
import type { WebApp, WebAsset } from "../../web/bundle.ts";

/**
 * Embeds the settings page in the executable, in place of web/embedded.ts.
 * @param app bundled and compressed before, because a bundler that is started inside another one never ends
 */
export function webPlugin(app: WebApp): BunPlugin {
  return {
    name: "postroom-web",
    setup(build) {
      build.onLoad({ filter: /[\\/]web[\\/]embedded\.ts$/ }, () => ({
        contents: embeddedWebModule(app),
        loader: "js",
      }));
    },
  };
}

/** Returns the module that replaces web/embedded.ts in the executable. */
export function embeddedWebModule({ assets, ...names }: WebApp): string {
  return [
    "const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));",
    "let app = null;",
    // Decoded when a page is first requested.
    `const make = () => ({ assets: [${assets.map(embeddedAsset).join(",\n")}], ...${JSON.stringify(names)} });`,
    "export async function embeddedWebApp() { return (app ??= make()); }",
  ].join("\n");
}

function embeddedAsset({ name, type, plain, gzip, brotli }: WebAsset): string {
  const bytes = (content: Uint8Array) => `bytes("${Buffer.from(content).toString("base64")}")`;
  const text = { name: JSON.stringify(name), type: JSON.stringify(type) };
  return `{ name: ${text.name}, type: ${text.type}, plain: ${bytes(plain)}, gzip: ${bytes(gzip)}, brotli: ${bytes(brotli)} }`;
}
