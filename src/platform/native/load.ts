import { provideBinding } from "./binding.ts";
import { embeddedLibraries, type NativeName, versions } from "./embedded.ts";
import { extractLibrary } from "./extract.ts";
import { type Usearch, wrapUsearch } from "./usearch.ts";

/**
 * Loaders for the packages that need native libraries. No native code is loaded before one of them is called.
 * `cacheDir` is `<data>/cache`, which a run from source does not use. Each loader may be called repeatedly and in any
 * worker.
 */

/** Loads usearch, for exact search over rows of `Int8Array` or `Float32Array`. */
export async function loadUsearch(cacheDir: string): Promise<Usearch> {
  await provide(cacheDir, "usearch");
  return wrapUsearch(await import("usearch"));
}

/** Loads ONNX Runtime, CPU only. */
export async function loadOnnxRuntime(cacheDir: string): Promise<typeof import("onnxruntime-node")> {
  await provide(cacheDir, "onnxruntime");
  return import("onnxruntime-node");
}

/** Loads transformers.js with ONNX Runtime, and disables downloads of models. */
export async function loadTransformers(cacheDir: string): Promise<typeof import("@huggingface/transformers")> {
  await provide(cacheDir, "onnxruntime");
  const transformers = await import("@huggingface/transformers");
  transformers.env.allowRemoteModels = false;
  return transformers;
}

const provided = new Map<NativeName, Promise<void>>();

/** Extracts a library once per thread, even for concurrent calls. After a failure, the next call retries. */
function provide(cacheDir: string, name: NativeName): Promise<void> {
  const library = embeddedLibraries?.[name];
  if (!library) return Promise.resolve();
  const known = provided.get(name);
  if (known) return known;
  const started = extractLibrary(cacheDir, name, versions[name], library).then((file) => provideBinding(name, file));
  provided.set(name, started);
  started.catch(() => provided.delete(name));
  return started;
}
