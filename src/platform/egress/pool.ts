import type { Socket } from "node:net";
import type { CancelTimer, Clock } from "../../kernel/clock.ts";

/** Shorter than the idle timeout of receivers, five seconds or more, so that no request meets a closed connection. */
const IDLE_MS = 4_000;
/** Maximum age, because a name may later point elsewhere. */
const OLDEST_MS = 300_000;
const MAX_IDLE_PER_ORIGIN = 16;

/** An open connection; `reused` if an earlier request used it. */
export interface Connection {
  socket: Socket;
  openedAt: number;
  reused: boolean;
}

interface Idle extends Connection {
  leave: () => void;
}

/** Idle connections for later requests to the same origin. */
export class ConnectionPool {
  readonly #idle = new Map<string, Idle[]>();
  #closed = false;

  constructor(private readonly clock: Clock) {}

  /** Returns the most recently used connection, or null. */
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

  /** Keeps a connection whose last response was read completely. */
  give(origin: string, { socket, openedAt }: Connection): void {
    const list = this.#idle.get(origin) ?? [];
    if (this.#closed || socket.destroyed || list.length >= MAX_IDLE_PER_ORIGIN) {
      socket.destroy();
      return;
    }
    this.#idle.set(origin, list);
    let cancel: CancelTimer = () => {};
    // Any data on an idle connection ends it, because there is no request that it could answer.
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
