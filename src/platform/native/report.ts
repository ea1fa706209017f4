import { type NativeName, versions } from "./embedded.ts";
import { loadOnnxRuntime, loadUsearch } from "./load.ts";

/** One line of `postroom doctor`. `detail` describes the test, or what failed and the remedy. */
export interface NativeStatus {
  name: NativeName;
  version: string;
  ok: boolean;
  detail: string;
}

/**
 * Loads every native library and runs a small computation with it. Never throws. The first call takes about 0.2 s,
 * mostly for writing and hashing the files.
 */
export async function nativeReport(cacheDir: string): Promise<NativeStatus[]> {
  return [await attempt("usearch", () => trySearch(cacheDir)), await attempt("onnxruntime", () => tryModel(cacheDir))];
}

async function attempt(name: NativeName, run: () => Promise<string>): Promise<NativeStatus> {
  try {
    return { name, version: versions[name], ok: true, detail: await run() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, version: versions[name], ok: false, detail };
  }
}

async function trySearch(cacheDir: string): Promise<string> {
  const usearch = await loadUsearch(cacheDir);
  const rows = new Float32Array([1, 0, 0, 1, -1, 0]);
  const [nearest] = usearch.nearestRows(rows, new Float32Array([0.1, 0.9]), 2, 1, 1);
  if (nearest !== 1) throw new Error(`Exact search returned row ${nearest} instead of row 1.`);
  return "Exact search of three vectors is correct.";
}

async function tryModel(cacheDir: string): Promise<string> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime(cacheDir);
  const session = await InferenceSession.create(DOUBLING_MODEL, { intraOpNumThreads: 1 });
  try {
    const answer = await session.run({ x: new Tensor("float32", new Float32Array([21]), [1]) });
    const value = Number(answer.y?.data[0]);
    if (value !== 42) throw new Error(`A model that doubles 21 returned ${value}.`);
    return "A one-node model computes correctly.";
  } finally {
    await session.release();
  }
}

/** An ONNX model of one node, y = x + x on float32[1] (IR version 8, opset 17), in its protobuf encoding. */
const DOUBLING_MODEL = Uint8Array.fromBase64(
  "CAg6NQoOCgF4CgF4EgF5IgNBZGQSAWdaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgIQEQ==",
);
