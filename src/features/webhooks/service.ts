import type { Position } from "../../http/cursor.ts";
import { type Caller, requireUnbound } from "../../http/guard/caller.ts";
import { cutPage, type Page } from "../../http/paging.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { EventName } from "../../kernel/events.ts";
import type { PersonalTargets } from "../../platform/egress/targets.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Attempts, testEvent } from "./attempt.ts";
import type { Delivery, DeliveryStatus, DeliveryStore } from "./deliveries-store.ts";
import type { DisabledReason, Endpoint, EndpointStatus, EndpointStore } from "./endpoints-store.ts";
import { disabledMail } from "./owner-mail.ts";
import { type SecretStore, validSecrets } from "./secrets-store.ts";

/** Mails a user through their own account. Joins the caller's transaction. */
export type Notify = (user_id: string, mail: { subject: string; text: string }) => void;

export interface WebhookServiceParts {
  platform: Platform;
  endpoints: EndpointStore;
  secrets: SecretStore;
  deliveries: DeliveryStore;
  attempts: Attempts;
  targets: PersonalTargets;
  notify: Notify;
}

const DAY_MS = 86_400_000;
/**
 * Limits the notices about receivers that are gone: a key can make a receiver respond with 410 all day, and each mail
 * costs the owner a send.
 */
const MAX_GONE_NOTICES_PER_DAY = 5;

/** The caller who changes something. */
type By = Pick<Caller, "user_id" | "actor"> & { request_id: string | null };

export interface EndpointEdit {
  url?: string;
  events?: readonly EventName[];
  status?: EndpointStatus;
}

/** Manages the webhook endpoints of a user; every change is audited. */
export class WebhookService {
  /** Called when endpoints or deliveries changed, so that the deliverer need not wait for the next poll. */
  onChange: () => void = () => {};
  /** Times at which each user was mailed about receivers that are gone. */
  readonly #goneNotices = new Map<string, number[]>();

  constructor(private readonly parts: WebhookServiceParts) {}

  list(caller: Caller, filter: { status?: EndpointStatus; limit: number }, after: Position | null): Page<Endpoint> {
    requireUnbound(caller);
    const { status, limit } = filter;
    const options = { status, beforeId: after ? String(after[0]) : undefined, limit: limit + 1 };
    return cutPage(this.parts.endpoints.list(caller.user_id, options), limit, ({ id }) => [id]);
  }

  /** Returns one endpoint. @throws ApiError not_found */
  get(caller: Caller, id: string): Endpoint {
    requireUnbound(caller);
    return this.parts.endpoints.owned(caller.user_id, id);
  }

  /** Creates an endpoint. @throws ApiError plan_required, invalid_params (`url`) */
  create(caller: Caller, input: { url: string; events: readonly EventName[] }): Endpoint & { secret: string } {
    requireUnbound(caller);
    const { platform, endpoints, secrets, targets } = this.parts;
    const { url } = input;
    targets.check(caller.user_id, url);
    return platform.db.write(() => {
      const limit = platform.meters.limits(caller.user).webhook_endpoints;
      if (endpoints.count(caller.user_id) >= limit) {
        const message = `All ${limit} webhook endpoints are in use. Delete an endpoint, or ask the owner for a higher limit.`;
        throw new ApiError("plan_required", message);
      }
      const endpoint = endpoints.insert(caller.user_id, { url, events: distinct(input.events) });
      const secret = secrets.rotate(endpoint);
      this.#audit(caller, "webhook.create", endpoint.id, null, summary(endpoint));
      this.#changed();
      return { ...endpoint, secret };
    });
  }

  /**
   * Changes the given fields. `status: "active"` resets the streak of failures and retries everything that waits.
   * @throws ApiError not_found, invalid_params (`url`)
   */
  update(caller: Caller, id: string, { url, events, status }: EndpointEdit): Endpoint {
    const { platform, endpoints, deliveries, targets } = this.parts;
    return platform.db.write(() => {
      const before = this.get(caller, id);
      if (url !== undefined) targets.check(caller.user_id, url);
      if (url === undefined && events === undefined && status === undefined) return before;
      if (url !== undefined || events !== undefined) {
        endpoints.update(before, {
          url: url ?? before.url,
          events: events ? distinct(events) : before.events,
        });
      }
      if (status === "disabled") endpoints.disable(id, "user");
      if (status === "active") {
        deliveries.restartAll(id, before.streak_since);
        endpoints.activate(id);
      }
      const after = endpoints.get(id)!;
      this.#audit(caller, "webhook.update", id, summary(before), summary(after));
      this.#changed();
      return after;
    });
  }

  /** Creates a new secret; the previous one continues to sign for 24 hours. @throws ApiError not_found */
  rotateSecret(caller: Caller, id: string): Endpoint & { secret: string } {
    return this.parts.platform.db.write(() => {
      const endpoint = this.get(caller, id);
      const secret = this.parts.secrets.rotate(endpoint);
      this.#audit(caller, "webhook.rotate_secret", id, null, null);
      this.#changed();
      return { ...endpoint, secret };
    });
  }

  /** Deletes the endpoint and its history. @throws ApiError not_found */
  remove(caller: Caller, id: string): void {
    this.parts.platform.db.write(() => {
      const endpoint = this.get(caller, id);
      this.parts.endpoints.remove(id);
      this.#audit(caller, "webhook.delete", id, summary(endpoint), null);
      this.#changed();
    });
  }

