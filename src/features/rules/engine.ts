import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { RuledMessage, RuledMessages } from "../../mailbox/queries/rules.ts";
import { type FolderRole, receivedState } from "../../mailbox/store/state.ts";
import type { Platform } from "../../platform/platform.ts";
import { type AgentMode, type AgentPermission, MOVES } from "./allowed.ts";
import { carryOut, type Effect, effectsOf, stateAfter } from "./effects.ts";
import type { Rule, RuleStore } from "./store.ts";

/** What an agent rule allows for mail of its senders. */
export interface AgentAuthority {
  rule_id: string;
  mode: AgentMode;
  allow: AgentPermission[];
}

/** Whether rules look at a message that lies there: not at what the user wrote, threw away or has as spam. */
export function isRuled(roles: readonly FolderRole[], own: boolean): boolean {
  const state = receivedState(roles);
  return !own && (state === "inbox" || state === "archived" || state === "snoozed");
}

/** Applies rules to messages, through the mailbox's changes: so they reach the server and are audited. */
export class RuleEngine {
  constructor(
    private readonly platform: Platform,
    private readonly mailbox: Pick<Mailbox, "changes" | "labels" | "threadQueries">,
    private readonly messages: RuledMessages,
    private readonly store: RuleStore,
  ) {}

  /**
   * Applies all inbox rules to a message that has just come, in order of priority. Call it in its transaction.
   * @param seen people may have seen the message before
   */
  arrive(user_id: string, account_id: string, message_id: string, seen = false): void {
    const rules = this.store.ready(user_id, account_id, "inbox");
    const message = rules.length === 0 ? null : this.messages.get(message_id);
    if (!message) return;
    const announce = seen || !this.#isAlone(message);
    let standing = message;
    let moved = false;
    for (const rule of rules) {
      if (!rule.holds(standing)) continue;
      // Of several rules that would move it, the first one does.
      const actions = moved ? rule.actions.filter(({ type }) => !MOVES.includes(type)) : rule.actions;
      const effects = effectsOf(actions, standing);
      if (effects.length === 0) continue;
      this.carryOut(rule, standing, effects, announce);
      moved ||= effects.some(({ type }) => MOVES.includes(type));
      standing = stateAfter(standing, effects);
    }
  }

  /**
   * Does what `effectsOf` said. Call it in a transaction.
   * @param announce false where the thread begins with this message: nobody has seen it otherwise
   */
  carryOut(rule: Rule, message: RuledMessage, effects: readonly Effect[], announce = true): void {
    const { changes, labels, threadQueries } = this.mailbox;
    const status = threadQueries.current(message.thread_id);
    if (!status) return;
    const { id: rule_id, user_id } = rule;
    const edit: Parameters<typeof changes.apply>[3] = (edits, members) => {
      const member = members.find(({ id }) => id === message.id);
      return member ? carryOut(edits, member, effects, { user_id, rule_id, labels }) : false;
    };
    changes.apply(status, { actor: { kind: "rule", id: rule_id }, request_id: null }, "rule.apply", edit, announce);
    this.#auditCategory(rule, message, effects);
  }

  /** What the agent may do with a message: the first agent rule that fits says so; null where none does. */
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

  /** A thread's audit row tells nothing of categories, which belong to messages. */
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
