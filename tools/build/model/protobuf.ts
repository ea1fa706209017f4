/** The part of the protobuf encoding that an ONNX file needs: varints, fixed floats and length-delimited fields. */

export type Bytes = Uint8Array;

/** Joins byte strings. */
export function concat(parts: readonly Bytes[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function varint(value: number | bigint): Bytes {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(out);
}

/** Encodes an integer field. */
export function int(field: number, value: number | bigint): Bytes {
  return concat([varint(field << 3), varint(value)]);
}

/** Encodes a 32-bit float field. */
export function float(field: number, value: number): Bytes {
  return concat([varint((field << 3) | 5), new Uint8Array(Float32Array.of(value).buffer)]);
}

/** Encodes a text, byte string or embedded message. */
export function bytes(field: number, value: string | Bytes): Bytes {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return concat([varint((field << 3) | 2), varint(content.length), content]);
}
