import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Filled } from "./fill.ts";

const PACKED = join(import.meta.dir, "../fixtures/filled-0.1.json.zst");
/** The program creates these again. */
const LEFT_OUT = /^(cache|run)\//;
const LEVEL = 19;

/** Backups that 0.1 made of the folder, in the folder. The second one contains what changed after the first one. */
export const BACKUPS = { full: "backups/full.age", incremental: "backups/incremental.age" } as const;

interface Packed {
  filled: Filled;
  /** Contents in Base64, by path. */
  files: Record<string, string>;
}

/** Writes a filled data folder of version 0.1. @returns what it has */
export function unpackVersion01(folder: string): Filled {
  const { filled, files } = JSON.parse(Buffer.from(Bun.zstdDecompressSync(readFileSync(PACKED))).toString()) as Packed;
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, Buffer.from(bytes, "base64"), { mode: 0o600 });
  }
  return filled;
}

/** Replaces the stored folder of version 0.1. */
export function pack(folder: string, filled: Filled): number {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => !LEFT_OUT.test(name));
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString("base64")]));
  const packed = Bun.zstdCompressSync(JSON.stringify({ filled, files } satisfies Packed), { level: LEVEL });
  writeFileSync(PACKED, packed);
  return packed.length;
}
