import { Type } from "@sinclair/typebox";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { change, type Route, read } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import { invalidParam } from "../../kernel/errors.ts";
import type { BounceStore } from "../../outbound/bounces/store.ts";
import type { Canceler } from "../../outbound/sends/cancel.ts";
import type { Scheduler } from "../../outbound/sends/schedule.ts";
import { SEND_STATUSES, type SendStore, type Send as StoredSend } from "../../outbound/sends/store.ts";
import { EXAMPLE_SCHEDULED, EXAMPLE_SEND } from "./examples.ts";
import { DraftSend, MessageSend, Send, SendCancelled, SendScheduled } from "./model.ts";
import { viewScheduled, viewSend } from "./views.ts";

export interface SendRouteParts {
  scheduler: Scheduler;
  canceler: Canceler;
  sends: SendStore;
  bounces: BounceStore;
}

const DRAFT_ID = "drf_01kp7a3v9w8x5y2z4b6c1d0e7g";
const UNDO =
  "The message is dispatched when the undo window ends. Until then, `POST /sends/{id}/cancel` cancels the " +
  "send. Each send counts against the plan's daily sends. The header `Idempotency-Key` is required.";

/** Returns the routes for sends and their cancellation. */
export function sendRoutes({ scheduler, canceler, sends, bounces }: SendRouteParts): Route[] {
  const whole = (send: StoredSend) => viewSend(send, bounces.of(send));
  return [
    change({
      method: "POST",
      path: "/drafts/:id/send",
      scope: "mail:send",
      operationId: "sendDraft",
      tag: "Sends",
      summary: "Send a draft",
      description:
        "Schedules a draft for sending. `confirm` must be true; otherwise the response is 400 `invalid_params`. " +
        `${UNDO} The draft is locked until the send has ended.`,
      params: { id: "draft" },
      body: DraftSend,
      response: SendScheduled,
      keyRequired: true,
      errors: ["draft_locked", "quota_exceeded"],
      examples: { body: { confirm: true, undo_window_s: 10 }, response: EXAMPLE_SCHEDULED },
      handle: ({ params, body: { confirm, undo_window_s, scheduled_at }, caller }) => {
        checkConfirm(confirm);
        return viewScheduled(scheduler.sendDraft(caller, params.id, { undo_window_s, ...timeOf(scheduled_at) }));
      },
    }),
    change({
      method: "POST",
      path: "/messages/send",
      scope: "mail:send",
      operationId: "sendMessage",
      tag: "Sends",
      summary: "Compose and send a message in one call",
      description:
        `Composes and schedules a message without a draft. Meant for scripts. ${UNDO} A canceled or failed send ` +
        "leaves a draft.",
      body: MessageSend,
      response: SendScheduled,
      keyRequired: true,
      errors: ["quota_exceeded", "not_found"],
      examples: {
        body: { to: ["maria@acme.example"], subject: "Lunch", body: "Tomorrow at one?", undo_window_s: 10 },
        response: EXAMPLE_SCHEDULED,
      },
      handle: ({ body: { confirm, undo_window_s, scheduled_at, ...message }, caller }) => {
        checkConfirm(confirm ?? true);
        return viewScheduled(scheduler.sendNow(caller, message, { undo_window_s, ...timeOf(scheduled_at) }));
      },
    }),
    change({
      method: "POST",
      path: "/sends/:id/cancel",
      scope: "mail:send",
      operationId: "cancelSend",
      tag: "Sends",
      summary: "Cancel a send",
      description:
        "Cancels a send that has not been dispatched yet. The draft can then be edited and sent again. After " +
        "dispatch, the response is 409 `undo_window_elapsed`.",
      params: { id: "send" },
      response: SendCancelled,
      errors: ["undo_window_elapsed"],
      examples: { response: { send_id: EXAMPLE_SCHEDULED.send_id, status: "undone", draft_id: DRAFT_ID } },
      handle: ({ params, caller }) => {
        const { id, draft_id } = canceler.cancel(caller, params.id);
        return { send_id: id, status: "undone" as const, draft_id };
      },
    }),
    read({
      method: "GET",
      path: "/sends",
      scope: "mail:send",
      operationId: "listSends",
      tag: "Sends",
      summary: "List sends",
      description: "Lists sends, newest first.",
      query: Type.Object({ ...pageQuery, status: Type.Optional(OneOf(SEND_STATUSES)) }),
      response: listOf(Send, "SendList"),
      examples: { response: { data: [EXAMPLE_SEND], has_more: false } },
      handle: ({ query: { limit, cursor, status }, caller, pager }) => {
        const rows = sends.list(caller, status, pager.after("sends", cursor), limit + 1);
        return pager.reply(
          "sends",
          cutPage(rows, limit, (row) => [row.id]),
          whole,
        );
      },
    }),
    read({
      method: "GET",
      path: "/sends/:id",
      scope: "mail:send",
      operationId: "getSend",
      tag: "Sends",
      summary: "Get a send",
      description: "Returns the current status of a send.",
      params: { id: "send" },
      response: Send,
      examples: { response: EXAMPLE_SEND },
      handle: ({ params, caller }) => whole(sends.owned(caller, params.id)),
    }),
  ];
}

/**
 * Checks the confirmation, because a send is never implicit (docs/sending.md, "Sending").
 * @throws ApiError invalid_params (`confirm`)
 */
function checkConfirm(confirm: boolean): void {
  if (!confirm) throw invalidParam("confirm", "confirm must be true. Nothing is sent without this confirmation.");
}

function timeOf(scheduled_at: string | undefined): { scheduled_at?: number } {
  return scheduled_at === undefined ? {} : { scheduled_at: Date.parse(scheduled_at) };
}
