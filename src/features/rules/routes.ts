import { Type } from "@sinclair/typebox";
import { change, type Route, read } from "../../http/route.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import {
  RuleApply,
  RuleCreate,
  RuleCreated,
  RuleItem,
  RuleList,
  RuleOrder,
  RulePatch,
  RulePreview,
  RulePreviewRequest,
  RuleProgress,
  viewPreview,
  viewProgress,
  viewRule,
} from "./model.ts";
import type { RuleService } from "./service.ts";
import type { Rule } from "./store.ts";

/** Returns the routes for rules, their previews and their runs. */
export function ruleRoutes(rules: RuleService): Route[] {
  const view = (caller: MailScope, shown: readonly Rule[]) => {
    const applying = rules.applying(caller);
    return shown.map((rule) => viewRule(rule, applying));
  };
  return [
    read({
      method: "GET",
      path: "/rules",
      scope: "mail:read",
      operationId: "listRules",
      tag: "Rules",
      summary: "List rules",
      description: "Lists rules in the order in which they run: by priority, lowest number first.",
      response: RuleList,
      examples: { response: { data: [EXAMPLE] } },
      handle: ({ caller }) => ({ data: view(caller, rules.list(caller)) }),
    }),
    change({
      method: "POST",
      path: "/rules",
      scope: "mail:write",
      operationId: "createRule",
      tag: "Rules",
      summary: "Create a rule",
      description:
        "Creates a rule that runs after all existing rules: it gets the highest priority number. Rules of kind " +
        "`inbox` are applied to new mail before `message.received` is emitted. Their changes are mirrored to the " +
        "mail server.",
      body: RuleCreate,
      response: RuleCreated,
      examples: {
        body: {
          kind: EXAMPLE.kind,
          name: EXAMPLE.name,
          conditions: EXAMPLE.conditions,
          actions: EXAMPLE.actions,
        },
        response: { id: EXAMPLE.id, kind: EXAMPLE.kind, priority: EXAMPLE.priority },
      },
      handle: ({ body, caller }) => {
        const { id, kind, priority } = rules.create(caller, body);
        return { id, kind, priority };
      },
    }),
    change({
      method: "PATCH",
      path: "/rules/:id",
      scope: "mail:write",
      operationId: "updateRule",
      tag: "Rules",
      summary: "Update a rule",
      description:
        "Renames, edits, pauses or resumes a rule. Only the fields that are present change; `conditions` and `actions` " +
        "replace all that the rule had. Changes apply to new mail. A run started with `POST /rules/{id}/apply` " +
        "continues with the rule as it was; pausing the rule stops the run. For a rule of kind `agent` that is " +
        "paused, the agent treats its senders as if the rule did not exist.",
      params: { id: "rule" },
      body: RulePatch,
      response: RuleItem,
      examples: { body: { name: EXAMPLE.name, enabled: false }, response: { ...EXAMPLE, enabled: false } },
      handle: ({ params, body, caller }) => view(caller, [rules.update(caller, params.id, body)])[0]!,
    }),
    change({
      method: "PUT",
      path: "/rules/order",
      scope: "mail:write",
      operationId: "reorderRules",
      tag: "Rules",
      summary: "Reorder rules",
      description:
        "Changes the order in which rules run. `ids` must contain each rule that `GET /rules` returns exactly once, of " +
        "both kinds. The rules get the priorities 1, 2, 3 and so on. With a key that is bound to one mailbox, the " +
        "rules of that mailbox exchange their priorities, and no other rule changes.",
      body: RuleOrder,
      response: RuleList,
      examples: { body: { ids: [EXAMPLE.id] }, response: { data: [{ ...EXAMPLE, priority: 1 }] } },
      handle: ({ body, caller }) => ({ data: view(caller, rules.reorder(caller, body.ids)) }),
    }),
    change({
      method: "DELETE",
      path: "/rules/:id",
      scope: "mail:write",
      operationId: "deleteRule",
      tag: "Rules",
      summary: "Delete a rule",
      description: "Deletes a rule. The changes it has made are kept.",
      params: { id: "rule" },
      response: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: "RuleDeleted" }),
      examples: { response: { id: EXAMPLE.id, deleted: true } },
      handle: ({ params, caller }) => {
        rules.remove(caller, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
    read({
      method: "POST",
      path: "/rules/preview",
      scope: "mail:read",
      operationId: "previewRule",
      tag: "Rules",
      summary: "Preview a rule",
      description:
        "Returns what the rule would change in mail of the last days. Nothing is changed and nothing is stored.",
      body: RulePreviewRequest,
      response: RulePreview,
      examples: {
        body: { kind: EXAMPLE.kind, conditions: EXAMPLE.conditions, actions: EXAMPLE.actions, days: 30, examples: 10 },
        response: PREVIEW,
      },
      handle: async ({ body: { days, examples, ...rule }, caller }) =>
        viewPreview(await rules.preview(caller, rule, days, examples)),
    }),
    change({
      method: "POST",
      path: "/rules/:id/apply",
      scope: "mail:write",
      operationId: "applyRule",
      tag: "Rules",
      summary: "Apply a rule to existing mail",
      description:
        "Starts to apply the rule in the background. To follow its progress, call `GET /rules/{id}/apply`. A second " +
        "call while it runs has no effect, unless the rule was edited since: then the run begins again with the edited " +
        "rule. A paused rule is 400 `invalid_params`.",
      params: { id: "rule" },
      body: RuleApply,
      response: RuleProgress,
      status: 202,
      examples: { body: { days: 365 }, response: { ...PROGRESS, state: "running", done: 0, finished_at: null } },
      handle: ({ params, body, caller }) => viewProgress(params.id, rules.apply(caller, params.id, body.days ?? null)),
    }),
    read({
      method: "GET",
      path: "/rules/:id/apply",
      scope: "mail:read",
      operationId: "getRuleProgress",
      tag: "Rules",
      summary: "Get the progress of applying a rule",
      description:
        "Returns the progress of the last run started with `POST /rules/{id}/apply`; 404 `not_found` if there is none.",
      params: { id: "rule" },
      response: RuleProgress,
      examples: { response: PROGRESS },
      handle: ({ params, caller }) => viewProgress(params.id, rules.progress(caller, params.id)),
    }),
  ];
}

const EXAMPLE: RuleItem = {
  id: "rul_01kk8f2v0c5s9w3n7r1m4q6t8x",
  kind: "inbox",
  name: "Invoices from Harbourline",
  enabled: true,
  conditions: [
    { field: "from_domain", op: "equals", value: "harbourline.example" },
    { field: "subject", op: "contains", value: "invoice" },
  ],
  actions: [
    { type: "addLabel", value: "Invoices" },
    { type: "setCategory", value: "updates" },
  ],
  priority: 3,
  account_id: null,
  applying: false,
};

const PREVIEW: RulePreview = {
  scanned: 1_204,
  matched: 6,
  changed: 5,
  actions: { addLabel: 5, setCategory: 4 },
  examples: [
    {
      message_id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
      thread_id: "thr_01kk8f2v0c5s9w3n7r1m4q6t8y",
      from: "maya@harbourline.example",
      subject: "Invoice 1042",
      date: "2026-03-02T09:00:00.000Z",
      actions: [{ type: "addLabel", value: "Invoices" }],
    },
  ],
};

const PROGRESS: RuleProgress = {
  id: EXAMPLE.id,
  state: "done",
  done: 48_211,
  total: 48_211,
  matched: 190,
  changed: 187,
  started_at: "2026-03-02T09:00:00.000Z",
  finished_at: "2026-03-02T09:00:21.000Z",
};
