import { Type } from "@sinclair/typebox";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { invalidParam } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Drafts } from "../../outbound/drafts/drafts.ts";
import type { DraftFiles } from "../../outbound/drafts/files.ts";
import type { DraftAttachment as StoredAttachment, Draft as StoredDraft } from "../../outbound/drafts/store.ts";
import type { DraftAi, WrittenBody } from "./ai.ts";
import { EXAMPLE_ATTACHMENT, EXAMPLE_DRAFT, EXAMPLE_ITEM } from "./examples.ts";
import { Deleted, Draft, DraftAttachment, DraftEdit, DraftItem, DraftUpdated, NewDraft } from "./model.ts";
import { uploadOf } from "./upload.ts";
import { viewDraft, viewItem } from "./views.ts";

export interface DraftRouteParts<Written extends WrittenBody = WrittenBody> {
  accounts: Accounts;
  drafts: Drafts;
  files: DraftFiles;
  /** If absent, `use_ai` is refused. */
  ai?: DraftAi<Written>;
}

/** Returns the routes for drafts and their attachments. */
export function draftRoutes<Written extends WrittenBody>({
  accounts,
  drafts,
  files,
  ai,
}: DraftRouteParts<Written>): Route[] {
  const whole = (draft: StoredDraft & { attachments: StoredAttachment[] }) =>
    viewDraft(draft, accounts.get(draft.account_id)!.email, ai?.noteOf(draft.user_id, draft.id) ?? null);
  return [
    read({
      method: "GET",
      path: "/drafts",
      scope: "drafts:read",
      operationId: "listDrafts",
      tag: "Drafts",
      summary: "List drafts",
      description: "Lists drafts, most recently changed first.",
      query: Type.Object({ ...pageQuery }),
      response: listOf(DraftItem, "DraftList"),
      examples: { response: { data: [EXAMPLE_ITEM], has_more: false } },
      handle: ({ query: { limit, cursor }, caller, pager }) => {
        const rows = drafts.list(caller, pager.after("drafts", cursor), limit + 1);
        return pager.reply(
          "drafts",
          cutPage(rows, limit, (row) => [row.updated_at, row.id]),
          viewItem,
        );
      },
    }),
    read({
      method: "GET",
      path: "/drafts/:id",
      scope: "drafts:read",
      operationId: "getDraft",
      tag: "Drafts",
      summary: "Get a draft",
      description: "Returns a draft with its recipients, body and list of attachments.",
      params: { id: "draft" },
      response: Draft,
      examples: { response: EXAMPLE_DRAFT },
      handle: ({ params, caller }) => whole(drafts.get(caller, params.id)),
    }),
    act({
      method: "POST",
      path: "/drafts",
      scope: "drafts:write",
      operationId: "createDraft",
      tag: "Drafts",
      summary: "Create a draft",
      description:
        "Creates a draft and emits `draft.created`.\n\n" +
        "With `reply_to_thread_id`, the draft replies to the newest message of that thread. It inherits the recipients, the " +
        "subject (with one `Re:`) and the threading headers. `to` and `cc` replace the inherited recipients.\n\n" +
        "With `use_ai`, the body is written from `instructions` in the style of the user's sent mail. This also requires the " +
        "`ai:invoke` scope and spends 1 credit. If the draft contains a link, an address or an amount that occurs in none of its " +
        "sources, `ai.held_for_review` is true and the reasons are listed. The sources are the thread, the personal " +
        "context and the instructions. If neither `to` nor `cc` is given, the other people of the newest message receive a " +
        "copy, unless a stranger wrote it. Parts that the built-in engine cannot write are gaps in square brackets, listed in " +
        "`ai.gaps`.",
      body: NewDraft,
      response: Draft,
      errors: ["not_found", "insufficient_credits"],
      examples: {
        body: { to: ["maria@acme.example"], subject: "Lunch", body: "Tomorrow at one?", use_ai: false },
        response: EXAMPLE_DRAFT,
      },
      handle: async ({ body: { use_ai, instructions, ...input }, caller, commit }) => {
        if (!use_ai) return commit(() => whole(drafts.create(caller, input)));
        if (!ai)
          throw invalidParam("use_ai", "This installation cannot write drafts with AI. Send body instead of use_ai.");
        // Checked before the model is called, so that no mail text is sent out for a draft that cannot be stored.
        if (input.account_id !== undefined) drafts.sendingAccount(caller, input.account_id);
        const { reply_to_thread_id, to } = input;
        const written = await ai.write(caller, { instructions, reply_to_thread_id, to });
        return commit(() => {
          const copies = to === undefined && input.cc === undefined ? { cc: written.cc } : {};
          const draft = drafts.create(caller, { ...input, ...copies, body: written.body });
          ai.keep(caller, draft.id, written);
          return whole(draft);
        });
      },
    }),
    change({
      method: "PATCH",
      path: "/drafts/:id",
      scope: "drafts:write",
      operationId: "updateDraft",
      tag: "Drafts",
      summary: "Update a draft",
      description:
        "Changes the fields that are present. A draft that is being sent cannot be changed: the response is 409 `draft_locked`. Cancel the send first.",
      params: { id: "draft" },
      body: DraftEdit,
      response: DraftUpdated,
      errors: ["draft_locked"],
      examples: {
        body: { body: "Tomorrow at half past one?" },
        response: { id: EXAMPLE_DRAFT.id, status: "draft", send_id: null, updated_at: EXAMPLE_DRAFT.updated_at },
      },
      handle: ({ params, body, caller }) => {
        const { id, send_id, updated_at } = drafts.update(caller, params.id, body);
        return { id, status: "draft" as const, send_id, updated_at: isoTime(updated_at) };
      },
    }),
    change({
      method: "DELETE",
      path: "/drafts/:id",
      scope: "drafts:write",
      operationId: "deleteDraft",
      tag: "Drafts",
      summary: "Delete a draft",
      description:
        "Deletes a draft and its attachments. A draft that is being sent cannot be deleted: the response is 409 `draft_locked`.",
      params: { id: "draft" },
      response: Deleted("DraftDeleted"),
      errors: ["draft_locked"],
      examples: { response: { id: EXAMPLE_DRAFT.id, deleted: true } },
      handle: ({ params, caller }) => {
        drafts.remove(caller, params.id);
        files.tidy(caller.user_id, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
    act({
      method: "POST",
      path: "/drafts/:id/attachments",
      scope: "drafts:write",
      operationId: "addDraftAttachment",
      tag: "Drafts",
      summary: "Attach a file to a draft",
      description:
        "Adds a file to a draft. All attachments of a draft together can have at most 25 MiB. With `content_id` " +
        "(without angle brackets), the file is an inline image that the HTML of `body` references as `cid:`.",
      params: { id: "draft" },
      form: Type.Object({
        file: Type.String({ format: "binary" }),
        content_id: Type.Optional(Type.String()),
      }),
      response: DraftAttachment,
      errors: ["draft_locked"],
      examples: { response: EXAMPLE_ATTACHMENT },
      handle: ({ params, form, caller, commit }) => files.add(caller, params.id, () => uploadOf(form), commit),
    }),
    change({
      method: "DELETE",
      path: "/drafts/:id/attachments/:att_id",
      scope: "drafts:write",
      operationId: "removeDraftAttachment",
      tag: "Drafts",
      summary: "Remove an attachment",
      description:
        "Removes an attachment from a draft. If the draft is being sent, the response is 409 `draft_locked`.",
      params: { id: "draft", att_id: "attachment" },
      response: Deleted("DraftAttachmentDeleted"),
      errors: ["draft_locked"],
      examples: { response: { id: EXAMPLE_ATTACHMENT.id, deleted: true } },
      handle: ({ params, caller }) => {
        files.remove(caller, params.id, params.att_id);
        return { id: params.att_id, deleted: true as const };
      },
    }),
  ];
}
