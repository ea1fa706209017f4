import type { NativeName } from "./embedded.ts";

/**
 * The one place where a native library enters a compiled executable. The bundler plugin makes the packages `usearch` and
 * `onnxruntime-node` call `nativeBinding` where they would search node_modules; `load.ts` says beforehand which file.
 */

const files = new Map<NativeName, string>();
const loaded = new Map<NativeName, unknown>();

/** Says which extracted file `nativeBinding(name)` opens. Must come before the package is imported. */
export function provideBinding(name: NativeName, file: string): void {
  files.set(name, file);
}

/** The exports of the native library; loads it at the first call. Throws a `NativeLoadError` that says what to do. */
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

export class NativeLoadError extends Error {
  constructor(name: NativeName, reason: string, cause?: unknown) {
    super(`cannot load the native library ${name}: ${reason}`, { cause });
    this.name = "NativeLoadError";
  }
}

/** The loader's own words, with the remedy for the faults a self-hoster meets. */
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
