/** Bytes of which any part can be read: an uploaded file. */
export interface RandomBytes {
  readonly size: number;
  /** Returns `length` bytes from `start`. The range is within the file. */
  read(start: number, length: number): Promise<Uint8Array>;
  /** Yields the bytes in order. */
  stream(start?: number, end?: number): AsyncGenerator<Uint8Array>;
}

/** A file in an archive. Nothing is ever written under its name. */
export interface ArchiveFile {
  /** Path in the archive, with slashes. */
  name: string;
  /** Time of its last change, ms; null if the archive does not say. */
  modifiedAt: number | null;
  /** Yields its bytes. Call it at most once, and before the next file is requested. */
  open(): AsyncGenerator<Uint8Array>;
}
