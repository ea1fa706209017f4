import { Type } from "@sinclair/typebox";
import { asApiError } from "../../http/errors.ts";
import { Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import { invalidParam } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { Approval } from "../../outbound/approvals/store.ts";
import type { SendPreview } from "../../outbound/approvals/tables.ts";
import type { Send } from "../../outbound/sends/store.ts";
import { fitting } from "../budget.ts";
import { type ToolContext, tool } from "../tool.ts";
import { callText } from "./bulk.ts";
import { exact } from "./fields.ts";
import { ownText } from "./own-text.ts";

/** Instructions for the model, by the confirmation that a send still needs. */
const NEXT = {
  nothing: "Show this to the user. After they agree, call send_draft with the confirmation.",
  confirmation:
    "Show this to the user. After they agree, call send_draft with the confirmation. Their program or the Postroom page then asks them to confirm.",
  approval:
    "Show this to the user with the warnings. After send_draft, the message waits until they approve it on the Postroom page.",
} as const;

/** What a preview shows at most. The person sees the whole message before they agree. */
const PEOPLE_BYTES = 3_000;
const ATTACHMENTS_BYTES = 2_000;
const WARNINGS_BYTES = 3_000;
const BODY = { chars: 10_000, bytes: 14_000 };

export const prepareSend = tool({
  name: "prepare_send",
  title: "Prepare a send",
  description:
    "Step 1 of sending. Returns the exact message, all recipients, warnings and a confirmation. Nothing is sent.",
  scope: "mail:send",
  kind: "read",
  input: exact({
    draft_id: Type.String(),
    scheduled_at: Type.Optional(Timestamp()),
    undo_window_s: Type.Integer({ minimum: 0, maximum: 30, default: 10 }),
  }),
  output: Type.Object({ confirmation: Type.String(), expires_at: Type.String(), next: Type.String() }),
  run: async ({ draft_id, scheduled_at, undo_window_s }, { sending, mail }) => {
    const at = scheduled_at === undefined ? null : Date.parse(scheduled_at);
    const { preview, reasons, needs, ...prepared } = sending.sends.prepare(sending.sender, draft_id, {
      undo_window_s,
      scheduled_at: at,
    });
    const { from, to, cc, bcc, subject, body, attachments } = preview;
    const people = (list: readonly string[]) => fitting(list, PEOPLE_BYTES).map((person) => mail.person(person));
    const shown = { to: people(to), cc: people(cc), bcc: people(bcc) };
    const hidden = [to, cc, bcc].flat().length - [shown.to, shown.cc, shown.bcc].flat().length;
    const warnings = [
      ...(hidden > 0 ? [`${hidden} recipients are not listed here. Read them in the draft.`] : []),
      ...reasons.map((reason) => mail.line(reason)),
    ];
    return {
      message: {
        from: mail.person(from),
        ...shown,
        subject: mail.exactLines(subject),
        body: ownText(body, { id: draft_id, offset: 0 }, mail, BODY),
        attachments: fitting(
          attachments.map((file) => ({ ...file, name: mail.line(file.name) })),
          ATTACHMENTS_BYTES,
        ),
      },
      scheduled_at: at === null ? null : isoTime(at),
      warnings: fitting(warnings, WARNINGS_BYTES),
      sends_left_today: prepared.sendsLeft,
      confirmation: prepared.confirmation,
      expires_at: isoTime(prepared.expires_at),
      next: NEXT[needs],
    };
  },
});

export const sendDraft = tool({
  name: "send_draft",
  title: "Send a draft",
  description:
    "Step 2: send what prepare_send showed, after the user agrees. If the result is waiting_for_approval, give the user its url.",
  scope: "mail:send",
  kind: "destructive",
  reachesOthers: true,
  recordsRefusals: true,
  input: exact({ draft_id: Type.String(), confirmation: Type.String({ maxLength: 4_000 }) }),
  output: Type.Object({ status: Type.String(), undo: Type.Optional(Type.String()), url: Type.Optional(Type.String()) }),
  run: async ({ draft_id, confirmation }, context) => {
    const { sends, sender } = context.sending;
    const { need, reasons, preview } = attempt(context, draft_id, () => sends.needOf(sender, draft_id, confirmation));
    const answer =
      need === "confirmation" ? await context.ask(question(preview!, reasons), confirmation) : "unavailable";
    if (answer === "declined") {
      sends.store.recordUnsent(sender, draft_id, "declined");
      return { status: "declined", next: "The user declined. Nothing was sent." };
    }
    const agreed = answer === "accepted";
    const step = attempt(context, draft_id, () => sends.send(sender, draft_id, confirmation, agreed));
    return step.state === "scheduled" ? scheduled(step.send) : waiting(step.approval, context);
  },
});

/** Runs a part of the second step. If it is refused, the audit log says so. */
function attempt<T>({ sending }: ToolContext, draft_id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = asApiError(error);
    // Any text can be given as an id. Only an id is recorded.
    const target = isId("draft", draft_id) ? draft_id : "drf_unknown";
    sending.sends.store.recordUnsent(sending.sender, target, "refused", code);
    throw error;
  }
}

