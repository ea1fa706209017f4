import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
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
    value: Type.String({ description: 'Compared without regard to case. With `exists`: "true" or "false".' }),
  },
  { $id: "RuleCondition" },
);
const Action = Type.Object(
  {
    type: OneOf(ACTION_NAMES),
    value: Type.String({ description: 'A label, a category, a mode or a permission; "" where the action needs none.' }),
  },
  { $id: "RuleAction" },
);

export const RuleItem = Type.Object(
  {
    id: Type.String({ description: "`rul_…`" }),
    kind: OneOf(RULE_KINDS, {
      description: "`inbox` sorts mail; `agent` says what the agent may do with mail of these senders.",
    }),
    conditions: Type.Array(Condition, { description: "All must hold." }),
    actions: Type.Array(Action),
    priority: Type.Integer({ description: "Lowest first." }),
  },
  { $id: "Rule" },
);
export type RuleItem = Static<typeof RuleItem>;

const Given = {
  kind: OneOf(RULE_KINDS, { default: "inbox" }),
  conditions: Type.Array(
    Type.Object({
      field: OneOf(FIELD_NAMES),
      op: OneOf(OPS),
      value: Type.Optional(Type.String({ description: "May be absent with `exists`." })),
    }),
    { minItems: 1, maxItems: BOUNDS.conditions, description: "All must hold." },
  ),
  actions: Type.Array(
    Type.Object({
      type: OneOf(ACTION_NAMES, {
        description: "`setMode` and `allow` belong to rules of kind `agent`, all others to `inbox`.",
      }),
      value: Type.Optional(Type.String({ description: "Absent where the action needs none." })),
    }),
    { minItems: 1, maxItems: BOUNDS.actions },
  ),
};

export const RuleCreate = Type.Object(Given, { $id: "RuleCreate" });
export const RuleCreated = Type.Object(
  { id: Type.String(), kind: OneOf(RULE_KINDS), priority: Type.Integer() },
  { $id: "RuleCreated" },
);

export const RulePreviewRequest = Type.Object(
  {
    ...Given,
    days: Type.Integer({
      minimum: 1,
      maximum: LONGEST_PREVIEW_DAYS,
      default: 30,
      description: "Looks at mail received in so many days.",
    }),
    examples: Type.Integer({ minimum: 0, maximum: 50, default: 10, description: "How many examples to show." }),
  },
  { $id: "RulePreviewRequest" },
);

export const RulePreview = Type.Object(
  {
    scanned: Type.Integer({ description: "Messages looked at." }),
    matched: Type.Integer({ description: "Messages that the conditions fit." }),
    changed: Type.Integer({ description: "Those that are not yet as the rule wants them." }),
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
        actions: Type.Array(Action, { description: "Empty: it is as the rule wants it." }),
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
        description: "Mail of so many days; absent: all mail.",
      }),
    ),
  },
  { $id: "RuleApply" },
);

export const RuleProgress = Type.Object(
  {
    id: Type.String({ description: "The rule's." }),
    state: OneOf(["running", "done"]),
    done: Type.Integer({ description: "Messages looked at so far." }),
    total: Type.Integer(),
    matched: Type.Integer(),
    changed: Type.Integer(),
    started_at: Timestamp(),
    finished_at: Nullable(Timestamp()),
  },
  { $id: "RuleProgress" },
);
export type RuleProgress = Static<typeof RuleProgress>;

export function viewRule({ id, kind, conditions, actions, priority }: Rule): RuleItem {
  return { id, kind, conditions, actions, priority };
}

export function viewPreview({ examples, ...counts }: RuleOutcome): RulePreview {
  return { ...counts, examples: examples.map((example) => ({ ...example, date: isoTime(example.date) })) };
}

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
