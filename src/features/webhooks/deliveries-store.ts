import { notFound } from "../../kernel/errors.ts";
import type { LoggedEvent } from "../../platform/ledger/events.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AttemptResult } from "./attempt.ts";
import type { NextState } from "./schedule.ts";
import type { AttemptDetail, WebhookAttemptRow, WebhookDeliveryRow, WebhookEndpointRow } from "./tables.ts";

export type DeliveryStatus = Delivery["status"];

/** One event for one endpoint. */
export type Delivery = WebhookDeliveryRow;

/** An attempt as it is stored. */
export interface Attempt extends AttemptDetail {
  attempt: number;
  at: number;
  duration_ms: number;
  response_status: number | null;
}

type StoredAttempt = Pick<WebhookAttemptRow, "attempt" | "at" | "duration_ms" | "response_status" | "detail">;

/** The owner's id is needed to decrypt stored responses. */
export interface EndpointRef {
  id: string;
  user_id: string;
}

/**
 * Attempts of one delivery that are kept. The schedule makes ten; the limit prevents endless redeliveries from filling
 * the disk.
 */
const MAX_KEPT_ATTEMPTS = 50;

const COLUMNS = `id, endpoint_id, event_id, event, event_at, status, attempts, step, next_attempt_at, created_at,
  finished_at`;

/** Stores deliveries and their attempts. After a restart, undelivered events are resumed from here. */
export class DeliveryStore {
  constructor(private readonly parts: Pick<Platform, "db" | "keyring" | "newId" | "clock">) {}

