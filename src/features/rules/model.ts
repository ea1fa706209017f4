import { type Static, Type } from "@sinclair/typebox";
import { Name, Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ACTION_NAMES, BOUNDS, FIELD_NAMES, OPS, RULE_KINDS } from "./allowed.ts";
import type { RuleOutcome } from "./preview.ts";
import type { RuleRun } from "./runs.ts";
import type { Rule } from "./store.ts";

const LONGEST_PREVIEW_DAYS = 3_650;

const Condition = Type.Object(
  {
    field: OneOf(FIELD_NAMES),
    op: OneOf(OPS, { description: "`has_attachment`, `account_id` and `category` take `equals`, `not_equals` only." }),
    value: Type.String({ description: 'Compared case-insensitively. With `exists`: "true" or "false".' }),
  },
  { $id: "RuleCondition" },
);
const Action = Type.Object(
  {
    type: OneOf(ACTION_NAMES),
    value: Type.String({
      description: "A label, a category, a mode or a permission; empty if the action takes no value.",
    }),
  },
  { $id: "RuleAction" },
);

export const RuleItem = Type.Object(
  {
    id: Type.String({ description: "`rul_…`" }),
    kind: OneOf(RULE_KINDS, {
      description: "`inbox` sorts mail. `agent` defines what the agent may do with mail from matching senders.",
    }),
    name: Nullable(Type.String()),
    enabled: Type.Boolean({ description: "False: the rule is paused. A paused rule does not act on mail." }),
    conditions: Type.Array(Condition, { description: "All conditions must match." }),
    actions: Type.Array(Action),
    priority: Type.Integer({ description: "The lowest number runs first." }),
    account_id: Nullable(
      Type.String({ description: "The only mailbox that the rule applies to; null if it applies to all mailboxes." }),
    ),
    applying: Type.Boolean({ description: "A run started with `POST /rules/{id}/apply` is in progress." }),
  },
  { $id: "Rule" },
);
export type RuleItem = Static<typeof RuleItem>;

export const RuleList = Type.Object({ data: Type.Array(RuleItem) }, { $id: "RuleList" });

const Parts = {
  conditions: Type.Array(
    Type.Object({
      field: OneOf(FIELD_NAMES),
      op: OneOf(OPS),
      value: Type.Optional(Type.String({ description: "Optional with `exists`." })),
    }),
    { minItems: 1, maxItems: BOUNDS.conditions, description: "All conditions must match." },
  ),
  actions: Type.Array(
    Type.Object({
      type: OneOf(ACTION_NAMES, {
        description: "`setMode` and `allow` are for rules of kind `agent`, all other actions for `inbox`.",
      }),
      value: Type.Optional(Type.String({ description: "Absent if the action takes no value." })),
    }),
    { minItems: 1, maxItems: BOUNDS.actions },
  ),
};

const Given = { kind: OneOf(RULE_KINDS, { default: "inbox" }), ...Parts };
const State = {
  name: Type.Optional(Nullable(Name(BOUNDS.nameChars))),
  enabled: Type.Optional(Type.Boolean({ description: "False pauses the rule." })),
};

export const RuleCreate = Type.Object(
  {
    ...Given,
    ...State,
    account_id: Type.Optional(
      Nullable(
        Type.String({
          description:
            "Limits the rule to this mailbox. A key that is bound to one mailbox limits its rules to that mailbox.",
        }),
      ),
    ),
  },
  { $id: "RuleCreate" },
);
export const RuleCreated = Type.Object(
  { id: Type.String(), kind: OneOf(RULE_KINDS), priority: Type.Integer() },
  { $id: "RuleCreated" },
);

export const RulePatch = Type.Object(
  {
    ...State,
    conditions: Type.Optional(Parts.conditions),
    actions: Type.Optional(Parts.actions),
  },
  { $id: "RulePatch" },
);

export const RuleOrder = Type.Object(
  {
    ids: Type.Array(Type.String(), {
      maxItems: BOUNDS.rules,
      description: "The ids of all rules that `GET /rules` returns, in the new order.",
    }),
  },
  { $id: "RuleOrder" },
);

export const RulePreviewRequest = Type.Object(
  {
    ...Given,
    days: Type.Integer({
      minimum: 1,
      maximum: LONGEST_PREVIEW_DAYS,
      default: 30,
      description: "How many days back to look, by time of receipt.",
    }),
    examples: Type.Integer({ minimum: 0, maximum: 50, default: 10, description: "How many examples to return." }),
  },
  { $id: "RulePreviewRequest" },
);

export const RulePreview = Type.Object(
  {
    scanned: Type.Integer({ description: "Messages checked." }),
    matched: Type.Integer({ description: "Messages that match all conditions." }),
    changed: Type.Integer({ description: "Matching messages that the rule would change." }),
    actions: Type.Record(Type.String(), Type.Integer(), {
      description: "How many messages each action would change.",
    }),
    examples: Type.Array(
      Type.Object({
        message_id: Type.String(),
        thread_id: Type.String(),
        from: Type.String(),
        subject: Type.String(),
        date: Timestamp(),
        actions: Type.Array(Action, { description: "Empty if the rule would change nothing." }),
      }),
    ),
  },
  { $id: "RulePreview" },
);
export type RulePreview = Static<typeof RulePreview>;

export const RuleApply = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_PREVIEW_DAYS,
        description: "Only mail of the last `days` days. If absent, all mail.",
      }),
    ),
  },
  { $id: "RuleApply" },
);

export const RuleProgress = Type.Object(
  {
    id: Type.String({ description: "Id of the rule." }),
    state: OneOf(["running", "done", "stopped"], {
      description: "`stopped`: the rule was paused before all mail was checked.",
    }),
    done: Type.Integer({ description: "Messages checked so far." }),
    total: Type.Integer(),
    matched: Type.Integer(),
    changed: Type.Integer(),
    started_at: Timestamp(),
    finished_at: Nullable(Timestamp()),
  },
  { $id: "RuleProgress" },
);
export type RuleProgress = Static<typeof RuleProgress>;

/** Returns a rule as the API shows it. @param applying the rules whose run is in progress */
export function viewRule(rule: Rule, applying: ReadonlySet<string>): RuleItem {
  const { id, kind, name, enabled, conditions, actions, priority, account_id } = rule;
  return { id, kind, name, enabled, conditions, actions, priority, account_id, applying: applying.has(id) };
}

/** Returns a preview as the API shows it. */
export function viewPreview({ examples, ...counts }: RuleOutcome): RulePreview {
  return { ...counts, examples: examples.map((example) => ({ ...example, date: isoTime(example.date) })) };
}

/** Returns the progress of a run as the API shows it. @param id the rule */
export function viewProgress(id: string, run: RuleRun): RuleProgress {
  const { state, done, total, matched, changed, started_at, finished_at } = run;
  return {
    id,
    state,
    done,
    total,
    matched,
    changed,
    started_at: isoTime(started_at),
    finished_at: finished_at === null ? null : isoTime(finished_at),
  };
}
