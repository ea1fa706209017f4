import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { PageMap } from "../../platform/pages/page-map.ts";
import { syncFolder } from "../target-file.ts";
import type { LogTarget } from "./apply.ts";
import { LogFault } from "./faults.ts";
import type { LogPosition, OpenedSegment } from "./history.ts";
import { writeAtomically } from "./local-files.ts";
import type { StoredFile } from "./records.ts";

/** The database, which is not called so until it is complete. */
export const PAGES_FILE = "pages";
/** The other files of the data folder. */
export const FILES_FOLDER = "files";
const POSITION_FILE = "position.json";
const PARTIAL = ".part";

/** What a folder has, as it notes it. */
interface Noted {
  logId: string;
  /** The state that the folder has reached; null: none yet. */
  position: LogPosition | null;
  /** The segment that was being applied last. Until it is complete, pages may be of its state. */
  applying: number;
  pageSize: number;
}

/**
 * A folder to which segments are applied. Killed at any moment, it continues: pages and files are whole, so applying
 * them again does no harm, and the position is noted only when they are on the disk.
 */
export class FolderTarget implements LogTarget {
  readonly #pages: number;
  #closed = false;
  #pageSize: number;
  /** The file that is being written. */
  #piece: { path: string; fd: number } | null = null;

  private constructor(
    readonly folder: string,
    private noted: Noted,
    readonly map: PageMap | null,
  ) {
    this.#pages = openSync(join(folder, PAGES_FILE), existsSync(join(folder, PAGES_FILE)) ? "r+" : "w+", 0o600);
    this.#pageSize = noted.pageSize;
  }

  /**
   * Opens the folder, or creates it.
   * @param rest awaited while the pages are read @throws LogFault if it has the copy of another log, which may be newer
   */
  static async open(folder: string, logId: string, rest: () => Promise<void>): Promise<FolderTarget> {
    const noted = readNoted(folder);
    if (noted?.logId === logId) {
      const pages = join(folder, PAGES_FILE);
      const map =
        noted.position && existsSync(pages)
          ? await PageMap.ofFile(whole(pages, noted.pageSize), noted.pageSize, rest)
          : null;
      return new FolderTarget(folder, map ? noted : { ...noted, position: null }, map);
    }
    if (noted?.position) {
      throw new LogFault(
        "replaced",
        `${folder} follows a continuous copy that has been replaced by another one. If you started the copy again, delete this folder.`,
      );
    }
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, FILES_FOLDER), { recursive: true, mode: 0o700 });
    return new FolderTarget(folder, { logId, position: null, applying: 0, pageSize: 0 }, null);
  }

  get position(): LogPosition | null {
    return this.noted.position;
  }

  /** Number of the segment from which the pages are of one state again. */
  get exactFrom(): number {
    return this.noted.applying;
  }

  begin({ manifest: { seq, level, pageSize } }: OpenedSegment): void {
    this.#pageSize = pageSize;
    // A base replaces everything, so an interrupted one is applied again from its beginning.
    const position = level === "base" ? null : this.noted.position;
    this.#note({ ...this.noted, position, applying: Math.max(this.noted.applying, seq), pageSize });
  }

  pages(first: number, content: Uint8Array): void {
    const start = (first - 1) * this.#pageSize;
    for (let at = 0; at < content.length; ) at += writeSync(this.#pages, content, at, content.length - at, start + at);
  }

  piece(path: string, offset: number, bytes: Uint8Array): void {
    if (this.#piece?.path !== path || offset === 0) {
      this.#closePiece();
      const partial = this.#pathOf(path) + PARTIAL;
      mkdirSync(dirname(partial), { recursive: true, mode: 0o700 });
      this.#piece = { path, fd: openSync(partial, "w", 0o600) };
    }
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#piece.fd, bytes, at);
  }

  file({ path }: StoredFile): void {
    if (this.#piece?.path !== path) this.piece(path, 0, new Uint8Array(0));
    fsyncSync(this.#piece!.fd);
    this.#closePiece();
    renameSync(this.#pathOf(path) + PARTIAL, this.#pathOf(path));
  }

  deleted(path: string): void {
    rmSync(this.#pathOf(path), { force: true });
  }

  async end({ manifest, position }: OpenedSegment, files: ReadonlySet<string> | null): Promise<void> {
    this.#closePiece();
    if (files) this.#removeOthers(files);
    ftruncateSync(this.#pages, manifest.pageCount * manifest.pageSize);
    fsyncSync(this.#pages);
    await syncFolder(join(this.folder, FILES_FOLDER));
    this.#note({ ...this.noted, position });
  }

  /** Closes the files; harmless when repeated. The pages must not be open elsewhere as a database at that time. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#closePiece();
    closeSync(this.#pages);
  }

  #note(noted: Noted): void {
    writeAtomically(join(this.folder, POSITION_FILE), Buffer.from(JSON.stringify(noted)));
    this.noted = noted;
  }

  #pathOf(path: string): string {
    return join(this.folder, FILES_FOLDER, path);
  }

  #closePiece(): void {
    if (this.#piece) closeSync(this.#piece.fd);
    this.#piece = null;
  }

  #removeOthers(files: ReadonlySet<string>): void {
    const root = join(this.folder, FILES_FOLDER);
    for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isDirectory() && !files.has(relative(root, path).split("\\").join("/"))) rmSync(path, { force: true });
    }
  }
}

/** Returns the state that a folder has reached; null if there is none. */
export function followedPosition(folder: string): LogPosition | null {
  return readNoted(folder)?.position ?? null;
}

function readNoted(folder: string): Noted | null {
  try {
    return JSON.parse(readFileSync(join(folder, POSITION_FILE), "utf8")) as Noted;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Cuts off a page that was being written at the end. */
function whole(pages: string, pageSize: number): string {
  const fd = openSync(pages, "r+");
  try {
    const bytes = Bun.file(pages).size;
    if (bytes % pageSize !== 0) ftruncateSync(fd, bytes - (bytes % pageSize));
  } finally {
    closeSync(fd);
  }
  return pages;
}
