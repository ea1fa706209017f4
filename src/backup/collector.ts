import { UserError } from "../kernel/errors.ts";
import type { BackupReader, PackedPart } from "./backup-file.ts";
import type { ChainSummary, ChainVisitor } from "./chain-visitor.ts";
import type { Manifest } from "./manifest.ts";
import { sha256, TableHash } from "./parts.ts";
import { RowsBroken, readRows, type Value } from "./rows.ts";
import type { Schema, TableShape } from "./snapshot.ts";

/** The parts and files to collect from a chain, according to the newest manifest. */
interface Wanted {
  manifest: Manifest;
  schema: Schema | null;
}

/**
 * Collects the parts and files of a backup from one or several backup files, and verifies each part by hash and number
 * of rows before it passes it on. From a chain, it collects only what the newest manifest lists.
 */
export class Collector {
  readonly #tables = new Map<string, TableShape>();
  /** For a chain: parts still missing, by `<position of the file>:<table>:<hash>`. Null: collect everything. */
  readonly #wantedParts: Map<string, number> | null = null;
  readonly #wantedFiles: Map<string, { size: number; sha256: string }> | null = null;
  /** For a single file: what was collected. */
  readonly #sums = new Map<string, TableHash>();
  readonly #files = new Map<string, { size: number; sha256: string }>();

  constructor(
    private readonly path: string,
    private readonly visitor: Pick<ChainVisitor, "keys" | "schema" | "part" | "file">,
    wanted?: Wanted,
  ) {
    if (!wanted) return;
    this.#setSchema(wanted.schema);
    const { tables, files } = wanted.manifest;
    this.#wantedParts = new Map(
      tables.flatMap(({ name, parts }) => parts.map((part) => [`${part.in}:${name}:${part.hash}`, part.rows])),
    );
    this.#wantedFiles = new Map(files.map((file) => [`${file.in}:${file.path}`, file]));
  }

  /** Returns the reader for the file at this position of the chain. */
  reader(from: number): BackupReader {
    const whole = this.#wantedParts === null;
    return {
      ...(whole && this.visitor.keys ? { keys: this.visitor.keys } : {}),
      ...(whole
        ? {
            schema: async (schema: Schema) => {
              this.#setSchema(schema);
              await this.visitor.schema?.(schema);
            },
          }
        : {}),
      part: (part) => this.#part(from, part),
      file: (path, size, chunks) => this.#file(from, path, size, chunks),
    };
  }

  /** Compares what was collected with the manifest. @throws UserError if something is missing, different or surplus */
  verify({ tables, files }: Manifest): Pick<ChainSummary, "tables" | "rows" | "files"> {
    const missing = (what: string) => new UserError(`${this.path} is not complete: ${what}.`);
    if (this.#wantedParts && this.#wantedFiles) {
      for (const key of this.#wantedParts.keys()) throw missing(`a part of table ${key.split(":")[1]} is missing`);
      for (const key of this.#wantedFiles.keys())
        throw missing(`the file ${key.slice(key.indexOf(":") + 1)} is missing`);
    } else {
      for (const { name, rows, hash } of tables) {
        const sum = this.#sums.get(name) ?? new TableHash();
        if (sum.rows !== rows) throw missing(`table ${name} has ${sum.rows} rows instead of ${rows}`);
        if (sum.digest() !== hash) throw missing(`table ${name} does not match its hash`);
        this.#sums.delete(name);
      }
      for (const { path, size, sha256 } of files) {
        const found = this.#files.get(path);
        if (found?.size !== size || found.sha256 !== sha256) throw missing(`the file ${path} does not match its hash`);
        this.#files.delete(path);
      }
      for (const name of [...this.#sums.keys(), ...this.#files.keys()]) throw missing(`${name} is not in its manifest`);
    }
    return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.length };
  }

  #setSchema(schema: Schema | null): void {
    for (const table of schema?.tables ?? []) this.#tables.set(table.name, table);
  }

  #part(from: number, { table: name, location, packed }: PackedPart): void {
    const table = this.#tables.get(name);
    const wrong = (what: string) => new UserError(`${this.path} is damaged: ${location} ${what}.`);
    if (!table) throw wrong("belongs to no table");
    const bytes = unpacked(packed);
    if (!bytes) throw wrong("cannot be decompressed");
    const hash = sha256(bytes);
    const key = `${from}:${name}:${hash}`;
    if (this.#wantedParts && !this.#wantedParts.has(key)) return;
    const rows = countRows(bytes, table.columns.length);
    if (rows === null) throw wrong("does not contain valid rows");
    if (this.#wantedParts) {
      if (this.#wantedParts.get(key) !== rows) throw wrong(`has an unexpected number of rows (${rows})`);
      this.#wantedParts.delete(key);
    } else {
      const sum = this.#sums.get(name) ?? new TableHash();
      sum.add({ hash, rows });
      this.#sums.set(name, sum);
    }
    this.visitor.part?.(table, readRows(bytes, table.columns.length));
  }

  async #file(from: number, path: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const key = `${from}:${path}`;
    const wanted = this.#wantedFiles?.get(key);
    if (this.#wantedFiles && !wanted) return;
    const hasher = new Bun.CryptoHasher("sha256");
    async function* hashed() {
      for await (const chunk of chunks) {
        hasher.update(chunk);
        yield chunk;
      }
    }
    if (this.visitor.file) await this.visitor.file(path, hashed());
    else for await (const _ of hashed());
    const found = { size, sha256: hasher.digest("hex") };
    if (!wanted) this.#files.set(path, found);
    else if (wanted.size !== size || wanted.sha256 !== found.sha256) {
      throw new UserError(`${this.path} is damaged: the file ${path} has the wrong content.`);
    } else this.#wantedFiles!.delete(key);
  }
}

function unpacked(packed: Uint8Array): Uint8Array | null {
  try {
    return Bun.zstdDecompressSync(packed);
  } catch {
    return null;
  }
}

/** Counts the rows without keeping them; null if the bytes are not rows. */
function countRows(bytes: Uint8Array, columns: number): number | null {
  try {
    let count = 0;
    for (const _ of readRows(bytes, columns) as Iterable<Value[]>) count++;
    return count;
  } catch (error) {
    if (error instanceof RowsBroken) return null;
    throw error;
  }
}
