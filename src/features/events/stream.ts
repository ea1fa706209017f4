import type { Clock } from "../../kernel/clock.ts";
import { type EventLog, publishedEvent } from "../../platform/ledger/events.ts";

/** Interval of heartbeat comments, because proxies and browsers close a silent stream. */
const HEARTBEAT_MS = 15_000;
/** Other processes write events without notifying this one. */
const POLL_MS = 1_000;
const RECONNECT_MS = 2_000;
const BATCH = 50;

export interface StreamOptions {
  log: EventLog;
  clock: Clock;
  user_id: string;
  /** Position after which the stream begins. */
  from: number;
  types: readonly string[] | undefined;
  /** Returns the id that a client passes as Last-Event-ID to resume after this position. */
  cursor: (position: number) => string;
  /** Ends the stream. */
  signal: AbortSignal;
}

/**
 * Returns events as server-sent events (WHATWG HTML, 9.2): those in the log after `from`, then new ones. Reads only as
 * fast as the client does, and buffers one batch.
 */
export function eventStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const { log, clock, signal } = options;
  const encoder = new TextEncoder();
  const reader = new LogReader(options);
  let wake = () => {};
  const stopListening = log.listen(() => wake());
  signal.addEventListener(
    "abort",
    () => {
      stopListening();
      wake();
    },
    { once: true },
  );
  /** Resolves when there may be new events. */
  const pause = () =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(POLL_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  let lastOutputAt = clock.now();
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(`retry: ${RECONNECT_MS}\n\n`)),
    async pull(controller) {
      while (!signal.aborted) {
        const text = reader.next() ?? (clock.now() - lastOutputAt >= HEARTBEAT_MS ? ":\n\n" : null);
        if (text !== null) {
          lastOutputAt = clock.now();
          return controller.enqueue(encoder.encode(text));
        }
        await pause();
      }
      controller.close();
    },
    cancel: () => {
      stopListening();
      wake();
    },
  });
}

/** Reads the log in order. */
class LogReader {
  #position: number;

  constructor(private readonly options: StreamOptions) {
    this.#position = options.from;
  }

  /** Returns the next events in the format of the stream; null when there are none. */
  next(): string | null {
    const { log, user_id, types, cursor } = this.options;
    if (log.head() <= this.#position) return null;
    const { events, end } = log.read(user_id, this.#position, BATCH, types);
    this.#position = end;
    if (events.length === 0) return null;
    return events
      .map((event) => {
        const data = JSON.stringify(publishedEvent(event));
        return `id: ${cursor(event.position)}\nevent: ${event.event}\ndata: ${data}\n\n`;
      })
      .join("");
  }
}
