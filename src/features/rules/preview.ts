import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import { type MailOwner, ownerOf } from "../../mailbox/accounts/owner.ts";
import type { RuledMessage, RuledMessages } from "../../mailbox/queries/rules.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { shownDate } from "../../mailbox/queries/scope.ts";
import { isOwnMail } from "../../mailbox/store/own-mail.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Effect, effectsOf } from "./effects.ts";
import { isRuled } from "./engine.ts";
import { compile } from "./match.ts";
import type { Rule } from "./store.ts";

/** The effect that a rule would have on one message. */
export interface Finding {
  message: RuledMessage;
  /** Empty if the rule matches, but changes nothing. */
  effects: Effect[];
}

/** The effect that a rule would have had on the mail of a number of days. */
export interface RuleOutcome {
  scanned: number;
  matched: number;
  /** Messages that would change. */
  changed: number;
  /** Number of messages that each kind of action would change. */
  actions: Record<string, number>;
  examples: { message_id: string; thread_id: string; from: string; subject: string; date: number; actions: Effect[] }[];
}

const BATCH = 200;

type PreviewedRule = Pick<Rule, "account_id" | "kind" | "conditions" | "actions">;

/** Previews the effects of rules on stored mail. */
export class RulePreviewer {
  /** The last preview of each user who has one running. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly platform: Pick<Platform, "db" | "keyring">,
    private readonly accounts: Accounts,
    private readonly messages: RuledMessages,
  ) {}

  /** Returns the messages of a batch that a rule matches. */
  findings(rule: Pick<Rule, "user_id" | "kind" | "conditions" | "actions">, batch: readonly RuledMessage[]): Finding[] {
    const holds = compile(rule.kind, rule.conditions);
    const owners = new Map(this.accounts.list(rule.user_id).map((account) => [account.id, ownerOf(account)]));
    return batch
      .filter((message) => isRuled(message.roles, this.#isOwn(owners, message)) && holds(message))
      .map((message) => ({ message, effects: rule.kind === "inbox" ? effectsOf(rule.actions, message) : [] }));
  }

  /**
   * Returns what the rule would do to mail received since `since`, without changing anything. Yields to other requests
   * after every batch. Previews of one user run one after the other, because each may decrypt ten years of mail.
   */
  async preview(scope: MailScope, rule: PreviewedRule, since: number, maxExamples: number): Promise<RuleOutcome> {
    const { user_id } = scope;
    const before = this.#underWay.get(user_id) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#walk(scope, rule, since, maxExamples));
    this.#underWay.set(user_id, turn);
    try {
      return await turn;
    } finally {
      if (this.#underWay.get(user_id) === turn) this.#underWay.delete(user_id);
    }
  }

  async #walk(scope: MailScope, rule: PreviewedRule, since: number, maxExamples: number): Promise<RuleOutcome> {
    const walked = { user_id: scope.user_id, account_id: rule.account_id, since };
    const outcome: RuleOutcome = { scanned: 0, matched: 0, changed: 0, actions: {}, examples: [] };
    let { from_n } = this.messages.extent(walked);
    for (;;) {
      const batch = this.messages.batch(walked, from_n, BATCH);
      if (batch.length === 0) return outcome;
      this.#note(outcome, batch.length, this.findings({ ...rule, user_id: scope.user_id }, batch), maxExamples);
      from_n = batch.at(-1)!.n - 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #note(outcome: RuleOutcome, scanned: number, findings: readonly Finding[], maxExamples: number): void {
    outcome.scanned += scanned;
    outcome.matched += findings.length;
    for (const { message, effects } of findings) {
      if (effects.length > 0) outcome.changed++;
      for (const { type } of effects) outcome.actions[type] = (outcome.actions[type] ?? 0) + 1;
      if (outcome.examples.length >= maxExamples) continue;
      const { id, thread_id, head, internal_date } = message;
      const date = shownDate({ sent_date: head.date ?? internal_date, internal_date });
      outcome.examples.push({
        message_id: id,
        thread_id,
        from: head.from.email,
        subject: head.subject,
        date,
        actions: effects,
      });
    }
  }

  /** Rules do not apply to mail that the user wrote. */
  #isOwn(owners: ReadonlyMap<string, MailOwner>, { id, account_id, head, roles }: RuledMessage): boolean {
    const owner = owners.get(account_id);
    const written = { from: head.from, messageId: head.message_id, roles: () => roles, stored: id };
    return owner !== undefined && isOwnMail(this.platform, owner, written);
  }
}
