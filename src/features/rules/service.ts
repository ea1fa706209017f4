import { isDeepStrictEqual } from "node:util";
import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Action, BOUNDS } from "./allowed.ts";
import type { RuleOutcome, RulePreviewer } from "./preview.ts";
import type { RuleRun, RuleRuns } from "./runs.ts";
import type { Rule, RuleStore } from "./store.ts";
import { checkActions, checkConditions, checkRule, type RuleInput } from "./validate.ts";

/** The caller who changes rules. */
export interface RuleWriter extends MailScope {
  actor: Actor;
  request_id: string | null;
}

/** The parts that a rule has besides its conditions and actions. */
interface RuleState {
  name?: string | null;
  enabled?: boolean;
}

/** A new rule. @see RuleService.create */
export type NewRule = RuleInput & RuleState & { account_id?: string | null };

/** A change of a rule. Absent fields stay as they are. */
export type RulePatch = RuleState & Partial<Pick<RuleInput, "conditions" | "actions">>;

const DAY_MS = 86_400_000;

interface Parts {
  platform: Platform;
  accounts: Accounts;
  store: RuleStore;
  previewer: RulePreviewer;
  runs: RuleRuns;
}

/** Manages the rules of a user. Every change is audited. */
export class RuleService {
  constructor(private readonly parts: Parts) {}

  list(scope: MailScope): Rule[] {
    return this.parts.store.list(scope.user_id, scope.account_id);
  }

