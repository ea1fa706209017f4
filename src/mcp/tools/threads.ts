import { Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { fitting, fittingPage } from "../budget.ts";
import { unmarked } from "../mail-text.ts";
import { type ToolContext, tool } from "../tool.ts";
import { callText, eachId } from "./bulk.ts";
import { accountId, cursor, exact, ids, limit, outcomes } from "./fields.ts";

/** The parts of a thread of GET /threads that are shown. */
interface ThreadItem {
  id: string;
  account_id: string;
  subject: string;
  from: { name: string; email: string };
  snippet: string;
  labels: string[];
  unread: boolean;
  starred: boolean;
  message_count: number;
  updated_at: string;
  state: string;
  category: string;
}

/** Labels of a thread that a list shows at most. */
const LABEL_BYTES = 1_000;

export const listThreads = tool({
  name: "list_threads",
  title: "List threads",
  description: "List threads, newest first. Read one with fetch.",
  scope: "mail:read",
  kind: "read",
  input: exact({
    state: Type.Optional(OneOf(["inbox", "archived", "snoozed", "sent", "trash", "spam"])),
    tab: Type.Optional(OneOf(["primary", "social", "promotions", "updates"])),
    label: Type.Optional(Type.String()),
    unread: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: "Words and operators" })),
    ...accountId,
    limit,
    cursor,
  }),
  output: Type.Object({ threads: Type.Array(Type.Unknown()), next_cursor: cursor }),
  run: async ({ label, ...rest }, { call, mail }) => {
    const query = { ...rest, ...(label !== undefined && { label: unmarked(label) }) };
    const read = async (limit: number) =>
      (await call("listThreads", { query: { ...query, limit } })) as { data: ThreadItem[]; next_cursor?: string };
    const show = ({ id, account_id, from, message_count, ...thread }: ThreadItem) => ({
      id,
      account_id,
      subject: mail.line(thread.subject),
      from: mail.line(from.name === "" ? from.email : `${from.name} <${from.email}>`),
      snippet: mail.line(thread.snippet),
      updated_at: thread.updated_at,
      state: thread.state,
      category: thread.category,
      unread: thread.unread,
      starred: thread.starred,
      messages: message_count,
      labels: fitting(thread.labels, LABEL_BYTES).map((label) => mail.line(label)),
    });
    const { shown, page } = await fittingPage(query.limit, read, show);
    return { threads: shown, next_cursor: page.next_cursor };
  },
});

/** Fields of PATCH /threads/{id} that the tools pass on. */
interface Change {
  read?: boolean;
  starred?: boolean;
  state?: "inbox" | "archived" | "trash" | "spam";
  add_labels?: string[];
  remove_labels?: string[];
  snooze_until?: string | null;
}

export const updateThreads = tool({
  name: "update_threads",
  title: "Change threads",
  description: "Mark read, star, archive, label or snooze up to 25 threads. Reversible: the result says how.",
  scope: "mail:write",
  kind: "write",
  input: exact({
    ids,
    read: Type.Optional(Type.Boolean()),
    starred: Type.Optional(Type.Boolean()),
    state: Type.Optional(OneOf(["inbox", "archived"])),
    add_labels: Type.Optional(Type.Array(Type.String())),
    remove_labels: Type.Optional(Type.Array(Type.String())),
    snooze_until: Type.Optional(Nullable(Timestamp("null ends the snooze"))),
  }),
  output: outcomes,
  run: ({ ids, ...change }, context) => {
    const { add_labels, remove_labels } = change;
    const labels = {
      ...(add_labels && { add_labels: add_labels.map(unmarked) }),
      ...(remove_labels && { remove_labels: remove_labels.map(unmarked) }),
    };
    return changeThreads(ids, { ...change, ...labels }, context);
  },
});

export const trashThreads = tool({
  name: "trash_threads",
  title: "Trash threads",
  description: "Move up to 25 threads to the trash or to spam. Ask the user first.",
  scope: "mail:write",
  kind: "destructive",
  input: exact({ ids, to: Type.Optional(OneOf(["trash", "spam"])) }),
  output: outcomes,
  run: ({ ids, to = "trash" }, context) => changeThreads(ids, { state: to }, context),
});

/** Applies a change to each thread, and returns what restores those that changed. */
async function changeThreads(ids: readonly string[], change: Change, { call, scopes, mail, refused }: ToolContext) {
  const earlier = new Map<string, Change>();
  const isReadable = scopes.includes("mail:read");
  const results = await eachId(ids, async (id) => {
    const before = isReadable ? ((await call("getThread", { params: { id } })) as Snapshot) : null;
    await call("updateThread", { params: { id }, body: change });
    if (before) earlier.set(id, inverse(before, change));
  });
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length > 0) refused(failed[0]!.error!.code, { ids: failed.map(({ id }) => id) });
  if (!isReadable) return { results, undo: "The earlier state is unknown without the scope mail:read." };
  const changes = Map.groupBy(earlier, ([, undo]) => JSON.stringify(undo));
  const calls = [...changes].flatMap(([undo, threads]) => {
    const { add_labels, remove_labels, ...rest } = JSON.parse(undo) as Change;
    const marked = (labels: readonly string[]) => labels.map((label) => mail.argument(label));
    const args = {
      ids: threads.map(([id]) => id),
      ...rest,
      ...(add_labels && { add_labels: marked(add_labels) }),
      ...(remove_labels && { remove_labels: marked(remove_labels) }),
    };
    const { state, ...others } = args;
    if (state !== "trash" && state !== "spam") return [callText("update_threads", args)];
    const hasOthers = Object.keys(others).length > 1;
    return [
      ...(hasOthers ? [callText("update_threads", others)] : []),
      callText("trash_threads", { ids: args.ids, to: state }),
    ];
  });
  return { results, undo: calls.join("; ") || "Nothing was changed." };
}

interface Snapshot {
  state: string;
  labels: string[];
  unread: boolean;
  starred: boolean;
  snooze_until: string | null;
}

/** Returns the change that restores what `change` replaces. */
function inverse(before: Snapshot, change: Change): Change {
  const undo: Change = {};
  if (change.read !== undefined) undo.read = !before.unread;
  if (change.starred !== undefined) undo.starred = before.starred;
  const added = change.add_labels?.filter((label) => !before.labels.includes(label)) ?? [];
  const removed = change.remove_labels?.filter((label) => before.labels.includes(label)) ?? [];
  if (added.length > 0) undo.remove_labels = added;
  if (removed.length > 0) undo.add_labels = removed;
  if (change.state === undefined && change.snooze_until === undefined) return undo;
  if (before.snooze_until !== null) undo.snooze_until = before.snooze_until;
  // Ending a snooze would move the thread to the inbox.
  else undo.state = givenState(before.state);
  return undo;
}

/** Returns the state to give a thread back. Threads with only sent mail are shown as `sent` and count as archived. */
function givenState(state: string): NonNullable<Change["state"]> {
  return state === "archived" || state === "trash" || state === "spam" || state === "inbox" ? state : "archived";
}
