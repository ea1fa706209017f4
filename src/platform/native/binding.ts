import type { NativeName } from "./embedded.ts";

/**
 * Loads native libraries in a compiled executable. The bundler plugin makes the packages `usearch` and
 * `onnxruntime-node` call `nativeBinding` instead of searching node_modules. `load.ts` registers the file before.
 */

const files = new Map<NativeName, string>();
const loaded = new Map<NativeName, unknown>();

/** Registers the extracted file that `nativeBinding(name)` opens. Call it before the package is imported. */
export function provideBinding(name: NativeName, file: string): void {
  files.set(name, file);
}

/** Returns the exports of the native library, and loads it at the first call. @throws NativeLoadError with a remedy */
export function nativeBinding(name: NativeName): unknown {
  if (loaded.has(name)) return loaded.get(name);
  const file = files.get(name);
  if (file === undefined) {
    throw new NativeLoadError(name, "it was imported directly; use the loaders of src/platform/native/load.ts");
  }
  const module = { exports: {} };
  try {
    process.dlopen(module, file);
  } catch (cause) {
    throw new NativeLoadError(name, explain(String(cause instanceof Error ? cause.message : cause)), cause);
  }
  loaded.set(name, module.exports);
  return module.exports;
}

/** Thrown if a native library cannot be loaded. */
export class NativeLoadError extends Error {
  constructor(name: NativeName, reason: string, cause?: unknown) {
    super(`cannot load the native library ${name}: ${reason}`, { cause });
    this.name = "NativeLoadError";
  }
}

/** Returns the loader's message, with a remedy for known problems. */
export function explain(message: string): string {
  if (/failed to map segment|Operation not permitted/.test(message)) {
    return `${message} (the data folder is on a file system mounted noexec; mount it exec, or move the data folder)`;
  }
  if (/libstdc\+\+|libgcc_s|GLIBCXX_|CXXABI_/.test(message)) {
    return `${message} (install the C++ runtime: package libstdc++6 on Debian and Ubuntu, libstdc++ on Fedora)`;
  }
  if (/GLIBC_|ld-linux/.test(message)) {
    return `${message} (needs glibc 2.34 or newer: Debian 12, Ubuntu 22.04, Fedora 35; musl systems are not supported)`;
  }
  return message;
}
