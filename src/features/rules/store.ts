import type { Platform } from "../../platform/platform.ts";
import type { Action, Condition, RuleKind } from "./allowed.ts";
import { compile, type Test } from "./match.ts";
import type { RuleBody, RuleRow } from "./tables.ts";

export interface Rule {
  id: string;
  user_id: string;
  /** The only mailbox that it applies to; null: all of the user's. */
  account_id: string | null;
  kind: RuleKind;
  priority: number;
  name: string | null;
  /** False: the rule is paused. */
  enabled: boolean;
  conditions: Condition[];
  actions: Action[];
}

export interface CompiledRule extends Rule {
  holds: Test;
}

type StoredRule = Pick<RuleRow, "id" | "user_id" | "account_id" | "kind" | "priority" | "enabled" | "body">;

const COLUMNS = "id, user_id, account_id, kind, priority, enabled, body";

/** Reads and writes rules. The only owner of the rules table. */
export class RuleStore {
  readonly #compiled = new Map<string, { version: string; rules: CompiledRule[] }>();

  constructor(private readonly platform: Platform) {}

  /**
   * Returns rules in order of priority, lowest first. A caller bound to a mailbox sees only the rules for that mailbox.
   */
  list(user_id: string, account_id: string | null = null): Rule[] {
    return this.platform.db.sql
      .query<StoredRule, { user: string; account: string | null }>(
        `SELECT ${COLUMNS} FROM rules WHERE user_id = $user AND ($account IS NULL OR account_id = $account)
         ORDER BY priority`,
      )
      .all({ user: user_id, account: account_id })
      .map((row) => this.#open(row));
  }

  get(user_id: string, id: string): Rule | null {
    const row = this.platform.db.sql
      .query<StoredRule, [string, string]>(`SELECT ${COLUMNS} FROM rules WHERE id = ? AND user_id = ?`)
      .get(id, user_id);
    return row && this.#open(row);
  }

  /** Adds a rule after all others. */
  add(rule: Omit<Rule, "id" | "priority">): Rule {
    const { db, newId, clock } = this.platform;
    const id = newId("rule");
    const { user_id, account_id, kind, enabled } = rule;
    const { next } = db.sql
      .query<{ next: number }, [string]>("SELECT coalesce(max(priority), 0) + 1 AS next FROM rules WHERE user_id = ?")
      .get(user_id)!;
    const added = { ...rule, id, priority: next };
    db.sql
      .query(
        `INSERT INTO rules (id, user_id, account_id, kind, priority, enabled, body, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, user_id, account_id, kind, next, Number(enabled), this.#seal(added), clock.now());
    return added;
  }

  /** Stores the name, the conditions, the actions and the state of a rule. */
  update(rule: Rule): void {
    this.platform.db.sql
      .query("UPDATE rules SET enabled = ?, body = ?, revision = revision + 1 WHERE id = ? AND user_id = ?")
      .run(Number(rule.enabled), this.#seal(rule), rule.id, rule.user_id);
  }

  /** Gives rules new priorities. Call it in a transaction. */
  setPriorities(user_id: string, rules: readonly Pick<Rule, "id" | "priority">[]): void {
    const { sql } = this.platform.db;
    // A user's priorities are unique at any moment, so the new ones are negative until all old ones are gone.
    const set = sql.query("UPDATE rules SET priority = ?, revision = revision + 1 WHERE id = ? AND user_id = ?");
    for (const { id, priority } of rules) set.run(-priority, id, user_id);
    sql.query("UPDATE rules SET priority = -priority WHERE user_id = ? AND priority < 0").run(user_id);
  }

  remove(id: string): void {
    this.platform.db.sql.query("DELETE FROM rules WHERE id = ?").run(id);
  }

  count(user_id: string): number {
    return this.#version(user_id).count;
  }

  /**
   * Returns the compiled rules of one kind for a mailbox, without paused ones. They are compiled once, until a rule is
   * changed on any thread.
   */
  ready(user_id: string, account_id: string, kind: RuleKind): CompiledRule[] {
    const { count, newest, revisions } = this.#version(user_id);
    if (count === 0) return [];
    const version = `${count} ${newest} ${revisions}`;
    let known = this.#compiled.get(user_id);
    if (known?.version !== version) {
      known = {
        version,
        rules: this.list(user_id).map((rule) => ({ ...rule, holds: compile(rule.kind, rule.conditions) })),
      };
      this.#compiled.set(user_id, known);
    }
    return known.rules.filter(
      (rule) => rule.enabled && rule.kind === kind && (rule.account_id === null || rule.account_id === account_id),
    );
  }

  /**
   * Returns the version of a user's rules. Ids grow, so the number of rules and the newest id reveal every rule that was
   * added or removed. Between two versions with the same rules, the sum of their revisions only grows.
   */
  #version(user_id: string): { count: number; newest: string | null; revisions: number } {
    return this.platform.db.sql
      .query<{ count: number; newest: string | null; revisions: number }, [string]>(
        `SELECT count(*) AS count, max(id) AS newest, coalesce(sum(revision), 0) AS revisions
         FROM rules WHERE user_id = ?`,
      )
      .get(user_id)!;
  }

  #seal({ id, user_id, name, conditions, actions }: Rule) {
    const body: RuleBody = { ...(name === null ? {} : { name }), conditions, actions };
    return this.platform.keyring.forUser(user_id).sealJson(`rules.body:${id}`, body);
  }

  #open({ body, enabled, ...row }: StoredRule): Rule {
    const sealer = this.platform.keyring.forUser(row.user_id);
    const { name = null, conditions, actions } = sealer.openJson(`rules.body:${row.id}`, body);
    return { ...row, enabled: enabled === 1, name, conditions, actions };
  }
}
