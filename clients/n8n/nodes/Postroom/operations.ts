import type { IDataObject } from "n8n-workflow";
import { toInstant } from "../../api/instant";
import type { ApiRequest } from "../../api/request";

/** The parameters of one item. */
export interface Parameters {
  /** Returns a parameter or, by "collection.name", a field of a collection; undefined if it is not set. */
  get(name: string): unknown;
  /** Time zone of the workflow. */
  timeZone: string;
}

export interface Operation {
  request(parameters: Parameters): ApiRequest;
  /** `pages`: a list, page by page. `data`: a list on one page. By default, one object. */
  answer?: "pages" | "data";
  /** Sends an Idempotency-Key, so that a retry has no second effect. */
  once?: boolean;
}

const text = (p: Parameters, name: string): string => String(p.get(name) ?? "").trim();
const id = (p: Parameters, name: string): string => encodeURIComponent(text(p, name));
const filled = (value: string): string | undefined => (value === "" ? undefined : value);

/** Returns a list from text with commas outside quotation marks, or from a list of an expression. */
export function listOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const parts = Array.isArray(value) ? value.map(String) : (String(value).match(/(?:"[^"]*"|[^,])+/g) ?? []);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function instant(p: Parameters, name: string): string | undefined {
  const value = p.get(name);
  return value === undefined || value === null || value === "" ? undefined : toInstant(value, p.timeZone);
}

/** Leaves out fields that are not set. */
const set = (fields: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields of a message; `options` is the collection with the optional ones. */
function message(p: Parameters, options: string): IDataObject {
  return set({
    account_id: filled(text(p, `${options}.accountId`)),
    from: filled(text(p, `${options}.from`)),
    to: listOf(p.get("to")),
    cc: listOf(p.get(`${options}.cc`)),
    bcc: listOf(p.get(`${options}.bcc`)),
    subject: filled(text(p, "subject")),
    body: filled(String(p.get("body") ?? "")),
  });
}

const timing = (p: Parameters): IDataObject =>
  set({
    undo_window_s: p.get("options.undoWindow") as number | undefined,
    scheduled_at: instant(p, "options.scheduledAt"),
  });

const change = (fields: (p: Parameters) => IDataObject): Operation => ({
  request: (p) => ({ method: "PATCH", path: `/threads/${id(p, "threadId")}`, body: fields(p) }),
});

/** The operations of the node by "resource:operation". */
export const OPERATIONS: Record<string, Operation> = {
  "thread:get": { request: (p) => ({ method: "GET", path: `/threads/${id(p, "threadId")}` }) },
  "thread:getAll": {
    answer: "pages",
    request: (p) => ({
      method: "GET",
      path: "/threads",
      query: set({
        account_id: filled(text(p, "filters.accountId")),
        after: instant(p, "filters.after"),
        before: instant(p, "filters.before"),
        has_attachment: p.get("filters.hasAttachment") as boolean | undefined,
        label: filled(text(p, "filters.label")),
        q: filled(text(p, "filters.q")),
        starred: p.get("filters.starred") as boolean | undefined,
        state: p.get("filters.state") as string | undefined,
        tab: p.get("filters.tab") as string | undefined,
        unread: p.get("filters.unread") as boolean | undefined,
      }),
    }),
  },
  "thread:archive": change(() => ({ state: "archived" })),
  "thread:moveToInbox": change(() => ({ state: "inbox" })),
  "thread:spam": change(() => ({ state: "spam" })),
  "thread:trash": change(() => ({ state: "trash" })),
  "thread:markRead": change(() => ({ read: true })),
  "thread:markUnread": change(() => ({ read: false })),
  "thread:star": change(() => ({ starred: true })),
  "thread:unstar": change(() => ({ starred: false })),
  "thread:snooze": change((p) => ({ snooze_until: instant(p, "snoozeUntil") ?? "" })),
  "thread:label": change((p) =>
    set({ add_labels: listOf(p.get("addLabels")), remove_labels: listOf(p.get("removeLabels")) }),
  ),

  "message:get": { request: (p) => ({ method: "GET", path: `/messages/${id(p, "messageId")}` }) },
  "message:getAll": {
    answer: "pages",
    request: (p) => ({
      method: "GET",
      path: `/threads/${id(p, "threadId")}/messages`,
      query: set({ include_quoted: p.get("options.includeQuoted") as boolean | undefined }),
    }),
  },
  "message:send": {
    once: true,
    request: (p) => ({
      method: "POST",
      path: "/messages/send",
      body: set({
        ...message(p, "options"),
        reply_to_thread_id: filled(text(p, "options.replyToThreadId")),
        confirm: true,
        ...timing(p),
      }),
    }),
  },

  "draft:create": {
    once: true,
    request: (p) => ({
      method: "POST",
      path: "/drafts",
      body: set({ ...message(p, "options"), reply_to_thread_id: filled(text(p, "replyToThreadId")) }),
    }),
  },
  "draft:generate": {
    once: true,
    request: (p) => ({
      method: "POST",
      path: "/drafts",
      body: set({
        ...message(p, "options"),
        reply_to_thread_id: filled(text(p, "replyToThreadId")),
        use_ai: true,
        instructions: filled(text(p, "instructions")),
      }),
    }),
  },
  "draft:get": { request: (p) => ({ method: "GET", path: `/drafts/${id(p, "draftId")}` }) },
  "draft:getAll": { answer: "pages", request: () => ({ method: "GET", path: "/drafts" }) },
  "draft:delete": { request: (p) => ({ method: "DELETE", path: `/drafts/${id(p, "draftId")}` }) },
  "draft:update": {
    request: (p) => ({
      method: "PATCH",
      path: `/drafts/${id(p, "draftId")}`,
      // A field that is present and empty empties the field of the draft.
      body: set({
        account_id: filled(text(p, "updateFields.accountId")),
        from: filled(text(p, "updateFields.from")),
        subject: p.get("updateFields.subject") as string | undefined,
        body: p.get("updateFields.body") as string | undefined,
        ...Object.fromEntries(
          ["to", "cc", "bcc"]
            .filter((name) => p.get(`updateFields.${name}`) !== undefined)
            .map((name) => [name, listOf(p.get(`updateFields.${name}`)) ?? []]),
        ),
      }),
    }),
  },
  "draft:send": {
    once: true,
    request: (p) => ({
      method: "POST",
      path: `/drafts/${id(p, "draftId")}/send`,
      body: { confirm: true, ...timing(p) },
    }),
  },

  "send:get": { request: (p) => ({ method: "GET", path: `/sends/${id(p, "sendId")}` }) },
  "send:getAll": {
    answer: "pages",
    request: (p) => ({ method: "GET", path: "/sends", query: set({ status: p.get("filters.status") as string }) }),
  },
  "send:cancel": { request: (p) => ({ method: "POST", path: `/sends/${id(p, "sendId")}/cancel` }) },

  "mail:search": {
    answer: "pages",
    request: (p) => ({
      method: "POST",
      path: "/search",
      body: set({
        query: text(p, "query"),
        mode: p.get("options.mode") as string | undefined,
        account_id: filled(text(p, "options.accountId")),
      }),
    }),
  },
  "mail:ask": {
    once: true,
    request: (p) => ({ method: "POST", path: "/ai/ask", body: { question: text(p, "question") } }),
  },

  "label:getAll": { answer: "data", request: () => ({ method: "GET", path: "/labels" }) },
  "label:create": {
    once: true,
    request: (p) => ({ method: "POST", path: "/labels", body: { name: text(p, "name") } }),
  },
  "label:rename": {
    request: (p) => ({ method: "PATCH", path: `/labels/${id(p, "labelId")}`, body: { name: text(p, "name") } }),
  },
  "label:delete": { request: (p) => ({ method: "DELETE", path: `/labels/${id(p, "labelId")}` }) },
};
