import type { CarriedLibrary } from "../../platform/native/embedded.ts";

/**
 * The built-in model inside the executable: tools/build/native-plugin.ts replaces this module as a whole. `null` from
 * source, where the folder that tools/build/model makes is used.
 */
export const carriedModel: CarriedLibrary | null = null as CarriedLibrary | null;
