import type { Clock } from "../../kernel/clock.ts";
import type { EgressClient } from "../../platform/egress/client.ts";
import { explainFault } from "../../platform/egress/faults.ts";
import { retryAfterDelay } from "../../platform/egress/retry-after.ts";
import type { PersonalTargets } from "../../platform/egress/targets.ts";
import { judge, publication } from "./protocols.ts";
import type { Outcome } from "./tables.ts";
import type { Target } from "./targets-store.ts";
import type { Message } from "./text.ts";

const ATTEMPT_MS = 15_000;
/** Bytes of the response that are kept for troubleshooting. */
const KEPT_BODY_BYTES = 2_048;

export interface AttemptResult {
  outcome: Omit<Outcome, "test">;
  /** Whether repeating cannot help until someone changes something. */
  refused: boolean;
  /** The wait that the server asked for, ms. */
  askedWaitMs: number | null;
}

/** Makes single attempts to publish a message. */
export class Attempts {
  constructor(
    private readonly egress: Pick<EgressClient, "request">,
    private readonly targets: PersonalTargets,
    private readonly clock: Clock,
    private readonly user_agent: string,
  ) {}

  /** Publishes a message. @returns null when `signal` aborted it, in which case the outcome is unknown */
  async make(
    { user_id, address }: Pick<Target, "user_id" | "address">,
    message: Message,
    signal?: AbortSignal,
  ): Promise<AttemptResult | null> {
    const { url, headers, body } = publication(address, message);
    const keeps = this.targets.keepsResponse(url);
    try {
      const response = await this.egress.request({
        method: "POST",
        url,
        headers: { ...headers, "User-Agent": this.user_agent },
        body,
        timeoutMs: ATTEMPT_MS,
        maxBodyBytes: KEPT_BODY_BYTES,
        policy: this.targets.policyOf(user_id, url),
        signal,
      });
      const { status } = response;
      const response_body = keeps ? Buffer.from(response.body).toString() : "";
      const { error, refused } = judge(address, status, response_body);
      const at = this.clock.now();
      return {
        outcome: { at, ok: error === null, response_status: status, error, response_body },
        refused,
        askedWaitMs: retryAfterDelay(status, response.headers["retry-after"], at),
      };
    } catch (error) {
      if (signal?.aborted) return null;
      const { message: reason } = explainFault(error);
      const outcome = { at: this.clock.now(), ok: false, response_status: null, error: reason, response_body: "" };
      return { outcome, refused: false, askedWaitMs: null };
    }
  }
}
