import { randomBytes, timingSafeEqual } from "node:crypto";
import { invalidParam } from "../../kernel/errors.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import type { Draft, DraftAttachment } from "../drafts/store.ts";

/** Lifetime of a confirmation, ms. */
export const CONFIRMATION_MS = 10 * 60_000;
const NONCE_BYTES = 12;
const PREFIX = "cfm_";

/** Options of a send that a confirmation covers. */
export interface ConfirmedOptions {
  undo_window_s: number;
  /** ms; null: as soon as the undo window is over. */
  scheduled_at: number | null;
}

/** The facts that a confirmation covers beside its options. A change of any of them makes it invalid. */
export interface ConfirmedFacts {
  draft_id: string;
  /** Digest of everything that would be sent. */
  content: string;
  /** The key or connection that prepared the send. */
  credential_id: string;
}

/** The readable part of a confirmation. The rest is only in its signature, because models pay for each character. */
type Readable = [undo_window_s: number, scheduled_at: number | null, expires_at: number, nonce: string];

/** Signs a confirmation. @param expires_at ms */
export function signConfirmation(
  sealer: Sealer,
  facts: ConfirmedFacts,
  { undo_window_s, scheduled_at }: ConfirmedOptions,
  expires_at: number,
): string {
  const readable: Readable = [undo_window_s, scheduled_at, expires_at, randomBytes(NONCE_BYTES).toString("base64url")];
  const text = Buffer.from(JSON.stringify(readable)).toString("base64url");
  return `${PREFIX}${text}.${signature(sealer, text, facts).toString("base64url")}`;
}

/**
 * Returns the options of a confirmation that was signed for these facts.
 * @throws ApiError invalid_params (`confirmation`) if it is forged, has expired, or the draft has changed
 */
export function openConfirmation(sealer: Sealer, token: string, facts: ConfirmedFacts, now: number): ConfirmedOptions {
  const [text = "", signed = ""] = token.startsWith(PREFIX) ? token.slice(PREFIX.length).split(".") : [];
  const given = Buffer.from(signed, "base64url");
  const wanted = signature(sealer, text, facts);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw invalidParam(
      "confirmation",
      "The confirmation does not match this draft. It is incomplete, or the draft has changed. Call prepare_send again.",
    );
  }
  const [undo_window_s, scheduled_at, expires_at] = readable(text);
  if (expires_at <= now) {
    throw invalidParam("confirmation", "The confirmation expired after 10 minutes. Call prepare_send again.");
  }
  return { undo_window_s, scheduled_at };
}

/** Returns when a confirmation that was checked expires, ms. */
export function expiryOf(token: string): number {
  return readable(token.slice(PREFIX.length).split(".")[0]!)[2];
}

/** Returns a digest of everything in a draft that would be sent, and of its revision. */
export function contentDigest(sealer: Sealer, draft: Draft, attachments: readonly DraftAttachment[]): string {
  const { revision, account_id, from, to, cc, bcc, subject, body, in_reply_to, references } = draft;
  const files = attachments.map(({ id, name, mime, size, content_id }) => [id, name, mime, size, content_id]);
  const text = JSON.stringify([revision, account_id, from, to, cc, bcc, subject, body, in_reply_to, references, files]);
  return mac(sealer, text).toString("base64url");
}

function readable(text: string): Readable {
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Readable;
}

function signature(sealer: Sealer, text: string, { draft_id, content, credential_id }: ConfirmedFacts): Buffer {
  return mac(sealer, JSON.stringify([text, draft_id, content, credential_id]));
}

function mac(sealer: Sealer, text: string): Buffer {
  return Buffer.from(sealer.longHmac("send-confirmation", text));
}
