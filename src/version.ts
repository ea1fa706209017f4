import packageJson from "../package.json" with { type: "json" };

// The build replaces these names with strings. When run from source they do not exist.
declare const POSTROOM_VERSION: string | undefined;
declare const POSTROOM_COMMIT: string | undefined;

export const VERSION: string = typeof POSTROOM_VERSION === "undefined" ? packageJson.version : POSTROOM_VERSION;
export const COMMIT: string = typeof POSTROOM_COMMIT === "undefined" ? "source" : POSTROOM_COMMIT;
