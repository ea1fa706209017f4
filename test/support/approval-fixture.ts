import { createAi } from "../../src/app/ai.ts";
import { createConfirmedSends } from "../../src/app/mcp.ts";
import { createPeople } from "../../src/app/people.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import type { AssistantSender, ConfirmedSends } from "../../src/outbound/approvals/service.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { seedMailbox } from "./seed-mail.ts";
import { NOWHERE } from "./send-fixture.ts";

export interface AskedSend {
  approval_id: string;
  draft_id: string;
  account_id: string;
}

/** Lets an assistant with an API key ask to send a message to someone that the user has never written to. */
export interface ApprovalFixture {
  sends: ConfirmedSends;
  ask(message?: { subject?: string; body?: string; to?: string[] }, undo_window_s?: number): AskedSend;
  /** Changes a draft after the assistant has asked. */
  change(asked: AskedSend, body: string): void;
}

/** @param user_id the person or their sandbox user */
export function approvalFixture(
  platform: Platform,
  user_id: string,
  key: { id: string; name: string },
): ApprovalFixture {
  const mailbox = createMailbox(platform);
  const outbound = createOutbound(platform, mailbox);
  const people = createPeople(platform, mailbox);
  const { draftReview } = createAi({ platform, mailbox, outbound, people });
  const sends = createConfirmedSends({ platform, mailbox, outbound, draftReview });
  const account =
    mailbox.accounts.list(user_id)[0] ?? seedMailbox(platform, user_id, { mailbox, connection: NOWHERE }).account;
  const sender: AssistantSender = {
    user_id,
    user: platform.users.get(user_id)!,
    account_id: null,
    actor: { kind: "key", id: key.id },
    request_id: null,
    key: { id: key.id, created_at: 0 },
    asker: { kind: "key", ...key },
    readsContext: true,
  };
  return {
    sends,
    ask({ subject = "Offer", body = "Dear Zoe, see you at one.", to = ["zoe@new.example"] } = {}, undo_window_s = 10) {
      const draft_id = outbound.drafts.compose(sender, { account_id: account.id, to, subject, body });
      const { confirmation } = sends.prepare(sender, draft_id, { undo_window_s, scheduled_at: null });
      const step = sends.send(sender, draft_id, confirmation, true);
      if (step.state !== "waiting") throw new Error("the send does not wait for an approval");
      return { approval_id: step.approval.id, draft_id, account_id: account.id };
    },
    change: ({ draft_id }, body) => void outbound.drafts.update(sender, draft_id, { body }),
  };
}
