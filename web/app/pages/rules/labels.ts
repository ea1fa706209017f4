import type { RuleItem } from "../../../../src/features/rules/model.ts";
import type { Option } from "../../parts/field.tsx";

export type Condition = RuleItem["conditions"][number];
export type Action = RuleItem["actions"][number];
export type Field = Condition["field"];
export type Op = Condition["op"];
export type ActionType = Action["type"];

const FIELD_LABELS: Record<Field, string> = {
  from: "Sender",
  from_domain: "Sender's domain",
  to: "To",
  cc: "Cc",
  subject: "Subject",
  body: "Body",
  list_id: "Mailing list (List-Id)",
  has_attachment: "Has an attachment",
  account_id: "Mailbox",
  category: "Category",
};

const OP_LABELS: Record<Op, string> = {
  contains: "contains",
  not_contains: "does not contain",
  equals: "is",
  not_equals: "is not",
  starts_with: "starts with",
  ends_with: "ends with",
  exists: "exists",
};

const ACTION_LABELS: Record<ActionType, string> = {
  addLabel: "Add label",
  removeLabel: "Remove label",
  setCategory: "Set category",
  archive: "Archive",
  markRead: "Mark as read",
  star: "Star",
  trash: "Move to trash",
  markSpam: "Mark as spam",
  setMode: "Agent mode",
  allow: "Allow",
};

export const CATEGORIES: readonly Option[] = [
  { value: "primary", label: "Primary" },
  { value: "social", label: "Social" },
  { value: "promotions", label: "Promotions" },
  { value: "updates", label: "Updates" },
];

const YES_NO: readonly Option[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

export const MODES: readonly (Option & { text: string })[] = [
  { value: "off", label: "Off", text: "Ignores this mail." },
  { value: "suggest", label: "Suggest", text: "Suggests actions and changes nothing." },
  { value: "draft", label: "Draft", text: "Writes drafts for you to review and suggests all other actions." },
  {
    value: "autopilot",
    label: "Autopilot",
    text: "Labels, categorizes, archives and writes drafts. Never sends mail.",
  },
];

export const PERMISSIONS: readonly Option[] = [
  { value: "label", label: "Add labels" },
  { value: "category", label: "Set categories" },
  { value: "archive", label: "Archive" },
  { value: "draft", label: "Write drafts" },
];

export const FIELD_OPTIONS = optionsOf(FIELD_LABELS);
const ALL_OPS = optionsOf(OP_LABELS);
const CHOICE_OPS = ALL_OPS.filter(({ value }) => value === "equals" || value === "not_equals");
export const INBOX_ACTIONS = optionsOf(ACTION_LABELS).filter(({ value }) => value !== "setMode" && value !== "allow");

function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/** Returns the operators of a field. Fields with fixed values only support equals and not_equals. */
export function opsOf(field: Field): readonly Option[] {
  return choicesOf(field, []) ? CHOICE_OPS : ALL_OPS;
}

/** Returns the fixed values of a field, or null for free text. */
export function choicesOf(field: Field, mailboxes: readonly Option[]): readonly Option[] | null {
  if (field === "has_attachment") return YES_NO;
  if (field === "category") return CATEGORIES;
  return field === "account_id" ? mailboxes : null;
}

/** Returns the kind of value that an action needs. */
export function needOf(type: ActionType): "label" | "category" | null {
  if (type === "addLabel" || type === "removeLabel") return "label";
  return type === "setCategory" ? "category" : null;
}

function conditionText({ field, op, value }: Condition, mailboxes: readonly Option[] = []): string {
  if (op === "exists") return `${FIELD_LABELS[field]} ${value === "false" ? "is missing" : "exists"}`;
  const shown = choicesOf(field, mailboxes)?.find((choice) => choice.value === value)?.label ?? value;
  return `${FIELD_LABELS[field]} ${OP_LABELS[op]} “${shown}”`;
}

/** Describes an action of a rule. */
export function actionText({ type, value }: Action): string {
  if (type === "setMode")
    return `agent mode ${MODES.find((mode) => mode.value === value)?.label.toLowerCase() ?? value}`;
  if (type === "allow") return `allow ${PERMISSIONS.find((one) => one.value === value)?.label.toLowerCase() ?? value}`;
  const label = ACTION_LABELS[type].toLowerCase();
  return value ? `${label} “${value}”` : label;
}

/** Describes the conditions and the actions of a rule. */
export function ruleText(
  { conditions, actions }: Pick<RuleItem, "conditions" | "actions">,
  mailboxes: readonly Option[] = [],
) {
  return {
    when: conditions.map((condition) => conditionText(condition, mailboxes)).join(" and "),
    does: actions.map(actionText).join(", "),
  };
}
