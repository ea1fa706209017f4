import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { StagedBlob } from "../../platform/blobs/files.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { AddressFault } from "../../wire/smtp/addresses.ts";
import { type ComposedMessage, composeMessage } from "../../wire/smtp/compose.ts";
import { senderOf } from "../drafts/checks.ts";
import type { DraftFiles } from "../drafts/files.ts";
import type { Draft, DraftStore } from "../drafts/store.ts";
import type { ReadMail, SentMail } from "./sent-mail.ts";
import type { Send } from "./store.ts";

export interface PrepareParts {
  platform: Platform;
  draftStore: DraftStore;
  draftFiles: DraftFiles;
  sentMail: SentMail;
}

/** A message that is ready to be sent, and to be stored afterwards. */
export interface Ready {
  send: Send;
  draft: Draft;
  account: Account;
  composed: ComposedMessage;
  mail: ReadMail;
  /** The source on the disk; null if it is written only when the message is stored. */
  source: StagedBlob | null;
  /** The draft has files on the disk. */
  hasFiles: boolean;
}

/**
 * Composes the message, or returns why that is impossible. The same draft results in the same bytes at every attempt.
 */
export async function prepare(
  { draftStore, draftFiles, sentMail, platform }: PrepareParts,
  send: Send,
  account: Account,
): Promise<Ready | string> {
  const draft = send.draft_id === null ? null : draftStore.get(send.draft_id);
  try {
    if (!draft) throw new Error("The draft no longer exists.");
    const attachments = await draftFiles.open(draft);
    const composed = await composeMessage({
      from: senderOf(account, draft.from),
      to: draft.to,
      cc: draft.cc,
      bcc: draft.bcc,
      subject: draft.subject,
      body: draft.body,
      message_id: send.message_id_header,
      now: send.first_attempt_at!,
      in_reply_to: draft.in_reply_to,
      references: draft.references,
      attachments,
    });
    const [mail, source] = await Promise.all([sentMail.read(composed.raw), sentMail.stage(account, composed.raw)]);
    return { send, draft, account, composed, mail, source, hasFiles: attachments.length > 0 };
  } catch (error) {
    platform.log.error("a message could not be composed", { send: send.id, ...errorFields(error) });
    const known = error instanceof AddressFault || (error as { code?: unknown }).code === "invalid_params";
    return known ? (error as Error).message : "A part of the message could not be read.";
  }
}
