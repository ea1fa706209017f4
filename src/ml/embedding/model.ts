import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { extractLibrary } from "../../platform/native/extract.ts";
import { embeddedModel } from "./built-in-files.ts";
import { readManifest } from "./pull.ts";
import { RECOMMENDED } from "./recommended.ts";

/** A model on this machine, in the layout of Hugging Face. */
export interface ModelFolder {
  /** Identifies the model and its version. Vectors of another id cannot be compared. */
  id: string;
  path: string;
  /** The subfolder with the ONNX files. */
  subfolder: string;
  /** Name of the ONNX file without its suffix. */
  file: string;
  /** Texts are cut at this many tokens. */
  max_tokens: number;
  /** Supported languages, ISO 639-1; null for any. */
  languages: readonly string[] | null;
}

/** Raise the revision when the model's files change (REVISION in tools/build/model/convert.ts). */
const BUILT_IN = { name: "use-lite", revision: 1, max_tokens: 128, languages: ["en"] };
export const BUILT_IN_SETTING = "built-in";
export const BUILT_IN_ID = `${BUILT_IN.name}@${BUILT_IN.revision}`;
/** ONNX files by preference, small ones first: home machines usually have no graphics card. */
const FILES = ["model_quantized", "model_int8", "model"];
const MAX_TOKENS = 512;

/**
 * Finds the model that a value of `embedding.model` names.
 * @throws UserError when there is none
 */
export async function findModel(data_dir: string, setting: string): Promise<ModelFolder> {
  if (setting === BUILT_IN_SETTING) return builtIn(data_dir);
  const path = isAbsolute(setting) ? setting : join(data_dir, "models", setting);
  const found = FILES.map((file) => ({ file, onnx: join(path, "onnx", `${file}.onnx`) })).find(({ onnx }) =>
    existsSync(onnx),
  );
  if (!found || !existsSync(join(path, "tokenizer.json"))) {
    throw new UserError(
      `embedding.model does not name a model: ${path} must contain config.json, tokenizer.json and onnx/model_quantized.onnx.`,
    );
  }
  const hash = createHash("sha256").update(readFileSync(found.onnx)).digest("hex");
  const manifest = readManifest(path);
  const known = Object.values(RECOMMENDED).find(({ model }) => model === manifest?.model);
  const pinned = manifest?.files.find(({ name }) => name === `onnx/${found.file}.onnx`);
  if (pinned && pinned.sha256 !== hash) {
    throw new UserError(`${found.onnx} changed after it was downloaded. Download it again with 'postroom model pull'.`);
  }
  return {
    id: `${setting.split("/").at(-1)}@${hash.slice(0, 12)}`,
    path,
    subfolder: "onnx",
    file: found.file,
    max_tokens: known?.max_tokens ?? MAX_TOKENS,
    languages: null,
  };
}

async function builtIn(data_dir: string): Promise<ModelFolder> {
  const path = embeddedModel
    ? dirname(await extractLibrary(join(data_dir, "cache"), BUILT_IN.name, String(BUILT_IN.revision), embeddedModel))
    : join(import.meta.dir, `../../../.cache/models/${BUILT_IN.name}-${BUILT_IN.revision}`);
  if (!embeddedModel) makeFromSource(path);
  const { max_tokens, languages } = BUILT_IN;
  return { id: BUILT_IN_ID, path, subfolder: "", file: "model_quantized", max_tokens, languages };
}

/** Builds the model if it is missing when run from source; takes a second. */
function makeFromSource(path: string): void {
  if (existsSync(join(path, "config.json"))) return;
  const maker = join(import.meta.dir, "../../../tools/build/model/convert.ts");
  const { success, stderr } = Bun.spawnSync([process.execPath, maker], { stdout: "ignore", stderr: "pipe" });
  if (!success) throw new UserError(`The built-in model could not be created: ${stderr.toString().slice(-500)}`);
}