  /** Creates a delivery for each event, due immediately. @returns their ids, in order */
  take(endpoint_id: string, events: readonly LoggedEvent[]): string[] {
    const { db, newId, clock } = this.parts;
    const now = clock.now();
    const insert = db.sql.query(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event, event_at, status, next_attempt_at, created_at)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)`,
    );
    return events.map((event) => {
      const id = newId("delivery");
      insert.run(id, endpoint_id, event.id, event.event, event.created_at, now, now);
      return id;
    });
  }

  /** Saves the position in the log up to which deliveries exist. */
  setPosition(endpoint_id: string, position: number): void {
    this.parts.db.sql
      .query("UPDATE webhook_endpoints SET position = ? WHERE id = ? AND position < ?")
      .run(position, endpoint_id, position);
  }

  /** Returns deliveries that were never attempted, in the order in which they were taken from the log. */
  untried(endpoint_id: string): Delivery[] {
    return this.parts.db.sql
      .query<Delivery, [string]>(
        `SELECT ${COLUMNS} FROM webhook_deliveries
         WHERE endpoint_id = ? AND status = 'pending' AND attempts = 0 ORDER BY rowid`,
      )
      .all(endpoint_id);
  }

  /** Returns deliveries that wait for another attempt, those due first by `next_attempt_at`. */
  waiting(endpoint_id: string, limit: number): Delivery[] {
    return this.parts.db.sql
      .query<Delivery, [string, number]>(
        `SELECT ${COLUMNS} FROM webhook_deliveries
         WHERE endpoint_id = ? AND status = 'pending' AND attempts > 0 ORDER BY next_attempt_at LIMIT ?`,
      )
      .all(endpoint_id, limit);
  }

  /** Returns one delivery. @throws ApiError not_found */
  of(endpoint_id: string, id: string): Delivery {
    const row = this.parts.db.sql
      .query<Delivery, [string, string]>(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ? AND endpoint_id = ?`)
      .get(id, endpoint_id);
    if (!row) throw notFound("delivery");
    return row;
  }

  /** Returns deliveries, newest first, older than `beforeId` if given. */
  list(endpoint_id: string, options: { status?: DeliveryStatus; beforeId?: string; limit: number }): Delivery[] {
    return this.parts.db.sql
      .query<Delivery, [string, string | null, string | null, number]>(
        `SELECT ${COLUMNS} FROM webhook_deliveries
         WHERE endpoint_id = ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`,
      )
      .all(endpoint_id, options.status ?? null, options.beforeId ?? null, options.limit);
  }

  /** Returns the attempts of a delivery, oldest first; only the newest `last` if given. */
  attempts({ user_id }: EndpointRef, delivery_id: string, last = -1): Attempt[] {
    const sealer = this.parts.keyring.forUser(user_id);
    return this.parts.db.sql
      .query<StoredAttempt, [string, number]>(
        `SELECT attempt, at, duration_ms, response_status, detail FROM webhook_attempts
         WHERE delivery_id = ? ORDER BY attempt DESC LIMIT ?`,
      )
      .all(delivery_id, last)
      .reverse()
      .map(({ detail, ...row }) => ({
        ...row,
        ...sealer.openJson(attemptContext(delivery_id), detail),
      }));
  }

  /** Stores an attempt, and deletes the oldest attempts above the limit. @param next the next state of the delivery */
  settle(endpoint: EndpointRef, delivery_id: string, result: AttemptResult, next: NextState): void {
    const { db, keyring } = this.parts;
    const { error, response_headers: headers, response_body: body } = result;
    const finished_at = next.status === "pending" ? null : result.ended_at;
    const updated = db.sql
      .query<Pick<WebhookDeliveryRow, "attempts">, [string, number, number | null, number | null, string]>(
        `UPDATE webhook_deliveries SET status = ?, attempts = attempts + 1, step = ?, next_attempt_at = ?, finished_at = ?
         WHERE id = ? RETURNING attempts`,
      )
      .get(next.status, next.step, next.next_attempt_at, finished_at, delivery_id);
    if (!updated) return; // Its endpoint or its user has been deleted.
    const detail = keyring.forUser(endpoint.user_id).sealJson(attemptContext(delivery_id), { error, headers, body });
    db.sql
      .query(
        `INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms, response_status, detail)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(delivery_id, updated.attempts, result.at, result.ended_at - result.at, result.response_status, detail);
    db.sql
      .query("DELETE FROM webhook_attempts WHERE delivery_id = ? AND attempt <= ?")
      .run(delivery_id, updated.attempts - MAX_KEPT_ATTEMPTS);
  }

  /** Counts an attempt in the endpoint's streak. @returns the streak after it; null if the endpoint has been deleted */
  countAttempt(
    endpoint_id: string,
    result: AttemptResult,
  ): { failure_count: number; streak_since: number | null } | null {
    const { sql } = this.parts.db;
    if (result.outcome === "delivered") {
      sql
        .query("UPDATE webhook_endpoints SET failure_count = 0, streak_since = NULL WHERE id = ? AND failure_count > 0")
        .run(endpoint_id);
      return { failure_count: 0, streak_since: null };
    }
    return sql
      .query<Pick<WebhookEndpointRow, "failure_count" | "streak_since">, [number, string]>(
        `UPDATE webhook_endpoints SET failure_count = failure_count + 1, streak_since = coalesce(streak_since, ?1),
           last_failure_at = ?1 WHERE id = ?2 RETURNING failure_count, streak_since`,
      )
      .get(result.ended_at, endpoint_id);
  }

  /** Fails a delivery whose event is no longer in the log. */
  abandon(delivery_id: string): void {
    this.parts.db.sql
      .query("UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, finished_at = ? WHERE id = ?")
      .run(this.parts.clock.now(), delivery_id);
  }

  /** Restarts the schedule of a delivery now. */
  restart(id: string): void {
    this.parts.db.sql
      .query(
        "UPDATE webhook_deliveries SET status = 'pending', step = 0, next_attempt_at = ?, finished_at = NULL WHERE id = ?",
      )
      .run(this.parts.clock.now(), id);
  }

  /**
   * Adjusts waiting deliveries after a clock that was ahead has been corrected: the wait from now is the one that was
   * scheduled after the last attempt.
   */
  handleClockSetBack(): void {
    const last = "(SELECT max(at + duration_ms) FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)";
    this.parts.db.sql
      .query(
        `UPDATE webhook_deliveries SET next_attempt_at = ?1 + next_attempt_at - ${last}
         WHERE status = 'pending' AND attempts > 0 AND next_attempt_at > ?1 AND ${last} > ?1 AND ${last} <= next_attempt_at`,
      )
      .run(this.parts.clock.now());
  }

  /**
   * Restarts the schedule of all waiting deliveries, and of those that were given up since `since` (the start of the
   * streak of failures).
   */
  restartAll(endpoint_id: string, since: number | null): void {
    this.parts.db.sql
      .query(
        `UPDATE webhook_deliveries SET status = 'pending', step = 0, next_attempt_at = ?1, finished_at = NULL
         WHERE endpoint_id = ?2 AND event <> 'webhook.test'
           AND (status = 'pending' OR (status = 'failed' AND finished_at >= ?3))`,
      )
      .run(this.parts.clock.now(), endpoint_id, since);
  }

  /** Stores a single attempt outside the schedule: a ping. @returns the delivery */
  record(endpoint: EndpointRef, event: { id: string; event: string; at: number }, result: AttemptResult): Delivery {
    const { db, newId } = this.parts;
    const id = newId("delivery");
    db.sql
      .query(
        `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event, event_at, status, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 'failed', ?5)`,
      )
      .run(id, endpoint.id, event.id, event.event, event.at);
    const status = result.outcome === "delivered" ? "delivered" : "failed";
    this.settle(endpoint, id, result, { status, step: 0, next_attempt_at: null });
    return this.of(endpoint.id, id);
  }

  /** Deletes deliveries, with their attempts, of events older than `beforeMs`, which are no longer in the log. */
  prune(beforeMs: number): void {
    this.parts.db.sql.query("DELETE FROM webhook_deliveries WHERE event_at < ?").run(beforeMs);
  }
}

const attemptContext = (delivery_id: string) => `webhook_attempts.detail:${delivery_id}`;
