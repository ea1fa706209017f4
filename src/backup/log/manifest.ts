import { zstdDecompressSync } from "node:zlib";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Segment } from "./crypt.ts";

const Count = Type.Integer({ minimum: 0 });
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()]);

const StepShape = Type.Object({ from: Count, token: Count, seq: Count, at: Count, sha256: Hash });
/** A step: everything that changed after segment `from` until segment `seq`. */
export type LogStep = Static<typeof StepShape>;

const ManifestShape = Type.Object({
  format: Type.Integer(),
  level: Type.Union([Type.Literal("change"), Type.Literal("step"), Type.Literal("base")]),
  token: Count,
  seq: Count,
  /** When the state was read, by the clock of the primary, ms. Never less than that of the previous segment. */
  at: Count,
  /** Hash that precedes this change in the chain; null for steps and bases. */
  previous: OrNull(Hash),
  /** Hash of the change with the same number as a step or a base; null for changes, and for a fresh base. */
  after: OrNull(Hash),
  pageSize: Type.Integer({ minimum: 512, maximum: 65_536 }),
  pageCount: Count,
  /** State hash of the database after this segment. */
  state: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  attempt: Type.String({ pattern: "^[0-9a-f]{16}$" }),
  /** The content, before what the manifest itself has. */
  packs: Type.Array(Type.Object({ n: Count, bytes: Count, sha256: Hash })),
  /** Of a step: the segment after which it begins, and the earlier steps, oldest first. */
  from: OrNull(Count),
  steps: Type.Array(StepShape),
});
export type LogManifest = Static<typeof ManifestShape>;

const ZSTD_LEVEL = 3;

/** Encodes a manifest with the last part of the content: u32 length | JSON | zstd of records. */
export function encodeManifest(manifest: LogManifest, content: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(manifest));
  const packed = compress(content);
  const bytes = Buffer.allocUnsafe(4 + json.length + packed.length);
  bytes.writeUInt32LE(json.length, 0);
  bytes.set(json, 4);
  bytes.set(packed, 4 + json.length);
  return bytes;
}

/** @returns null if the manifest is not of this segment or of another format */
export function decodeManifest(of: Segment, bytes: Uint8Array): { manifest: LogManifest; content: Uint8Array } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 4) return null;
  const end = 4 + buffer.readUInt32LE(0);
  let manifest: unknown;
  try {
    manifest = JSON.parse(buffer.subarray(4, end).toString());
  } catch {
    return null;
  }
  if (!Value.Check(ManifestShape, manifest) || manifest.format !== 1) return null;
  if (manifest.level !== of.level || manifest.token !== of.token || manifest.seq !== of.seq) return null;
  return { manifest, content: buffer.subarray(end) };
}

export function compress(content: Uint8Array): Uint8Array {
  return Bun.zstdCompressSync(content as Uint8Array<ArrayBuffer>, { level: ZSTD_LEVEL });
}

/** @throws an error of zstd if the bytes are not of `compress`, or have more content than `most` bytes */
export function decompress(packed: Uint8Array, most?: number): Uint8Array {
  if (most === undefined) return Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>);
  return zstdDecompressSync(packed, { maxOutputLength: most });
}
