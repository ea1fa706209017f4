import manifest from "../../../package.json" with { type: "json" };

/**
 * The native libraries in the executable. A run from source uses this module. In a compiled executable,
 * `tools/build/native-plugin.ts` replaces it, and `carried` lists the files inside the executable.
 */

export type NativeName = "usearch" | "onnxruntime";

/** A shared library inside the executable: its name on disk, the path to read it from, and its hash. */
export interface EmbeddedFile {
  name: string;
  path: string;
  /** Lower-case hex, computed when the executable was built. */
  sha256: string;
}

/** The files of one library. They refer to each other by name, so they must be in the same folder. */
export interface EmbeddedLibrary {
  files: EmbeddedFile[];
  /** Name of the file to load. It finds the others beside it. */
  entry: string;
}

/** Null in a run from source, where the packages in node_modules load their own files. */
export const embeddedLibraries: Record<NativeName, EmbeddedLibrary> | null = null as Record<
  NativeName,
  EmbeddedLibrary
> | null;

export const versions: Record<NativeName, string> = {
  usearch: manifest.dependencies.usearch,
  onnxruntime: manifest.dependencies["onnxruntime-node"],
};
