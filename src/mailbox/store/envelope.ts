import type { Authentication } from "../../kernel/authentication.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Sealed, Sealer } from "../../platform/sealing/sealer.ts";
import { type Excerpt, excerptOf, fromExcerpt } from "./excerpt.ts";

/** One mailbox of an address header; `email` is "" where the header has only a name. */
export interface Address {
  name: string;
  email: string;
}

/** The fields of a message that lists show, sealed as one record so that a page of 25 rows needs only 25 openings. */
export interface MessageEnvelope {
  subject: string;
  from: Address;
  reply_to: Address[];
  to: Address[];
  cc: Address[];
  bcc: Address[];
  /** The Date header in ms; null when unreadable. */
  date: number | null;
  snippet: string;
  /** The Message-ID header, byte for byte; null when absent. */
  message_id: string | null;
  in_reply_to: string[];
  references: string[];
  /** The List-Id header (RFC 2919), decoded; absent where there is none. */
  list_id?: string;
  /** Values of the Delivered-To headers; absent where there are none, and for mail stored by version 0.1. */
  delivered_to?: readonly string[];
  /** The receiving server's result about the sender; absent if no header shows it, and in older mail. */
  authentication?: Authentication;
}

/** The text that one message page shows. */
export interface MessageText {
  text: string;
  body_text: string;
  new_text: string;
  /** Where to unsubscribe with one click (RFC 8058); absent where the message offers no such address. */
  unsubscribe_url?: string;
}

const SNIPPET_CHARS = 180;

/** Returns the beginning of a text as one line, with white space collapsed, cut between words where possible. */
export function snippetOf(text: string): string {
  const brief = oneLine(text.slice(0, SNIPPET_CHARS * 2));
  const line = brief.length > SNIPPET_CHARS ? brief : oneLine(text.slice(0, SNIPPET_CHARS * 8));
  if (line.length <= SNIPPET_CHARS) return line;
  const cut = line.slice(0, SNIPPET_CHARS);
  const space = cut.lastIndexOf(" ");
  return `${(space > SNIPPET_CHARS * 0.6 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

const oneLine = (text: string): string => text.replace(/(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/gu, " ").trim();

/** Seals the envelope of a message for `messages.head`. */
export function sealEnvelope(sealer: Sealer, message_id: string, head: MessageEnvelope): Uint8Array {
  return sealer.sealJson(`messages.head:${message_id}`, head);
}

/**
 * Stores `body_text` as an excerpt of `text`, and `new_text` as an excerpt of `body_text`. Otherwise nearly every text
 * would be stored three times.
 */
export interface StoredText {
  text: string;
  body_text: Excerpt;
  new_text: Excerpt;
  unsubscribe_url?: string;
}

/** Seals the text of a message for `bodies.text`. */
export function sealText(sealer: Sealer, message_id: string, message: MessageText): Uint8Array {
  const { text, body_text, new_text, ...rest } = message;
  const stored: StoredText = {
    ...rest,
    text,
    body_text: excerptOf(text, body_text),
    new_text: excerptOf(body_text, new_text),
  };
  return sealer.sealJson(`bodies.text:${message_id}`, stored);
}

/** Opens the text of a message that `sealText` sealed. */
export function openText(sealer: Sealer, message_id: string, sealed: Sealed<StoredText>): MessageText {
  const stored = sealer.openJson(`bodies.text:${message_id}`, sealed);
  const body_text = fromExcerpt(stored.text, stored.body_text);
  return { ...stored, body_text, new_text: fromExcerpt(body_text, stored.new_text) };
}

/** Opens the envelope of a message that `sealEnvelope` sealed. */
export function openEnvelope(sealer: Sealer, message_id: string, sealed: Sealed<MessageEnvelope>): MessageEnvelope {
  return sealer.openJson(`messages.head:${message_id}`, sealed);
}

/**
 * Opens the envelope of a candidate that a short tag found. Returns null when it cannot be opened: a single damaged
 * row does not stop other mail.
 */
export function tryOpenEnvelope(
  sealer: Sealer,
  message_id: string,
  sealed: Sealed<MessageEnvelope>,
): MessageEnvelope | null {
  try {
    return openEnvelope(sealer, message_id, sealed);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
