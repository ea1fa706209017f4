import type { PulledModel } from "./pull.ts";

/** A model with a short name, whose files are pinned in the program. */
export interface RecommendedModel extends Pick<PulledModel, "model" | "revision" | "files"> {
  /** The model was trained on texts of this many tokens. */
  max_tokens: number;
}

/** Models by their short names. They need no prefixes, and the similarity of unrelated texts is near zero. */
export const RECOMMENDED: Readonly<Record<string, RecommendedModel>> = {
  /** Fifty languages in one space, Apache-2.0, 135 MB. */
  multilingual: {
    model: "Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    revision: "2c4055b12046f11709e9df2c122e59ffbdc2f900",
    max_tokens: 128,
    files: [
      { name: "config.json", bytes: 673, sha256: "05b570bff786faa5c4604152aa16f19f77ed6dfc31e47dd0f3dd987078693ac7" },
      {
        name: "tokenizer.json",
        bytes: 17_082_913,
        sha256: "b60b6b43406a48bf3638526314f3d232d97058bc93472ff2de930d43686fa441",
      },
      {
        name: "tokenizer_config.json",
        bytes: 496,
        sha256: "3f5961b9ac86288cccdb97f32fb848d6187c78e1603958c53f3ea1f296b7d8a2",
      },
      {
        name: "special_tokens_map.json",
        bytes: 280,
        sha256: "06e405a36dfe4b9604f484f6a1e619af1a7f7d09e34a8555eb0b77b66318067f",
      },
      {
        name: "onnx/model_quantized.onnx",
        bytes: 118_308_126,
        sha256: "66fc00f5f29afcaff34092e1bdd20008ca3918265a82fb9695a551e510cc4ebc",
      },
    ],
  },
};
