/** Derives the headers of a reply from the original message (RFC 5322 §3.6.3, §3.6.4). */
import { parseIds } from "../mime/ids.ts";
import type { Address } from "../mime/types.ts";
import { normalizeEmail, sameAddress } from "./addresses.ts";

/**
 * Threading needs the first id and the newest ones; longer chains are cut in the middle, as RFC 5537 §3.4.4 does for
 * Usenet.
 */
const MAX_REFERENCES = 21;
const MAX_ID_LENGTH = 250;

/**
 * Returns the subject of a reply: one "Re: " before the subject without its leading reply markers ("Re:", "RE[2]:").
 * Markers of other languages and "Fwd:" are kept, since they may be words.
 */
export function replySubject(subject: string): string {
  const rest = subject
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/^(?:\s*re(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*:)+/i, "");
  return `Re: ${rest.trim()}`.trimEnd();
}

/**
 * Returns the recipients of a reply: Reply-To when it names someone, else From; never oneself. A reply to one's own
 * message is addressed to its recipients. `self` lists every address of the account. Empty when no one can be answered.
 */
export function replyRecipients(
  original: { from: Address; replyTo: readonly Address[]; to: readonly Address[] },
  self: readonly string[],
): Address[] {
  const mine = (address: Address) => self.some((email) => sameAddress(email, address.email));
  const others = (list: readonly Address[]) => {
    const kept: Address[] = [];
    for (const address of list) {
      if (normalizeEmail(address.email) === null || mine(address)) continue;
      if (!kept.some((one) => sameAddress(one.email, address.email))) kept.push(address);
    }
    return kept;
  };
  if (mine(original.from)) {
    const to = others(original.to);
    // A reply to a note to oneself is addressed to oneself.
    return to.length > 0 ? to : original.to.some(mine) ? [original.from] : [];
  }
  const asked = others(original.replyTo);
  return asked.length > 0 ? asked : others([original.from]);
}

/**
 * Returns In-Reply-To and References of a reply (RFC 5322 §3.6.4). Ids that cannot be written in ASCII are left out.
 */
export function replyReferences(original: {
  messageId: string | null;
  references: readonly string[];
  inReplyTo: readonly string[];
}): { in_reply_to: string | null; references: string[] } {
  const id = original.messageId === null ? null : (writableIds(parseIds(original.messageId))[0] ?? null);
  const parents = original.references.length > 0 ? original.references : onlyOne(original.inReplyTo);
  return { in_reply_to: id, references: cappedIds([...parents, ...(id ? [id] : [])]) };
}

/**
 * Returns a Message-ID in the sender's domain. `unique`, one of Postroom's own ids, makes it unique and the same for
 * every attempt.
 * @throws Error when `unique` or the domain cannot be part of an id
 */
export function messageIdFor(unique: string, fromEmail: string): string {
  const domain = normalizeEmail(fromEmail)?.split("@").at(-1);
  const id = `<${unique}@${domain}>`;
  if (!domain || writableIds([id]).length === 0)
    throw new Error("A Message-ID needs an ASCII unique part and a domain.");
  return id;
}

/** Returns the distinct ids that RFC 5322 allows, at most {@link MAX_REFERENCES}: the first and the newest. */
export function cappedIds(ids: readonly string[]): string[] {
  const unique = [...new Set(writableIds(ids))];
  return unique.length <= MAX_REFERENCES ? unique : [unique[0]!, ...unique.slice(1 - MAX_REFERENCES)];
}

function writableIds(ids: readonly string[]): string[] {
  return ids.filter((id) => id.length <= MAX_ID_LENGTH && /^<[\x21-\x3b\x3d\x3f-\x7e]+>$/.test(id));
}

/** RFC 5322 §3.6.4: In-Reply-To replaces missing References only when it names one message. */
function onlyOne(ids: readonly string[]): readonly string[] {
  return ids.length === 1 ? ids : [];
}
