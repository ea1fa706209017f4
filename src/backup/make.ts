import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { isoTime } from "../kernel/clock.ts";
import { ContainerWriter } from "./container.ts";
import { dataFiles } from "./data-files.ts";
import { encrypted, type Readers } from "./envelope.ts";
import {
  type FileEntry,
  formatManifest,
  type Head,
  type Manifest,
  type PartEntry,
  type TableEntry,
} from "./manifest.ts";
import { partsOf, TableHash } from "./parts.ts";
import { Snapshot, type TableShape } from "./snapshot.ts";
import { TargetFile } from "./target-file.ts";

/** Keys that a restored folder needs to open its contents. They are encrypted in the backup. */
export interface BackupKeys {
  /** 64 hex digits. */
  master_key: string;
  /** Where the key is stored: in a file beside the data, outside, or derived from a passphrase. */
  source: "file" | "given" | "passphrase";
  /** Texts of keys/passphrase.json and keys/recovery.json, or null. */
  passphrase_json: string | null;
  recovery_json: string | null;
}

export interface Progress {
  /** Bytes of the database and of files. `total` is an estimate until the end. */
  done: number;
  total: number;
}

export interface MakeOptions {
  data_dir: string;
  /** Path of the backup file to create. */
  file: string;
  replace?: boolean;
  /** Files and folders in the data folder that are or contain backups. */
  except?: readonly string[];
  keys: BackupKeys;
  readers: Readers;
  version: string;
  clock: Clock;
  /** An earlier backup: parts that are in it or its chain are not written again. */
  since?: { manifest: Manifest; file: string };
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface MadeBackup {
  head: Head;
  rows: number;
  files: number;
  /** Size of the file. */
  bytes: number;
  /** SHA-256 of the file, hex. */
  sha256: string;
  /** Bytes of parts and files that are in earlier backups. */
  reused_bytes: number;
}

const ZSTD_LEVEL = 3;
const READ_BYTES = 256 * 1024;

/**
 * Writes one consistent backup of a data folder, with or without a running server. Memory stays bounded, because rows,
 * files and encrypted bytes are processed in pieces.
 * @throws UserError if the target exists or its disk is full; nothing is left behind then
 */
export async function makeBackup(options: MakeOptions): Promise<MadeBackup> {
  const target = await TargetFile.create(options.file, options.replace);
  let snapshot: Snapshot | null = null;
  try {
    snapshot = new Snapshot(join(options.data_dir, "postroom.db"));
    const container = new ContainerWriter(options.clock.now());
    const made = new Making(options, snapshot, container, target);
    const cipher = await encrypted(container.stream(), options.readers);
    const hasher = new Bun.CryptoHasher("sha256");
    const pump = async () => {
      for await (const chunk of cipher) {
        hasher.update(chunk);
        await target.write(chunk);
      }
    };
    const [result] = await bothOrNeither(made.fill(), pump(), (error) => container.abort(error));
    await target.finish();
    return { ...result, bytes: target.bytes, sha256: hasher.digest("hex") };
  } catch (error) {
    await target.abandon();
    throw error;
  } finally {
    snapshot?.close();
  }
}

/** Waits for both. If one fails, stops the other. @throws the first failure */
async function bothOrNeither<A, B>(a: Promise<A>, b: Promise<B>, stop: (error: Error) => void): Promise<[A, B]> {
  let first: unknown;
  const watched = <T>(work: Promise<T>) =>
    work.catch((error) => {
      first ??= error;
      stop(error as Error);
      throw error;
    });
  const results = await Promise.allSettled([watched(a), watched(b)]);
  if (results[0].status === "rejected" || results[1].status === "rejected") throw first;
  return [results[0].value, results[1].value];
}

/** Fills the container of one backup. */
class Making {
  readonly #knownParts = new Map<string, number>();
  readonly #knownFiles = new Map<string, FileEntry>();
  readonly #head: Head;
  readonly #self: number;
  readonly #progress: Progress = { done: 0, total: 0 };
  #reusedBytes = 0;

