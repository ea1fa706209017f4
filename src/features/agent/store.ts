import { notFound } from "../../kernel/errors.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ActionDetail, AgentActionRow, AgentStateRow } from "./tables.ts";

export type ActionKind = AgentActionRow["action"];

export interface AgentAction extends ActionDetail {
  id: string;
  user_id: string;
  account_id: string;
  thread_id: string;
  message_id: string;
  action: ActionKind;
  mode: string;
  state: AgentActionRow["state"];
  draft_id: string | null;
  created_at: number;
}

type StoredAction = Omit<AgentActionRow, "undone_at">;

const COLUMNS = "id, user_id, account_id, thread_id, message_id, action, mode, state, draft_id, detail, created_at";

/** Stores what the agent did and how far it has read. The only owner of the `agent_actions` and `agent_state` tables. */
export class AgentStore {
  constructor(private readonly platform: Platform) {}

  add(action: Omit<AgentAction, "id" | "created_at">): AgentAction {
    const { db, keyring, newId, clock } = this.platform;
    const id = newId("agentAction");
    const created_at = clock.now();
    const { user_id, account_id, thread_id, message_id, state, draft_id, mode, action: kind, ...detail } = action;
    db.sql
      .query(
        `INSERT INTO agent_actions (id, user_id, account_id, thread_id, message_id, action, mode, state, draft_id, detail, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        user_id,
        account_id,
        thread_id,
        message_id,
        kind,
        mode,
        state,
        draft_id,
        keyring.forUser(user_id).sealJson(`agent_actions.detail:${id}`, detail),
        created_at,
      );
    return { ...action, id, created_at };
  }

  /** Returns actions newest first, after the position [id]. */
  list(scope: MailScope, after: Position | null, limit: number): AgentAction[] {
    return this.platform.db.sql
      .query<StoredAction, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM agent_actions WHERE user_id = $user AND ($account IS NULL OR account_id = $account)
           AND ($after IS NULL OR id < $after) ORDER BY id DESC LIMIT $limit`,
      )
      .all({
        user: scope.user_id,
        account: scope.account_id,
        after: after === null ? null : String(after[0]),
        limit,
      })
      .map((row) => this.#open(row));
  }

  /** @throws ApiError not_found */
  owned(scope: MailScope, id: string): AgentAction {
    const row = this.platform.db.sql
      .query<StoredAction, Record<string, string | null>>(
        `SELECT ${COLUMNS} FROM agent_actions WHERE id = $id AND user_id = $user
           AND ($account IS NULL OR account_id = $account)`,
      )
      .get({ id, user: scope.user_id, account: scope.account_id });
    if (!row) throw notFound("action");
    return this.#open(row);
  }

  markUndone(id: string): void {
    this.platform.db.sql
      .query("UPDATE agent_actions SET state = 'undone', undone_at = ? WHERE id = ?")
      .run(this.platform.clock.now(), id);
  }

  /** Whether an action of this kind was recorded for a message. */
  has(message_id: string, kind: ActionKind): boolean {
    return (
      this.platform.db.sql
        .query("SELECT 1 FROM agent_actions WHERE message_id = ? AND action = ?")
        .get(message_id, kind) !== null
    );
  }

  /** Returns the number of actions recorded for a user since a time in ms. */
  countSince(user_id: string, since: number): number {
    return this.platform.db.sql
      .query<{ n: number }, [string, number]>(
        "SELECT count(*) AS n FROM agent_actions WHERE user_id = ? AND created_at >= ?",
      )
      .get(user_id, since)!.n;
  }

  /** Returns the number of the last message that was examined, or null if the agent never ran for this user. */
  seen(user_id: string): number | null {
    const row = this.platform.db.sql
      .query<Pick<AgentStateRow, "seen_n">, [string]>("SELECT seen_n FROM agent_state WHERE user_id = ?")
      .get(user_id);
    return row?.seen_n ?? null;
  }

  setSeen(user_id: string, n: number): void {
    this.platform.db.sql.query("INSERT OR REPLACE INTO agent_state (user_id, seen_n) VALUES (?, ?)").run(user_id, n);
  }

  /** Deletes actions older than `beforeMs`. @returns how many */
  prune(beforeMs: number): number {
    return this.platform.db.sql.query("DELETE FROM agent_actions WHERE created_at < ?").run(beforeMs).changes;
  }

  #open({ detail, ...row }: StoredAction): AgentAction {
    const sealer = this.platform.keyring.forUser(row.user_id);
    return { ...row, ...sealer.openJson(`agent_actions.detail:${row.id}`, detail) };
  }
}