  /**
   * Adds a rule, for all mailboxes unless it names one. A caller bound to a mailbox creates a rule for that mailbox
   * only. @throws ApiError invalid_params, not_found
   */
  create(writer: RuleWriter, { name = null, enabled = true, account_id: only = null, ...given }: NewRule): Rule {
    const { platform, store } = this.parts;
    if (only !== null && !this.#mailboxesOf(writer)(only)) throw notFound("account", "account_id");
    const checked = this.#check(writer, given);
    return platform.db.write(() => {
      if (store.count(writer.user_id) >= BOUNDS.rules) {
        throw invalidParam(
          "conditions",
          `There are already ${BOUNDS.rules} rules, which is the limit. Delete a rule first.`,
        );
      }
      const rule = store.add({
        ...checked,
        name: cleanName(name),
        enabled,
        user_id: writer.user_id,
        account_id: writer.account_id ?? only,
      });
      this.#audit(writer, "rule.create", rule.id, null, auditedFields(rule));
      return rule;
    });
  }

  /**
   * Changes the name, the conditions, the actions or the state of a rule. Pausing a rule stops its run over existing
   * mail. If nothing changes, nothing is audited.
   * @throws ApiError not_found, invalid_params
   */
  update(writer: RuleWriter, id: string, patch: RulePatch): Rule {
    const { platform, store, runs } = this.parts;
    return platform.db.write(() => {
      const before = this.#owned(writer, id);
      const after: Rule = {
        ...before,
        name: patch.name === undefined ? before.name : cleanName(patch.name),
        enabled: patch.enabled ?? before.enabled,
        // The parts that stay are not checked again, because a mailbox that they name may be gone.
        conditions: patch.conditions ? this.#checkConditions(writer, patch.conditions) : before.conditions,
        actions: patch.actions ? checkActions(before.kind, patch.actions) : before.actions,
      };
      if (isDeepStrictEqual(after, before)) return before;
      store.update(after);
      if (!after.enabled) runs.stop(id);
      this.#audit(writer, "rule.update", id, auditedFields(before), auditedFields(after));
      return after;
    });
  }

  /** Replaces a label in the actions of the rules that the caller sees. Call it in the transaction that renames the label. */
  renameLabel(writer: RuleWriter, from: string, to: string): void {
    if (from === to) return;
    for (const before of this.list(writer)) {
      const isAbout = ({ type, value }: Action) => (type === "addLabel" || type === "removeLabel") && value === from;
      if (!before.actions.some(isAbout)) continue;
      const actions = before.actions.map((action) => (isAbout(action) ? { ...action, value: to } : action));
      const after = { ...before, actions };
      this.parts.store.update(after);
      this.#audit(writer, "rule.update", before.id, auditedFields(before), auditedFields(after));
    }
  }

  /**
   * Puts the rules that the caller sees into a new order. A caller bound to a mailbox reorders the rules of that mailbox
   * among themselves: they share the priorities that they had, and no other rule changes.
   * @param ids all rules that the caller sees, the one that runs first at the beginning
   * @throws ApiError invalid_params, not_found
   */
  reorder(writer: RuleWriter, ids: readonly string[]): Rule[] {
    const { platform, store } = this.parts;
    return platform.db.write(() => {
      const before = this.list(writer);
      const ordered = inOrder(before, ids);
      const free = writer.account_id === null ? ordered.map((_, i) => i + 1) : before.map(({ priority }) => priority);
      const after = ordered.map((rule, i) => ({ ...rule, priority: free[i]! }));
      const old = new Map(before.map(({ id, priority }) => [id, priority]));
      const moved = after.filter(({ id, priority }) => old.get(id) !== priority);
      if (moved.length === 0) return before;
      store.setPriorities(writer.user_id, moved);
      this.#audit(writer, "rule.reorder", null, { order: before.map(orderEntry) }, { order: after.map(orderEntry) });
      return after;
    });
  }

  /** Deletes a rule. @throws ApiError not_found */
  remove(writer: RuleWriter, id: string): void {
    const { platform, store } = this.parts;
    platform.db.write(() => {
      const rule = this.#owned(writer, id);
      store.remove(id);
      this.#audit(writer, "rule.delete", id, auditedFields(rule), null);
    });
  }

  /** Returns what a rule would do to the mail of the last `days`. @throws ApiError invalid_params */
  preview(scope: MailScope, given: RuleInput, days: number, examples: number): Promise<RuleOutcome> {
    const rule = { ...this.#check(scope, given), account_id: scope.account_id };
    return this.parts.previewer.preview(scope, rule, this.#since(days), examples);
  }

  /**
   * Begins to apply a rule to mail received in the last `days`; null: to all mail.
   * @throws ApiError not_found, invalid_params
   */
  apply(writer: RuleWriter, id: string, days: number | null): RuleRun {
    const { platform, runs } = this.parts;
    return platform.db.write(() => {
      const rule = this.#owned(writer, id);
      if (rule.kind !== "inbox") throw invalidParam("id", "Only rules of kind inbox can be applied to existing mail.");
      if (!rule.enabled) throw invalidParam("id", "This rule is paused. Turn it on, then apply it.");
      const run = runs.begin(rule, this.#since(days));
      this.#audit(writer, "rule.apply_all", id, null, { days, total: run.total });
      return run;
    });
  }

  /** Returns the ids of the caller's rules whose run is in progress. */
  applying({ user_id }: MailScope): ReadonlySet<string> {
    return this.parts.runs.running(user_id);
  }

  /** Returns the progress of the last application. @throws ApiError not_found */
  progress(scope: MailScope, id: string): RuleRun {
    const run = this.parts.runs.of(this.#owned(scope, id).id);
    if (!run) throw notFound("run of this rule");
    return run;
  }

  #check(scope: MailScope, given: RuleInput) {
    return checkRule(given, this.#mailboxesOf(scope));
  }

  #checkConditions(scope: MailScope, given: RuleInput["conditions"]) {
    return checkConditions(given, this.#mailboxesOf(scope));
  }

  #mailboxesOf({ user_id, account_id }: MailScope): (id: string) => boolean {
    return (id) =>
      (account_id === null || account_id === id) && this.parts.accounts.list(user_id).some((own) => own.id === id);
  }

  #owned(scope: MailScope, id: string): Rule {
    const rule = this.parts.store.get(scope.user_id, id);
    if (!rule || (scope.account_id !== null && rule.account_id !== scope.account_id)) throw notFound("rule");
    return rule;
  }

  #since(days: number | null): number {
    return days === null ? 0 : this.parts.platform.clock.now() - days * DAY_MS;
  }

  #audit(
    { user_id, actor, request_id }: RuleWriter,
    action: string,
    target: string | null,
    before: unknown,
    after: unknown,
  ) {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

/** The audited fields of a rule. */
function auditedFields({ kind, name, enabled, priority, conditions, actions }: Rule) {
  return { kind, name, enabled, priority, conditions, actions };
}

function orderEntry({ id, priority }: Rule) {
  return { id, priority };
}

function cleanName(name: string | null): string | null {
  return name === null ? null : name.trim().normalize("NFC");
}

/** Returns rules in the order of `ids`. @throws ApiError if an id is unknown, occurs twice or is missing */
function inOrder(rules: readonly Rule[], ids: readonly string[]): Rule[] {
  const left = new Map(rules.map((rule) => [rule.id, rule]));
  const known = new Set(left.keys());
  const ordered = ids.map((id, i) => {
    if (!known.has(id)) throw notFound("rule", `ids[${i}]`);
    const rule = left.get(id);
    if (!rule) throw invalidParam(`ids[${i}]`, "This rule occurs twice. List each rule once.");
    left.delete(id);
    return rule;
  });
  const [missing] = left.keys();
  if (missing) {
    throw invalidParam("ids", `ids must contain all rules that GET /rules returns. ${missing} is missing.`);
  }
  return ordered;
}
