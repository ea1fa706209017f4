import { provideBinding } from "./binding.ts";
import { carried, type NativeName, versions } from "./embedded.ts";
import { extractLibrary } from "./extract.ts";
import { type Usearch, wrapUsearch } from "./usearch.ts";

/**
 * Loaders for the packages that need native libraries. Nothing native is touched before one of them is called, so a
 * start without search costs nothing. `cacheDir` is `<data>/cache`; from source it is not used. Each loader may be
 * called any number of times, in any worker.
 */

/** Vector index and exact search over `Int8Array`, `Float32Array` rows. */
export async function loadUsearch(cacheDir: string): Promise<Usearch> {
  await provide(cacheDir, "usearch");
  return wrapUsearch(await import("usearch"));
}

/** ONNX Runtime, CPU only. */
export async function loadOnnxRuntime(cacheDir: string): Promise<typeof import("onnxruntime-node")> {
  await provide(cacheDir, "onnxruntime");
  return import("onnxruntime-node");
}

/** Loads transformers.js on top of ONNX Runtime. It never downloads a model: remote models are switched off here. */
export async function loadTransformers(cacheDir: string): Promise<typeof import("@huggingface/transformers")> {
  await provide(cacheDir, "onnxruntime");
  const transformers = await import("@huggingface/transformers");
  transformers.env.allowRemoteModels = false;
  return transformers;
}

const provided = new Map<NativeName, Promise<void>>();

/** Extracts once per thread, however many callers ask at the same moment; a failure may be tried again. */
function provide(cacheDir: string, name: NativeName): Promise<void> {
  const library = carried?.[name];
  if (!library) return Promise.resolve();
  const known = provided.get(name);
  if (known) return known;
  const started = extractLibrary(cacheDir, name, versions[name], library).then((file) => provideBinding(name, file));
  provided.set(name, started);
  started.catch(() => provided.delete(name));
  return started;
}
