import { type Bytes, bytes, concat, float, int } from "./protobuf.ts";

/** Element types of ONNX tensors (onnx.proto, TensorProto.DataType). */
export const ELEMENT = { float: 1, int8: 3, int64: 7 } as const;
type Element = keyof typeof ELEMENT;
/** Kinds of attributes (AttributeProto.AttributeType). */
const ATTRIBUTE = { float: 1, int: 2, ints: 7 } as const;
const IR_VERSION = 8;
const OPSET = 17;
/**
 * Largest magnitude of a weight: seven bits, because with eight, processors without VNNI saturate when they add
 * products.
 */
const LARGEST_WEIGHT = 63;

/** An attribute of an operator. `{ float }` marks a number as float even if it is whole. */
type Attribute = number | readonly number[] | { float: number };

export interface ValueType {
  name: string;
  element: Element;
  shape: readonly (number | string)[];
}

/** Writes an ONNX graph operator by operator (onnx.proto). Values are referenced by name. */
export class GraphWriter {
  readonly #nodes: Bytes[] = [];
  readonly #tensors: Bytes[] = [];
  readonly #names = new Set<string>();
  #count = 0;

  /** Adds a constant. @returns its name */
  floats(name: string, values: Float32Array, shape: readonly number[]): string {
    return this.#tensor(name, "float", shape, values);
  }

  /** Adds a single number as a constant. @returns its name */
  scalar(name: string, value: number): string {
    return this.floats(name, Float32Array.of(value), []);
  }

  /** Adds integers as a constant. @returns its name */
  ints(name: string, values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.#tensor(name, "int64", shape, BigInt64Array.from(values, BigInt));
  }

  /** Adds 8-bit integers as a constant. @returns its name */
  int8(name: string, values: Int8Array, shape: readonly number[]): string {
    return this.#tensor(name, "int8", shape, values);
  }

  /** Adds an operator. @returns the name of its output */
  op(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}, output?: string): string {
    return this.ops(type, inputs, 1, attributes, output)[0]!;
  }

  /** Adds an operator with several outputs. @returns the names of its outputs */
  ops(
    type: string,
    inputs: readonly string[],
    count: number,
    attributes: Record<string, Attribute> = {},
    output?: string,
  ): string[] {
    const name = `${type}_${this.#count++}`;
    const outputs = Array.from({ length: count }, (_, i) => output ?? `${name}_${i}`);
    this.#nodes.push(
      concat([
        ...inputs.map((input) => bytes(1, input)),
        ...outputs.map((value) => bytes(2, value)),
        bytes(3, name),
        bytes(4, type),
        ...Object.entries(attributes).map(([key, value]) => bytes(5, attribute(key, value))),
      ]),
    );
    return outputs;
  }

  /** Adds x·W + b with W in 7 bits by column and x in 8 bits, scaled at run time. */
  linear(x: string, name: string, weights: Float32Array, shape: [number, number], bias: Float32Array): string {
    const [rows, columns] = shape;
    const { quantized, scales } = quantizeColumns(weights, rows, columns);
    const w = this.int8(`${name}.weight`, quantized, shape);
    const zero = this.int8(`${name}.zero`, new Int8Array(columns), [columns]);
    const scale = this.floats(`${name}.scale`, scales, [columns]);
    const [xq, x_scale, x_zero] = this.ops("DynamicQuantizeLinear", [x], 3) as [string, string, string];
    const product = this.op("Cast", [this.op("MatMulInteger", [xq, w, x_zero, zero])], { to: ELEMENT.float });
    const y = this.op("Mul", [product, this.op("Mul", [x_scale, scale])]);
    return this.op("Add", [y, this.floats(`${name}.bias`, bias, [columns])]);
  }

  /** Adds a lookup of rows in a table of 8 bits, each row with its scale. Only the requested rows become floats. */
  rows(ids: string, name: string, values: Float32Array, shape: [number, number]): string {
    const [count, width] = shape;
    const quantized = new Int8Array(values.length);
    const scales = new Float32Array(count);
    for (let row = 0; row < count; row++) {
      const from = row * width;
      const scale = largest(values.subarray(from, from + width)) / 127 || 1;
      scales[row] = scale;
      for (let i = from; i < from + width; i++) quantized[i] = Math.round(values[i]! / scale);
    }
    const found = this.op("Gather", [this.int8(name, quantized, shape), ids]);
    const scale = this.op("Gather", [this.floats(`${name}.scale`, scales, [count, 1]), ids]);
    return this.op("Mul", [this.op("Cast", [found], { to: ELEMENT.float }), scale]);
  }

  /** Adds a layer normalization. @returns the name of its output */
  layerNorm(x: string, name: string, scale: Float32Array, bias: Float32Array): string {
    const inputs = [
      x,
      this.floats(`${name}.scale`, scale, [scale.length]),
      this.floats(`${name}.bias`, bias, [bias.length]),
    ];
    return this.op("LayerNormalization", inputs, { axis: -1, epsilon: { float: 1e-6 } });
  }

  /** Returns the file (onnx.proto, ModelProto). */
  model(name: string, inputs: readonly ValueType[], outputs: readonly ValueType[]): Bytes {
    const graph = concat([
      ...this.#nodes.map((node) => bytes(1, node)),
      bytes(2, name),
      ...this.#tensors.map((tensor) => bytes(5, tensor)),
      ...inputs.map((input) => bytes(11, valueInfo(input))),
      ...outputs.map((output) => bytes(12, valueInfo(output))),
    ]);
    const opset = concat([bytes(1, ""), int(2, OPSET)]);
    return concat([int(1, IR_VERSION), bytes(2, "postroom"), bytes(7, graph), bytes(8, opset)]);
  }

  #tensor(name: string, element: Element, shape: readonly number[], values: ArrayBufferView): string {
    if (this.#names.has(name)) return name;
    this.#names.add(name);
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#tensors.push(
      concat([...shape.map((size) => int(1, size)), int(2, ELEMENT[element]), bytes(8, name), bytes(9, raw)]),
    );
    return name;
  }
}

function attribute(name: string, value: Attribute): Bytes {
  if (typeof value === "number") return concat([bytes(1, name), int(3, value), int(20, ATTRIBUTE.int)]);
  if ("float" in value) return concat([bytes(1, name), float(2, value.float), int(20, ATTRIBUTE.float)]);
  return concat([bytes(1, name), ...value.map((item) => int(8, item)), int(20, ATTRIBUTE.ints)]);
}

function valueInfo({ name, element, shape }: ValueType): Bytes {
  const sizes = shape.map((size) => bytes(1, typeof size === "string" ? bytes(2, size) : int(1, size)));
  const tensor = concat([int(1, ELEMENT[element]), bytes(2, concat(sizes))]);
  return concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
}

function quantizeColumns(values: Float32Array, rows: number, columns: number) {
  const scales = new Float32Array(columns);
  for (let i = 0; i < values.length; i++) {
    const column = i % columns;
    scales[column] = Math.max(scales[column]!, Math.abs(values[i]!));
  }
  for (let column = 0; column < columns; column++) scales[column] = scales[column]! / LARGEST_WEIGHT || 1;
  const quantized = new Int8Array(rows * columns);
  for (let i = 0; i < values.length; i++) quantized[i] = Math.round(values[i]! / scales[i % columns]!);
  return { quantized, scales };
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
