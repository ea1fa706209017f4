import { Type } from "@sinclair/typebox";
import { invalidParam } from "../../kernel/errors.ts";
import { fitting, fittingPage, UNDO_BYTES } from "../budget.ts";
import { tool } from "../tool.ts";
import { callText, undoText } from "./bulk.ts";
import { accountId, cursor, exact, limit } from "./fields.ts";
import { ownArgument, ownText } from "./own-text.ts";

/** Fields of a draft that can be changed. */
interface DraftFields {
  account_id: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body: string;
}

/** A draft as GET /drafts lists it. */
type Listed = Record<string, unknown> & { to: string[]; subject: string };

/** Recipients that are shown at most in a list. */
const LISTED_BYTES = 300;
/** Sends that are shown at most beside the drafts. */
const PENDING_BYTES = 3_000;
/** Recipients, warnings, and the text that are shown at most of one draft. */
const SHOWN_PEOPLE_BYTES = 4_000;
const SHOWN_WARNINGS_BYTES = 3_000;
const SHOWN_BODY = { chars: 8_000, bytes: 14_000 };

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
    const people = (list: readonly string[]) => fitting(list, LISTED_BYTES).map((person) => mail.person(person));
    const read = async (limit: number) =>
      (await call("listDrafts", { query: { ...query, limit } })) as { data: Listed[]; next_cursor?: string };
    const show = ({ to, subject, ...draft }: Listed) => ({
      ...(draft as { id: string }),
      to: people(to),
      subject: mail.line(subject),
    });
    const { shown, page } = await fittingPage(query.limit, read, show);
    const maySend = scopes.includes("mail:send");
    const scheduled = maySend
      ? ((await call("listSends", { query: { status: "scheduled", limit: 50 } })) as {
          data: { id?: string; send_id: string; draft_id: string; to: string[]; undo_until: string }[];
        })
      : { data: [] };
    return {
      drafts: shown,
      next_cursor: page.next_cursor,
      scheduled: fitting(
        scheduled.data.map(({ send_id, draft_id, to, undo_until }) => ({
          send_id,
          draft_id,
          to: people(to),
          undo_until,
        })),
        PENDING_BYTES,
      ),
      waiting_for_approval: maySend
        ? fitting(
            sending.sends.waitingFor(sending.sender).map(({ id, draft_id }) => ({ approval_id: id, draft_id })),
            PENDING_BYTES,
          )
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
    const fields = withTexts(given, (text, name) => ownArgument(name, text));
    const warningsFor = (id: string) =>
      fitting(
        sending.sends.warningsFor(sending.sender, id).map((text) => mail.line(text)),
        SHOWN_WARNINGS_BYTES,
      );
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
      return { id: draft_id, warnings, undo: undoOfChange(undo) };
    }
    const body = { ...fields, reply_to_thread_id, ...(use_ai && { use_ai, instructions }) };
    const draft = (await call("createDraft", { body })) as {
      id: string;
      to: string[];
      cc: string[];
      subject: string;
      body: string;
      ai?: { engine: string; fallback: string | null } | null;
    };
    const warnings = warningsFor(draft.id);
    const fallback = draft.ai?.fallback ?? null;
    return {
      id: draft.id,
      to: fitting(draft.to, SHOWN_PEOPLE_BYTES).map((person) => mail.person(person)),
      cc: fitting(draft.cc, SHOWN_PEOPLE_BYTES).map((person) => mail.person(person)),
      subject: mail.exactLines(draft.subject),
      ...(use_ai && { body: ownText(draft.body, { id: draft.id, offset: 0 }, mail, SHOWN_BODY) }),
      ...(draft.ai && { engine: draft.ai.engine, ...(fallback !== null && { fallback }) }),
      warnings,
      undo: callText("delete_draft", { draft_id: draft.id }),
    };
  },
});

/** Returns how to undo a change of a draft. A long text is left out, because it would be repeated in full. */
function undoOfChange({ body, ...others }: { draft_id: string; body?: unknown }): string {
  const whole = callText("save_draft", { ...others, body });
  if (Buffer.byteLength(whole) <= UNDO_BYTES) return whole;
  const rest = Object.keys(others).length > 1 ? [undoText("save_draft", others)] : [];
  return [...rest, "the earlier text is too long to be repeated here and cannot be restored by a call"].join("; ");
}

/** Returns fields of a draft with its texts and recipients changed, which can repeat words of mail. */
function withTexts<T extends object>(fields: T, change: (text: string, name: string) => string): T {
  const changed = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if ((name === "subject" || name === "body") && typeof value === "string") return [[name, change(value, name)]];
    const isList = (name === "to" || name === "cc" || name === "bcc") && Array.isArray(value);
    return isList ? [[name, value.map((person: string) => change(person, name))]] : [];
  });
  return { ...fields, ...Object.fromEntries(changed) };
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
    const restoring = callText("save_draft", earlier);
    const isRestorable = before !== null && Buffer.byteLength(restoring) <= UNDO_BYTES;
    const lost = ((attachments ?? []) as object[]).length > 0 ? " (attachments are lost)" : "";
    const undo = isRestorable ? `${restoring}${lost}` : "This draft cannot be restored by a call.";
    return { id: draft_id, deleted: true, undo };
  },
});
