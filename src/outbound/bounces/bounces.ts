import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Send, SendStore } from "../sends/store.ts";
import { type Bounce, readBounce } from "./bounce.ts";
import type { BounceStore } from "./store.ts";

/** Matches arriving delivery status notifications with the sends that they are about. */
export class Bounces {
  constructor(private readonly parts: { platform: Platform; sends: SendStore; bounces: BounceStore }) {}

  /**
   * Checks whether a message that was just stored is a notification, and announces its report for each recipient once.
   * Anyone can write such a mail, so it counts only if it names a send of this user and one of its recipients. Call it
   * in the message's transaction.
   */
  note(account: { user_id: string }, incoming: IncomingMessage, message_id: string): void {
    const bounce = readIncoming(incoming);
    if (!bounce?.originalMessageId) return;
    const { platform, sends, bounces } = this.parts;
    const send = sends.byMessageId(account.user_id, bounce.originalMessageId);
    if (!send) return;
    for (const { address, action, status, diagnostic } of bounce.recipients) {
      if (action !== "failed" || !concerns(send, bounce, address)) continue;
      const detail = diagnostic ?? "";
      const at = platform.clock.now();
      if (!bounces.add(send, { recipient: address, status, detail, message_id, at })) continue;
      platform.events.emit(send.user_id, "send.bounced", { send_id: send.id, recipient: address, detail });
    }
  }
}

/**
 * Returns true for a recipient of the send, or if both have only one recipient: mail to an alias bounces with the
 * address behind the alias.
 */
function concerns(send: Send, { recipients }: Bounce, address: string): boolean {
  const ours = [...send.to, ...send.cc, ...send.bcc].map((email) => email.toLowerCase());
  return ours.includes(address.toLowerCase()) || (ours.length === 1 && recipients.length === 1);
}

function readIncoming(incoming: IncomingMessage): Bounce | null {
  const { from, subject, text, inReplyTo, references } = incoming;
  const headers = new Map(incoming.headers);
  if (inReplyTo.length > 0) headers.set("in-reply-to", inReplyTo);
  if (references.length > 0) headers.set("references", references);
  const attachments = incoming.attachments.map(({ encoding: _, ...attachment }) => attachment);
  return readBounce({ headers, from, subject, text, attachments });
}