export const cancelSend = tool({
  name: "cancel_send",
  title: "Cancel a send",
  description:
    "Cancel a send (snd_) before it leaves, or withdraw one that waits for approval (apv_). The draft is kept.",
  scope: "mail:send",
  kind: "write",
  input: exact({ id: Type.String() }),
  output: Type.Object({ id: Type.String(), status: Type.String() }),
  run: async ({ id }, { call, sending }) => {
    if (isId("approval", id)) {
      const { state, draft_id } = sending.sends.withdraw(sending.sender, id);
      return { id, status: state, draft_id, undo: "Call prepare_send and send_draft again." };
    }
    if (!isId("send", id)) throw invalidParam("id", "id must be the id of a send (snd_) or of an approval (apv_).");
    const { status, draft_id } = (await call("cancelSend", { params: { id } })) as { status: string; draft_id: string };
    return { id, status, draft_id, undo: "Call prepare_send and send_draft again." };
  },
});

/** Signs that change the order in which text is shown, so that it reads differently (Unicode UAX #9, §2). */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** The whole message, as the person sees it in the dialog of the assistant's program. */
function question({ from, to, cc, bcc, subject, body, attachments }: SendPreview, reasons: readonly string[]): string {
  const line = (name: string, values: readonly string[]) =>
    values.length > 0 ? [`${name}: ${values.map((value) => value.replace(/[\s\p{Cc}]+/gu, " ")).join(", ")}`] : [];
  const text = [
    "Send this message?",
    ...reasons.map((reason) => `Note: ${reason}`),
    "",
    ...line("From", [from]),
    ...line("To", to),
    ...line("Cc", cc),
    ...line("Bcc", bcc),
    ...line("Subject", [subject]),
    ...line(
      "Attachments",
      attachments.map(({ name, size }) => `${name} (${size} bytes)`),
    ),
    "",
    body,
  ].join("\n");
  return text.replace(DIRECTION, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
}

function scheduled({ id, status, undo_until, scheduled_at }: Send) {
  return {
    status,
    send_id: id,
    undo_until: isoTime(undo_until),
    scheduled_at: scheduled_at === null ? null : isoTime(scheduled_at),
    undo: `${callText("cancel_send", { id })} before undo_until`,
  };
}

function waiting({ id, state, reasons, expires_at }: Approval, { pageUrl, mail }: ToolContext) {
  const isOpen = state === "waiting";
  return {
    status: isOpen ? "waiting_for_approval" : state,
    approval_id: id,
    ...(isOpen && {
      url: pageUrl(id),
      reasons: fitting(
        reasons.map((reason) => mail.line(reason)),
        WARNINGS_BYTES,
      ),
      expires_at: isoTime(expires_at),
      undo: callText("cancel_send", { id }),
      next: "Nothing is sent until the user approves it at url.",
    }),
  };
}
