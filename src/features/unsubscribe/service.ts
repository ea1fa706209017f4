import type { Caller } from "../../http/guard/caller.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Unsubscribes } from "../../mailbox/changes/unsubscribes.ts";
import type { MessageQueries } from "../../mailbox/queries/messages.ts";
import type { EgressClient } from "../../platform/egress/client.ts";
import { explainFault } from "../../platform/egress/faults.ts";

export interface Unsubscribed {
  message_id: string;
  /** The server that accepted the request. */
  host: string;
  /** When it accepted the request, ms. */
  at: number;
}

export interface UnsubscribeParts {
  messages: Pick<MessageQueries, "get">;
  unsubscribes: Unsubscribes;
  /** Connects only to public addresses, because the sender of the mail chose the URL. */
  egress: Pick<EgressClient, "request">;
  user_agent: string;
}

const TIMEOUT_MS = 20_000;
const BODY = Buffer.from("List-Unsubscribe=One-Click");

/**
 * Unsubscribes with one click (RFC 8058): a single POST that reveals nothing about the person except the URL from the
 * mail.
 */
export class Unsubscriber {
  /** Requests under way, by message, so that a second click waits for the first request. */
  readonly #asking = new Map<string, Promise<void>>();

  constructor(private readonly parts: UnsubscribeParts) {}

  /**
   * Unsubscribes from the sender of a message, once per message.
   * @throws ApiError not_found, unsubscribe_unavailable, unsubscribe_failed
   */
  async unsubscribe<T>(caller: Caller, id: string, store: (done: () => Unsubscribed) => T): Promise<T> {
    const { messages, unsubscribes } = this.parts;
    const url = messages.get(caller, id).unsubscribe_url;
    if (url === undefined) {
      throw new ApiError(
        "unsubscribe_unavailable",
        "This message offers no one-click unsubscribe. Use the unsubscribe link in the message, if it has one.",
      );
    }
    const host = new URL(url).hostname;
    if (unsubscribes.at(id) === null && !caller.isTest) await this.#postOnce(id, url);
    const { actor, request_id, user_id } = caller;
    return store(() => ({
      message_id: id,
      host,
      at: unsubscribes.at(id) ?? unsubscribes.note(user_id, { actor, request_id }, id, host),
    }));
  }

  #postOnce(id: string, url: string): Promise<void> {
    const asked = this.#asking.get(id) ?? this.#post(url).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asked);
    return asked;
  }

  async #post(url: string): Promise<void> {
    const request = {
      method: "POST",
      url,
      headers: { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": this.parts.user_agent },
      body: BODY,
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: 0,
    };
    const { status } = await this.parts.egress.request(request).catch((error: unknown) => {
      throw new ApiError(
        "unsubscribe_failed",
        `The sender's server could not be reached: ${explainFault(error).message}. Try again later.`,
        {
          cause: error,
        },
      );
    });
    // RFC 8058 §3.2: no redirects. A page that requires another click has not unsubscribed anyone.
    if (status >= 200 && status < 300) return;
    throw new ApiError(
      "unsubscribe_failed",
      `The sender's server rejected the request: it answered ${status}. Try again later.`,
    );
  }
}
