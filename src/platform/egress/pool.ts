import type { TLSSocket } from "node:tls";
import type { CancelTimer, Clock } from "../../kernel/clock.ts";

/** Receivers close idle connections after anything from five seconds on; we are earlier, or we would write into nothing. */
const IDLE_MS = 4_000;
/** A name may point elsewhere by then. */
const OLDEST_MS = 300_000;
const MOST_IDLE_PER_ORIGIN = 16;

/** An open connection; `reused` when a request went over it before. */
export interface Connection {
  socket: TLSSocket;
  openedAt: number;
  reused: boolean;
}

interface Idle extends Connection {
  leave: () => void;
}

/** Connections that wait for the next request to the same origin. */
export class ConnectionPool {
  readonly #idle = new Map<string, Idle[]>();
  #closed = false;

  constructor(private readonly clock: Clock) {}

  /** The connection used last, or null. */
  take(origin: string): Connection | null {
    const list = this.#idle.get(origin);
    for (;;) {
      const entry = list?.at(-1);
      if (!entry) return null;
      entry.leave();
      const { socket, openedAt } = entry;
      if (socket.destroyed || this.clock.now() - openedAt > OLDEST_MS) socket.destroy();
      else return { socket, openedAt, reused: true };
    }
  }

  /** Keeps a connection whose last response was read to its end. */
  give(origin: string, { socket, openedAt }: Connection): void {
    const list = this.#idle.get(origin) ?? [];
    if (this.#closed || socket.destroyed || list.length >= MOST_IDLE_PER_ORIGIN) {
      socket.destroy();
      return;
    }
    this.#idle.set(origin, list);
    let cancel: CancelTimer = () => {};
    // Whatever comes over an idle connection is its end: nobody asked for anything.
    const end = () => {
      entry.leave();
      socket.destroy();
    };
    const events = ["data", "end", "close"] as const;
    const entry: Idle = {
      socket,
      openedAt,
      reused: true,
      leave: () => {
        cancel();
        for (const event of events) socket.off(event, end);
        const rest = list.filter((other) => other !== entry);
        list.length = 0;
        list.push(...rest);
        if (list.length === 0 && this.#idle.get(origin) === list) this.#idle.delete(origin);
      },
    };
    for (const event of events) socket.on(event, end);
    cancel = this.clock.after(IDLE_MS, end);
    list.push(entry);
  }

  close(): void {
    this.#closed = true;
    for (const list of [...this.#idle.values()]) {
      for (const entry of [...list]) {
        entry.leave();
        entry.socket.destroy();
      }
    }
  }
}
