import type { BackupReader } from "./backup-file.ts";
import type { Manifest } from "./manifest.ts";
import type { Value } from "./rows.ts";
import type { TableShape } from "./snapshot.ts";

/** Receives the verified contents of the newest backup of a chain, `keys` and `schema` first. */
export interface ChainVisitor extends Pick<BackupReader, "keys" | "schema" | "progress"> {
  part?(table: TableShape, rows: Iterable<Value[]>): void;
  /** Must read all chunks. Their hash is verified after the last one. */
  file?(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The verified content of a chain. */
export interface ChainSummary {
  manifest: Manifest;
  tables: number;
  rows: number;
  files: number;
  /** Backup files that were read. */
  read: string[];
}
