import type { BackupReader } from "./backup-file.ts";
import type { Manifest } from "./manifest.ts";
import type { Value } from "./rows.ts";
import type { TableShape } from "./snapshot.ts";
/**
 * Receives the contents of the newest backup of a chain. All of it is verified by hash; `keys` and `schema` are first.
 */
export interface ChainTaker extends Pick<BackupReader, "keys" | "schema" | "progress"> {
  part?(table: TableShape, rows: Iterable<Value[]>): void;
  /** Has to read all chunks; they are proved when they end. */
  file?(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** How much of a chain was proved. */
export interface Proof {
  manifest: Manifest;
  tables: number;
  rows: number;
  files: number;
  /** Backup files that were read. */
  read: string[];
}
