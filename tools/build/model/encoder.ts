import { ELEMENT, GraphWriter } from "./onnx.ts";
import type { Weights } from "./tfjs.ts";

/*
 * Universal Sentence Encoder lite as an ONNX graph: a transformer of two pre-norm layers over 8,000 pieces, the mean
 * over the tokens, a tanh layer, and normalization to length one (Cer et al. 2018). Built from the weights, not from
 * the TensorFlow graph.
 */

const VOCABULARY = 8_002;
const HEADS = 4;
const FIRST_WIDTH = 256;
const WIDTH = 512;
const INNER_WIDTH = 1_536;
const FREQUENCIES = 128;
const MASKED = -1e9;

const ENCODER = "module/Encoder_en/KonaTransformer/Encode";
const APPLIED = "module_apply_default/Encoder_en/KonaTransformer/Encode";

/**
 * Returns the ONNX file: `input_ids`, `attention_mask` [batch, seq] → `sentence_embedding` [batch, 512],
 * `last_hidden_state`.
 */
export function buildEncoder(weights: Weights): Uint8Array {
  const g = new GraphWriter();
  const axis1 = g.ints("axis1", [1]);
  const axes12 = g.ints("axes12", [1, 2]);
  const one = g.scalar("one", 1);
  // The original adds the embedding twice: with the positions, and before the first layer.
  const table = weights("module/Embeddings_en").map((value) => 2 * value);
  const embedded = g.rows("input_ids", "embeddings", table, [VOCABULARY, FIRST_WIDTH]);
  let h = g.op("Add", [embedded, positions(g, weights)]);
  const mask = g.op("Cast", ["attention_mask"], { to: ELEMENT.float });
  const padding = g.op("Unsqueeze", [g.op("Sub", [one, mask]), axes12]);
  const bias = g.op("Mul", [padding, g.scalar("masked", MASKED)]);
  for (const layer of [0, 1] as const) h = transformerLayer(g, weights, layer, h, bias);
  // The mean over the tokens that are present.
  const summed = g.op("ReduceSum", [g.op("Mul", [h, g.op("Unsqueeze", [mask, g.ints("axis2", [2])])]), axis1], {
    keepdims: 0,
  });
  const count = g.op("Max", [g.op("ReduceSum", [mask, axis1], { keepdims: 1 }), one]);
  const head = "module/Encoder_en/hidden_layers/tanh_layer_0";
  const mean = g.op("Div", [summed, count]);
  const t = g.op("Tanh", [g.linear(mean, "head", weights(`${head}/weights`), [WIDTH, WIDTH], weights(`${head}/bias`))]);
  const squares = g.op("ReduceSum", [g.op("Mul", [t, t]), axis1], { keepdims: 1 });
  const length = g.op("Sqrt", [g.op("Max", [squares, g.scalar("tiny", 1e-12)])]);
  const sentence = g.op("Div", [t, length], {}, "sentence_embedding");
  // Repeated for every token, so that any pooling of a library returns the sentence embedding.
  const shape = g.op("Concat", [g.op("Shape", ["input_ids"]), g.ints("width", [WIDTH])], { axis: 0 });
  g.op("Expand", [g.op("Unsqueeze", [sentence, axis1]), shape], {}, "last_hidden_state");
  return g.model(
    "use_lite",
    [
      { name: "input_ids", element: "int64", shape: ["batch", "seq"] },
      { name: "attention_mask", element: "int64", shape: ["batch", "seq"] },
    ],
    [
      { name: "sentence_embedding", element: "float", shape: ["batch", WIDTH] },
      { name: "last_hidden_state", element: "float", shape: ["batch", "seq", WIDTH] },
    ],
  );
}

