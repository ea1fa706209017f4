import type { UploadState } from "../../platform/objects/store.ts";
import type { Copy } from "./copy-index.ts";

/** What is known about the place of the copies. */
export interface CopyState {
  /** The `id` of the place that this is about. */
  place: string;
  /** Where the drive of a folder was mounted; null for other places. */
  mount: string | null;
  /** Of the index that was read or written last; 0: none yet. */
  generation: number;
  /** Tag of that index. */
  etag: string | null;
  copies: Copy[];
  last: { at: number; made_at: number; bytes: number } | null;
  /** Since the first of the failures without a success between them, ms. */
  failing_since: number | null;
  failures: number;
  error: string | null;
  /** Something unexpected that sending repaired, as a sentence. */
  warning: string | null;
  /** Keys of old objects that the store refused to delete so far. */
  locked: string[];
  /** When all objects were last compared with the index, ms. */
  checked_at: number;
  /** The upload that was interrupted. */
  upload: { backup_id: string; object: string; parts: UploadState | null } | null;
}
