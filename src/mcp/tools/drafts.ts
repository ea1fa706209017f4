import { Type } from "@sinclair/typebox";
import { invalidParam } from "../../kernel/errors.ts";
import { unmarked } from "../mail-text.ts";
import { tool } from "../tool.ts";
import { callText } from "./bulk.ts";
import { accountId, cursor, exact, limit } from "./fields.ts";

/** Fields of a draft that can be changed. */
interface DraftFields {
  account_id: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body: string;
}

const people = Type.Optional(Type.Array(Type.String()));

export const listDrafts = tool({
  name: "list_drafts",
  title: "List drafts",
  description: "List drafts, sends that can still be canceled, and sends that wait for the user's approval.",
  scope: "drafts:read",
  kind: "read",
  input: exact({ limit, cursor }),
  output: Type.Object({ drafts: Type.Array(Type.Unknown()), next_cursor: cursor }),
  run: async (query, { call, mail, scopes, sending }) => {
    const page = (await call("listDrafts", { query })) as {
      data: (Record<string, unknown> & { subject: string; snippet?: string })[];
      next_cursor?: string;
    };
    const maySend = scopes.includes("mail:send");
    const scheduled = maySend
      ? ((await call("listSends", { query: { status: "scheduled", limit: 50 } })) as {
          data: { id?: string; send_id: string; draft_id: string; to: string[]; undo_until: string }[];
        })
      : { data: [] };
    return {
      drafts: page.data.map(({ subject, snippet, ...draft }) => ({
        ...(draft as { id: string }),
        subject: mail.line(subject),
        ...(snippet !== undefined && { snippet: mail.line(snippet) }),
      })),
      next_cursor: page.next_cursor,
      scheduled: scheduled.data.map(({ send_id, draft_id, to, undo_until }) => ({ send_id, draft_id, to, undo_until })),
      waiting_for_approval: maySend
        ? sending.sends.waitingFor(sending.sender).map(({ id, draft_id }) => ({ approval_id: id, draft_id }))
        : [],
    };
  },
});

export const saveDraft = tool({
  name: "save_draft",
  title: "Save a draft",
  description:
    "Write a draft, or change one (draft_id). Nothing is sent. With use_ai, Postroom writes the body from instructions in the user's own style (1 credit).",
  scope: "drafts:write",
  kind: "write",
  input: exact({
    draft_id: Type.Optional(Type.String()),
    reply_to_thread_id: Type.Optional(Type.String()),
    ...accountId,
    to: people,
    cc: people,
    bcc: people,
    subject: Type.Optional(Type.String()),
    body: Type.Optional(Type.String()),
    use_ai: Type.Optional(Type.Boolean()),
    instructions: Type.Optional(Type.String()),
  }),
  output: Type.Object({ id: Type.String(), undo: Type.String() }),
  run: async ({ draft_id, use_ai, instructions, reply_to_thread_id, ...given }, context) => {
    const { call, mail, sending, scopes } = context;
    const fields = withTexts(given, unmarked);
    const warningsFor = (id: string) => sending.sends.warningsFor(sending.sender, id).map((text) => mail.line(text));
    if (draft_id !== undefined) {
      if (use_ai || reply_to_thread_id !== undefined) {
        throw invalidParam(
          "draft_id",
          "draft_id cannot be combined with use_ai or reply_to_thread_id. Write a new draft.",
        );
      }
      const isReadable = scopes.includes("drafts:read");
      const before = isReadable ? ((await call("getDraft", { params: { id: draft_id } })) as DraftFields) : null;
      await call("updateDraft", { params: { id: draft_id }, body: fields });
      const warnings = warningsFor(draft_id);
      if (!before)
        return { id: draft_id, warnings, undo: "The earlier text is unknown without the scope drafts:read." };
      const earlier = Object.fromEntries(Object.keys(fields).map((name) => [name, before[name as keyof DraftFields]]));
      const undo = { draft_id, ...withTexts(earlier, (text) => mail.argument(text)) };
      return { id: draft_id, warnings, undo: callText("save_draft", undo) };
    }
    const body = { ...fields, reply_to_thread_id, ...(use_ai && { use_ai, instructions }) };
    const draft = (await call("createDraft", { body })) as {
      id: string;
      to: string[];
      cc: string[];
      subject: string;
      body: string;
    };
    const warnings = warningsFor(draft.id);
    return {
      id: draft.id,
      to: draft.to,
      cc: draft.cc,
      subject: mail.exactLines(draft.subject),
      ...(use_ai && { body: mail.exactLines(draft.body) }),
      warnings,
      undo: callText("delete_draft", { draft_id: draft.id }),
    };
  },
});

/** Returns fields of a draft with its texts changed, which can repeat words of mail. */
function withTexts<T extends { subject?: unknown; body?: unknown }>(fields: T, change: (text: string) => string): T {
  const { subject, body } = fields;
  return {
    ...fields,
    ...(typeof subject === "string" && { subject: change(subject) }),
    ...(typeof body === "string" && { body: change(body) }),
  };
}

export const deleteDraft = tool({
  name: "delete_draft",
  title: "Delete a draft",
  description: "Delete a draft. Ask the user first.",
  scope: "drafts:write",
  kind: "destructive",
  input: exact({ draft_id: Type.String() }),
  output: Type.Object({ id: Type.String(), deleted: Type.Boolean(), undo: Type.String() }),
  run: async ({ draft_id }, { call, scopes, mail }) => {
    const readable = scopes.includes("drafts:read");
    const before = readable
      ? ((await call("getDraft", { params: { id: draft_id } })) as Record<string, unknown>)
      : null;
    await call("deleteDraft", { params: { id: draft_id } });
    const { account_id, thread_id, to, cc, bcc, subject, body, attachments } = before ?? {};
    const reply = typeof thread_id === "string" ? { reply_to_thread_id: thread_id } : { account_id };
    const earlier = withTexts({ ...reply, to, cc, bcc, subject, body }, (text) => mail.argument(text));
    const undo = before
      ? `${callText("save_draft", earlier)}${(attachments as object[]).length > 0 ? " (attachments are lost)" : ""}`
      : "A deleted draft cannot be restored.";
    return { id: draft_id, deleted: true, undo };
  },
});
