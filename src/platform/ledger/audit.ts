import { type Clock, withIsoTimes } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { AuditRow } from "./tables.ts";

/** The author of a change. */
export interface Actor {
  kind: "key" | "user" | "assistant" | "rule" | "agent" | "system";
  /** Key id, user id, connection id or rule id; null for the system itself. */
  id: string | null;
  /** The tool of the tool server through which the change was made. */
  tool?: string;
}

export const SYSTEM_ACTOR: Actor = { kind: "system", id: null };

export interface AuditEntry {
  user_id: string;
  actor: Actor;
  /** "thread.update", "key.create", … */
  action: string;
  /** Id of the changed object. */
  target: string | null;
  before?: unknown;
  after?: unknown;
  request_id?: string | null;
}

export interface AuditRecord {
  id: string;
  actor: Actor;
  action: string;
  target: string | null;
  /** As recorded, with times in ISO 8601 format. */
  before: unknown;
  after: unknown;
  request_id: string | null;
  at: number;
}

export interface AuditListOptions {
  limit: number;
  beforeId?: string;
  action?: string;
  target?: string;
  /** Only changes by this key, user, connection or rule. */
  actor_id?: string;
}

type StoredRow = Pick<
  AuditRow,
  "id" | "actor_kind" | "actor_id" | "action" | "target" | "payload" | "request_id" | "at"
>;

/** The audit log. Call `record` in the transaction of the change that it describes. */
export class Audit {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** Writes a row. @returns its id */
  record(entry: AuditEntry): string {
    const id = this.newId("audit");
    const { tool } = entry.actor;
    const payload = { before: entry.before ?? null, after: entry.after ?? null, ...(tool && { tool }) };
    this.db.sql
      .query(
        `INSERT INTO audit (id, user_id, actor_kind, actor_id, action, target, payload, request_id, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        entry.user_id,
        entry.actor.kind,
        entry.actor.id,
        entry.action,
        entry.target,
        this.keyring.forUser(entry.user_id).sealJson(`audit.payload:${id}`, payload),
        entry.request_id ?? null,
        this.clock.now(),
      );
    return id;
  }

  /** Returns rows of one user, newest first. With `beforeId`, only older ones. */
  list(user_id: string, options: AuditListOptions): AuditRecord[] {
    const rows = this.db.sql
      .query<StoredRow, Record<string, string | number | null>>(
        `SELECT id, actor_kind, actor_id, action, target, payload, request_id, at FROM audit
         WHERE user_id = $user AND ($before IS NULL OR id < $before)
           AND ($action IS NULL OR action = $action) AND ($target IS NULL OR target = $target)
           AND ($actor IS NULL OR actor_id = $actor)
         ORDER BY id DESC LIMIT $limit`,
      )
      .all({
        user: user_id,
        before: options.beforeId ?? null,
        action: options.action ?? null,
        target: options.target ?? null,
        actor: options.actor_id ?? null,
        limit: options.limit,
      });
    const sealer = this.keyring.forUser(user_id);
    return rows.map(({ actor_kind, actor_id, payload, ...row }) => {
      const { tool, ...change } = sealer.openJson(`audit.payload:${row.id}`, payload);
      const { before, after } = withIsoTimes(change) as typeof change;
      return { ...row, actor: { kind: actor_kind, id: actor_id, ...(tool && { tool }) }, before, after };
    });
  }

  /** Deletes rows from before `beforeMs`. @returns how many were deleted */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM audit WHERE at < ?").run(beforeMs).changes;
  }
}
