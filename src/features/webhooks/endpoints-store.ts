import { notFound } from "../../kernel/errors.ts";
import type { EventName } from "../../kernel/events.ts";
import type { Platform } from "../../platform/platform.ts";
import type { WebhookEndpointRow } from "./tables.ts";

export type EndpointStatus = WebhookEndpointRow["status"];
/**
 * Why an endpoint is disabled: by its owner, after three days of failure, or because the receiver responded with 410.
 */
export type DisabledReason = NonNullable<WebhookEndpointRow["disabled_reason"]>;

export interface Endpoint {
  id: string;
  user_id: string;
  url: string;
  events: EventName[];
  status: EndpointStatus;
  disabled_reason: DisabledReason | null;
  /** Failed attempts since the last success. */
  failure_count: number;
  streak_since: number | null;
  last_failure_at: number | null;
  disabled_at: number | null;
  /** Position in the log up to which events became deliveries. */
  position: number;
  created_at: number;
  updated_at: number;
}

const COLUMNS = `id, user_id, target, events, status, disabled_reason, failure_count, streak_since, last_failure_at,
  disabled_at, position, created_at, updated_at`;

/** Stores endpoints and their secrets. Callers open the transaction if several calls belong together. */
export class EndpointStore {
  constructor(private readonly platform: Pick<Platform, "db" | "keyring" | "grants" | "newId" | "clock" | "events">) {}

  /** Creates an endpoint that receives events from now on. */
  insert(user_id: string, { url, events }: { url: string; events: readonly EventName[] }): Endpoint {
    const { keyring, grants, newId, clock, events: log } = this.platform;
    const id = newId("webhook");
    const target = keyring.forUser(user_id).sealJson(`webhook_endpoints.target:${id}`, { url });
    const now = clock.now();
    grants.insert("webhook_endpoints", {
      id,
      user_id,
      target,
      events: JSON.stringify(events),
      status: "active",
      position: log.head(),
      created_at: now,
      updated_at: now,
    });
    return this.get(id)!;
  }

  get(id: string): Endpoint | null {
    const row = this.platform.db.sql
      .query<WebhookEndpointRow, [string]>(`SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = ?`)
      .get(id);
    return this.#view(row);
  }

  /** Returns a user's endpoint. @throws ApiError not_found when it is not the user's */
  owned(user_id: string, id: string): Endpoint {
    // The query checks the owner, because decrypting another user's endpoint first would take measurably longer than
    // finding nothing.
    const row = this.platform.db.sql
      .query<WebhookEndpointRow, [string, string]>(
        `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = ? AND user_id = ?`,
      )
      .get(id, user_id);
    const endpoint = this.#view(row);
    if (!endpoint) throw notFound("webhook endpoint");
    return endpoint;
  }

  /** Returns a user's endpoints, newest first, older than `beforeId` if given. */
  list(user_id: string, options: { status?: EndpointStatus; beforeId?: string; limit: number }): Endpoint[] {
    return this.platform.db.sql
      .query<WebhookEndpointRow, [string, string | null, string | null, number]>(
        `SELECT ${COLUMNS} FROM webhook_endpoints
         WHERE user_id = ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`,
      )
      .all(user_id, options.status ?? null, options.beforeId ?? null, options.limit)
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns the ids of all users' active endpoints. */
  activeIds(): string[] {
    const rows = this.platform.db.sql
      .query<WebhookEndpointRow, []>(`SELECT ${COLUMNS} FROM webhook_endpoints WHERE status = 'active' ORDER BY id`)
      .all();
    return this.platform.grants.onlyHeld("webhook_endpoints", rows).map(({ id }) => id);
  }

  count(user_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM webhook_endpoints WHERE user_id = ?")
      .get(user_id)!.c;
  }

  update({ id, user_id }: Endpoint, { url, events }: { url: string; events: readonly EventName[] }): void {
    const { keyring, grants, clock } = this.platform;
    const target = keyring.forUser(user_id).sealJson(`webhook_endpoints.target:${id}`, { url });
    const changes = { target, events: JSON.stringify(events), updated_at: clock.now() };
    grants.update("webhook_endpoints", { id }, changes);
  }

  /** Activates an endpoint and resets its streak of failures. */
  activate(id: string): void {
    const { grants, clock } = this.platform;
    const reset = { disabled_reason: null, disabled_at: null, failure_count: 0, streak_since: null };
    grants.update("webhook_endpoints", { id }, { status: "active", ...reset, updated_at: clock.now() });
  }

  /** Disables an endpoint. @returns false if it was not active */
  disable(id: string, reason: DisabledReason): boolean {
    const { grants, clock } = this.platform;
    const now = clock.now();
    return grants.batch(() => {
      if (this.get(id)?.status !== "active") return false;
      const changes = { status: "disabled", disabled_reason: reason, disabled_at: now, updated_at: now };
      return grants.update("webhook_endpoints", { id }, changes);
    });
  }

  /** Deletes an endpoint with its secrets and its history. */
  remove(id: string): void {
    this.platform.grants.remove("webhook_endpoints", { id });
  }

  /** Returns the endpoint; null if it does not exist, or was created or changed outside Postroom. */
  #view(stored: WebhookEndpointRow | null): Endpoint | null {
    if (stored === null || !this.platform.grants.holds("webhook_endpoints", { ...stored })) return null;
    const { target, events, ...row } = stored;
    const { url } = this.platform.keyring.forUser(row.user_id).openJson(`webhook_endpoints.target:${row.id}`, target);
    return { ...row, url, events: JSON.parse(events) as EventName[] };
  }
}
