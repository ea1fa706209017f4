import type { Clock } from "../../kernel/clock.ts";
import type { EgressClient } from "../../platform/egress/client.ts";
import { explainFault } from "../../platform/egress/faults.ts";
import type { EgressResponse } from "../../platform/egress/response.ts";
import { retryAfterDelay } from "../../platform/egress/retry-after.ts";
import type { PersonalTargets } from "../../platform/egress/targets.ts";
import type { PublishedEvent } from "../../platform/ledger/events.ts";
import { outcomeOf } from "./schedule.ts";
import { signatureHeaders } from "./signature.ts";

/** An attempt succeeds only if the response arrives within this time (docs/webhooks.md, "Write a receiver"). */
const ATTEMPT_MS = 15_000;
/** Bytes of the response body that are stored for troubleshooting. */
const KEPT_BODY_BYTES = 4_096;
const NOTHING = new Uint8Array(0);

/** The result of one attempt. */
export interface AttemptResult {
  outcome: "delivered" | "gone" | "failed";
  at: number;
  ended_at: number;
  /** Null if there was no response. */
  response_status: number | null;
  /** The reason of a failure; null on success. */
  error: string | null;
  response_headers: Record<string, string>;
  /** The first 4 KiB, as text. */
  response_body: string;
  /** The wait that the receiver asked for, ms. */
  askedWaitMs: number | null;
}

export interface Target {
  /** Whose endpoint it is. */
  user_id: string;
  url: string;
  secrets: readonly string[];
}

/**
 * Returns the ping of the settings page and the command line (docs/webhooks.md, "Event catalog"), which is never in the
 * event log.
 */
export function testEvent(id: string, endpoint_id: string, created_at: string): PublishedEvent {
  return { id, event: "webhook.test", created_at, data: { endpoint_id } };
}

/** Makes single attempts, and signs exactly the bytes that it sends. */
export class Attempts {
  constructor(
    private readonly egress: Pick<EgressClient, "request">,
    private readonly targets: PersonalTargets,
    private readonly clock: Clock,
    private readonly user_agent: string,
  ) {}

  /** Makes one attempt. @returns null when `signal` aborted it, in which case the outcome is unknown */
  async make(target: Target, event: PublishedEvent, signal?: AbortSignal): Promise<AttemptResult | null> {
    const at = this.clock.now();
    const body = Buffer.from(JSON.stringify(event));
    const headers = {
      "Content-Type": "application/json",
      Accept: "*/*",
      "User-Agent": this.user_agent,
      ...signatureHeaders({ id: event.id, body }, at, target.secrets),
    };
    try {
      const response = await this.egress.request({
        method: "POST",
        url: target.url,
        headers,
        body,
        timeoutMs: ATTEMPT_MS,
        maxBodyBytes: KEPT_BODY_BYTES,
        policy: this.targets.policyOf(target.user_id, target.url),
        // Delivery is at least once: receivers recognize repeated events by their id.
        repeatable: true,
        signal,
      });
      const kept = this.targets.keepsResponse(target.url) ? response : { ...response, headers: {}, body: NOTHING };
      return this.#answered(at, response.headers["retry-after"], kept);
    } catch (error) {
      if (signal?.aborted) return null;
      const fault = explainFault(error);
      const none = { response_status: null, response_headers: {}, response_body: "", askedWaitMs: null };
      return { outcome: "failed", at, ended_at: this.clock.now(), error: fault.message, ...none };
    }
  }

  #answered(at: number, retryAfter: string | undefined, { status, headers, body }: EgressResponse): AttemptResult {
    const ended_at = this.clock.now();
    const outcome = outcomeOf(status);
    return {
      outcome,
      at,
      ended_at,
      response_status: status,
      error: outcome === "delivered" ? null : `the receiver answered ${status}`,
      response_headers: headers,
      response_body: Buffer.from(body).toString(),
      askedWaitMs: retryAfterDelay(status, retryAfter, ended_at),
    };
  }
}
