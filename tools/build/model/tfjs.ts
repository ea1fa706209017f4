import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[]; dtype: string }[] }[];
}

/** Weights of a TensorFlow.js graph model, by name. */
export type Weights = (name: string) => Float32Array;

/**
 * Reads the weights of a model folder.
 * @throws Error if the format has changed, because the conversion would be wrong
 */
export function readWeights(folder: string): Weights {
  const manifest = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")) as Manifest;
  const found = new Map<string, Float32Array>();
  for (const { paths, weights } of manifest.weightsManifest) {
    const { buffer, byteOffset, byteLength } = Buffer.concat(paths.map((path) => readFileSync(join(folder, path))));
    let at = byteOffset;
    for (const { name, shape, dtype } of weights) {
      if (dtype !== "float32" && dtype !== "int32") throw new Error(`${name} is of type ${dtype}`);
      const length = shape.reduce((product, size) => product * size, 1);
      if (dtype === "float32") found.set(name, new Float32Array(buffer.slice(at, at + length * 4)));
      at += length * 4;
    }
    if (at !== byteOffset + byteLength) throw new Error("the length of the weights differs from their manifest");
  }
  return (name) => {
    const weights = found.get(name);
    if (!weights) throw new Error(`the model has no weights ${name}`);
    return weights;
  };
}
