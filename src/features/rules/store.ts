import type { Platform } from "../../platform/platform.ts";
import type { Action, Condition, RuleKind } from "./allowed.ts";
import { compile, type Test } from "./match.ts";
import type { RuleRow } from "./tables.ts";

export interface Rule {
  id: string;
  user_id: string;
  /** The only mailbox that it applies to; null: all of the user's. */
  account_id: string | null;
  kind: RuleKind;
  priority: number;
  conditions: Condition[];
  actions: Action[];
}

export interface CompiledRule extends Rule {
  holds: Test;
}

type StoredRule = Pick<RuleRow, "id" | "user_id" | "account_id" | "kind" | "priority" | "body">;

const COLUMNS = "id, user_id, account_id, kind, priority, body";

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
    const { db, keyring, newId, clock } = this.platform;
    const id = newId("rule");
    const { user_id, account_id, kind, conditions, actions } = rule;
    const { next } = db.sql
      .query<{ next: number }, [string]>("SELECT coalesce(max(priority), 0) + 1 AS next FROM rules WHERE user_id = ?")
      .get(user_id)!;
    const body = keyring.forUser(user_id).sealJson(`rules.body:${id}`, { conditions, actions });
    db.sql
      .query(
        "INSERT INTO rules (id, user_id, account_id, kind, priority, body, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, user_id, account_id, kind, next, body, clock.now());
    return { ...rule, id, priority: next };
  }

  remove(id: string): void {
    this.platform.db.sql.query("DELETE FROM rules WHERE id = ?").run(id);
  }

  count(user_id: string): number {
    return this.#version(user_id).count;
  }

  /** Returns the compiled rules of one kind for a mailbox. Compiled once, until a rule is added or removed anywhere. */
  ready(user_id: string, account_id: string, kind: RuleKind): CompiledRule[] {
    const { count, newest } = this.#version(user_id);
    if (count === 0) return [];
    const version = `${count} ${newest}`;
    let known = this.#compiled.get(user_id);
    if (known?.version !== version) {
      known = {
        version,
        rules: this.list(user_id).map((rule) => ({ ...rule, holds: compile(rule.kind, rule.conditions) })),
      };
      this.#compiled.set(user_id, known);
    }
    return known.rules.filter(
      (rule) => rule.kind === kind && (rule.account_id === null || rule.account_id === account_id),
    );
  }

  /**
   * Returns the version of a user's rules. Rules are never edited and ids grow, so their number and the newest id
   * reveal every change.
   */
  #version(user_id: string): { count: number; newest: string | null } {
    return this.platform.db.sql
      .query<{ count: number; newest: string | null }, [string]>(
        "SELECT count(*) AS count, max(id) AS newest FROM rules WHERE user_id = ?",
      )
      .get(user_id)!;
  }

  #open({ body, ...row }: StoredRule): Rule {
    const sealer = this.platform.keyring.forUser(row.user_id);
    return { ...row, ...sealer.openJson(`rules.body:${row.id}`, body) };
  }
}
