import type { CancelTimer, Clock } from "../kernel/clock.ts";

/** Interval for checking whether the key or session of an open stream was revoked. */
const RECHECK_MS = 1_000;

interface Entry {
  stillUsable: () => boolean;
  end: AbortController;
}

/** A reply that stays open: the signal that ends it, and `release` for its end, which also fires the signal. */
export interface OpenStream {
  signal: AbortSignal;
  release: () => void;
}

/**
 * Replies that stay open. They end when the client disconnects, when their key or session becomes invalid, and when the
 * server stops.
 */
export class Streams {
  readonly #open = new Set<Entry>();
  #timer: CancelTimer | null = null;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#open.size;
  }

  /** @param stillUsable called every second: returns whether the key or session is still valid */
  open(stillUsable: () => boolean, request: Request): OpenStream {
    const stream: Entry = { stillUsable, end: new AbortController() };
    const gone = () => stream.end.abort();
    request.signal.addEventListener("abort", gone, { once: true });
    this.#open.add(stream);
    this.#schedule();
    const release = () => {
      request.signal.removeEventListener("abort", gone);
      this.#open.delete(stream);
      stream.end.abort(); // producers can clean up on the signal alone
    };
    return { signal: stream.end.signal, release };
  }

  /**
   * Ends a reply with events when its credential becomes invalid. Returns any other reply as it is.
   * @param keepOpen called for a reply with events
   */
  bind(response: Response, stillUsable: () => boolean, request: Request, keepOpen: () => void): Response {
    const { body, status, headers } = response;
    if (!body || !headers.get("content-type")?.startsWith("text/event-stream")) return response;
    keepOpen();
    const stream = this.open(stillUsable, request);
    return new Response(endWith(body, stream.signal, true, stream.release), { status, headers });
  }

  /** Ends all streams. */
  close(): void {
    this.#timer?.();
    this.#timer = null;
    for (const { end } of this.#open) end.abort();
    this.#open.clear();
  }

  #schedule(): void {
    if (this.#timer || this.#open.size === 0) return;
    this.#timer = this.clock.after(RECHECK_MS, () => {
      this.#timer = null;
      this.recheck();
      this.#schedule();
    });
  }

  /**
   * Ends streams whose key or session is no longer valid. Runs automatically every second; call it after a revocation
   * to avoid the wait.
   */
  recheck(): void {
    for (const stream of [...this.#open]) {
      if (stream.stillUsable()) continue;
      this.#open.delete(stream);
      stream.end.abort();
    }
  }
}

/**
 * Returns the body of a streamed reply that `signal` ends even when the handler ignores it. An event stream just
 * closes; anything else is cut with an error, so that a partial file is not taken for a complete one.
 */
export function endWith(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  clean: boolean,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  const finish = () => {
    ended = true;
    release();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = () => {
        if (ended) return;
        finish();
        if (clean) controller.close();
        else controller.error(new Error("the reply was ended"));
        reader.cancel().catch(() => {});
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (ended) return;
        if (!done) return controller.enqueue(value);
        finish();
        controller.close();
      } catch (error) {
        if (ended) return;
        finish();
        controller.error(error);
      }
    },
    async cancel(reason) {
      if (!ended) finish();
      // No one reads any more, so an error of the producer has no recipient.
      await reader.cancel(reason).catch(() => {});
    },
  });
}
