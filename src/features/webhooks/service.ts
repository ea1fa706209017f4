import { type Caller, requireUnbound } from "../../http/caller.ts";
import { cutPage, type Page, type Position } from "../../http/paging.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import type { EventName } from "../../kernel/events.ts";
import { SYSTEM_ACTOR } from "../../platform/audit.ts";
import { EgressFault } from "../../platform/egress/faults.ts";
import type { EgressGuard } from "../../platform/egress/guard.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Attempts, testEvent } from "./attempt.ts";
import type { Delivery, DeliveryStatus, DeliveryStore } from "./deliveries-store.ts";
import type { DisabledReason, Endpoint, EndpointStatus, EndpointStore } from "./endpoints-store.ts";
import { disabledMail } from "./owner-mail.ts";
import { type SecretStore, validSecrets } from "./secrets-store.ts";

/** Mails a person through their own account. Joins the transaction that it is called in. */
export type Notify = (user_id: string, mail: { subject: string; text: string }) => void;

export interface WebhookServiceParts {
  platform: Platform;
  endpoints: EndpointStore;
  secrets: SecretStore;
  deliveries: DeliveryStore;
  attempts: Attempts;
  guard: EgressGuard;
  notify: Notify;
}

const DAY_MS = 86_400_000;
/** Whoever holds a key can have a receiver answer 410 all day, and each mail about it costs the owner a send. */
const MOST_GONE_MAILS_PER_DAY = 5;

/** Who changes something. */
type By = Pick<Caller, "user_id" | "actor"> & { request_id: string | null };

export interface EndpointEdit {
  url?: string;
  events?: readonly EventName[];
  status?: EndpointStatus;
}

/** Webhook endpoints as their owner handles them; every change is audited. */
export class WebhookService {
  /** Called when endpoints or deliveries changed, so that whoever delivers need not wait for the next poll. */
  onChange: () => void = () => {};
  /** When each person was mailed about receivers that are gone. */
  readonly #gone_mails = new Map<string, number[]>();

  constructor(private readonly parts: WebhookServiceParts) {}

  list(caller: Caller, filter: { status?: EndpointStatus; limit: number }, after: Position | null): Page<Endpoint> {
    requireUnbound(caller);
    const { status, limit } = filter;
    const options = { status, before_id: after ? String(after[0]) : undefined, limit: limit + 1 };
    return cutPage(this.parts.endpoints.list(caller.user_id, options), limit, ({ id }) => [id]);
  }

  /** @throws ApiError not_found */
  get(caller: Caller, id: string): Endpoint {
    requireUnbound(caller);
    return this.parts.endpoints.owned(caller.user_id, id);
  }

  /** @throws ApiError plan_required, invalid_params (`url`) */
  create(caller: Caller, input: { url: string; events: readonly EventName[] }): Endpoint & { secret: string } {
    requireUnbound(caller);
    const { platform, endpoints, secrets } = this.parts;
    const url = this.#checkUrl(input.url);
    return platform.db.write(() => {
      const limit = platform.meters.limits(caller.user).webhook_endpoints;
      if (endpoints.count(caller.user_id) >= limit) {
        const message = `All ${limit} webhook endpoints of the ${caller.user.plan} plan are in use. Delete an endpoint, or change the plan.`;
        throw new ApiError("plan_required", message);
      }
      const endpoint = endpoints.insert(caller.user_id, { url, events: once(input.events) });
      const secret = secrets.rotate(endpoint);
      this.#audit(caller, "webhook.create", endpoint.id, null, summary(endpoint));
      this.#changed();
      return { ...endpoint, secret };
    });
  }

