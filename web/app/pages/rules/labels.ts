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
  body: "Text",
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
  starts_with: "begins with",
  ends_with: "ends with",
  exists: "exists",
};

const ACTION_LABELS: Record<ActionType, string> = {
  addLabel: "Add the label",
  removeLabel: "Take off the label",
  setCategory: "Put into the category",
  archive: "Archive",
  markRead: "Mark as read",
  star: "Star",
  trash: "Move to trash",
  markSpam: "Mark as spam",
  setMode: "The agent may",
  allow: "Only",
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
  { value: "off", label: "Nothing", text: "It leaves this mail alone." },
  { value: "suggest", label: "Suggest", text: "It notes what it would do, and changes nothing." },
  { value: "draft", label: "Draft", text: "It writes drafts that wait for you, and suggests the rest." },
  { value: "autopilot", label: "Autopilot", text: "It labels, sorts, archives and writes drafts. It never sends." },
];

export const PERMISSIONS: readonly Option[] = [
  { value: "label", label: "Label" },
  { value: "category", label: "Sort into categories" },
  { value: "archive", label: "Archive" },
  { value: "draft", label: "Write drafts" },
];

export const FIELD_OPTIONS = optionsOf(FIELD_LABELS);
const ALL_OPS = optionsOf(OP_LABELS);
const CHOICE_OPS = ALL_OPS.filter(({ value }) => value === "equals" || value === "not_equals");
export const INBOX_ACTIONS = optionsOf(ACTION_LABELS).filter(({ value }) => value !== "setMode" && value !== "allow");

function optionsOf(words: Record<string, string>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Fields that hold one of a few words take fewer comparisons. */
export function opsOf(field: Field): readonly Option[] {
  return choicesOf(field, []) ? CHOICE_OPS : ALL_OPS;
}

/** The words that a field can hold; null where any text is possible. */
export function choicesOf(field: Field, mailboxes: readonly Option[]): readonly Option[] | null {
  if (field === "has_attachment") return YES_NO;
  if (field === "category") return CATEGORIES;
  return field === "account_id" ? mailboxes : null;
}

/** What an action needs: a label, a category, or nothing. */
export function needOf(type: ActionType): "label" | "category" | null {
  if (type === "addLabel" || type === "removeLabel") return "label";
  return type === "setCategory" ? "category" : null;
}

export function conditionText({ field, op, value }: Condition, mailboxes: readonly Option[] = []): string {
  if (op === "exists") return `${FIELD_LABELS[field]} ${value === "false" ? "is missing" : "exists"}`;
  const word = choicesOf(field, mailboxes)?.find((choice) => choice.value === value)?.label ?? value;
  return `${FIELD_LABELS[field]} ${OP_LABELS[op]} “${word}”`;
}

export function actionText({ type, value }: Action): string {
  if (type === "setMode") return `agent: ${MODES.find((mode) => mode.value === value)?.label.toLowerCase() ?? value}`;
  if (type === "allow") return `may ${PERMISSIONS.find((one) => one.value === value)?.label.toLowerCase() ?? value}`;
  const words = ACTION_LABELS[type].toLowerCase();
  return value ? `${words} “${value}”` : words;
}

export function ruleText(
  { conditions, actions }: Pick<RuleItem, "conditions" | "actions">,
  mailboxes: readonly Option[] = [],
) {
  return {
    when: conditions.map((condition) => conditionText(condition, mailboxes)).join(" and "),
    does: actions.map(actionText).join(", "),
  };
}
