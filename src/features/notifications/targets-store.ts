import { notFound } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Detail, Kind, KindMode } from "./kinds.ts";
import type { NotificationTargetRow, Outcome, TargetAddress } from "./tables.ts";
import type { Digest } from "./timing.ts";

export type TargetStatus = NotificationTargetRow["status"];
export type KindModes = Record<Kind, KindMode>;

/** What a person chooses for a target. */
export interface TargetSettings extends Digest {
  address: TargetAddress;
  kinds: KindModes;
  detail: Detail;
}

/** Where a person gets notifications, and how that has worked. */
export interface Target
  extends TargetSettings,
    Omit<NotificationTargetRow, "target" | "kinds" | "outcome" | keyof TargetSettings> {
  outcome: Outcome | null;
}

/** The part of an active target that decides about new events. */
export type Listening = Pick<Target, "id" | "user_id" | "kinds" | "position">;

const COLUMNS = `id, user_id, target, kinds, detail, digest, digest_hours, digest_at, status, position, skipped,
  failure_count, streak_since, retry_at, sent_at, outcome, created_at, updated_at`;

/** Stores targets. Callers open the transaction if several calls belong together. */
export class TargetStore {
  constructor(private readonly platform: Pick<Platform, "db" | "keyring" | "grants" | "newId" | "clock" | "events">) {}

  /** Creates a target that is notified of what happens from now on. */
  insert(user_id: string, settings: TargetSettings): Target {
    const { grants, newId, clock, events } = this.platform;
    const id = newId("notificationTarget");
    const now = clock.now();
    grants.insert("notification_targets", {
      id,
      user_id,
      ...this.#columns(user_id, id, settings),
      status: "active",
      position: events.head(),
      created_at: now,
      updated_at: now,
    });
    return this.get(id)!;
  }

  get(id: string): Target | null {
    const row = this.platform.db.sql
      .query<NotificationTargetRow, [string]>(`SELECT ${COLUMNS} FROM notification_targets WHERE id = ?`)
      .get(id);
    return this.#view(row);
  }

  /** Returns a user's target. @throws ApiError not_found if it is not the user's */
  owned(user_id: string, id: string): Target {
    const row = this.platform.db.sql
      .query<NotificationTargetRow, [string, string]>(
        `SELECT ${COLUMNS} FROM notification_targets WHERE id = ? AND user_id = ?`,
      )
      .get(id, user_id);
    const target = this.#view(row);
    if (!target) throw notFound("notification target");
    return target;
  }

  /** Returns a user's targets, oldest first. */
  list(user_id: string): Target[] {
    return this.platform.db.sql
      .query<NotificationTargetRow, [string]>(
        `SELECT ${COLUMNS} FROM notification_targets WHERE user_id = ? ORDER BY id`,
      )
      .all(user_id)
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns all users' active targets. */
  listening(): Listening[] {
    const rows = this.platform.db.sql
      .query<NotificationTargetRow, []>(
        `SELECT ${COLUMNS} FROM notification_targets WHERE status = 'active' ORDER BY id`,
      )
      .all();
    return this.platform.grants
      .onlyHeld("notification_targets", rows)
      .map(({ id, user_id, kinds, position }) => ({ id, user_id, kinds: JSON.parse(kinds) as KindModes, position }));
  }

  count(user_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM notification_targets WHERE user_id = ?")
      .get(user_id)!.c;
  }

  update({ id, user_id }: Pick<Target, "id" | "user_id">, settings: TargetSettings): void {
    const { grants, clock } = this.platform;
    const changes = { ...this.#columns(user_id, id, settings), updated_at: clock.now() };
    grants.update("notification_targets", { id }, changes);
  }

  /** Sets the status. An active target starts without a streak of failures. */
  setStatus(id: string, status: TargetStatus): void {
    const { grants, clock } = this.platform;
    const change = { status, updated_at: clock.now() };
    const reset = { failure_count: 0, streak_since: null, retry_at: null };
    grants.update("notification_targets", { id }, status === "active" ? { ...change, ...reset } : change);
  }

  /** Moves the position in the log, and counts notifications that are left out. */
  advance(id: string, position: number, skipped = 0): void {
    this.platform.db.sql
      .query("UPDATE notification_targets SET position = max(position, ?), skipped = skipped + ? WHERE id = ?")
      .run(position, skipped, id);
  }

  /** Ends the streak of failures after a message that also counted `skipped` left-out notifications. */
  succeed(id: string, at: number, skipped: number): void {
    this.platform.db.sql
      .query(
        `UPDATE notification_targets SET failure_count = 0, streak_since = NULL, retry_at = NULL, sent_at = ?,
           skipped = max(0, skipped - ?) WHERE id = ?`,
      )
      .run(at, skipped, id);
  }

  /** Counts a failed attempt. */
  fail(id: string, at: number, retryAt: number): void {
    this.platform.db.sql
      .query(
        `UPDATE notification_targets SET failure_count = failure_count + 1, streak_since = coalesce(streak_since, ?),
           retry_at = ? WHERE id = ?`,
      )
      .run(at, retryAt, id);
  }

  /** Drops what was only counted. */
  forgetSkipped(id: string): void {
    this.platform.db.sql.query("UPDATE notification_targets SET skipped = 0 WHERE id = ?").run(id);
  }

  noteOutcome({ id, user_id }: Pick<Target, "id" | "user_id">, outcome: Outcome): void {
    const sealed = this.platform.keyring.forUser(user_id).sealJson(`notification_targets.outcome:${id}`, outcome);
    this.platform.db.sql.query("UPDATE notification_targets SET outcome = ? WHERE id = ?").run(sealed, id);
  }

  /** Deletes a target with everything that waits for it. */
  remove(id: string): void {
    this.platform.grants.remove("notification_targets", { id });
  }

  #columns(user_id: string, id: string, settings: TargetSettings) {
    const { address, kinds, detail, digest, digest_hours, digest_at } = settings;
    const target = this.platform.keyring.forUser(user_id).sealJson(`notification_targets.target:${id}`, address);
    return { target, kinds: JSON.stringify(kinds), detail, digest, digest_hours, digest_at };
  }

  /** Returns the target; null if it does not exist, or was created or changed outside Postroom. */
  #view(stored: NotificationTargetRow | null): Target | null {
    const { grants, keyring } = this.platform;
    if (stored === null || !grants.holds("notification_targets", { ...stored })) return null;
    const { target, kinds, outcome, ...row } = stored;
    const sealer = keyring.forUser(row.user_id);
    return {
      ...row,
      address: sealer.openJson(`notification_targets.target:${row.id}`, target),
      kinds: JSON.parse(kinds) as KindModes,
      outcome: outcome && sealer.openJson(`notification_targets.outcome:${row.id}`, outcome),
    };
  }
}