  /**
   * Changes the fields given. `status: "active"` forgets the streak of failures, and everything that waits is tried anew.
   * @throws ApiError not_found, invalid_params (`url`)
   */
  update(caller: Caller, id: string, { url, events, status }: EndpointEdit): Endpoint {
    const { platform, endpoints, deliveries } = this.parts;
    return platform.db.write(() => {
      const before = this.get(caller, id);
      if (url === undefined && events === undefined && status === undefined) return before;
      if (url !== undefined || events !== undefined) {
        endpoints.update(before, {
          url: url === undefined ? before.url : this.#checkUrl(url),
          events: events ? once(events) : before.events,
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

  /** A new secret; the one before goes on signing for 24 hours. @throws ApiError not_found */
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

  /** @throws ApiError not_found */
  deliveriesOf(
    caller: Caller,
    id: string,
    filter: { status?: DeliveryStatus; limit: number },
    after: Position | null,
  ): Page<Delivery> {
    const { status, limit } = filter;
    const options = { status, before_id: after ? String(after[0]) : undefined, limit: limit + 1 };
    const endpoint = this.get(caller, id);
    return cutPage(this.parts.deliveries.list(endpoint.id, options), limit, (delivery) => [delivery.id]);
  }

  /** @throws ApiError not_found */
  delivery(caller: Caller, id: string, delivery_id: string): { endpoint: Endpoint; delivery: Delivery } {
    const endpoint = this.get(caller, id);
    return { endpoint, delivery: this.parts.deliveries.of(endpoint.id, delivery_id) };
  }

  /** Begins the schedule of a delivery anew, whatever became of it. @throws ApiError not_found */
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
   * The Test button: one `webhook.test` to the endpoint now, whether it is active or not. It is kept in the history, is
   * not repeated, and does not count as success or failure.
   * @throws ApiError not_found
   */
  async ping(by: By, id: string): Promise<{ endpoint: Endpoint; delivery: Delivery }> {
    const { platform, endpoints, secrets, deliveries, attempts } = this.parts;
    const endpoint = endpoints.owned(by.user_id, id);
    const at = platform.clock.now();
    const event = testEvent(platform.newId("event"), id, isoTime(at));
    const target = { url: endpoint.url, secrets: validSecrets(secrets.of(endpoint), at) };
    const result = (await attempts.make(target, event))!;
    const delivery = platform.db.write(() => {
      endpoints.owned(by.user_id, id); // deleted meanwhile
      this.#audit(by, "webhook.test", id, null, { status: result.response_status, error: result.error });
      return deliveries.record(endpoint, { id: event.id, event: event.event, at }, result);
    });
    return { endpoint, delivery };
  }

  /**
   * Disables an endpoint that fails or is gone, and mails its owner, both or neither where a mail can be sent at all. Of
   * receivers that are gone a person hears five times a day.
   */
  disableFailing(id: string, reason: Exclude<DisabledReason, "user">): void {
    const { platform, notify } = this.parts;
    try {
      platform.db.write(() => {
        const endpoint = this.#disable(id, reason);
        if (!endpoint || (reason === "gone" && !this.#mayMailGone(endpoint.user_id))) return;
        notify(endpoint.user_id, disabledMail(endpoint, reason));
      });
    } catch (error) {
      // No mailbox that sends, or the day's sends are used up. The endpoint shows it all the same.
      platform.db.write(() => this.#disable(id, reason));
      platform.log.warn("the owner of a disabled endpoint was not mailed", { endpoint: id, ...errorFields(error) });
    }
  }

  #mayMailGone(user_id: string): boolean {
    const now = this.parts.platform.clock.now();
    const mailed = (this.#gone_mails.get(user_id) ?? []).filter((at) => at > now - DAY_MS);
    if (mailed.length >= MOST_GONE_MAILS_PER_DAY) return false;
    this.#gone_mails.set(user_id, [...mailed, now]);
    return true;
  }

  /** @returns null when it was not active */
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

  /** Deletes the history of events that have left the log, and secrets that expired. */
  prune(): void {
    const { platform, deliveries, secrets } = this.parts;
    deliveries.prune(platform.clock.now() - platform.config.get("retention.events_days") * DAY_MS);
    secrets.prune();
  }

  #checkUrl(text: string): string {
    try {
      this.parts.guard.checkUrl(text);
      return text;
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error;
      throw invalidParam("url", `This URL cannot be used: ${error.message}.`);
    }
  }

  #audit({ user_id, actor, request_id }: By, action: string, target: string, before: unknown, after: unknown): void {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }

  /** After the transaction that is running now. */
  #changed(): void {
    queueMicrotask(() => this.onChange());
  }
}

/** Each name once. */
const once = (events: readonly EventName[]) => [...new Set(events)];

const summary = ({ url, events, status }: Endpoint) => ({ url, events, status });
