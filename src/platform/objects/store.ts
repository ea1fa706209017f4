import type { PlaceSetting } from "./place-settings.ts";

/** What an object store answers about an object. */
export interface ObjectInfo {
  key: string;
  bytes: number;
  etag: string;
  /** When it was written, by the clock of the store, ms. */
  modifiedAt: number;
}

/**
 * What must hold for a write: the object does not exist, or it is unchanged since its tag was read. `strict` refuses
 * stores without conditional writes; without it, they get unconditional ones.
 */
export type PutCondition = ({ absent: true } | { etag: string }) & { strict?: boolean };

/** Bytes to upload, which can be read again from any position. */
export interface UploadSource {
  bytes: number;
  read(at: number, length: number): Promise<Uint8Array>;
}

/** A multipart upload that can be continued later. */
export interface UploadState {
  uploadId: string;
  partBytes: number;
  /** Tags of the parts that the store has. */
  etags: string[];
}

export interface UploadProgress {
  resume: UploadState | null;
  /** Called after each part. Store the state, so that the upload continues from there after a crash. */
  saved(state: UploadState): void;
  signal?: AbortSignal;
}

/** A folder of objects: a bucket with a prefix, or a folder on a disk or over SSH. Keys consist of a-z, 0-9, - and slashes. */
export interface ObjectStore {
  /** For people: "s3://bucket/prefix", "sftp://user@host/path" or the path of the folder. */
  readonly place: string;
  /** Returns a small object; null if it does not exist. @throws StoreFault also if it is larger than `maxBytes` */
  get(key: string, maxBytes: number): Promise<{ bytes: Uint8Array; etag: string } | null>;
  /** Returns exactly `length` bytes from `at`. @throws StoreFault "missing" */
  read(key: string, at: number, length: number): Promise<Uint8Array>;
  head(key: string): Promise<ObjectInfo | null>;
  /**
   * Writes a small object whole or not at all. Write an object either always or never on a condition: a condition is
   * not checked against a write without one at the same moment. @returns its tag @throws StoreFault "conflict"
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<string>;
  /** Writes an object of any size. It appears under its key only when it is complete. */
  upload(key: string, source: UploadSource, progress: UploadProgress): Promise<void>;
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Deletes an object. @returns "kept" if the store refuses, for example because of an object lock */
  delete(key: string): Promise<"deleted" | "kept">;
  close(): void;
}

/**
 * - unavailable: may work later (network, overload)
 * - refused: needs a person (credentials, region, clock, rights)
 * - conflict: the condition of a write does not hold
 * - missing: there is no such object
 * - unsupported: the store has no conditional writes
 */
export type StoreReason = "unavailable" | "refused" | "conflict" | "missing" | "unsupported";

/**
 * A failure of an object store. `message` is whole sentences for people. Names of settings in it are in parentheses:
 * "Correct the region (backup.s3.region)."
 */
export class StoreFault extends Error {
  override readonly name = "StoreFault";

  constructor(
    readonly reason: StoreReason,
    message: string,
    cause?: unknown,
    /** The setting to correct, if it is one of them. */
    readonly setting: PlaceSetting | null = null,
  ) {
    super(message, { cause });
  }
}
