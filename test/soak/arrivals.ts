import type { ReceivedRequest } from "../support/https-receiver.ts";
import type { AcceptedMessage } from "../support/smtp-server.ts";

/**
 * What arrived at the other ends, counted by subject or event: totals alone would hide a lost one behind a doubled one.
 */
export class Arrivals {
  hooks = 0;
  readonly #events = new Set<string>();
  readonly #announced = new Set<string>();

  hook({ body }: ReceivedRequest): void {
    this.hooks++;
    const { id, event, data } = JSON.parse(body);
    this.#events.add(id);
    if (event === "message.received") this.#announced.add(data.message_id);
  }

  /** Deliveries beyond the first of an event, which a receiver must tolerate. */
  get repeated(): number {
    return this.hooks - this.#events.size;
  }

  /**
   * Returns what is missing, doubled or unexpected. @param accepted by the submission server, all with a subject `Soak
   * N`
   */
  misses(mails: number, sends: number, accepted: readonly AcceptedMessage[]): string[] {
    const misses: string[] = [];
    const check = (what: string, is: number, should: number) => {
      if (is !== should) misses.push(`${is} ${what}, not ${should}`);
    };
    check("mails were announced", this.#announced.size, mails);
    check("events were delivered", this.#events.size, mails + sends);
    const subjects = new Set(accepted.map(({ raw }) => /^Subject: (Soak \d+)\r?$/m.exec(raw)?.[1] ?? "another one"));
    check("sends went out", subjects.size, sends);
    check("sends were handed over", accepted.length, sends);
    return misses;
  }
}
