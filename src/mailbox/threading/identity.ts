import type { Db } from "../../platform/db/open.ts";
import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import { tryOpenEnvelope } from "../store/envelope.ts";
import type { IncomingMessage } from "../store/incoming.ts";
import { openStoredContent } from "../store/stored-message.ts";
import type { LocationRow, MessageRow } from "../store/tables.ts";

/** By chance, 1.5 of 100,000 messages share a tag: few enough to open for every message that arrives in Sent. */
const MESSAGE_ID_BITS = 16;
/** Few bits suffice together with the Message-ID's: most mail is new and matches no other tag. */
const CONTENT_BITS = 8;

/** The values that identify the copies of one message, and the tags under which stored copies are found. */
export interface Identity {
  /** `messages.msgid_hmac`. */
  messageIdTag: Uint8Array;
  /** `messages.content_hmac`. */
  contentTag: Uint8Array;
  /** SHA-256 of the Message-ID and of what people wrote. Equal for copies of one message; not stored. */
  digest: Uint8Array;
  /** 16 bytes derived from the Message-ID, or from the digest where there is none. Stored in `announced`. */
  announced: Uint8Array;
}

/** The fields that `digest` covers. */
type Identified = Pick<IncomingMessage, "messageId" | "date" | "from" | "subject" | "text" | "html" | "attachments">;

/**
 * Returns what identifies the copies of one message: the Message-ID and what people wrote. Sizes and transport headers
 * are left out, because servers add lines to the copies they deliver.
 */
export function identify(sealer: Sealer, message: Identified): Identity {
  const digest = digestOf(message);
  const id = message.messageId ?? digest;
  return {
    messageIdTag: messageIdTag(sealer, id),
    contentTag: sealer.tag("content", digest, CONTENT_BITS),
    digest,
    announced: sealer.hmac("message-id", id),
  };
}

function digestOf(m: Identified): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of [m.messageId ?? "", String(m.date), m.from.email, m.subject, m.text || (m.html ?? "")]) {
    hasher.update(`${part.length}:`).update(part);
  }
  // In the order in which they are stored.
  for (const { name, mime } of m.attachments.toSorted((a, b) => a.index - b.index)) {
    hasher.update(`${name}\0${mime}\0`);
  }
  return hasher.digest();
}

/**
 * Returns the value of `messages.msgid_hmac` and `sends.msgid_hmac` for a Message-ID. Different Message-IDs can share
 * it by chance.
 */
export function messageIdTag(sealer: Sealer, message_id: string | Uint8Array): Uint8Array {
  return sealer.tag("message-id", message_id, MESSAGE_ID_BITS);
}

/** Returns 16 bytes that stand for a Message-ID alone. */
export function messageIdHmac(sealer: Sealer, message_id: string): Uint8Array {
  return sealer.hmac("message-id", message_id);
}

type Found = Pick<MessageRow, "id" | "thread_id">;

const IN_FOLDER = (condition: string) =>
  `EXISTS (SELECT 1 FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id AND ${condition})`;
/** Conditions on a message `m`, mostly by its folders. */
const CONDITIONS = {
  sent: IN_FOLDER("f.role = 'sent'"),
  /** Sent from here, and sync has not found the server's copy yet (LocalFolder). */
  here: IN_FOLDER("f.replaced_by = 'here'"),
  noDraft: "m.is_draft = 0",
};

/**
 * Returns the first message of an account with this Message-ID that meets a condition; null when there is none.
 * @param which `sent`: a copy is in a Sent folder; `here`: it was sent from here and waits for the server's copy;
 * `noDraft`: it is not a draft
 */
export function messageWithId(
  { db, keyring }: Pick<Platform, "db" | "keyring">,
  account: { id: string; user_id: string },
  message_id: string,
  which: keyof typeof CONDITIONS,
): Found | null {
  const sealer = keyring.forUser(account.user_id);
  const candidates = db.sql
    .query<Pick<MessageRow, "id" | "thread_id" | "head">, [string, Uint8Array]>(
      `SELECT m.id, m.thread_id, m.head FROM messages m
       WHERE m.account_id = +? AND m.msgid_hmac = +? AND ${CONDITIONS[which]} ORDER BY m.n`,
    )
    .all(account.id, messageIdTag(sealer, message_id));
  const found = candidates.find(({ id, head }) => tryOpenEnvelope(sealer, id, head)?.message_id === message_id);
  return found ? { id: found.id, thread_id: found.thread_id } : null;
}

/**
 * Returns the numbers (`messages.n`) of a user's messages, in any mailbox, whose Message-ID header is one of these.
 */
export function numbersWithId(
  { db, keyring }: { db: Pick<Db, "sql">; keyring: Pick<Keyring, "forUser"> },
  user_id: string,
  headers: readonly string[],
): number[] {
  const sealer = keyring.forUser(user_id);
  const candidates = db.sql.query<Pick<MessageRow, "n" | "id" | "head">, [string, Uint8Array]>(
    `SELECT n, id, head FROM messages INDEXED BY messages_identity
     WHERE account_id IN (SELECT id FROM accounts WHERE user_id = ?) AND msgid_hmac = ?`,
  );
  return headers.flatMap((header) =>
    candidates
      .all(user_id, messageIdTag(sealer, header))
      .filter(({ id, head }) => tryOpenEnvelope(sealer, id, head)?.message_id === header)
      .map(({ n }) => n),
  );
}

/** Returns a stored copy of the same message that is not in this folder. Twice in one folder is two messages. */
export function copyInOtherFolder(
  platform: Platform,
  account: { id: string; user_id: string },
  identity: Identity,
  folder_id: string,
): Found | null {
  const candidates = platform.db.sql
    .query<Found, [string, Uint8Array, Uint8Array, string]>(
      `SELECT id, thread_id FROM messages m WHERE account_id = +? AND msgid_hmac = +? AND content_hmac = +?
         AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id AND l.folder_id = +?)
       ORDER BY missing_pass IS NULL, id`,
    )
    .all(account.id, identity.messageIdTag, identity.contentTag, folder_id);
  return candidates.find(({ id }) => isSame(platform, id, identity)) ?? null;
}

/** Returns the copy of the same message in this folder, if there is one. */
export function copyInFolder(
  platform: Platform,
  account: { id: string; user_id: string },
  identity: Identity,
  folder_id: string,
): { message_id: string; uid: number } | null {
  const candidates = platform.db.sql
    .query<Pick<LocationRow, "message_id" | "uid">, [string, Uint8Array, Uint8Array, string]>(
      `SELECT l.message_id, l.uid FROM messages m JOIN locations l ON l.message_id = m.id
       WHERE m.account_id = +? AND m.msgid_hmac = +? AND m.content_hmac = +? AND l.folder_id = +? ORDER BY m.n`,
    )
    .all(account.id, identity.messageIdTag, identity.contentTag, folder_id);
  return candidates.find(({ message_id }) => isSame(platform, message_id, identity)) ?? null;
}

/** Returns whether a stored message has the same digest; false for a damaged one. */
function isSame(platform: Platform, message_id: string, { digest }: Identity): boolean {
  try {
    const kept = openStoredContent(platform, message_id);
    return kept !== null && Buffer.compare(digestOf(kept), digest) === 0;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
