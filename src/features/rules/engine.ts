import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { RuledMessage, RuledMessages } from "../../mailbox/queries/rules.ts";
import { type FolderRole, receivedState } from "../../mailbox/store/state.ts";
import type { Platform } from "../../platform/platform.ts";
import { type AgentMode, type AgentPermission, MOVES } from "./allowed.ts";
import { applyEffect, type Effect, effectsOf, stateAfter } from "./effects.ts";
import type { Rule, RuleStore } from "./store.ts";

/** The permissions that an agent rule grants for mail of its senders. */
export interface AgentAuthority {
  rule_id: string;
  mode: AgentMode;
  allow: AgentPermission[];
}

/**
 * Returns whether rules apply to a message in these folders: not if the user wrote it, or if it is in the trash or
 * spam.
 */
export function isRuled(roles: readonly FolderRole[], own: boolean): boolean {
  const state = receivedState(roles);
  return !own && (state === "inbox" || state === "archived" || state === "snoozed");
}

/** Applies rules to messages as ordinary mailbox changes, so that they are mirrored to the server and audited. */
export class RuleEngine {
  constructor(
    private readonly platform: Platform,
    private readonly mailbox: Pick<Mailbox, "changes" | "labels" | "threadQueries">,
    private readonly messages: RuledMessages,
    private readonly store: RuleStore,
  ) {}

  /**
   * Applies all inbox rules to a message that has just arrived, in order of priority. Call it in the message's
   * transaction.
   * @param seen whether the message may have been visible before
   */
  arrive(user_id: string, account_id: string, message_id: string, seen = false): void {
    const rules = this.store.ready(user_id, account_id, "inbox");
    const message = rules.length === 0 ? null : this.messages.get(message_id);
    if (!message) return;
    const announce = seen || !this.#isAlone(message);
    let current = message;
    let moved = false;
    for (const rule of rules) {
      if (!rule.holds(current)) continue;
      // Only the first matching rule moves the message.
      const actions = moved ? rule.actions.filter(({ type }) => !MOVES.includes(type)) : rule.actions;
      const effects = effectsOf(actions, current);
      if (effects.length === 0) continue;
      this.carryOut(rule, current, effects, announce);
      moved ||= effects.some(({ type }) => MOVES.includes(type));
      current = stateAfter(current, effects);
    }
  }

  /**
   * Carries out the effects from `effectsOf`. Call it in a transaction.
   * @param announce false for the first message of a thread, which no one has seen in another state
   */
  carryOut(rule: Rule, message: RuledMessage, effects: readonly Effect[], announce = true): void {
    const { changes, labels, threadQueries } = this.mailbox;
    const status = threadQueries.current(message.thread_id);
    if (!status) return;
    const { id: rule_id, user_id } = rule;
    const edit: Parameters<typeof changes.apply>[3] = (edits, members) => {
      const member = members.find(({ id }) => id === message.id);
      return member ? applyEffect(edits, member, effects, { user_id, rule_id, labels }) : false;
    };
    changes.apply(status, { actor: { kind: "rule", id: rule_id }, request_id: null }, "rule.apply", edit, announce);
    this.#auditCategory(rule, message, effects);
  }

  /** Returns what the agent may do with a message, from the first agent rule that matches; null if none does. */
  authorityOver(user_id: string, message_id: string): AgentAuthority | null {
    const message = this.messages.get(message_id);
    if (!message) return null;
    const rule = this.store.ready(user_id, message.account_id, "agent").find(({ holds }) => holds(message));
    if (!rule) return null;
    const values = (type: string) => rule.actions.filter((action) => action.type === type).map(({ value }) => value);
    return { rule_id: rule.id, mode: values("setMode")[0] as AgentMode, allow: values("allow") as AgentPermission[] };
  }

  #isAlone({ thread_id }: RuledMessage): boolean {
    return (
      this.platform.db.sql.query("SELECT 1 FROM threads WHERE id = ? AND message_count > 1").get(thread_id) === null
    );
  }

  /**
   * Audits a category change separately, because categories belong to messages and are not in the thread's audit row.
   */
  #auditCategory(rule: Rule, message: RuledMessage, effects: readonly Effect[]): void {
    const set = effects.find(({ type }) => type === "setCategory");
    if (!set) return;
    this.platform.audit.record({
      user_id: rule.user_id,
      actor: { kind: "rule", id: rule.id },
      action: "message.categorize",
      target: message.id,
      before: { category: message.category },
      after: { category: set.value },
    });
  }
}
