import type { WebApp } from "./bundle.ts";

/**
 * The files of the settings page. From source they are bundled when first asked for; in the executable this module is
 * replaced by one that holds them (tools/build/web-plugin.ts).
 */
export async function carriedWebApp(): Promise<WebApp> {
  const { bundleWebApp } = await import("./bundle.ts");
  return await bundleWebApp();
}
