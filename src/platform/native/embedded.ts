import manifest from "../../../package.json" with { type: "json" };

/**
 * The native libraries Postroom carries. This module is what a run from source sees; `tools/build/native-plugin.ts`
 * replaces it as a whole in a compiled executable, where `carried` names the files inside the executable.
 */

export type NativeName = "usearch" | "onnxruntime";

/** One shared library inside the executable: the name it needs on disk, where to read it, and its expected hash. */
export interface CarriedFile {
  name: string;
  path: string;
  /** Lower-case hex, computed when the executable was built. */
  sha256: string;
}

/** The files of one library. They refer to each other by name and so must be in one folder. */
export interface CarriedLibrary {
  files: CarriedFile[];
  /** Name of the file to load; the others are found beside it. */
  entry: string;
}

/** `null` from source: there the packages in node_modules load their own files. */
export const carried: Record<NativeName, CarriedLibrary> | null = null as Record<NativeName, CarriedLibrary> | null;

export const versions: Record<NativeName, string> = {
  usearch: manifest.dependencies.usearch,
  onnxruntime: manifest.dependencies["onnxruntime-node"],
};
