import type { CarriedLibrary } from "../../platform/native/embedded.ts";

/**
 * The built-in model in the executable: tools/build/native-plugin.ts replaces this whole module. `null` when run from
 * source, where the folder that tools/build/model makes is used.
 */
export const carriedModel: CarriedLibrary | null = null as CarriedLibrary | null;
