import type { ErrorCode } from "../kernel/errors.ts";
import type { AttachmentRef, RawRef } from "../mailbox/content.ts";
import type { BlobName } from "../platform/blobs/files.ts";

/** Bytes that are wanted of a message: its whole source, or one attachment. */
export type ContentRequest = { kind: "raw"; ref: RawRef } | { kind: "attachment"; ref: AttachmentRef };

/** The blob that holds what a request asks for. */
export function blobOf({ kind, ref }: ContentRequest): BlobName {
  const part = kind === "raw" ? "raw" : ref.attachment_id;
  return { user_id: ref.user_id, message_id: ref.message_id, part };
}

/** What the main thread can ask of the mail worker: name of the call → what goes along. */
export interface Calls {
  /** Answered by `begun`, any number of `written`, then `done`. */
  content: ContentRequest;
  /** Id of the account to look at. */
  syncNow: string;
  /** Accounts were added, changed, paused or removed. */
  accountsChanged: null;
  /** Answered when the last batch is committed. */
  stop: null;
}

export type CallName = keyof Calls;

/** Marks our messages among others on the same worker. */
export const MAIL_PORT = "mail";

export type ToWorker = { port: typeof MAIL_PORT; id: number } & (
  | { [K in CallName]: { type: "call"; call: K; args: Calls[K] } }[CallName]
  | { type: "cancel" }
);

export type ToMain = { port: typeof MAIL_PORT; id: number } & (ContentProgress | { type: "done" } | CallFailure);

export interface CallFailure {
  type: "failed";
  code: ErrorCode;
  /** Public. */
  message: string;
}

/** The sentence that clients get with provider_unavailable. */
export const UNAVAILABLE = "The mail server cannot be reached right now. Try again later.";

/** How far a download is. The bytes themselves go through the sealed file, so a slow reader never holds up the server. */
export type ContentProgress =
  /** `size`: exact number of bytes where the server told it beforehand, else null. */
  | { type: "begun"; paths: readonly [string, string]; size: number | null }
  /** Bytes that can be read by now. */
  | { type: "written"; written: number }
  | { type: "complete"; size: number };

/** Either end: a Worker, a worker's own scope, or a MessagePort. */
export interface Endpoint {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

export function isPortMessage(data: unknown): boolean {
  return typeof data === "object" && data !== null && (data as { port?: unknown }).port === MAIL_PORT;
}