/** Returns sine and cosine of the position, [seq, 256]. */
function positions(g: GraphWriter, weights: Weights): string {
  const size = g.op("Slice", [g.op("Shape", ["input_ids"]), g.ints("from1", [1]), g.ints("to2", [2])]);
  const range = g.op("Range", [g.ints("zero", [0], []), g.op("Squeeze", [size]), g.ints("step", [1], [])]);
  const place = g.op("Unsqueeze", [g.op("Cast", [range], { to: ELEMENT.float }), g.ints("axis1", [1])]);
  const timing = weights(`${APPLIED}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`);
  const angle = g.op("Mul", [place, g.floats("timing", timing, [1, FREQUENCIES])]);
  return g.op("Concat", [g.op("Sin", [angle]), g.op("Cos", [angle])], { axis: 1 });
}

function transformerLayer(g: GraphWriter, weights: Weights, layer: 0 | 1, h: string, bias: string): string {
  const width = layer === 0 ? FIRST_WIDTH : WIDTH;
  const parts = (name: string) => weights(`${APPLIED}/Layer_${layer}/TransformerLayer/${name}/ConcatPartitions/concat`);
  const stack = `${APPLIED}/TransformerStack/Layer_${layer}/TransformerLayer`;
  const norm = "layer_prepostprocess/layer_norm/layer_norm";
  const x = g.layerNorm(h, `l${layer}.norm`, parts(`${norm}_scale`), parts(`${norm}_bias`));
  const attended = attention(g, weights, layer, x, bias, parts);
  // The residual of the first layer is widened to the output of its attention.
  const residual =
    width === WIDTH ? h : g.linear(h, `l${layer}.residual`, parts("dense/kernel"), [width, WIDTH], parts("dense/bias"));
  const middle = g.op("Add", [attended, residual]);
  const y = g.layerNorm(middle, `l${layer}.ffn.norm`, parts(`FFN/${norm}_scale`), parts(`FFN/${norm}_bias`));
  const dense = (n: 1 | 2, input: string, shape: [number, number]) =>
    g.linear(
      input,
      `l${layer}.ffn${n}`,
      weights(`${stack}/FFN/conv${n}/Tensordot/Reshape_1`),
      shape,
      parts(`FFN/conv${n}/bias`),
    );
  const inner = g.op("Relu", [dense(1, y, [WIDTH, INNER_WIDTH])]);
  return g.op("Add", [dense(2, inner, [INNER_WIDTH, WIDTH]), middle]);
}

function attention(g: GraphWriter, weights: Weights, layer: 0 | 1, x: string, bias: string, parts: Weights): string {
  const width = layer === 0 ? FIRST_WIDTH : WIDTH;
  const kernel = (name: string) =>
    weights(`${ENCODER}/Layer_${layer}/TransformerLayer/MultiheadAttention/${name}/kernel/part_0`);
  const partBias = (name: string) => parts(`MultiheadAttention/${name}/bias`);
  const name = (what: string) => `l${layer}.${what}`;
  const qkv = g.linear(
    x,
    name("qkv"),
    kernel("qkv_transform_single"),
    [width, 3 * width],
    partBias("qkv_transform_single"),
  );
  const split = g.ints(name("split"), [width, width, width]);
  const [q, k, v] = g.ops("Split", [qkv, split], 3, { axis: -1 }) as [string, string, string];
  const byHead = g.ints(name("heads"), [0, 0, HEADS, width / HEADS]);
  const heads = (value: string, perm: number[]) => g.op("Transpose", [g.op("Reshape", [value, byHead])], { perm });
  const scale = g.scalar(name("scale"), 1 / Math.sqrt(width / HEADS));
  const scores = g.op("MatMul", [g.op("Mul", [heads(q, [0, 2, 1, 3]), scale]), heads(k, [0, 2, 3, 1])]);
  const shares = g.op("Softmax", [g.op("Add", [scores, bias])], { axis: -1 });
  const mixed = g.op("Transpose", [g.op("MatMul", [shares, heads(v, [0, 2, 1, 3])])], { perm: [0, 2, 1, 3] });
  const merged = g.op("Reshape", [mixed, g.ints(name("merged"), [0, 0, width])]);
  return g.linear(
    merged,
    name("out"),
    kernel("output_transform_single"),
    [width, WIDTH],
    partBias("output_transform_single"),
  );
}
