import type { ErrorCode } from "../../kernel/errors.ts";
import type { AttachmentRef, RawRef } from "../../mailbox/store/content-source.ts";
import type { BlobName } from "../../platform/blobs/files.ts";

/** The requested bytes of a message: its whole source, or one attachment. */
export type ContentRequest = { kind: "raw"; ref: RawRef } | { kind: "attachment"; ref: AttachmentRef };

/** Returns the blob that holds what a request asks for. */
export function blobOf({ kind, ref }: ContentRequest): BlobName {
  const part = kind === "raw" ? "raw" : ref.attachment_id;
  return { user_id: ref.user_id, message_id: ref.message_id, part };
}

/** The calls of the main thread to the mail worker: name of the call → its argument. */
export interface Calls {
  /** Answered by `begun`, any number of `written`, then `done`. */
  content: ContentRequest;
  /** Id of the account to sync. */
  syncNow: string;
  /** Accounts were added, changed, paused or removed. */
  accountsChanged: null;
  /** Answered when the last batch is committed. */
  stop: null;
}

export type CallName = keyof Calls;

/** Marks messages of this port among others on the same worker. */
export const MAIL_PORT = "mail";

export type ToWorker = { port: typeof MAIL_PORT; id: number } & (
  | { [K in CallName]: { type: "call"; call: K; args: Calls[K] } }[CallName]
  | { type: "cancel" }
);

export type ToMain = { port: typeof MAIL_PORT; id: number } & (ContentProgress | { type: "done" } | CallFailure);

export interface CallFailure {
  type: "failed";
  code: ErrorCode;
  /** Shown to clients. */
  message: string;
}

/** The message that clients get with provider_unavailable. */
export const UNAVAILABLE = "The mail server cannot be reached right now. Try again later.";

/**
 * Progress of a download. The bytes themselves pass through the sealed file, so a slow reader never holds up the
 * server.
 */
export type ContentProgress =
  /** `size`: exact number of bytes if the server announced it, else null. */
  | { type: "begun"; paths: readonly [string, string]; size: number | null }
  /** Number of bytes that can be read so far. */
  | { type: "written"; written: number }
  | { type: "complete"; size: number };

/** Either end of the port: a Worker, a worker's own scope, or a MessagePort. */
export interface Endpoint {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** Returns whether a message that a worker received belongs to this port. */
export function isPortMessage(data: unknown): boolean {
  return typeof data === "object" && data !== null && (data as { port?: unknown }).port === MAIL_PORT;
}
