import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { BOUNDS } from "./allowed.ts";
import type { RuleOutcome, RulePreviewer } from "./preview.ts";
import type { RuleRun, RuleRuns } from "./runs.ts";
import type { Rule, RuleStore } from "./store.ts";
import { checkRule, type RuleInput } from "./validate.ts";

/** The caller who changes rules. */
export interface RuleWriter extends MailScope {
  actor: Actor;
  request_id: string | null;
}

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

  /** Adds a rule. A caller bound to a mailbox creates a rule for that mailbox only. @throws ApiError invalid_params */
  create(writer: RuleWriter, given: RuleInput): Rule {
    const { platform, store } = this.parts;
    const checked = this.#check(writer, given);
    return platform.db.write(() => {
      if (store.count(writer.user_id) >= BOUNDS.rules) {
        throw invalidParam(
          "conditions",
          `There are already ${BOUNDS.rules} rules, which is the limit. Delete a rule first.`,
        );
      }
      const rule = store.add({ ...checked, user_id: writer.user_id, account_id: writer.account_id });
      this.#audit(writer, "rule.create", rule.id, null, auditedFields(rule));
      return rule;
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
      const run = runs.begin(rule, this.#since(days));
      this.#audit(writer, "rule.apply_all", id, null, { days, total: run.total });
      return run;
    });
  }

  /** Returns the progress of the last application. @throws ApiError not_found */
  progress(scope: MailScope, id: string): RuleRun {
    const run = this.parts.runs.of(this.#owned(scope, id).id);
    if (!run) throw notFound("run of this rule");
    return run;
  }

  #check(scope: MailScope, given: RuleInput) {
    const { user_id, account_id } = scope;
    const isMailbox = (id: string) =>
      (account_id === null || account_id === id) && this.parts.accounts.list(user_id).some((own) => own.id === id);
    return checkRule(given, isMailbox);
  }

  #owned(scope: MailScope, id: string): Rule {
    const rule = this.parts.store.get(scope.user_id, id);
    if (!rule || (scope.account_id !== null && rule.account_id !== scope.account_id)) throw notFound("rule");
    return rule;
  }

  #since(days: number | null): number {
    return days === null ? 0 : this.parts.platform.clock.now() - days * DAY_MS;
  }

  #audit({ user_id, actor, request_id }: RuleWriter, action: string, target: string, before: unknown, after: unknown) {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

/** The audited fields of a rule. */
function auditedFields({ kind, priority, conditions, actions }: Rule) {
  return { kind, priority, conditions, actions };
}
