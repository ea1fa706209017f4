import { invalidParam, notFound } from "../../kernel/errors.ts";
import { checkLabel } from "../../mailbox/changes/labels.ts";
import {
  type Action,
  AGENT_ACTIONS,
  AGENT_MODES,
  AGENT_PERMISSIONS,
  BOUNDS,
  CATEGORIES,
  type Condition,
  FIELDS,
  INBOX_ACTIONS,
  MOVES,
  type RuleKind,
  WORD_OPS,
} from "./allowed.ts";

/** A condition or action as a client sends it. */
export interface RuleInput {
  kind: RuleKind;
  conditions: readonly (Omit<Condition, "value"> & { value?: string })[];
  actions: readonly (Omit<Action, "value"> & { value?: string })[];
}

export interface CheckedRule {
  kind: RuleKind;
  conditions: Condition[];
  actions: Action[];
}

/**
 * Checks a rule against the allow list. Returns normalized values: labels in NFC, "true" for a bare `exists`.
 * @param isMailbox whether an account id is one of the caller's
 * @throws ApiError invalid_params with the exact place: `conditions[1].op`; not_found for a mailbox that is not the
 * caller's
 */
export function checkRule(given: RuleInput, isMailbox: (account_id: string) => boolean): CheckedRule {
  const conditions = given.conditions.map((condition, i) => checkCondition(condition, `conditions[${i}]`));
  const actions = checkActions(given.kind, given.actions);
  checkMailboxes(conditions, isMailbox);
  return { kind: given.kind, conditions, actions };
}

/** Checks the conditions of a rule, as `checkRule` does. */
export function checkConditions(
  given: RuleInput["conditions"],
  isMailbox: (account_id: string) => boolean,
): Condition[] {
  const conditions = given.map((condition, i) => checkCondition(condition, `conditions[${i}]`));
  checkMailboxes(conditions, isMailbox);
  return conditions;
}

/** Checks the actions of a rule, as `checkRule` does. */
export function checkActions(kind: RuleKind, given: RuleInput["actions"]): Action[] {
  const actions = given.map((action, i) => checkAction(kind, action, `actions[${i}]`));
  checkTogether(kind, actions);
  return actions;
}

function checkMailboxes(conditions: readonly Condition[], isMailbox: (account_id: string) => boolean): void {
  for (const [i, { field, op, value }] of conditions.entries()) {
    if (field !== "account_id" || op === "exists" || isMailbox(value)) continue;
    throw notFound("account", `conditions[${i}].value`);
  }
}

function checkCondition({ field, op, value }: RuleInput["conditions"][number], at: string): Condition {
  const isWord = FIELDS[field] === "word";
  if (isWord && !WORD_OPS.includes(op)) {
    throw invalidParam(`${at}.op`, `${field} supports only the operators ${WORD_OPS.join(" and ")}.`);
  }
  if (op === "exists") return { field, op, value: oneOf(`${at}.value`, value ?? "true", ["true", "false"]) };
  const text = (value ?? "").trim();
  if (text === "") throw invalidParam(`${at}.value`, `${at}.value must not be empty.`);
  if (field === "has_attachment") return { field, op, value: oneOf(`${at}.value`, text, ["true", "false"]) };
  if (field === "category") return { field, op, value: oneOf(`${at}.value`, text, CATEGORIES) };
  return { field, op, value: checkText(`${at}.value`, text) };
}

function checkAction(kind: RuleKind, { type, value }: RuleInput["actions"][number], at: string): Action {
  const allowed: Record<string, string | null> = kind === "inbox" ? INBOX_ACTIONS : AGENT_ACTIONS;
  if (!(type in allowed)) {
    throw invalidParam(
      `${at}.type`,
      `Rules of kind ${kind} support only these actions: ${Object.keys(allowed).join(", ")}.`,
    );
  }
  const needs = allowed[type];
  if (needs === null) return { type, value: "" };
  const text = (value ?? "").trim();
  const param = `${at}.value`;
  if (needs === "category") return { type, value: oneOf(param, text, CATEGORIES) };
  if (needs === "mode") return { type, value: oneOf(param, text, AGENT_MODES) };
  if (needs === "permission") return { type, value: oneOf(param, text, AGENT_PERMISSIONS) };
  return { type, value: checkLabel(text, param) };
}

/** Rejects actions that contradict or repeat each other, and agent rules without a mode. */
function checkTogether(kind: RuleKind, actions: readonly Action[]): void {
  const seen = new Map<string, number>();
  for (const [i, { type, value }] of actions.entries()) {
    const repeated = (key: string, message: string) => {
      if (seen.has(key)) throw invalidParam(`actions[${i}].type`, message);
      seen.set(key, i);
    };
    if (MOVES.includes(type))
      repeated("move", "A rule can move a message to one folder only. Keep one of archive, trash and markSpam.");
    else if (type === "addLabel" || type === "removeLabel")
      repeated(`label ${value}`, "This label occurs twice. Remove one of the two actions.");
    else
      repeated(
        type === "allow" ? `allow ${value}` : type,
        `The action ${type} occurs twice in this rule. Remove one of the two.`,
      );
  }
  if (kind === "agent" && !seen.has("setMode"))
    throw invalidParam("actions", "A rule of kind agent needs a setMode action. Add one.");
}

function oneOf(param: string, value: string, words: readonly string[]): string {
  if (!words.includes(value)) throw invalidParam(param, `${param} must be one of: ${words.join(", ")}.`);
  return value;
}

function checkText(param: string, value: string): string {
  const text = value.normalize("NFC");
  if (text.length > BOUNDS.valueChars) {
    throw invalidParam(param, `${param} can have at most ${BOUNDS.valueChars} characters.`);
  }
  if (!text.isWellFormed()) throw invalidParam(param, `${param} is not well-formed Unicode text.`);
  return text;
}
