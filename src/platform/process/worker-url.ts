import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder of modules in the executable, where each has its path in src/. */
const EXECUTABLE_ROOT = /^.*\/\$bunfs\/root\//;

/**
 * Returns the address of a worker's module for `new Worker`, from source and in the executable.
 * @param path in src/: "workers/mail.ts". It must be an entry point of the build (tools/build/build.ts).
 */
export function workerUrl(path: string): string {
  const root = EXECUTABLE_ROOT.exec(import.meta.url)?.[0];
  return root ? root + path : pathToFileURL(join(import.meta.dir, "../..", path)).href;
}