  constructor(
    private readonly options: MakeOptions,
    private readonly snapshot: Snapshot,
    private readonly container: ContainerWriter,
    private readonly target: TargetFile,
  ) {
    const { since, version, clock } = options;
    const chain = since
      ? [...since.manifest.head.chain, { id: since.manifest.head.id, file: basename(since.file) }]
      : [];
    this.#self = chain.length;
    this.#head = {
      format: 1,
      id: crypto.randomUUID(),
      kind: since ? "incremental" : "full",
      made_at: isoTime(clock.now()),
      version,
      migrations: snapshot.migrations,
      chain,
    };
    for (const { name, parts } of since?.manifest.tables ?? []) {
      for (const part of parts) this.#knownParts.set(`${name}:${part.hash}`, part.in);
    }
    for (const file of since?.manifest.files ?? []) this.#knownFiles.set(file.path, file);
  }

  async fill(): Promise<Omit<MadeBackup, "bytes" | "sha256">> {
    const { container, snapshot, options } = this;
    const { data_dir, keys, file, except = [] } = options;
    const listed = [...dataFiles(data_dir, [...except, file, this.target.partial])];
    this.#progress.total = snapshot.bytes + listed.reduce((sum, { size }) => sum + size, 0);
    await this.#addJson("head.json", this.#head);
    await this.#addJson("keys.json", keys);
    await this.#addJson("schema.json", snapshot.schema);
    // Files come first: the less time passes after the snapshot, the fewer of them are deleted.
    const files: FileEntry[] = [];
    for (const { path } of listed) {
      const entry = await this.#addFile(path);
      if (entry) files.push(entry);
    }
    const tables: TableEntry[] = [];
    for (const table of snapshot.schema.tables) tables.push(await this.#addTable(table));
    await container.add("manifest.jsonl", formatManifest({ head: this.#head, tables, files }));
    container.end();
    this.#step(Math.max(0, this.#progress.total - this.#progress.done));
    return {
      head: this.#head,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files.length,
      reused_bytes: this.#reusedBytes,
    };
  }

  #addJson(name: string, value: unknown): Promise<void> {
    return this.container.add(name, Buffer.from(`${JSON.stringify(value)}\n`));
  }

  async #addTable(table: TableShape): Promise<TableEntry> {
    const parts: PartEntry[] = [];
    const sum = new TableHash();
    for (const { bytes, rows, hash } of partsOf(table, this.snapshot.rows(table))) {
      sum.add({ hash, rows });
      const known = this.#knownParts.get(`${table.name}:${hash}`);
      parts.push({ hash, rows, bytes: bytes.length, in: known ?? this.#self });
      if (known === undefined) {
        // No two parts of a table are equal, because the keys of their rows differ.
        const packed = Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL });
        await this.container.add(partName(table.name, parts.length), packed);
      } else this.#reusedBytes += bytes.length;
      this.#step(bytes.length);
    }
    return { name: table.name, rows: sum.rows, hash: sum.digest(), parts };
  }

  /** Adds a file. @returns null if it was deleted since it was listed, together with what it belonged to */
  async #addFile(path: string): Promise<FileEntry | null> {
    const full = join(resolve(this.options.data_dir), path);
    const known = this.#knownFiles.get(path);
    // Through the handle, the same file is read even if its name changes.
    const handle = await open(full, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (!handle) return null;
    try {
      const { size } = await handle.stat();
      if (known && known.size === size && (await hashOf(full, size)) === known.sha256) {
        this.#reusedBytes += size;
        this.#step(size);
        return known;
      }
      const hasher = new Bun.CryptoHasher("sha256");
      const step = (bytes: number) => this.#step(bytes);
      async function* chunks() {
        for (let at = 0; at < size; ) {
          const { bytesRead, buffer } = await handle!.read(
            Buffer.allocUnsafe(Math.min(READ_BYTES, size - at)),
            0,
            undefined,
            at,
          );
          if (bytesRead === 0) throw new Error("A file became shorter while it was read.");
          const chunk = buffer.subarray(0, bytesRead);
          hasher.update(chunk);
          at += bytesRead;
          step(bytesRead);
          yield chunk;
        }
      }
      await this.container.addStream(`files/${path}`, size, chunks());
      return { path, size, sha256: hasher.digest("hex"), in: this.#self };
    } finally {
      await handle.close();
    }
  }

  #step(bytes: number): void {
    this.options.signal?.throwIfAborted();
    this.#progress.done = Math.min(this.#progress.done + bytes, this.#progress.total);
    this.options.progress?.({ ...this.#progress });
  }
}

/** Returns the name of a table's part in the archive. */
function partName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, "0")}.zst`;
}

async function hashOf(path: string, size: number): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of createReadStream(path, { end: Math.max(0, size - 1) })) hasher.update(chunk as Uint8Array);
  return hasher.digest("hex");
}
