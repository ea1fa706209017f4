import type { EmbeddedLibrary } from "../../platform/native/embedded.ts";

/**
 * The built-in model inside the executable. tools/build/native-plugin.ts replaces this whole module. `null` when run
 * from source, which uses the folder that tools/build/model creates.
 */
export const embeddedModel: EmbeddedLibrary | null = null as EmbeddedLibrary | null;
