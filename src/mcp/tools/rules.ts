import { Type } from "@sinclair/typebox";
import { OneOf } from "../../http/schema.ts";
import { invalidParam, notFound } from "../../kernel/errors.ts";
import { unmarked } from "../mail-text.ts";
import { type ToolContext, tool } from "../tool.ts";
import { callText, undoText } from "./bulk.ts";
import { exact } from "./fields.ts";

export interface Rule {
  id: string;
  kind: string;
  name: string | null;
  enabled: boolean;
  conditions: { field: string; op: string; value: string }[];
  actions: { type: string; value: string }[];
}

interface Preview {
  scanned: number;
  matched: number;
  changed: number;
  actions: Record<string, number>;
  examples: { message_id: string; thread_id: string; from: string; subject: string; date: string }[];
}

export const changeRule = tool({
  name: "change_rule",
  title: "Change rules",
  description:
    "Preview, create or delete (id) a sorting rule. Preview, show the user the result, and ask. Example: conditions [{field: from_domain, op: equals, value: x.example}], actions [{type: addLabel, value: X}].",
  scope: "mail:write",
  kind: "destructive",
  input: exact({
    action: OneOf(["preview", "create", "delete"]),
    id: Type.Optional(Type.String()),
    conditions: Type.Optional(
      Type.Array(exact({ field: Type.String(), op: Type.String(), value: Type.Optional(Type.String()) })),
    ),
    actions: Type.Optional(Type.Array(exact({ type: Type.String(), value: Type.Optional(Type.String()) }))),
  }),
  output: Type.Object({ id: Type.Optional(Type.String()), undo: Type.String() }),
  run: ({ action, id, conditions, actions }, context) => {
    if (action === "delete") return remove(id, context);
    if (id !== undefined) throw invalidParam("id", "id is only for delete.");
    const rule = {
      kind: "inbox",
      conditions: conditions && withValues(conditions, unmarked),
      actions: actions && withValues(actions, unmarked),
    };
    return action === "preview" ? preview(rule, context) : create(rule, context);
  },
});

/** Returns a rule with its name and its values marked, which a tool may have written. */
export function markedRule<R extends Pick<Rule, "name" | "conditions" | "actions">>(
  rule: R,
  mail: ToolContext["mail"],
): R {
  const mark = (text: string) => mail.exactLines(text);
  const name = rule.name === null ? null : mark(rule.name);
  return { ...rule, name, conditions: withValues(rule.conditions, mark), actions: withValues(rule.actions, mark) };
}

function withValues<T extends { value?: string }>(parts: readonly T[], change: (text: string) => string): T[] {
  return parts.map((part) => (part.value === undefined ? part : { ...part, value: change(part.value) }));
}

async function preview(rule: object, { call, mail }: ToolContext) {
  const { examples, ...counts } = (await call("previewRule", { body: rule })) as Preview;
  return {
    ...counts,
    examples: examples.map(({ from, subject, message_id, thread_id, date }) => ({
      message_id,
      thread_id,
      date,
      from: mail.line(from),
      subject: mail.line(subject),
    })),
    undo: "Nothing was changed.",
  };
}

async function create(rule: object, { call }: ToolContext) {
  const { id } = (await call("createRule", { body: rule })) as { id: string };
  return { id, undo: callText("change_rule", { action: "delete", id }) };
}

async function remove(id: string | undefined, { call, scopes, before, mail }: ToolContext) {
  if (id === undefined) throw invalidParam("id", "id is required to delete a rule.");
  if (before.ruleKind(id) !== "inbox") {
    throw invalidParam("id", "This rule gives permissions to the agent. The user can change it on the settings page.");
  }
  const rules = scopes.includes("mail:read") ? ((await call("listRules")) as { data: Rule[] }).data : [];
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule && scopes.includes("mail:read")) throw notFound("rule", "id");
  await call("deleteRule", { params: { id } });
  if (!rule) return { id, undo: "A deleted rule cannot be restored." };
  const mark = (text: string) => mail.argument(text);
  const restore = undoText("change_rule", {
    action: "create",
    conditions: withValues(rule.conditions, mark),
    actions: withValues(rule.actions, mark),
  });
  const undo = rule.enabled ? restore : `${restore} The rule was paused, but the restored one acts on new mail.`;
  return { id, undo };
}
