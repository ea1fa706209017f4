import type { WebApp } from "./bundle.ts";

/**
 * Returns the files of the settings page, bundled from source on the first request. In the executable, this module is
 * replaced by one that contains the files (tools/build/web-plugin.ts).
 */
export async function embeddedWebApp(): Promise<WebApp> {
  const { bundleWebApp } = await import("./bundle.ts");
  return await bundleWebApp();
}
