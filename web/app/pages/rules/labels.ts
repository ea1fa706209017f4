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

/** The parts of messages, as subjects of sentences. */
const FIELD_NOUNS: Record<Field, string> = {
  from: "the sender",
  from_domain: "the sender's domain",
  to: "a recipient (To)",
  cc: "a recipient (Cc)",
  subject: "the subject",
  body: "the text",
  list_id: "the mailing list",
  has_attachment: "an attachment",
  account_id: "the mailbox",
  category: "the category",
};

const OP_VERBS: Record<Op, string> = { ...OP_LABELS, exists: "exists" };
const POSITIVE: Partial<Record<Op, Op>> = { not_contains: "contains", not_equals: "equals" };

function conditionText({ field, op, value }: Condition, mailboxes: readonly Option[]): string {
  const noun = FIELD_NOUNS[field];
  if (field === "has_attachment") {
    return `the message has ${(value === "true") === (op === "equals") ? "an" : "no"} attachment`;
  }
  if (op === "exists") return `${noun} ${value === "false" ? "is missing" : "exists"}`;
  const shown = choicesOf(field, mailboxes)?.find((choice) => choice.value === value)?.label ?? value;
  const positive = POSITIVE[op];
  // Of several recipients, none may match.
  if (positive && (field === "to" || field === "cc")) return `no${noun.slice(1)} ${OP_VERBS[positive]} “${shown}”`;
  return `${noun} ${OP_VERBS[op]} “${shown}”`;
}

const ACTION_VERBS: Record<ActionType, string> = {
  addLabel: "add the label",
  removeLabel: "remove the label",
  setCategory: "set the category to",
  archive: "archive it",
  markRead: "mark it as read",
  star: "star it",
  trash: "move it to the trash",
  markSpam: "mark it as spam",
  setMode: "set the agent mode to",
  allow: "allow the agent to",
};

function actionVerb({ type, value }: Action): string {
  const shown = type === "setCategory" ? (CATEGORIES.find((one) => one.value === value)?.label ?? value) : value;
  return value ? `${ACTION_VERBS[type]} “${shown}”` : ACTION_VERBS[type];
}

/** Describes an action of a rule in a few words. */
export function actionText({ type, value }: Action): string {
  const label = ACTION_LABELS[type].toLowerCase();
  return value ? `${label} “${value}”` : label;
}

type Parts = Pick<RuleItem, "conditions" | "actions">;

/** Returns the conditions of a rule as a clause: "the sender contains “shop” and the text contains “sale”". */
export function conditionsText({ conditions }: Pick<Parts, "conditions">, mailboxes: readonly Option[] = []): string {
  return joined(conditions.map((condition) => conditionText(condition, mailboxes)));
}

/** Returns the actions of a rule as a clause: "add the label “Shop” and archive it". */
export function actionsText({ actions }: Pick<Parts, "actions">): string {
  return joined(actions.map(actionVerb));
}

/** Describes a rule in a sentence. */
export function ruleSentence(rule: Parts, mailboxes: readonly Option[] = []): string {
  return `If ${conditionsText(rule, mailboxes)}, ${actionsText(rule)}.`;
}

/** "a", "a and b", "a, b and c". */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
