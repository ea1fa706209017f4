/**
 * The allow list of rules (docs/rules.md): which fields conditions may test and what actions may do. No expressions, no
 * sends.
 */

/** How a field's value is compared: as plain text, as addresses with their names, or as one of a few words. */
type FieldKind = "text" | "addresses" | "word";

export const FIELDS = {
  from: "addresses",
  from_domain: "text",
  to: "addresses",
  cc: "addresses",
  subject: "text",
  body: "text",
  list_id: "text",
  has_attachment: "word",
  account_id: "word",
  category: "word",
} as const satisfies Record<string, FieldKind>;
export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as [Field, ...Field[]];

export const OPS = ["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "exists"] as const;
export type Op = (typeof OPS)[number];

/** Operators of fields that hold one of a few words. */
export const WORD_OPS: readonly Op[] = ["equals", "not_equals"];

export const RULE_KINDS = ["inbox", "agent"] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** Actions of inbox rules, with the kind of value that each needs. */
export const INBOX_ACTIONS = {
  addLabel: "label",
  removeLabel: "label",
  setCategory: "category",
  archive: null,
  markRead: null,
  star: null,
  trash: null,
  markSpam: null,
} as const;
export type InboxAction = keyof typeof INBOX_ACTIONS;

/** Actions of agent rules: what the agent may do with mail of these senders. */
export const AGENT_ACTIONS = { setMode: "mode", allow: "permission" } as const;
export type AgentAction = keyof typeof AGENT_ACTIONS;

export const ACTION_NAMES = [...Object.keys(INBOX_ACTIONS), ...Object.keys(AGENT_ACTIONS)] as [
  InboxAction | AgentAction,
  ...(InboxAction | AgentAction)[],
];

export const CATEGORIES = ["primary", "social", "promotions", "updates"] as const;
export const AGENT_MODES = ["off", "suggest", "draft", "autopilot"] as const;
export type AgentMode = (typeof AGENT_MODES)[number];
export const AGENT_PERMISSIONS = ["label", "category", "archive", "draft"] as const;
export type AgentPermission = (typeof AGENT_PERMISSIONS)[number];

/** Actions that move a message to another folder; a rule has at most one. */
export const MOVES: readonly string[] = ["archive", "trash", "markSpam"] satisfies InboxAction[];

export const BOUNDS = { conditions: 20, actions: 20, valueChars: 500, nameChars: 100, rules: 1_000 } as const;

export interface Condition {
  field: Field;
  op: Op;
  /** "" only with `exists`, whose value is "true" or "false". */
  value: string;
}

export interface Action {
  type: InboxAction | AgentAction;
  /** "" if the action needs none. */
  value: string;
}