  /** Returns a page of deliveries. @throws ApiError not_found */
  deliveriesOf(
    caller: Caller,
    id: string,
    filter: { status?: DeliveryStatus; limit: number },
    after: Position | null,
  ): Page<Delivery> {
    const { status, limit } = filter;
    const options = { status, beforeId: after ? String(after[0]) : undefined, limit: limit + 1 };
    const endpoint = this.get(caller, id);
    return cutPage(this.parts.deliveries.list(endpoint.id, options), limit, (delivery) => [delivery.id]);
  }

  /** Returns one delivery. @throws ApiError not_found */
  delivery(caller: Caller, id: string, delivery_id: string): { endpoint: Endpoint; delivery: Delivery } {
    const endpoint = this.get(caller, id);
    return { endpoint, delivery: this.parts.deliveries.of(endpoint.id, delivery_id) };
  }

  /** Restarts the schedule of a delivery in any state. @throws ApiError not_found */
  redeliver(caller: Caller, id: string, delivery_id: string): { endpoint: Endpoint; delivery: Delivery } {
    return this.parts.platform.db.write(() => {
      const { delivery: before } = this.delivery(caller, id, delivery_id);
      this.parts.deliveries.restart(delivery_id);
      this.#audit(caller, "webhook.redeliver", delivery_id, { status: before.status }, { status: "pending" });
      this.#changed();
      return this.delivery(caller, id, delivery_id);
    });
  }

  /**
   * Implements the Test button: sends one `webhook.test` now, even to a disabled endpoint. It is stored in the history,
   * is not retried, and does not count as success or failure.
   * @throws ApiError not_found
   */
  async ping(by: By, id: string): Promise<{ endpoint: Endpoint; delivery: Delivery }> {
    const { platform, endpoints, secrets, deliveries, attempts } = this.parts;
    const endpoint = endpoints.owned(by.user_id, id);
    const at = platform.clock.now();
    const event = testEvent(platform.newId("event"), id, isoTime(at));
    const target = { user_id: by.user_id, url: endpoint.url, secrets: validSecrets(secrets.of(endpoint), at) };
    const result = (await attempts.make(target, event))!;
    const delivery = platform.db.write(() => {
      endpoints.owned(by.user_id, id); // Checks that the endpoint was not deleted during the request.
      this.#audit(by, "webhook.test", id, null, { status: result.response_status, error: result.error });
      return deliveries.record(endpoint, { id: event.id, event: event.event, at }, result);
    });
    return { endpoint, delivery };
  }

  /**
   * Disables an endpoint that fails or is gone, and mails its owner. Both happen in one transaction if the mail can be
   * sent; otherwise the endpoint is only disabled. About receivers that are gone, a user gets at most five mails a day.
   */
  disableFailing(id: string, reason: Exclude<DisabledReason, "user">): void {
    const { platform, notify } = this.parts;
    try {
      platform.db.write(() => {
        const endpoint = this.#disable(id, reason);
        if (!endpoint || (reason === "gone" && !this.#mayNotifyGone(endpoint.user_id))) return;
        notify(endpoint.user_id, disabledMail(endpoint, reason));
      });
    } catch (error) {
      // No mailbox can send, or the day's sends are used up. The endpoint itself still shows that it is disabled.
      platform.db.write(() => this.#disable(id, reason));
      platform.log.warn("the owner of a disabled endpoint was not mailed", { endpoint: id, ...errorFields(error) });
    }
  }

  #mayNotifyGone(user_id: string): boolean {
    const now = this.parts.platform.clock.now();
    const mailed = (this.#goneNotices.get(user_id) ?? []).filter((at) => at > now - DAY_MS);
    if (mailed.length >= MAX_GONE_NOTICES_PER_DAY) return false;
    this.#goneNotices.set(user_id, [...mailed, now]);
    return true;
  }

  /** Disables an endpoint. @returns null if it was not active */
  #disable(id: string, reason: Exclude<DisabledReason, "user">): Endpoint | null {
    const { platform, endpoints } = this.parts;
    const endpoint = endpoints.get(id);
    if (!endpoint || !endpoints.disable(id, reason)) return null;
    const { user_id, failure_count: failures } = endpoint;
    const by = { user_id, actor: SYSTEM_ACTOR, request_id: null };
    this.#audit(by, "webhook.disable", id, summary(endpoint), { status: "disabled", reason });
    platform.log.warn("a webhook endpoint was disabled", { endpoint: id, reason, failures });
    this.#changed();
    return endpoint;
  }

  /** Deletes the history of events that are no longer in the log, and expired secrets. */
  prune(): void {
    const { platform, deliveries, secrets } = this.parts;
    deliveries.prune(platform.clock.now() - platform.config.get("retention.events_days") * DAY_MS);
    secrets.prune();
  }

  #audit({ user_id, actor, request_id }: By, action: string, target: string, before: unknown, after: unknown): void {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }

  /** Notifies the deliverer after the current transaction. */
  #changed(): void {
    queueMicrotask(() => this.onChange());
  }
}

/** Removes duplicate names. */
const distinct = (events: readonly EventName[]) => [...new Set(events)];

const summary = ({ url, events, status }: Endpoint) => ({ url, events, status });
